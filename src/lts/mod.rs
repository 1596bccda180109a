//! Explicit labelled transition systems: exploring terms, strong bisimulation, normal form.

pub mod bisimulation;
pub mod explore;
pub mod graph;
mod growth;
pub mod normal_form;
mod partition;
