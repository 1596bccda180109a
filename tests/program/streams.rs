//! Standard streams of the program: a reader that goes away, an input that never ends.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    // The program waits for its input, so its output is certainly closed before it writes there.
    let mut child = start(&["check", "-", "--format", "json"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(b"\xff").expect("the program reads");
    drop(input);
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

#[test]
fn the_timeout_ends_even_what_does_not_look_at_the_clock() {
    let started = Instant::now();
    let mut child = start(&["check", "-", "--format", "json", "--timeout", "0.1"]);
    let input = child.stdin.take().expect("standard input is a pipe");
    let status = child.wait().expect("the program ends");
    drop(input);
    assert_eq!(status.code(), Some(3));
    assert!(started.elapsed() < Duration::from_secs(30));
    let mut out = String::new();
    child
        .stdout
        .take()
        .expect("a pipe")
        .read_to_string(&mut out)
        .expect("it is UTF-8");
    let report: serde_json::Value = serde_json::from_str(&out).expect("it is one object");
    assert_eq!(report["verdict"], "unknown");
    let mut err = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut err)
        .expect("it is UTF-8");
    assert!(err.starts_with("error[timeout]"), "{err}");
}

#[test]
fn standard_input_that_is_named_twice_is_read_once() {
    let mut child = start(&["check", "-", "-", "--format", "json"]);
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(b"\xff\0").expect("the program reads");
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let out = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert_eq!(
        out.matches("not-utf-8: `-` is not UTF-8").count(),
        1,
        "{out}"
    );
}
