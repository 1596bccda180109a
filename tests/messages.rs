//! Runs each script of `tests/messages/` as its first line says, `--! ARGUMENTS`, and compares all that
//! is printed with the file `.expected` beside it, which shows source and message together.
//!
//! In the arguments `FILE` stands for the script, and after `-` the script is standard input.
//! `UPDATE_EXPECTED=1 cargo test --test messages` writes the files anew.

mod harness;

use std::collections::BTreeSet;
use std::fs;

use harness::{cspsym, in_parallel, root, scripts, split_arguments};

const FOLDER: &str = "tests/messages";

/// More of a source than this tells a reader nothing.
const SHOWN: usize = 4000;

#[test]
fn messages_are_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let scripts = scripts(FOLDER);
    let problems: Vec<String> = in_parallel(&scripts, |script| compare(script, update))
        .into_iter()
        .flatten()
        .collect();
    assert!(
        problems.is_empty(),
        "{}\n(UPDATE_EXPECTED=1 writes the files anew)",
        problems.join("\n")
    );
}

#[test]
fn every_expected_file_has_its_script() {
    let scripts: BTreeSet<String> = scripts(FOLDER)
        .iter()
        .map(|script| script.replace(".csp", ".expected"))
        .collect();
    let entries = fs::read_dir(root().join(FOLDER)).expect("the folder is readable");
    let names = entries.map(|entry| {
        entry
            .expect("an entry is readable")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    let expected = names
        .filter(|name| name.ends_with(".expected"))
        .map(|name| format!("{FOLDER}/{name}"));
    let orphans: Vec<String> = expected.filter(|file| !scripts.contains(file)).collect();
    assert!(orphans.is_empty(), "no script for {orphans:?}");
}

/// What is wrong with the messages of a script.
fn compare(script: &str, update: bool) -> Option<String> {
    let source = fs::read(root().join(script)).expect("a script is readable");
    let actual = transcript(script, &source);
    let path = root().join(script.replace(".csp", ".expected"));
    if update {
        fs::write(&path, &actual).expect("the expected text can be written");
        return None;
    }
    match fs::read_to_string(&path) {
        Ok(expected) if expected == actual => None,
        Ok(expected) => Some(format!(
            "{script}:\n{}",
            pretty_assertions::StrComparison::new(&expected, &actual)
        )),
        Err(error) => Some(format!("{}: {error}", path.display())),
    }
}

/// The call, the source, and all that comes out.
fn transcript(script: &str, source: &[u8]) -> String {
    let text = String::from_utf8_lossy(source);
    let first = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("--! "));
    let first = first.unwrap_or_else(|| panic!("{script} does not begin with `--! ARGUMENTS`"));
    let mut arguments = split_arguments(first);
    for argument in arguments.iter_mut().filter(|argument| *argument == "FILE") {
        *argument = script.to_string();
    }
    let input: &[u8] = if arguments.iter().any(|argument| argument == "-") {
        source
    } else {
        b""
    };
    let outcome = cspsym(&arguments, input);
    let status = outcome
        .status
        .map_or("none, ended by a signal".to_string(), |status| {
            status.to_string()
        });
    format!(
        "$ cspsym {}\nexit status: {status}\n\n{}\n{}\n{}",
        first.trim(),
        section("source", &text.replace("\r\n", "\n")),
        section("standard output", &without_times(&outcome.out)),
        section("standard error", &outcome.err),
    )
}

fn section(title: &str, text: &str) -> String {
    let mut end = text.len().min(SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let more = if end < text.len() {
        format!("\n[{} bytes more]", text.len() - end)
    } else {
        String::new()
    };
    format!(
        "--- {title} ---\n{}{more}\n",
        text[..end].trim_end_matches('\n')
    )
}

/// The text with the times taken out: of the lines that sum up a check, and of JSON.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(", ") {
        Some((rest, _)) if rest.starts_with("  ") && rest.contains(" transition") => {
            format!("{rest}, TIME\n")
        }
        _ => format!("{}\n", without_seconds(line)),
    };
    text.lines().map(line).collect()
}

/// A line of JSON with its times taken out.
fn without_seconds(line: &str) -> String {
    const KEY: &str = "\"seconds\":";
    let parts = line.split_once(KEY);
    match parts.and_then(|(before, rest)| Some((before, rest.split_once('}')?.1))) {
        Some((before, after)) => format!("{before}{KEY}TIME{after}"),
        None => line.to_string(),
    }
}

#[test]
fn times_are_taken_out() {
    let text = "assert P [T= Q: holds\n  3 states, 2 transitions, 1 level, 0.02 s\n";
    assert_eq!(
        without_times(text),
        "assert P [T= Q: holds\n  3 states, 2 transitions, 1 level, TIME\n"
    );
}

#[test]
fn long_sources_are_cut() {
    assert_eq!(
        section("source", "P = STOP\n"),
        "--- source ---\nP = STOP\n"
    );
    assert!(section("source", &"é".repeat(SHOWN)).ends_with(&format!("\n[{SHOWN} bytes more]\n")));
}
