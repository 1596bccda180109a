//! Explicit labelled transition systems: exploring terms, strong bisimulation, normal form.

pub mod explore;
pub mod graph;
mod growth;
