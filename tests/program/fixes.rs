//! Fixes of messages: after a fix is applied, its message is gone.

use std::collections::BTreeSet;
use std::fs;

use crate::harness::{files, root, scripts};
use base::diag::{Diagnostic, Replacement};
use base::source::SourceMap;
use checker::{Options, Script};

/// All messages about `text`, with its files.
fn problems(text: &str) -> (Vec<Diagnostic>, SourceMap) {
    match Script::parse("script.csp", text) {
        Ok(script) => {
            let problems = script.all_problems(&Options::default());
            (problems, script.sources().clone())
        }
        Err(error) => (error.problems().to_vec(), error.sources().clone()),
    }
}

/// The part of a message that must be gone once its fix was applied.
fn words(problem: &Diagnostic) -> (&'static str, String, Option<Box<str>>) {
    (problem.code, problem.message.clone(), problem.hint.clone())
}

fn applied(text: &str, fix: &[Replacement]) -> String {
    let mut fix: Vec<&Replacement> = fix.iter().collect();
    fix.sort_by_key(|one| std::cmp::Reverse(one.span.start));
    let mut out = text.to_string();
    for one in fix {
        out.replace_range(one.span.range(), &one.text);
    }
    out
}

#[test]
fn a_fix_removes_its_message() {
    let mut codes = BTreeSet::new();
    let mut count = 0;
    for folder in ["tests/messages", "tests/fixes"] {
        for file in scripts(folder) {
            let Ok(text) = fs::read_to_string(root().join(&file)) else {
                continue;
            };
            let (found, _) = problems(&text);
            for problem in &found {
                let hint = problem.hint.as_deref().unwrap_or_default();
                if hint.contains("did you mean") {
                    assert!(!problem.fix().is_empty(), "{file}: {problem:?}");
                }
                if problem.fix().is_empty() {
                    continue;
                }
                let mended = applied(&text, problem.fix());
                let (left, _) = problems(&mended);
                let same = |other: &&Diagnostic| words(other) == words(problem);
                let before = found.iter().filter(same).count();
                let after = left.iter().filter(same).count();
                assert!(
                    after < before,
                    "{file}: {problem:?}\nis still there in\n{mended}"
                );
                codes.insert(problem.code);
                count += 1;
            }
        }
    }
    // Each stage that finds out what was meant is among them.
    for code in [
        "module-needs-instance",
        "syntax",
        "undeclared-external",
        "unknown-character",
        "unknown-external",
        "unknown-name",
        "unknown-property",
    ] {
        assert!(codes.contains(code), "{code} is not among {codes:?}");
    }
    assert!(count >= 30, "{count}");
}

/// One function makes a hint and its replacement, so that each such hint has a replacement.
#[test]
fn nothing_else_asks_did_you_mean() {
    let mut asking = Vec::new();
    for file in files("src", "rs") {
        // Arguments of the command line have no place in a script.
        let is_of_the_command_line = ["src/cli", "src/lab/commands"];
        if file.contains("/tests") || is_of_the_command_line.iter().any(|it| file.starts_with(it)) {
            continue;
        }
        let text = fs::read_to_string(root().join(&file)).expect("a text");
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        if code.filter(|line| line.contains("did you mean")).count() > 0 {
            asking.push(file);
        }
    }
    assert_eq!(asking, ["src/base/diag.rs"]);
}
