//! The messages of a client: calls that need work are handed on, and the others answered at once.

use std::io::{self, BufRead};
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::api::{ApiQuestion, OpenRequest, OpenRequests};
use super::answers::AnswerWay;
use super::manual::{manual_page, manual_pages};
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
    pub(super) way: AnswerWay,
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
        let alone = AnswerWay::Alone;
        match serde_json::from_slice(&line) {
            Err(error) => alone.answer(refusal(&Value::Null, PARSE, &error.to_string()))?,
            // Clients of the version 2025-03-26 may send batches.
            Ok(Value::Array(batch)) if !batch.is_empty() => {
                let together = AnswerWay::Together(Arc::default());
                for message in batch {
                    take(&message, &together, queues, open)?;
                }
            }
            Ok(message) => take(&message, &alone, queues, open)?,
        }
    }
    Ok(())
}

/// Answers `message`, or sees to its answer.
fn take(
    message: &Value,
    way: &AnswerWay,
    queues: &CallQueues,
    open: &OpenRequests,
) -> io::Result<()> {
    match replied(message, way, open) {
        Some(Ok(RpcReply::Result(id, result))) => {
            way.answer(json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
        }
        Some(Ok(RpcReply::Work(call))) => queues.add(*call),
        Some(Err((id, code, message))) => way.answer(refusal(&id, code, &message))?,
        None => {}
    }
    Ok(())
}

/// The answer that a request has been refused.
fn refusal(id: &Value, code: i32, message: &str) -> Value {
    let error = json!({ "code": code, "message": message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
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

/// The reply to `message`; `None` if it needs none. That of work goes `way`.
fn replied(
    message: &Value,
    way: &AnswerWay,
    open: &OpenRequests,
) -> Option<Result<RpcReply, RpcRefusal>> {
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
    let Some(id) = id else {
        if method == "notifications/cancelled" {
            open.stop(&parameters["requestId"]);
        }
        return None;
    };
    let reply = reply(id, method, parameters, way, open);
    Some(reply.map_err(|(code, why)| (id.clone(), code, why)))
}

/// The reply to the request `id` of a `method`. Fails with the code and the message of an error.
fn reply(
    id: &Value,
    method: &str,
    parameters: &Value,
    way: &AnswerWay,
    open: &OpenRequests,
) -> Result<RpcReply, (i32, String)> {
    let result = match method {
        "initialize" => introduction(parameters),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": tools() }),
        "resources/list" => json!({ "resources": manual_pages() }),
        "resources/templates/list" => json!({ "resourceTemplates": [] }),
        "resources/read" => {
            let page = manual_page(parameters["uri"].as_str().unwrap_or_default());
            let no_page = || (NO_SUCH_RESOURCE, "there is no such page".to_string());
            json!({ "contents": [page.ok_or_else(no_page)?] })
        }
        "tools/call" => match asked(id, parameters) {
            Ok(AskedTool::Answer(result)) => result,
            Ok(AskedTool::Work(question)) => {
                return Ok(RpcReply::Work(Box::new(ToolCall {
                    _is_open: open.add(&question),
                    progress: parameters.pointer("/_meta/progressToken").cloned(),
                    way: way.clone(),
                    id: id.clone(),
                    question: *question,
                })));
            }
            Err(why) => return Err((INVALID_PARAMETERS, why)),
        },
        _ => return Err((NO_SUCH_METHOD, format!("there is no method `{method}`"))),
    };
    Ok(RpcReply::Result(id.clone(), result))
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
