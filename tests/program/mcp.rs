//! Conversations with an assistant, by the Model Context Protocol.
//!
//! A file of `tests/mcp/` is a list of messages, each with its answer; `null` if it has none. A
//! message that is a text stands for that line as it is. `tests/mcp/client.py` talks to the program
//! by the protocol's own client; the deep run does that.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program mcp` writes the answers anew that differ.

use serde_json::{Value, json};

use crate::conversation::Conversation;
use crate::harness::{files, in_parallel, without_times};
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

/// A conversation with the present answers. The input goes on until all are there, because its end
/// cancels calls.
fn held_again(text: &str) -> String {
    let mut list: Vec<Value> = serde_json::from_str(text).expect("a list of messages");
    let mut program = Conversation::begin(&["mcp"]);
    for entry in &mut list {
        let message = &entry["message"];
        match message {
            Value::String(text) => program.send_line(text),
            message => program.send(message),
        }
        let answer = needs_answer(message).then(|| match program.next() {
            // Those to a batch may be in any order.
            Value::Array(mut answers) => {
                answers.sort_by_key(|answer| answer["id"].to_string());
                answers.into_iter().map(brief).collect()
            }
            answer => {
                // What cannot be read has no id.
                let is_request = message["method"].is_string();
                let id = is_request.then(|| message["id"].clone());
                assert_eq!(answer["id"], id.unwrap_or_default());
                brief(answer)
            }
        });
        entry["answer"] = answer.unwrap_or_default();
    }
    assert_eq!(program.end(), (Some(0), Vec::new()));
    format!("{:#}\n", Value::Array(list))
}

/// True unless `message` is a notification, an answer itself, or a batch of such.
fn needs_answer(message: &Value) -> bool {
    if let Some(batch) = message.as_array().filter(|batch| !batch.is_empty()) {
        return batch.iter().any(needs_answer);
    }
    let is_answer = message.get("result").or(message.get("error")).is_some();
    match message["method"].is_string() {
        true => !message["id"].is_null(),
        false => !is_answer,
    }
}

/// A call of the tool `name`.
fn call(id: u64, name: &str, arguments: Value) -> Value {
    let parameters = json!({ "name": name, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": parameters })
}

/// A check that takes an hour if nothing ends it, and which tells of its progress.
fn endless(id: u64) -> Value {
    let script = "channel up\nP(n) = up -> P(n + 1)\nassert P(0) :[divergence free]";
    let options = ["--max-states", "1000000000000"];
    let arguments = json!({ "text": script, "timeout_each": 3600, "options": options });
    let mut message = call(id, "check", arguments);
    message["params"]["_meta"] = json!({ "progressToken": id });
    message
}

/// Waits until each of the checks `ids` has told of its progress.
fn until_all_work(program: &mut Conversation, ids: &[u64]) {
    let mut waiting = ids.to_vec();
    while !waiting.is_empty() {
        let news = program.next();
        assert_eq!(news["method"], "notifications/progress", "{news}");
        let token = &news["params"]["progressToken"];
        waiting.retain(|id| token != id);
    }
}

#[test]
fn what_still_runs_is_cancelled_when_the_input_ends() {
    let mut program = Conversation::begin(&["mcp"]);
    program.send(&endless(1));
    program.send(&endless(2));
    until_all_work(&mut program, &[1]);
    let (status, rest) = program.end();
    assert_eq!(status, Some(0));
    let answers: Vec<_> = rest
        .iter()
        .filter(|line| line.get("id").is_some())
        .collect();
    assert!(answers.is_empty(), "{answers:?}");
}

/// A call of the tool `evaluate`.
fn sum(id: u64) -> Value {
    call(id, "evaluate", json!({ "text": "", "expression": "1 + 1" }))
}

/// The next line that is no progress.
fn next_answer(program: &mut Conversation) -> Value {
    loop {
        let line = program.next();
        if line["method"] != "notifications/progress" {
            return line;
        }
    }
}

#[test]
fn others_are_answered_while_calls_are_worked_on() {
    let mut program = Conversation::begin(&["mcp"]);
    program.send(&endless(1));
    program.send(&endless(2));
    until_all_work(&mut program, &[1, 2]);
    let small = json!({ "text": "assert STOP [T= STOP" });
    let others = [
        json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/list" }),
        sum(5),
        call(6, "check", small),
    ];
    for other in others {
        program.send(&other);
        let answer = next_answer(&mut program);
        assert_eq!(answer["id"], other["id"]);
        assert!(answer["result"].is_object(), "{answer}");
    }
    assert_eq!(program.end().0, Some(0));
}

#[test]
fn cancelled_calls_make_room_for_those_that_wait() {
    let mut program = Conversation::begin(&["mcp"]);
    // More than are worked on at a time.
    let all: Vec<u64> = (1..=8).collect();
    for id in &all {
        program.send(&endless(*id));
    }
    program.send(&call(9, "check", json!({ "text": "assert STOP [T= STOP" })));
    until_all_work(&mut program, &all[..1]);
    for id in &all {
        let parameters = json!({ "requestId": id });
        let method = "notifications/cancelled";
        program.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }
    assert_eq!(next_answer(&mut program)["id"], 9);
    let (status, rest) = program.end();
    assert_eq!(status, Some(0));
    assert!(rest.iter().all(|line| line.get("id").is_none()), "{rest:?}");
}

/// The seconds that an assertion takes begin anew with each, but the progress of a call grows.
#[test]
fn progress_grows() {
    let mut program = Conversation::begin(&["mcp"]);
    let script = "assert STOP [T= STOP\n".repeat(9);
    let mut message = call(1, "check", json!({ "text": script }));
    message["params"]["_meta"] = json!({ "progressToken": "p" });
    program.send(&message);
    let mut all = program.up_to("result");
    assert_eq!(all.pop().expect("there is an answer")["id"], 1);
    let told: Vec<f64> = all
        .iter()
        .map(|news| news["params"]["progress"].as_f64().expect("a number"))
        .collect();
    assert!(told.len() >= 9, "{told:?}");
    assert!(told.is_sorted_by(|one, next| one < next), "{told:?}");
}

#[test]
fn nobody_works_for_a_client_that_reads_no_more() {
    let mut program = Conversation::begin(&["mcp"]);
    program.send(&endless(1));
    until_all_work(&mut program, &[1]);
    // Its input stays open, so that it ends for no other reason.
    program.lines = None;
    program.child.wait().expect("it ends");
}

/// Files are named as seen from the folder of `--root`, wherever the program was started.
#[test]
fn files_are_below_the_root() {
    let mut program = Conversation::begin(&["mcp", "--root", "cspm/vending"]);
    let mut told = |script: Value| {
        program.send(&call(1, "types", script));
        program.next().to_string()
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
    assert_eq!(answer["jsonrpc"], "2.0");
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
