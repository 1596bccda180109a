//! The answers to requests of other programs.

mod kept;
mod lab;
mod news;

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::assertion::{AssertionReport, Kind};
use super::breaking::SymmetryDiff;
use super::channels::ChannelGraph;
use super::game::GameReport;
use super::graph::StateGraph;
use super::machine::MachineDescription;
use super::message::{MessageReport, PlaceReport};
use super::node::NodeReport;
use super::orbit::OrbitReport;
use super::symmetry::SymmetryDescription;
use super::twisted::TwistedReport;
use super::value::{TypeReport, ValueReport};
use super::walk::{SavedWalk, WalkReport, WhyReport};

pub use kept::{ApiClosed, ApiEvents, ApiLoaded, ApiMachine};
pub use lab::{
    ApiLab, ApiLabGame, ApiLabGiven, ApiLabMark, ApiLabPrediction, ApiLabTask, ApiLabWalk,
};
pub use news::{ApiChecks, ApiDecided, ApiNews, ApiProgress, ApiStopped};

/// The answer to one request of `cspsym api`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiAnswer {
    /// The `id` of the request; null if it had none.
    pub id: Value,
    /// The answer; absent if there is none.
    pub result: Option<ApiResult>,
    /// Of `machine`, `channels`, `graph` and `leaf`, if the request asks for a `drawing`: an SVG
    /// document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<String>,
    /// Of `graph`, if the request asks for a `format`: the graph as a text in it. Of a `game` of a
    /// lab: the student's script with its moves, if they are worth keeping there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The messages: the reason why there is no answer, and warnings about the script.
    pub problems: Vec<MessageReport>,
}

/// The answer to a request, by its method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ApiResult {
    /// Of `at`: the state that a walk has come to.
    Walk(Box<WalkReport>),
    /// Of `why`: the reason why an event can happen or cannot.
    Why(WhyReport),
    /// Of `save`: the walk.
    Saved(SavedWalk),
    /// Of `assertions`.
    Assertions(ApiAssertions),
    /// Of `problems`: the messages themselves are in `problems`.
    Problems(ApiProblems),
    /// Of `check`.
    Check(Box<AssertionReport>),
    /// Of `check_all`.
    Checks(ApiChecks),
    /// Of `stop`.
    Stopped(ApiStopped),
    /// Of `machine`.
    Machine(Box<MachineDescription>),
    /// Of `channels`.
    Channels(Box<ChannelGraph>),
    /// Of `graph` and `leaf`.
    Graph(Box<StateGraph>),
    /// Of `symmetry`.
    Symmetry(Box<SymmetryDescription>),
    /// Of `lab`.
    Lab(Box<ApiLab>),
    /// Of `orbit`: the orbit of the state that a walk has come to.
    Orbit(Box<OrbitReport>),
    /// Of `symmetry_diff`.
    SymmetryDiff(Box<SymmetryDiff>),
    /// Of `twisted`.
    Twisted(Box<TwistedReport>),
    /// Of `game`.
    Game(Box<GameReport>),
    /// Of `lsp`.
    Lsp(ApiConversation),
    /// Of `load`.
    Loaded(ApiLoaded),
    /// Of `close`.
    Closed(ApiClosed),
    /// Of `assertion`.
    Assertion(Box<ApiAssertion>),
    /// Of `evaluate`.
    Value(ValueReport),
    /// Of `type`.
    Type(TypeReport),
    /// Of `open` and `run`.
    Machined(Box<ApiMachine>),
    /// Of `transitions`.
    Node(NodeReport),
    /// Of `alphabet`.
    Events(ApiEvents),
}

/// The assertions of a script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiAssertions {
    /// The assertions, in their order.
    pub assertions: Vec<ApiAssertion>,
    /// The names of all processes without parameters at the top level, in their order.
    pub processes: Vec<String>,
    /// The constants of the top level that are no processes and have no parameters, in their order.
    pub constants: Vec<ApiConstant>,
    /// The `print` declarations, in their order; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prints: Vec<ApiPrint>,
    /// The pictures of states that are drawn on a walk; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ApiPicture>,
}

/// A constant of a script, which definitions of a request may replace.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiConstant {
    /// Its name.
    pub name: String,
    /// Its definition, as CSPm: that of the request, if that replaces it.
    pub value: String,
}

/// A `print` declaration of a script, whose value `evaluate` gives.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiPrint {
    /// Its expression, as CSPm.
    pub text: String,
    /// Its place.
    pub place: PlaceReport,
}

/// A picture of states: a block of comments of the script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiPicture {
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub file: String,
    /// The line that it begins in, counted from 1.
    pub line: usize,
    /// Its lines, without the marks of comments.
    pub lines: Vec<String>,
    /// The constants of the script that are defined as a number.
    pub constants: BTreeMap<String, i64>,
}

/// An assertion of a script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiAssertion {
    /// Its number, counted from 1.
    pub number: usize,
    /// The assertion as CSPm, without `assert`.
    pub text: String,
    /// The process that it is about, as CSPm: of a refinement the implementation; absent if it is
    /// about no single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// Of a refinement, the process that is to be refined, as CSPm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub specification: Option<String>,
    /// The kind of assertion.
    pub kind: Option<Kind>,
    /// `T`, `F`, `FD`...; left out where a model means nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Cow<'static, str>>,
    /// True if it is an `assert not`.
    pub negated: bool,
    /// Its place.
    pub place: PlaceReport,
}

/// The messages of a language server.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiConversation {
    /// Its messages, in their order: answers, requests and notifications, as the Language Server
    /// Protocol has them.
    pub messages: Vec<Value>,
}

/// The numbers of a script's errors and warnings.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiProblems {
    /// The number of messages that are errors.
    pub errors: usize,
    /// The number of messages that are warnings.
    pub warnings: usize,
    /// The files that were read: the script, then those that it includes, each once.
    pub files: Vec<String>,
}
