//! Refinement checking: breadth-first search through specification and machine side by side.

pub mod check;
pub mod path;
pub mod store;
