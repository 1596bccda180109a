//! Why types do not fit.

use super::constraint::Constraint;
use super::kind::Type;

/// Why two types are not one, in the innermost parts that differ.
#[derive(Clone, Copy, Debug)]
pub enum TypeMismatch {
    /// These differ: what was expected, and what there is.
    Different(Type, Type),
    /// The first would have to be a part of itself.
    Infinite(Type, Type),
    /// The type does not satisfy the constraint.
    Constraint(Constraint, Type),
}

/// Whether two types could be made one.
pub type Unified<T = ()> = Result<T, TypeMismatch>;
