//! `cspsym mcp`: the Model Context Protocol, by which assistants have their CSP judged.
//!
//! Each call of a tool becomes a request of `cspsym api`, and its answer becomes text. Some threads
//! work on calls, and each is answered when it is done. Everything else is answered at once, by the
//! thread that reads.

mod answers;
mod incoming;
mod manual;
mod telling;
mod tools;
mod workers;

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use base::threads::STACK_BYTES;
use host::arguments::McpCall;
use host::console::Console;
use host::fault::survive_panics;
use host::files::{Readable, ReadingRule};
use host::outcome::CallEnd;

use super::api::{Hear, OpenRequests};
use answers::say;
use incoming::{ToolCall, read};
use telling::told;

/// Answers until the input ends, or nothing can be written.
pub fn run(call: &McpCall, _: &mut Console<'_>) -> CallEnd {
    survive_panics();
    // Names in calls are those of files below the folder.
    if let Some(root) = &call.root {
        std::env::set_current_dir(root)?;
    }
    let root = std::env::current_dir()?;
    let readable = Readable::within(Some(root), ReadingRule::Root);
    let (ends, ended) = mpsc::channel();
    let (queues, workers) = workers::start(&readable, &ends)?;
    let open = OpenRequests::default();
    let known = open.clone();
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    thread.spawn(move || {
        let _ = ends.send(read(&queues, &known));
    })?;
    let end = ended.recv().unwrap_or(Ok(()));
    // The client is gone, and so nobody waits for what still runs.
    open.stop_all();
    workers.settle();
    Ok(end?)
}

/// Works on `call` and answers it. `ends` gets the reason why progress cannot be told.
fn answered(call: ToolCall, readable: &Readable, ends: &Sender<io::Result<()>>) -> io::Result<()> {
    let ToolCall {
        id,
        question,
        progress,
        way,
        _is_open,
    } = call;
    let cancellation = question.cancellation().clone();
    let is_cancelled = || cancellation.noted().is_some();
    // It may have been cancelled while it waited.
    if is_cancelled() {
        return Ok(());
    }
    let hear = progress.map_or_else(|| Arc::new(|_| ()) as Hear, |token| heard(token, ends));
    let answer = question.reported(readable, None, hear);
    // A call that was cancelled has no answer.
    match is_cancelled() {
        true => Ok(()),
        false => way.answer(json!({ "jsonrpc": "2.0", "id": id, "result": told(&answer) })),
    }
}

/// Takes the lines about work, and tells the client of them under this token. If nobody reads that,
/// nobody reads the answer either: `ends` gets the reason.
fn heard(token: Value, ends: &Sender<io::Result<()>>) -> Hear {
    let ends = ends.clone();
    // The protocol wants numbers that grow, and the seconds of the news are those of an assertion.
    // They are taken and told under a lock, because lines may come from any thread.
    let began = Mutex::new(Instant::now());
    Arc::new(move |line| {
        let news: Value = serde_json::from_str(&line).unwrap_or_default();
        let progress = &news["progress"];
        let Some(doing) = progress["doing"].as_str() else {
            return;
        };
        let assertion = progress["assertion"].as_u64();
        let assertion = assertion.map_or(String::new(), |number| format!("assertion {number}: "));
        let began = began.lock().unwrap_or_else(PoisonError::into_inner);
        let parameters = json!({
            "progressToken": token,
            "progress": began.elapsed().as_secs_f64(),
            "message": format!("{assertion}{doing}"),
        });
        let told = say(&json!({
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": parameters,
        }));
        if let Err(error) = told {
            let _ = ends.send(Err(error));
        }
    })
}
