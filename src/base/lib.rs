//! Small things that know nothing of CSP: typed indices, interning, components, scattered numbers,
//! deep recursion, numbers, names and beginnings of lists as people read them, similar names,
//! threads, digests.

#![doc = include_str!("README.md")]

pub mod brief;
pub mod cancel;
pub mod components;
pub mod diag;
pub mod digest;
pub mod excerpt;
pub mod index;
pub mod interner;
pub mod mix;
pub mod natural;
pub mod number;
pub mod order;
pub mod source;
pub mod stack;
pub mod suggest;
pub mod threads;
