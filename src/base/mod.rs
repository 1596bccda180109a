//! Small data structures that know nothing of CSP: typed indices, interning.

pub mod index;
pub mod interner;
pub mod stack;
