//! Answers to requests, and why there are none.

use gen_lsp_types::{Request as RequestType, Uri};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use base::diag::Diagnostic;

/// Why a request has no answer.
pub(super) struct RequestRefusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

/// An answer, or why there is none.
pub(super) type Reply<T> = std::result::Result<T, RequestRefusal>;

impl RequestRefusal {
    /// Something is wrong with the parameters of a request.
    pub(super) fn parameters(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::InvalidParams,
            message: message.into(),
        }
    }

    /// Something is wrong with this program.
    pub(super) fn fault(problem: &Diagnostic) -> Self {
        Self {
            code: ErrorCode::InternalError,
            message: problem.message.clone(),
        }
    }
}

/// Refuses a question about a document that the client has not opened.
pub(super) fn not_open(uri: &Uri) -> RequestRefusal {
    RequestRefusal::parameters(format!("{uri} is not open"))
}

/// The parameters of a request.
pub(super) fn read<R: RequestType>(parameters: Value) -> Reply<R::Params> {
    parsed(parameters)
}

/// Reads parameters as a `T`.
pub(super) fn parsed<T: DeserializeOwned>(parameters: Value) -> Reply<T> {
    serde_json::from_value(parameters)
        .map_err(|error| RequestRefusal::parameters(error.to_string()))
}

/// Answers a request by `answer`, whose result is what the protocol wants, or null.
pub(super) fn answered<R: RequestType>(
    parameters: Value,
    answer: impl FnOnce(R::Params) -> Reply<R::Result>,
) -> Reply<Value> {
    to_value(&answer(read::<R>(parameters)?)?)
}

/// As JSON.
pub(super) fn to_value(answer: &impl Serialize) -> Reply<Value> {
    serde_json::to_value(answer).map_err(|error| RequestRefusal {
        code: ErrorCode::InternalError,
        message: error.to_string(),
    })
}
