//! The lines that tell of the work on a request before its answer, and the answers about work.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::assertion::AssertionReport;
use crate::message::MessageReport;

/// A line about the work on a request that has `"progress": true`. Such lines come before the
/// answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiNews {
    /// The `id` of the request; null if it had none.
    pub id: Value,
    /// The progress of the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ApiProgress>,
    /// Of `check_all`: an assertion that was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Box<ApiDecided>>,
}

/// The progress of the work on a request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiProgress {
    /// Of `check` and `check_all`: the number of the assertion that is being decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<usize>,
    /// The present work, in words.
    pub doing: String,
    /// The strategy that is tried now, as `--strategy` names it; absent where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<&'static str>,
    /// The states that the present search has found; absent where nothing is searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Those of them that are not expanded yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// The level that the search is at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u64>,
    /// The states that the search finds in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_second: Option<u64>,
    /// The bytes that the program has now; absent if the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The time since the work began.
    pub seconds: f64,
}

/// An assertion that was decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiDecided {
    /// Its number, counted from 1.
    pub assertion: usize,
    /// The object of `cspsym check --explain --format json`.
    pub report: AssertionReport,
    /// The messages about it.
    pub problems: Vec<MessageReport>,
}

/// The assertions that were decided, in their order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiChecks {
    /// Those that were begun: after a `stop` the last of them is the one that was stopped.
    pub checks: Vec<ApiDecided>,
}

/// The outcome of a `stop`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiStopped {
    /// True if there was a request with this id that had no answer yet.
    pub stopped: bool,
}
