//! Process terms and their operational semantics.

pub mod event;
pub mod term;
