//! Runs each script of `tests/messages/` by its first line, `--! ARGUMENTS`, and compares all
//! output with the file `.expected` beside it, which shows source and message together.
//!
//! In the arguments `FILE` stands for the script, and after `-` the script is standard input. Parts
//! that do not depend on the script stand as in a shell: `--! ulimit -v 100000; check FILE` and
//! `--! check FILE > /dev/full`. Only a deep run makes a call after `--! long`.
//! `UPDATE_EXPECTED=1 cargo test --test program messages` writes the files anew.

use std::collections::BTreeSet;
use std::fs;

use crate::harness::{
    cspsym, cspsym_in_shell, in_parallel, root, scripts, split_arguments, without_times,
};
use report::explanation::codes;
use testkit::depth::cases;

const FOLDER: &str = "tests/messages";

/// The number of bytes of a source that are shown. More tells a reader nothing.
const SHOWN: usize = 4000;

/// Stands before the arguments of a call that takes seconds.
const LONG: &str = "long ";

/// The number of bytes of output that are shown: all, unless something has gone very wrong.
const PRINTED: usize = 100_000;

#[test]
fn messages_are_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let mut scripts = scripts(FOLDER);
    scripts.retain(|script| cases(!is_long(script), true));
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

/// The codes whose messages no run can show, with the reasons.
const WITHOUT_SNAPSHOT: &[(&str, &str)] = &[
    ("internal-error", "what is known is mended"),
    ("internal-replay", "what is known is mended"),
    (
        "interrupted",
        "it needs a signal; `tests/program/limits.rs` sends it",
    ),
    (
        "memory-limit",
        "how far the work comes depends on the machine; `tests/program/limits.rs` has it",
    ),
    (
        "larger-than-tried",
        "it begins another turn, or becomes another message",
    ),
    ("no-server", "it needs a port that is taken"),
    ("no-signals", "systems do not refuse it"),
    (
        "replay-limit",
        "it takes millions of states; `src/witness/tests.rs` has the text",
    ),
    ("bad-request", "it is an answer; see tests/api"),
    ("not-kept", "it is an answer; see tests/api"),
    ("no-such-component", "it is an answer; see tests/api"),
    ("no-such-move", "it is an answer; see tests/api"),
    ("no-such-state", "it is an answer; see tests/api"),
    ("no-twists", "it is an answer; see tests/api"),
    (
        "damaged-spill",
        "it needs a folder; see tests/program/spill.rs",
    ),
    (
        "no-such-event",
        "it is asked in a walk; see tests/transcripts",
    ),
    (
        "other-spill",
        "it needs a folder; see tests/program/spill.rs",
    ),
    (
        "spill-directory",
        "it needs a folder; see tests/program/spill.rs",
    ),
    (
        "spill-in-use",
        "it needs a folder; see tests/program/spill.rs",
    ),
    (
        "unwritable-spill",
        "it needs a folder; see tests/program/spill.rs",
    ),
    (
        "cluster-differs",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-ended",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-failed",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-hosts",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-lost",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-not-joined",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-secret",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "cluster-stopped",
        "it needs other processes; see tests/program/cluster.rs",
    ),
    (
        "job-lost",
        "a process has to be killed; see tests/program/jobs.rs",
    ),
    (
        "missing-share",
        "it needs other processes; see tests/program/cluster.rs",
    ),
];

