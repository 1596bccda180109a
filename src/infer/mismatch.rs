//! The reasons why types do not fit.

use super::constraint::Constraint;
use super::kind::Type;

/// The reason why two types cannot be unified, in the innermost parts that differ.
#[derive(Clone, Copy, Debug)]
pub enum TypeMismatch {
    /// These types differ: the expected one, and the actual one.
    Different(Type, Type),
    /// The first type would have to be a part of itself.
    Infinite(Type, Type),
    /// The type does not satisfy the constraint.
    Constraint(Constraint, Type),
}

/// The result of unifying two types.
pub type Unified<T = ()> = Result<T, TypeMismatch>;
