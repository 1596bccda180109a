//! Refinement checking: breadth-first search through specification and machine side by side.

#![doc = include_str!("README.md")]

mod after_rests;
mod ancestors;
pub mod check;
mod crew;
pub mod determinism;
pub mod dive;
mod divergence;
mod divided;
pub mod external;
mod frontier;
mod halt;
mod in_memory;
pub mod kinds;
pub mod local;
pub mod nondeterminism;
mod offence;
mod outcome;
pub mod path;
pub mod pauses;
pub mod prefix;
mod product;
mod recent;
mod refusals;
mod search;
mod selection;
pub mod shared_search;
pub mod spill;
mod steps;
pub mod store;
mod stretch;
pub mod stubborn;
mod team;
pub mod twisted_path;
pub mod unlisted;
mod watch;
mod worker;
mod workers;

#[cfg(test)]
mod tests;
