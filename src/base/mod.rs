//! Small data structures that know nothing of CSP: typed indices, interning, deep recursion.

pub mod index;
pub mod interner;
pub mod stack;
