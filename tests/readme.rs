//! Runs the `console` examples of `README.md` and compares what is printed with what stands there, all but the times.
//!
//! `UPDATE_EXPECTED=1 cargo test --test readme` writes those anew that differ.

mod harness;

use std::fs;

use harness::{cspsym, in_parallel, root, split_arguments};

const FILE: &str = "README.md";
const OPENING: &str = "```console\n";
const CLOSING: &str = "\n```\n";
const PROMPT: &str = "$ cspsym ";

#[test]
fn examples_print_what_the_readme_says() {
    let path = root().join(FILE);
    let text = fs::read_to_string(&path).expect("the readme is readable");
    let examples = examples(&text);
    assert!(!examples.is_empty(), "{FILE} has no examples");
    let changed: Vec<(&str, String)> = in_parallel(&examples, |&example| changed(example))
        .into_iter()
        .flatten()
        .collect();
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        let update = |text: String, (old, new): &(&str, String)| text.replace(old, new);
        let text = changed.iter().fold(text.clone(), update);
        fs::write(&path, text).expect("the readme can be written");
        return;
    }
    let problems = changed.iter().map(|(old, new)| {
        pretty_assertions::StrComparison::new(&without_times(old), &without_times(new)).to_string()
    });
    let problems: Vec<String> = problems.collect();
    assert!(
        problems.is_empty(),
        "{}\n(UPDATE_EXPECTED=1 writes them anew)",
        problems.join("\n")
    );
}

/// Each example: a call and what it prints.
fn examples(text: &str) -> Vec<&str> {
    let blocks = text.split(OPENING).skip(1);
    let blocks = blocks.filter_map(|block| Some(block.split_once(CLOSING)?.0));
    blocks.filter(|block| block.starts_with(PROMPT)).collect()
}

/// `example` and what it should be, if that differs in more than times.
fn changed(example: &str) -> Option<(&str, String)> {
    let call = example.lines().next().unwrap_or_default();
    let arguments = split_arguments(call.trim_start_matches(PROMPT));
    let outcome = cspsym(&arguments, b"");
    let printed = format!("{call}\n{}{}", outcome.out, outcome.err);
    let printed = printed.trim_end().to_string();
    (without_times(example) != without_times(&printed)).then_some((example, printed))
}

/// `text` with `TIME` for each number of seconds, without numbers a second, which are left out of very short times, and without the
/// memory that searches took: each thread has some of its own.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("  memory ") {
            return "  memory".to_string();
        }
        let rate = line
            .rsplit_once(" (")
            .filter(|_| line.ends_with(" a second)"));
        let line = rate.map_or(line, |(before, _)| before);
        let words: Vec<&str> = line.split(' ').collect();
        let masked = words.iter().enumerate().map(|(at, &word)| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            let is_time = matches!(next, "s" | "s,") && word.parse::<f64>().is_ok();
            if is_time { "TIME" } else { word }
        });
        masked.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn times_are_taken_out() {
    assert_eq!(
        without_times("  3 states, 2 levels, 0.02 s\n  states  2,401 (1,340,162 a second)"),
        "  3 states, 2 levels, TIME s\n  states  2,401"
    );
    assert_eq!(
        without_times("  memory         64.0 KiB\n  load 0.01 s, total 1.50 s"),
        "  memory\n  load TIME s, total TIME s"
    );
}
