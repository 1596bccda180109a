//! The refinement game: one player says that a process refines another, the other that it does not,
//! and who is right can always win.

#![doc = include_str!("README.md")]

pub mod arena;
pub mod situation;
pub mod strategy;

mod known_sets;
#[cfg(test)]
mod tests;
