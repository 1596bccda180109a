//! The answers about scripts and machines that are kept between requests.

use schemars::JsonSchema;
use serde::Serialize;

use super::ApiAssertions;
use crate::node::{NodeReport, NodeStep};

/// Of `load`: a script that is kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLoaded {
    /// The number by which other requests name the script.
    pub script: u64,
    /// The answer of `assertions`.
    #[serde(flatten)]
    pub assertions: ApiAssertions,
}

/// Of `close`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ApiClosed {
    /// True: a script or machine with this number was kept, and is no longer.
    pub closed: bool,
}

/// Of `open` and `run`: a process that is kept, whose states can be asked for one by one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiMachine {
    /// The number by which other requests name the process.
    pub machine: u64,
    /// The process as CSPm.
    pub process: String,
    /// Its initial state.
    pub node: NodeReport,
    /// Of `run`: the steps of the counterexample, from the initial state; otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<NodeStep>>,
}

/// Of `alphabet`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiEvents {
    /// The visible events that the process may do. There may be some that it never does, because
    /// they are found without a search.
    pub events: Vec<String>,
}
