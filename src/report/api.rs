//! The answers to requests of other programs.

mod lab;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::assertion::AssertionReport;
use super::breaking::SymmetryDiff;
use super::graph::StateGraph;
use super::json::json;
use super::machine::MachineDescription;
use super::message::{MessageReport, PlaceReport};
use super::orbit::OrbitReport;
use super::symmetry::SymmetryDescription;
use super::twisted::TwistedReport;
use super::walk::{SavedWalk, WalkReport, WhyReport};

pub(crate) use lab::{ApiLab, ApiLabMark, ApiLabPrediction, ApiLabTask};

/// The answer to one request of `cspsym api`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiAnswer {
    /// The `id` of the request; null if it had none.
    pub(crate) id: Value,
    /// The answer; absent if there is none.
    pub(crate) result: Option<ApiResult>,
    /// Of `machine`, `graph` and `leaf`, if the request asks for a `drawing`: an SVG document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drawing: Option<String>,
    /// Why there is no answer, and what is worth knowing about the script.
    pub(crate) problems: Vec<MessageReport>,
}

/// What a request is answered with, by its method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ApiResult {
    /// Of `at`: where a walk has come to.
    Walk(Box<WalkReport>),
    /// Of `why`: why an event can happen or cannot.
    Why(WhyReport),
    /// Of `save`: the walk.
    Saved(SavedWalk),
    /// Of `assertions`.
    Assertions(ApiAssertions),
    /// Of `problems`: the messages themselves are in `problems`.
    Problems(ApiProblems),
    /// Of `check`.
    Check(Box<AssertionReport>),
    /// Of `machine`.
    Machine(Box<MachineDescription>),
    /// Of `graph` and `leaf`.
    Graph(Box<StateGraph>),
    /// Of `symmetry`.
    Symmetry(Box<SymmetryDescription>),
    /// Of `lab`.
    Lab(Box<ApiLab>),
    /// Of `orbit`: what symmetries do to where a walk has come to.
    Orbit(Box<OrbitReport>),
    /// Of `symmetry_diff`.
    SymmetryDiff(Box<SymmetryDiff>),
    /// Of `twisted`.
    Twisted(Box<TwistedReport>),
    /// Of `lsp`.
    Lsp(ApiConversation),
}

/// The assertions of a script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiAssertions {
    /// In their order.
    pub(crate) assertions: Vec<ApiAssertion>,
    /// The names of all processes without parameters at the top level, in their order.
    pub(crate) processes: Vec<String>,
}

/// An assertion of a script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiAssertion {
    /// Its number, counted from 1.
    pub(crate) number: usize,
    /// As CSPm, without `assert`.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) place: PlaceReport,
}

/// What a language server says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiConversation {
    /// Its messages, in their order: answers, requests and notifications, as the Language Server
    /// Protocol has them.
    pub(crate) messages: Vec<Value>,
}

/// Whether anything is wrong with a script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiProblems {
    /// How many of the messages are errors.
    pub(crate) errors: usize,
    /// How many are warnings.
    pub(crate) warnings: usize,
}

impl ApiAnswer {
    /// One line of JSON, without the newline.
    pub(crate) fn json(&self) -> String {
        json(self)
    }
}
