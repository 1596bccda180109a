//! Small things that know nothing of CSP: typed indices, interning, components, scattered numbers, deep
//! recursion, numbers as people read them.

pub mod components;
pub mod index;
pub mod interner;
pub(crate) mod mix;
pub mod number;
pub mod stack;
