//! The messages of a client: calls that need work are handed on, and the others answered at once.

use std::io::{self, BufRead};

use serde_json::{Value, json};

use super::super::api::{ApiQuestion, OpenRequest, OpenRequests};
use super::manual::{manual_page, manual_pages};
use super::say;
use super::tools::{AskedTool, asked, tools};
use super::workers::CallQueues;

/// The versions of the protocol that are spoken, the latest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The words for a model that gets to know the server.
const INSTRUCTIONS: &str = include_str!("instructions.txt").trim_ascii_end();

/// A call of a tool that needs work.
pub(super) struct ToolCall {
    pub(super) id: Value,
    pub(super) question: ApiQuestion,
    /// The token under which the client wants to hear of progress.
    pub(super) progress: Option<Value>,
    /// As long as this lives, the call can be cancelled.
    pub(super) _is_open: OpenRequest,
}

/// Reads messages until the input ends. Answers all but calls that need work: those go to `queues`,
/// and can be cancelled among the `open` ones.
pub(super) fn read(queues: &CallQueues, open: &OpenRequests) -> io::Result<()> {
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let reply = match serde_json::from_slice::<Value>(&line) {
            Err(error) => Some(Err((Value::Null, PARSE, error.to_string()))),
            Ok(message) => replied(&message, open),
        };
        match reply {
            Some(Ok(RpcReply::Result(id, result))) => {
                say(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
            }
            Some(Ok(RpcReply::Work(call))) => queues.add(*call),
            Some(Err((id, code, message))) => {
                let error = json!({ "code": code, "message": message });
                say(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))?;
            }
            None => {}
        }
    }
    Ok(())
}

/// The answer to a request, or the work that it needs.
enum RpcReply {
    Result(Value, Value),
    Work(Box<ToolCall>),
}

/// The id of a request, and the code and the message of the error that is its answer.
type RpcRefusal = (Value, i32, String);

// The codes of errors (JSON-RPC 2.0, section 5.1, and the protocol's own for resources).
const PARSE: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const NO_SUCH_METHOD: i32 = -32601;
const INVALID_PARAMETERS: i32 = -32602;
const NO_SUCH_RESOURCE: i32 = -32002;

/// The reply to `message`; `None` if it needs none.
fn replied(message: &Value, open: &OpenRequests) -> Option<Result<RpcReply, RpcRefusal>> {
    let id = message
        .get("id")
        .filter(|id| id.is_string() || id.is_number());
    let Some(method) = message["method"].as_str() else {
        // Answers of the client are to nothing that was asked.
        let is_answer = message.get("result").or(message.get("error")).is_some();
        let refusal = (
            Value::Null,
            INVALID_REQUEST,
            "this is no request".to_string(),
        );
        return (!is_answer).then_some(Err(refusal));
    };
    let parameters = &message["params"];
    let Some(id) = id.cloned() else {
        if method == "notifications/cancelled" {
            open.stop(&parameters["requestId"]);
        }
        return None;
    };
    let refused = |code, message: String| Err((id.clone(), code, message));
    let result = match method {
        "initialize" => introduction(parameters),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": tools() }),
        "resources/list" => json!({ "resources": manual_pages() }),
        "resources/templates/list" => json!({ "resourceTemplates": [] }),
        "resources/read" => match manual_page(parameters["uri"].as_str().unwrap_or_default()) {
            Some(page) => json!({ "contents": [page] }),
            None => {
                return Some(refused(
                    NO_SUCH_RESOURCE,
                    "there is no such page".to_string(),
                ));
            }
        },
        "tools/call" => match asked(&id, parameters) {
            Ok(AskedTool::Answer(result)) => result,
            Ok(AskedTool::Work(question)) => {
                return Some(Ok(RpcReply::Work(Box::new(ToolCall {
                    _is_open: open.add(&question),
                    progress: parameters.pointer("/_meta/progressToken").cloned(),
                    id,
                    question: *question,
                }))));
            }
            Err(why) => return Some(refused(INVALID_PARAMETERS, why)),
        },
        _ => {
            return Some(refused(
                NO_SUCH_METHOD,
                format!("there is no method `{method}`"),
            ));
        }
    };
    Some(Ok(RpcReply::Result(id, result)))
}

/// The answer to `initialize`: the version that the client wants, if it is spoken here.
fn introduction(parameters: &Value) -> Value {
    let wanted = parameters["protocolVersion"].as_str();
    let version = VERSIONS.iter().find(|version| Some(**version) == wanted);
    json!({
        "protocolVersion": version.unwrap_or(&VERSIONS[0]),
        "capabilities": { "tools": {}, "resources": {} },
        "serverInfo": {
            "name": "cspsym",
            "title": "cspsym, a CSP refinement checker",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "instructions": INSTRUCTIONS,
    })
}
