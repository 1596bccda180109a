//! Debugging sessions, by the Debug Adapter Protocol.
//!
//! A file of `tests/dap/` has the requests of an editor, and all messages of the program. Paths are
//! relative to the repository.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program debugger` writes the messages anew that differ.

use std::fs;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{empty_folder, ended, files, in_parallel, root};
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
    let input: String = requests.iter().map(framed).collect();
    let (child, mut stream) = adapter();
    stream.write_all(input.as_bytes()).expect("it reads");
    // The stream stays open until the session ends, because its end would cancel the search.
    let outcome = ended(child);
    drop(stream);
    assert_eq!(outcome.status, Some(0), "{}", outcome.err);
    assert_eq!(outcome.err, "");
    session["answers"] = Value::Array(messages(&outcome.out));
    format!("{session:#}\n")
}

/// A debug adapter, and the stream for requests.
fn adapter() -> (Child, ChildStdin) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .arg("dap")
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stream = child.stdin.take().expect("it is piped");
    (child, stream)
}

/// The search would take an hour.
#[test]
fn a_session_ends_when_its_input_ends() {
    let folder = empty_folder("debugger", "endless");
    let script = folder.join("endless.csp");
    let text = "channel up\nP(n) = up -> P(n + 1)\nassert P(0) :[divergence free]";
    fs::write(&script, text).expect("the script is written");
    let options = ["--max-states", "1000000000000"];
    let launch = json!({
        "program": script, "assertion": 1, "timeout": 3600, "options": options,
    });
    let request = json!({
        "seq": 1, "type": "request", "command": "launch", "arguments": launch,
    });
    let (child, mut stream) = adapter();
    stream
        .write_all(framed(&request).as_bytes())
        .expect("it reads");
    drop(stream);
    assert_eq!(ended(child).status, Some(0));
}

/// `request` behind its length.
fn framed(request: &Value) -> String {
    let request = request.to_string();
    format!("Content-Length: {}\r\n\r\n{request}", request.len())
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
