//! Explicit labelled transition systems: exploring terms, strong bisimulation, normal forms,
//! compressions.

pub mod bisimulation;
pub mod compress;
mod confluence;
pub mod diamond;
pub mod explore;
pub mod graph;
pub mod model;
pub mod normal_form;
pub mod normalise;
mod partition;
pub mod reach;
pub mod resolution;
mod rounds;
pub(crate) mod subsets;
pub(crate) mod tau;
pub mod tau_loops;
pub mod weak;
