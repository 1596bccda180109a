//! A state of a process that is listed by need, as plain data.

use serde::Serialize;

use super::graph::GraphTransition;

/// A step of a run from one state to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct NodeStep {
    /// The event that is seen, or τ.
    pub label: String,
    /// The number of the state that the step leads to.
    pub to: usize,
}

/// A state of a process, with the steps from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct NodeReport {
    /// Its number. States are numbered from 0, the initial one, in the order in which they are met:
    /// the states to which a listed one has steps come behind all that were met before.
    pub node: usize,
    /// The process as it has become, as CSPm.
    pub term: String,
    /// The steps, each with the number of the state that it leads to.
    pub transitions: Vec<GraphTransition>,
}
