//! `cspsym mcp`: the Model Context Protocol, by which assistants have their CSP judged.
//!
//! Each call of a tool becomes a request of `cspsym api`, and its answer becomes text. Calls are
//! answered one after the other; everything else is answered at once, by the thread that reads.

mod incoming;
mod manual;
mod telling;
mod tools;

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value, json};

use host::arguments::McpCall;
use host::console::Console;
use host::fault::survive_panics;
use host::files::{Readable, ReadingRule};
use host::outcome::CallEnd;

use super::api::Hear;
use incoming::{ToolCall, ToolCalls};
use telling::told;

/// Answers until the input ends.
pub fn run(call: &McpCall, _: &mut Console<'_>) -> CallEnd {
    survive_panics();
    // Names in calls are those of files below the folder.
    if let Some(root) = &call.root {
        std::env::set_current_dir(root)?;
    }
    let root = std::env::current_dir()?;
    let readable = Readable::within(Some(root), ReadingRule::Root);
    let calls = ToolCalls::start()?;
    while let Some(call) = calls.next()? {
        let ToolCall {
            id,
            question,
            progress,
            ..
        } = call;
        let cancellation = question.cancellation().clone();
        if cancellation.noted().is_some() {
            continue;
        }
        let hear = progress.map_or_else(|| Arc::new(|_| ()) as Hear, heard);
        let answer = question.reported(&readable, None, hear);
        // A call that was cancelled has no answer.
        if cancellation.noted().is_none() {
            say(&json!({ "jsonrpc": "2.0", "id": id, "result": told(&answer) }))?;
        }
    }
    Ok(())
}

/// Writes a message.
fn say(message: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{message}\n").as_bytes())?;
    out.flush()
}

/// Takes the lines about work, and tells the client of them under this token.
fn heard(token: Value) -> Hear {
    Arc::new(move |line| {
        let news: Value = serde_json::from_str(&line).unwrap_or_default();
        let progress = &news["progress"];
        let (Some(seconds), Some(doing)) =
            (progress["seconds"].as_f64(), progress["doing"].as_str())
        else {
            return;
        };
        let assertion = progress["assertion"].as_u64();
        let assertion = assertion.map_or(String::new(), |number| format!("assertion {number}: "));
        let parameters = json!({
            "progressToken": token,
            "progress": seconds,
            "message": format!("{assertion}{doing}"),
        });
        // If nobody reads it, nobody reads the answer either.
        let _ = say(&json!({
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": parameters,
        }));
    })
}
