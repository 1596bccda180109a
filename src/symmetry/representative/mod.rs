//! Representative functions: one state for each orbit.

mod decisions;
mod function;
mod general;
mod images;
mod insertion;
mod local;
mod method;
mod minimal;
mod reasons;
mod signature;
mod sort;

pub use self::function::{Itself, Representative, apply, orbits_of};
pub use self::general::GeneralPlan;
pub use self::local::LocalPlan;
pub use self::method::{AnyRep, Method};
pub use self::minimal::MinimalPlan;
pub(crate) use self::reasons::{NO_SYMMETRY, moved_specification};
pub use self::signature::SignaturePlan;
pub use self::sort::SortPlan;

#[cfg(test)]
pub(crate) mod tests;
