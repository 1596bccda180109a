//! Small data structures that know nothing of CSP: typed indices, interning, components, deep recursion.

pub mod components;
pub mod index;
pub mod interner;
pub mod stack;
