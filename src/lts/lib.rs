//! Explicit labelled transition systems: exploring terms, strong bisimulation, normal forms,
//! compressions.

#![doc = include_str!("README.md")]

// Some unit tests share files with others, which call the crate by its name.
#[cfg(test)]
extern crate self as lts;

pub mod bisimulation;
pub mod compress;
mod confluence;
pub mod diamond;
pub mod explore;
pub mod graph;
pub mod model;
pub mod normal_form;
pub mod normalise;
pub mod on_demand;
mod partition;
pub mod reach;
pub mod resolution;
mod rounds;
pub(crate) mod subsets;
pub mod tau;
pub mod tau_loops;
pub mod testing;
pub mod weak;
