//! Conversations with an assistant, by the Model Context Protocol.
//!
//! A file of `tests/mcp/` is a list of messages, each with its answer; `null` if it has none. A
//! message that is a text stands for that line as it is. `tests/mcp/client.py` talks to the program
//! by the protocol's own client; the deep run does that.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program mcp` writes the answers anew that differ.

use serde_json::{Value, json};

use crate::harness::{cspsym, files, in_parallel, without_times};
use crate::transcripts::difference;

#[test]
fn conversations_go_as_they_are_told() {
    let conversations = files("tests/mcp", "json");
    assert!(!conversations.is_empty());
    let differences: Vec<String> = in_parallel(&conversations, |file| difference(file, held_again))
        .into_iter()
        .flatten()
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A conversation with the present answers. Calls that need work are answered later than what comes
/// after them, so that answers are found by their ids; those without an id keep their order.
fn held_again(text: &str) -> String {
    let mut list: Vec<Value> = serde_json::from_str(text).expect("a list of messages");
    let line = |entry: &Value| match &entry["message"] {
        Value::String(text) => format!("{text}\n"),
        message => format!("{message}\n"),
    };
    let input: String = list.iter().map(line).collect();
    let outcome = cspsym(&["mcp".to_string()], input.as_bytes());
    assert_eq!(outcome.status, Some(0), "{}", outcome.err);
    let answers = outcome.out.lines().map(|line| {
        let answer: Value = serde_json::from_str(line).expect("an answer is JSON");
        assert_eq!(answer["jsonrpc"], "2.0");
        answer
    });
    let mut answers: Vec<Value> = answers.collect();
    for entry in &mut list {
        let id = &entry["message"]["id"];
        let found = answers.iter().position(|answer| match id {
            Value::Null => answer["id"].is_null(),
            id => answer["id"] == *id,
        });
        let is_note = id.is_null() && entry["message"]["method"].is_string();
        let answer = found.filter(|_| !is_note).map(|at| answers.remove(at));
        entry["answer"] = answer.map_or(Value::Null, brief);
    }
    assert_eq!(
        answers,
        Vec::<Value>::new(),
        "every answer is one to a message"
    );
    format!("{:#}\n", Value::Array(list))
}

/// Files are named as seen from the folder of `--root`, wherever the program was started.
#[test]
fn files_are_below_the_root() {
    let arguments = ["mcp", "--root", "cspm/vending"].map(str::to_string);
    let told = |script: Value| {
        let call = json!({ "name": "types", "arguments": script });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
        let outcome = cspsym(&arguments, format!("{message}\n").as_bytes());
        assert_eq!(outcome.status, Some(0), "{}", outcome.err);
        outcome.out
    };
    for script in [
        json!({ "text": "channel a" }),
        json!({ "file": "vending.csp" }),
    ] {
        let told = told(script);
        assert!(!told.contains("isError"), "{told}");
    }
    let outside = told(json!({ "file": "../hanoi/hanoi.csp" }));
    assert!(
        outside.contains("is outside of the folder of --root"),
        "{outside}"
    );
}

/// `answer` without its id, without times, and without the chapters of the manual, which have files
/// of their own.
fn brief(mut answer: Value) -> Value {
    if let Some(contents) = answer.pointer_mut("/result/contents/0/text") {
        let first = contents.as_str().and_then(|text| text.lines().next());
        *contents = json!(first);
    }
    if let Some(text) = answer.pointer_mut("/result/content/0/text") {
        *text = json!(text.as_str().map(without_times));
    }
    match (answer.get("result"), answer.get("error")) {
        (Some(result), None) => result.clone(),
        (None, Some(error)) => json!({ "error": error }),
        _ => panic!("{answer}: it has a result or an error"),
    }
}
