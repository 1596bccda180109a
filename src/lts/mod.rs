//! Explicit labelled transition systems: exploring terms, strong bisimulation, normal form.

pub mod graph;
