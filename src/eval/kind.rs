//! Types whose values can be permuted.

use std::rc::Rc;

use super::value::{DatatypeId, Value};

/// A type whose values can be permuted, as the evaluator knows it. Other crates know it as a
/// [`ValueType`].
///
/// [`ValueType`]: process::values::ValueType
#[derive(Clone, PartialEq, Debug)]
pub struct TypedValues {
    /// The name of the datatype, `Bool`, or the set as CSPm, `{0..2}`.
    pub name: String,
    /// Its values that may move, ascending. Constants are in the order of their declaration.
    pub values: Vec<Value>,
    pub(super) kind: PermutableKind,
}

/// A type with a permutation of its values: value i goes to `values[images[i]]`.
pub(super) type TypePermutation = (TypedValues, Vec<usize>);

/// The type of a value that can be permuted.
#[derive(Clone, Debug)]
pub(super) enum PermutableKind {
    /// A constant of this datatype, wherever it stands.
    Datatype(DatatypeId),
    /// A truth value, wherever it stands.
    Bool,
    /// An integer or character in a place for the members of this finite set, which are ascending.
    Index(Rc<[Value]>),
}

impl TypedValues {
    /// True if both are one datatype, or equal sets of integers or characters. Their `values` may
    /// differ.
    pub fn is_same(&self, other: &TypedValues) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for PermutableKind {
    /// Compares sets member by member only if they are not one object: a walk over the events of a
    /// hundred processes asks this for every field.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (PermutableKind::Index(one), PermutableKind::Index(other)) => {
                Rc::ptr_eq(one, other) || one == other
            }
            _ => self.is_one(other),
        }
    }
}

impl Eq for PermutableKind {}

impl PermutableKind {
    /// True if both are certain to be equal, without a look at members.
    pub(super) fn is_one(&self, other: &Self) -> bool {
        match (self, other) {
            (PermutableKind::Datatype(one), PermutableKind::Datatype(other)) => one == other,
            (PermutableKind::Bool, PermutableKind::Bool) => true,
            (PermutableKind::Index(one), PermutableKind::Index(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// True if this is a set of integers or characters that contains all of `values`, and `values`
    /// is not empty.
    pub(super) fn indexes(&self, values: &[Value]) -> bool {
        let PermutableKind::Index(members) = self else {
            return false;
        };
        let has = |value| members.binary_search(value).is_ok();
        !values.is_empty() && values.iter().all(has)
    }
}
