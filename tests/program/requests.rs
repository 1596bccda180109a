//! Requests whose answers are preceded by lines about the work, and requests that stop others.

use serde_json::{Value, json};

use crate::conversation::Conversation;

/// The states of so many cells take minutes to search without symmetries.
const LONG: &str = "
channel up, down : {0..23}
CELL(i) = up.i -> down.i -> CELL(i)
ALL = ||| i : {0..23} @ CELL(i)
assert STOP [T= up.1 -> STOP
assert ALL :[divergence free]
assert STOP [T= STOP
";

fn verdicts(answer: &Value) -> Vec<&str> {
    let checks = answer["result"]["checks"]
        .as_array()
        .expect("there is a list");
    let verdicts = checks
        .iter()
        .map(|check| check["report"]["verdict"].as_str());
    verdicts
        .map(|verdict| verdict.expect("each has one"))
        .collect()
}

fn all_of(script: &str, more: Value) -> Value {
    let mut request = json!({
        "method": "check_all",
        "file": "p.csp",
        "files": { "p.csp": script },
        "options": ["--symmetry", "off", "--reduce", "off", "--strategy", "machine"],
        "max_states": 1_000_000_000_000_u64,
    });
    let (request_keys, more) = (request.as_object_mut(), more.as_object().cloned());
    request_keys
        .expect("it is one")
        .extend(more.expect("it is one"));
    request
}

#[test]
fn work_is_told_of_and_what_is_known_is_kept_when_it_is_stopped() {
    let mut program = Conversation::begin(&["api"]);
    let request = json!({ "id": "long", "progress": true, "timeout_each": 3600 });
    program.send(&all_of(LONG, request));
    let decided = program.up_to("decided").pop().expect("there is a last one");
    assert_eq!(decided["id"], "long");
    assert_eq!(decided["decided"]["assertion"], 1);
    assert_eq!(decided["decided"]["report"]["verdict"], "fail");
    let progress = loop {
        let line = program.next();
        if line["progress"]["states"].is_u64() {
            break line["progress"].clone();
        }
    };
    assert_eq!(progress["assertion"], 2);
    assert_eq!(progress["strategy"], "machine");
    let doing = progress["doing"].as_str().expect("it is a text");
    assert!(doing.starts_with("searching level "), "{doing}");
    // Who asks next is answered after that; what is stopped twice, or is unknown, is not stopped.
    program.send(&json!({ "id": 1, "method": "stop", "stops": "short" }));
    program.send(&json!({ "id": 2, "method": "stop", "stops": "long" }));
    let answer = program.up_to("result").pop().expect("there is an answer");
    assert_eq!(answer["id"], "long");
    assert_eq!(verdicts(&answer), ["fail", "unknown"]);
    let stopped = &answer["result"]["checks"][1]["report"];
    let message = stopped["message"].as_str().expect("it says why");
    assert!(message.starts_with("interrupted: "), "{message}");
    assert!(message.contains("it was searching level "), "{message}");
    assert!(stopped["states"].as_u64() >= progress["states"].as_u64());
    let others = [program.next(), program.next()];
    let said = others.map(|other| (other["id"].clone(), other["result"]["stopped"].clone()));
    assert_eq!(said, [(json!(1), json!(false)), (json!(2), json!(true))]);
}

#[test]
fn work_ends_where_nobody_reads_what_is_told_of_it() {
    let mut program = Conversation::begin(&["api"]);
    let request = json!({ "progress": true, "timeout_each": 3600 });
    program.send(&all_of(LONG, request));
    program.next();
    // Its input stays open, so that it ends for no other reason.
    program.lines = None;
    program.child.wait().expect("it ends");
}

#[test]
fn what_waits_can_be_stopped_too() {
    let mut program = Conversation::begin(&["api"]);
    program.send(&all_of(
        LONG,
        json!({ "id": "first", "timeout_each": 3600 }),
    ));
    program.send(&all_of(
        LONG,
        json!({ "id": "second", "timeout_each": 3600 }),
    ));
    program.send(&json!({ "id": 1, "method": "stop", "stops": "second" }));
    program.send(&json!({ "id": 2, "method": "stop", "stops": "first" }));
    let answers = [program.next(), program.next()];
    let [first, second] = answers.each_ref().map(verdicts);
    assert_eq!(first.last(), Some(&"unknown"));
    assert_eq!(second, ["unknown"]);
}

#[test]
fn each_assertion_has_its_time() {
    let mut program = Conversation::begin(&["api"]);
    program.send(&all_of(LONG, json!({ "id": 1, "timeout_each": 1 })));
    let answer = program.next();
    assert_eq!(verdicts(&answer), ["fail", "unknown", "pass"]);
    let message = &answer["result"]["checks"][1]["report"]["message"];
    let message = message.as_str().expect("it says why");
    assert!(message.starts_with("timeout: "), "{message}");
}