#[test]
fn every_code_has_a_snapshot() {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for script in scripts(FOLDER) {
        let path = root().join(script.replace(".csp", ".expected"));
        // Another test reports a file that is missing.
        let text = fs::read_to_string(path).unwrap_or_default();
        let (_, printed) = text
            .split_once("--- standard output ---")
            .unwrap_or_default();
        for start in ["error[", "warning["] {
            let codes = printed.lines().filter_map(|line| line.strip_prefix(start));
            shown.extend(codes.filter_map(|rest| Some(rest.split_once("]:")?.0.to_string())));
        }
    }
    let excused = |code: &&str| WITHOUT_SNAPSHOT.iter().any(|(other, _)| other == code);
    let missing: Vec<&str> = codes()
        .filter(|code| !excused(code) && !shown.contains(*code))
        .collect();
    assert!(missing.is_empty(), "no snapshot in {FOLDER} of {missing:?}");
    let needless = WITHOUT_SNAPSHOT.iter().map(|(code, _)| *code);
    let needless: Vec<&str> = needless.filter(|code| shown.contains(*code)).collect();
    assert!(needless.is_empty(), "there are snapshots of {needless:?}");
}

/// True if only a deep run makes the call of a script.
fn is_long(script: &str) -> bool {
    let source = fs::read(root().join(script)).expect("a script is readable");
    String::from_utf8_lossy(&source).starts_with(&format!("--! {LONG}"))
}

/// The problem with the messages of a script, if there is one.
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

/// The call, the source, and all output.
fn transcript(script: &str, source: &[u8]) -> String {
    let text = String::from_utf8_lossy(source);
    let first = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("--! "));
    let first = first.unwrap_or_else(|| panic!("{script} does not begin with `--! ARGUMENTS`"));
    let first = first.strip_prefix(LONG).unwrap_or(first);
    let call = Call::read(first);
    let mut arguments = split_arguments(call.arguments);
    for argument in arguments.iter_mut().filter(|argument| *argument == "FILE") {
        *argument = script.to_string();
    }
    let input: &[u8] = if arguments.iter().any(|argument| argument == "-") {
        source
    } else {
        b""
    };
    let outcome = match call.line() {
        Some(line) => cspsym_in_shell(&line, &arguments, input),
        None => cspsym(&arguments, input),
    };
    let status = outcome
        .status
        .map_or("none, ended by a signal".to_string(), |status| {
            status.to_string()
        });
    format!(
        "$ {}cspsym {}\nexit status: {status}\n\n{}\n{}\n{}",
        call.limits,
        first[call.limits.len()..].trim(),
        section("source", &text.replace("\r\n", "\n"), SHOWN),
        section("standard output", &without_times(&outcome.out), PRINTED),
        section("standard error", &outcome.err, PRINTED),
    )
}

/// The first line of a script, which tells how to run it.
struct Call<'a> {
    /// The commands of the shell before the call, up to a semicolon.
    limits: &'a str,
    arguments: &'a str,
    /// The target of standard output, if it does not go into the transcript.
    out: Option<&'a str>,
}

impl<'a> Call<'a> {
    fn read(line: &'a str) -> Self {
        let end = match line.starts_with("ulimit ") {
            true => line.find("; ").map_or(0, |end| end + 2),
            false => 0,
        };
        let (limits, rest) = line.split_at(end);
        let (arguments, out) = match rest.rsplit_once(" > /dev/") {
            Some((arguments, _)) => (arguments, Some(rest[arguments.len()..].trim())),
            None => (rest, None),
        };
        Self {
            limits,
            arguments,
            out,
        }
    }

    /// The line for a shell, if the call needs one.
    fn line(&self) -> Option<String> {
        let is_plain = self.limits.is_empty() && self.out.is_none();
        let line = format!("{}cspsym {}", self.limits, self.out.unwrap_or_default());
        (!is_plain).then_some(line)
    }
}

/// A text with a title, cut if it is longer than `most` bytes.
fn section(title: &str, text: &str, most: usize) -> String {
    let mut end = text.len().min(most);
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

#[test]
fn long_sources_are_cut() {
    assert_eq!(
        section("source", "P = STOP\n", SHOWN),
        "--- source ---\nP = STOP\n"
    );
    let cut = section("source", &"é".repeat(SHOWN), SHOWN);
    assert!(cut.ends_with(&format!("\n[{SHOWN} bytes more]\n")));
}
