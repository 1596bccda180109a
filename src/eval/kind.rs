//! Types whose values can be permuted.

use std::rc::Rc;

use super::value::{DatatypeId, Value};

/// A type whose values can be permuted, as the evaluator knows it; see [`ValueType`] for how others
/// do.
///
/// [`ValueType`]: process::values::ValueType
#[derive(Clone, PartialEq, Debug)]
pub struct TypedValues {
    /// The datatype, `Bool`, or the set as CSPm, `{0..2}`.
    pub name: String,
    /// Those of its values that may move, ascending; constants in the order of their declaration.
    pub values: Vec<Value>,
    pub(super) kind: PermutableKind,
}

/// A type with what becomes of its values: value i goes to `values[images[i]]`.
pub(super) type TypePermutation = (TypedValues, Vec<usize>);

/// What a value that can be permuted belongs to.
#[derive(Clone, Debug)]
pub(super) enum PermutableKind {
    /// It is a constant of this datatype, wherever it stands.
    Datatype(DatatypeId),
    /// It is a truth value, wherever it stands.
    Bool,
    /// It stands where integers, or characters, of this finite set stand; ascending.
    Index(Rc<[Value]>),
}

impl TypedValues {
    /// Whether both are the same datatype, or the same set of integers or characters. Their
    /// `values` may differ.
    pub fn is_same(&self, other: &TypedValues) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for PermutableKind {
    /// Sets are compared member by member only if they are not one and the same: a walk over the
    /// events of a hundred processes asks this for every field.
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
    /// Whether both are certain to be the same, without a look at members.
    pub(super) fn is_one(&self, other: &Self) -> bool {
        match (self, other) {
            (PermutableKind::Datatype(one), PermutableKind::Datatype(other)) => one == other,
            (PermutableKind::Bool, PermutableKind::Bool) => true,
            (PermutableKind::Index(one), PermutableKind::Index(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Whether it is a set of integers or characters that has all of `values`, of which there are
    /// some.
    pub(super) fn indexes(&self, values: &[Value]) -> bool {
        let PermutableKind::Index(members) = self else {
            return false;
        };
        let has = |value| members.binary_search(value).is_ok();
        !values.is_empty() && values.iter().all(has)
    }
}
