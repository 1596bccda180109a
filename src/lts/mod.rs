//! Explicit labelled transition systems: exploring terms, strong bisimulation, normal forms.

pub mod bisimulation;
pub mod explore;
pub mod graph;
mod growth;
pub mod model;
pub mod normal_form;
mod partition;
pub mod tau;
pub mod termination;
