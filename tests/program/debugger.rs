//! Debugging sessions, by the Debug Adapter Protocol.
//!
//! A file of `tests/dap/` has the requests of an editor, and all messages of the program. Paths are
//! relative to the repository.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program debugger` writes the messages anew that differ.

use serde_json::Value;

use crate::harness::{cspsym, files, in_parallel, root};
use crate::transcripts::difference;

#[test]
fn sessions_go_as_they_are_told() {
    let sessions = files("tests/dap", "json");
    assert!(!sessions.is_empty());
    let differences: Vec<String> = in_parallel(&sessions, |file| difference(file, held_again))
        .into_iter()
        .flatten()
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A session with the present messages.
fn held_again(text: &str) -> String {
    let mut session: Value = serde_json::from_str(text).expect("a session");
    let requests = session["requests"].as_array().expect("requests");
    let framed = requests.iter().map(|request| {
        let request = request.to_string();
        format!("Content-Length: {}\r\n\r\n{request}", request.len())
    });
    let input: String = framed.collect();
    let outcome = cspsym(&["dap".to_string()], input.as_bytes());
    assert_eq!(outcome.status, Some(0), "{}", outcome.err);
    assert_eq!(outcome.err, "");
    session["answers"] = Value::Array(messages(&outcome.out));
    format!("{session:#}\n")
}

/// The messages of `out`, which are numbered from 1.
fn messages(out: &str) -> Vec<Value> {
    let here = format!("{}/", root().display());
    let mut rest = out;
    let mut found = Vec::new();
    while let Some((header, after)) = rest.split_once("\r\n\r\n") {
        let length = header.strip_prefix("Content-Length: ");
        let length: usize = length.and_then(|text| text.parse().ok()).expect("a length");
        let (message, next) = after.split_at(length);
        let message = message.replace(&here, "");
        let mut message: Value = serde_json::from_str(&message).expect("it is JSON");
        assert_eq!(message["seq"], found.len() + 1);
        if let Some(message) = message.as_object_mut() {
            message.remove("seq");
        }
        found.push(message);
        rest = next;
    }
    assert_eq!(rest, "", "all of it are messages");
    found
}
