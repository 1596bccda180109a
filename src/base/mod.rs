//! Small data structures that know nothing of CSP: typed indices, interning, components, scattered numbers, deep
//! recursion.

pub mod components;
pub mod index;
pub mod interner;
pub(crate) mod mix;
pub mod stack;
