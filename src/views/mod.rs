//! For every number of identities: views of a parameterised process, closed under steps.

mod alphabet;
mod closure;
mod expression;
mod guess;
mod interpreter;
mod merge;
pub mod model;
mod oracle;
mod pattern;
mod process;
mod sets;
mod show;
mod tree;
mod value;

pub use closure::{Finding, Views, close};
pub use interpreter::IndexSet;
pub use model::FamilyRefinement;
