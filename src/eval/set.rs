//! Sets: finite ones as sorted arrays, the others in symbols.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::value::{DatatypeId, Value};

/// A set of fully evaluated values. Equal sets may be written differently. Sets returned by
/// `Evaluator::canonical_set` are equal iff they have the same members, as far as that is
/// decidable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Set {
    /// Ascending, without repetition.
    Finite(Rc<[Value]>),
    /// `Int`
    Integers,
    /// `{n..}`
    IntegersFrom(i64),
    /// `Char`
    Characters,
    /// `Proc`
    Processes,
    /// All values of a datatype.
    Datatype(DatatypeId),
    /// `Seq(S)`
    Sequences(Rc<Set>),
    /// `Set(S)`
    Subsets(Rc<Set>),
    /// `Map(K, V)`
    Maps(Rc<Set>, Rc<Set>),
    /// Tuples of one member of each set, in order.
    Tuples(Rc<[Set]>),
    /// Dotted values of one member of each set. The first may hold a single channel or constructor.
    Dots(Rc<[Set]>),
    /// The members of all of them.
    Union(Rc<[Set]>),
}

impl Set {
    /// The empty set.
    pub(super) fn empty() -> Self {
        Set::Finite(Rc::new([]))
    }

    /// The set of these fully evaluated values.
    pub(super) fn from_values(mut values: Vec<Value>) -> Self {
        // Members that were taken from a set are in order already; finding that out costs less than
        // sorting.
        if !values.is_sorted_by(|a, b| a < b) {
            values.sort();
            values.dedup();
        }
        Set::Finite(values.into())
    }

    /// The integers from `from` to `to`.
    pub(super) fn range(from: i64, to: i64) -> Self {
        Set::Finite((from..=to).map(Value::Int).collect())
    }

    /// The dotted values of one member of each of `sets`. A single set is returned as it is.
    pub(super) fn dots(mut sets: Vec<Set>) -> Self {
        match sets.len() {
            1 => sets.remove(0),
            _ => Set::Dots(sets.into()),
        }
    }

    /// The parts of a union; any other set is its own single part.
    pub(super) fn parts(&self) -> &[Set] {
        match self {
            Set::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

/// The union of these sets. A set of integers has only one form: finitely many, if any, then at
/// least one missing, then all from some integer on.
pub(super) fn union_of(parts: Vec<Set>) -> Set {
    if parts.contains(&Set::Integers) {
        return Set::Integers;
    }
    let starts = parts.iter().filter_map(|part| match part {
        Set::IntegersFrom(first) => Some(*first),
        _ => None,
    });
    let Some(mut first) = starts.min() else {
        return Set::Union(parts.into());
    };
    let mut single: BTreeSet<i64> = BTreeSet::new();
    for part in &parts {
        let members = match part {
            Set::Finite(members) => members.iter(),
            Set::IntegersFrom(_) => continue,
            _ => return Set::Union(parts.into()),
        };
        // Beside an infinite set of integers there are integers alone.
        single.extend(members.filter_map(|member| match member {
            Value::Int(number) => Some(*number),
            _ => None,
        }));
    }
    // Larger ones are in the infinite part. Those directly before it then lengthen it.
    single.retain(|number| *number < first);
    while let Some(before) = first.checked_sub(1)
        && single.remove(&before)
    {
        first = before;
    }
    let rest = Set::IntegersFrom(first);
    if single.is_empty() {
        return rest;
    }
    let single = Set::Finite(single.into_iter().map(Value::Int).collect());
    Set::Union(Rc::new([single, rest]))
}

/// True if the two sets of dotted values start with a single channel or constructor each, and these
/// differ.
pub(super) fn different_heads(a: &[Set], b: &[Set]) -> bool {
    match (&a[0], &b[0]) {
        (Set::Finite(a), Set::Finite(b)) => {
            matches!((&a[..], &b[..]), ([Value::Head(a)], [Value::Head(b)]) if a != b)
        }
        _ => false,
    }
}
