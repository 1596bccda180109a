//! Shared parts of the tests of several crates: random terms, systems and numbers.

#![doc = include_str!("README.md")]

pub mod copies;
pub mod depth;
pub mod random;
pub mod systems;
pub mod terms;
