//! Walks in the terminal, and requests of programs, compared with transcripts.
//!
//! A file of `tests/transcripts/` begins with a call behind `$ `; lines behind `> ` are typed, and
//! the others are output. A file of `tests/api/` is a list of requests, each with its answer.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program transcripts` writes those anew that differ.

use std::fs;

use crate::harness::{cspsym, files, in_parallel, root, split_arguments, without_times};
use jsonschema::Validator;
use serde_json::{Value, json};

#[test]
fn walks_go_as_they_are_told() {
    let transcripts = files("tests/transcripts", "txt");
    assert!(!transcripts.is_empty());
    let differences: Vec<String> = in_parallel(&transcripts, |file| difference(file, retyped))
        .into_iter()
        .flatten()
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn requests_are_answered_as_they_are_told() {
    let transcripts = files("tests/api", "json");
    assert!(!transcripts.is_empty());
    let differences: Vec<String> = in_parallel(&transcripts, |file| difference(file, asked_again))
        .into_iter()
        .flatten()
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The difference of `file` from the result of `again`, unless the file is written anew.
pub(crate) fn difference(file: &str, again: impl Fn(&str) -> String) -> Option<String> {
    let path = root().join(file);
    let old = fs::read_to_string(&path).expect("a transcript is readable");
    let new = again(&old);
    if old == new {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&path, new).expect("a transcript can be written");
        return None;
    }
    let difference = pretty_assertions::StrComparison::new(&old, &new);
    Some(format!("{file}:\n{difference}"))
}

/// A transcript with the present output.
fn retyped(transcript: &str) -> String {
    let call = transcript.lines().next().unwrap_or_default();
    let arguments = call.strip_prefix("$ cspsym ").expect("a call comes first");
    let typed = transcript
        .lines()
        .filter_map(|line| line.strip_prefix("> "));
    let typed: String = typed.map(|line| format!("{line}\n")).collect();
    let outcome = cspsym(&split_arguments(arguments), typed.as_bytes());
    let status = outcome.status.expect("it ends by itself");
    let printed = without_times(&format!("{}{}", outcome.out, outcome.err));
    format!("{call}\n{printed}exit status {status}\n")
}

/// Requests with the present answers.
fn asked_again(text: &str) -> String {
    let mut list: Vec<Value> = serde_json::from_str(text).expect("a list of requests");
    let line = |entry: &Value| match &entry["request"] {
        // An answer that is no JSON stands in a text.
        Value::String(text) => format!("{text}\n"),
        request => format!("{request}\n"),
    };
    let input: String = list.iter().map(line).collect();
    let outcome = cspsym(&["api".to_string()], input.as_bytes());
    assert_eq!(outcome.status, Some(0), "{}", outcome.err);
    let answers: Vec<Value> = outcome
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("an answer is JSON"))
        .collect();
    assert_eq!(answers.len(), list.len(), "one answer for each request");
    let schema = schema();
    for (entry, mut answer) in list.iter_mut().zip(answers) {
        let complaint = schema.iter_errors(&answer).next();
        assert!(complaint.is_none(), "{complaint:?}: {answer}");
        mask_times(&mut answer);
        entry["answer"] = answer;
    }
    format!("{:#}\n", Value::Array(list))
}

/// The schema of answers.
fn schema() -> Validator {
    let printed = cspsym(&["help", "json", "--schema"].map(str::to_string), b"").out;
    let mut schema: Value = serde_json::from_str(&printed).expect("the schema is JSON");
    let schema = schema.as_object_mut().expect("the schema is an object");
    schema.remove("anyOf");
    schema.insert("$ref".to_string(), json!("#/$defs/ApiAnswer"));
    jsonschema::validator_for(&json!(schema)).expect("the schema is one")
}

/// Replaces values that differ from run to run, in texts too: the feedback of a lab is output.
fn mask_times(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match key.as_str() {
                    "seconds" | "memory_bytes" => *value = json!("..."),
                    _ => mask_times(value),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(mask_times),
        Value::String(text) if text.ends_with('\n') => *text = without_times(text),
        _ => {}
    }
}
