//! The words of a conversation: names that the client knows, parameters, and refusals.

use lsp_server::{ErrorCode, Message, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use base::diag::Diagnostic;

/// The name of this program as the source of its messages.
pub(crate) const SOURCE: &str = "cspsym";

/// The command that decides an assertion: its arguments are the URI of the script and the number of
/// the assertion, counted from 0.
pub(crate) const CHECK: &str = "cspsym.check";

/// The command that ends the decision of an assertion, with the arguments of [`CHECK`].
pub(crate) const CANCEL: &str = "cspsym.cancel";

/// The command that opens the page of a script where a process is walked: its arguments are the URI
/// of the script and the process.
pub(crate) const STEP: &str = "cspsym.step";

/// The command that opens the page of a script where the graph of a process is drawn, with the
/// arguments of [`STEP`].
pub(crate) const GRAPH: &str = "cspsym.graph";

/// A message or answer to the client.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Outgoing {
    /// A message, with the version of the protocol that `lsp_server` leaves out.
    Message {
        jsonrpc: &'static str,
        #[serde(flatten)]
        message: Message,
    },
    /// The answer to a request whose id cannot be repeated: it has the id null.
    Unidentified(Value),
}

/// An answer to a request, or the reason why there is none.
pub(crate) type Reply<T> = Result<T, ResponseError>;

/// The refusal of a request.
pub(crate) fn refusal(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: message.into(),
        data: None,
    }
}

/// Refuses a request whose parameters are wrong.
pub(crate) fn wrong<T>(message: impl Into<String>) -> Reply<T> {
    Err(refusal(ErrorCode::InvalidParams, message))
}

/// Refuses a request that is right, but cannot be done.
pub(crate) fn failed<T>(message: impl Into<String>) -> Reply<T> {
    Err(refusal(ErrorCode::RequestFailed, message))
}

/// Refuses a request over which this program has panicked.
pub(crate) fn fault<T>(problem: Diagnostic) -> Reply<T> {
    Err(refusal(ErrorCode::InternalError, problem.message))
}

/// The answer to a request that was cancelled.
pub(crate) fn cancelled() -> ResponseError {
    refusal(ErrorCode::RequestCanceled, "the request was cancelled")
}

/// Reads parameters as a `T`.
pub(crate) fn parsed<T: DeserializeOwned>(parameters: Value) -> Reply<T> {
    serde_json::from_value(parameters).or_else(|error| wrong(error.to_string()))
}

/// The answer as JSON.
pub(crate) fn to_value(answer: &impl Serialize) -> Reply<Value> {
    let value = serde_json::to_value(answer);
    value.map_err(|error| refusal(ErrorCode::InternalError, error.to_string()))
}
