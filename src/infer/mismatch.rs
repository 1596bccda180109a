//! Why types do not fit.

use super::constraint::Constraint;
use super::kind::Type;

/// Why two types are not one.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// What stands in the way, in the innermost parts that differ.
    pub problem: Problem,
}

/// What stands in the way of a unification.
#[derive(Clone, Copy, Debug)]
pub enum Problem {
    /// These differ: what was expected, and what there is.
    Different(Type, Type),
    /// The first would have to be a part of itself.
    Infinite(Type, Type),
    /// The type is not such.
    Constraint(Constraint, Type),
}

impl Mismatch {
    pub(super) fn new(problem: Problem) -> Self {
        Self { problem }
    }
}

/// Whether two types could be made one.
pub type Unified<T = ()> = Result<T, Mismatch>;
