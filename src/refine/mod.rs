//! Refinement checking: breadth-first search through specification and machine side by side.

pub mod check;
pub mod path;
mod product;
mod recent;
mod search;
pub mod store;

#[cfg(test)]
mod tests;
