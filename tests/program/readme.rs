//! Runs the `console` examples of `README.md` and of the manual in `src/host/manual/`, and compares
//! the output, except for times, with the text there.
//!
//! A script that stands before an example is given to it under the name in the call.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program readme` writes examples that differ anew.

use std::fs;
use std::path::Path;

use crate::harness::{cspsym, in_parallel, root, split_arguments, without_times};

const README: &str = "README.md";
const MANUAL: &str = "src/host/manual";
const OPENING: &str = "```console\n";
const CLOSING: &str = "\n```\n";
const PROMPT: &str = "$ cspsym ";
const SCRIPT: &str = "```csp\n";

/// The largest number of lines of the readme, which can be read at a first visit.
const LONGEST_README: usize = 200;

/// The largest number of characters of a line, which fit in most windows.
const WIDEST: usize = 100;

#[test]
fn examples_print_what_is_said() {
    let problems: Vec<String> = files().iter().flat_map(|file| problems(file)).collect();
    assert!(
        problems.is_empty(),
        "{}\n(UPDATE_EXPECTED=1 writes them anew)",
        problems.join("\n")
    );
}

/// The readme and the chapters of the manual.
fn files() -> Vec<String> {
    let mut files = vec![README.to_string()];
    files.extend(topics().iter().map(|topic| format!("{MANUAL}/{topic}.md")));
    files
}

/// The names of the chapters of the manual.
fn topics() -> Vec<String> {
    let entries = fs::read_dir(root().join(MANUAL)).expect("the manual is readable");
    let names = entries.map(|entry| {
        let name = entry.expect("an entry is readable").file_name();
        name.to_string_lossy().trim_end_matches(".md").to_string()
    });
    let mut topics: Vec<String> = names.collect();
    topics.sort();
    topics
}

/// The examples of a file that differ from the output. If the files are to be updated, they are
/// written anew instead.
fn problems(file: &str) -> Vec<String> {
    let path = root().join(file);
    let text = fs::read_to_string(&path).expect("the file is readable");
    let changed: Vec<(&str, String)> = in_parallel(&examples(&text), changed)
        .into_iter()
        .flatten()
        .collect();
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        let update = |text: String, (old, new): &(&str, String)| text.replace(old, new);
        let text = changed.iter().fold(text.clone(), update);
        fs::write(&path, text).expect("the file can be written");
        return Vec::new();
    }
    let difference = |(old, new): &(&str, String)| {
        let (old, new) = (without_times(old), without_times(new));
        let difference = pretty_assertions::StrComparison::new(&old, &new);
        format!("{file}:\n{difference}")
    };
    changed.iter().map(difference).collect()
}

#[test]
fn the_readme_is_short_and_has_examples() {
    let text = fs::read_to_string(root().join(README)).expect("the readme is readable");
    assert!(text.lines().count() <= LONGEST_README);
    assert!(examples(&text).len() >= 2);
}

#[test]
fn every_file_of_the_manual_is_printed() {
    for topic in topics() {
        let path = root().join(MANUAL).join(format!("{topic}.md"));
        let text = fs::read_to_string(path).expect("a chapter is readable");
        let outcome = cspsym(&["help".to_string(), topic.clone()], b"");
        assert_eq!(outcome.out, text, "of {topic}");
    }
}

#[test]
fn chapters_fit_on_a_terminal() {
    for topic in topics() {
        let path = root().join(MANUAL).join(format!("{topic}.md"));
        let text = fs::read_to_string(path).expect("a chapter is readable");
        // Text between fences is printed by the program, or copied elsewhere.
        let prose = text.split("```").step_by(2);
        for line in prose.flat_map(str::lines) {
            assert!(line.chars().count() <= WIDEST, "{topic}: too long:\n{line}");
        }
    }
}

/// An example of `--help` that names a shipped script is a call that works.
#[test]
fn calls_in_help_texts_are_right() {
    let folder = root().join("src/host/arguments/help");
    let entries = fs::read_dir(folder).expect("the help texts are readable");
    let texts = entries.map(|entry| {
        let path = entry.expect("an entry is readable").path();
        fs::read_to_string(path).expect("a help text is readable")
    });
    let text = texts.collect::<String>();
    let shipped = text.lines().filter_map(|line| {
        let (call, _) = line.split_once(" > ").unwrap_or((line, ""));
        let (_, call) = call.split_once("cspsym ")?;
        // A page is served until somebody ends it.
        (call.contains(" cspm/") && !call.starts_with("explore")).then_some(call)
    });
    let shipped: Vec<&str> = shipped.collect();
    assert!(shipped.len() > 12, "{shipped:?}");
    let problem = |call: &&str| {
        let outcome = cspsym(&split_arguments(call), b"");
        let is_right = matches!(outcome.status, Some(0 | 1)) && !outcome.err.contains("error");
        (!is_right).then(|| format!("cspsym {call}: {:?}\n{}", outcome.status, outcome.err))
    };
    let problems: Vec<String> = in_parallel(&shipped, problem)
        .into_iter()
        .flatten()
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A call and its output.
struct Example<'a> {
    text: &'a str,
    /// The last script before it.
    script: Option<&'a str>,
}

/// All examples of a file.
fn examples(text: &str) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    for (start, _) in text.match_indices(OPENING) {
        let (before, after) = (&text[..start], &text[start + OPENING.len()..]);
        let example = after.split_once(CLOSING).map(|(example, _)| example);
        let Some(text) = example.filter(|text| text.starts_with(PROMPT)) else {
            continue;
        };
        let script = before.rsplit_once(SCRIPT);
        let script = script.and_then(|(_, script)| Some(script.split_once("```")?.0));
        examples.push(Example { text, script });
    }
    examples
}

/// The text of an example and its correct text, if they differ in more than times.
fn changed<'a>(example: &Example<'a>) -> Option<(&'a str, String)> {
    let call = example.text.lines().next().unwrap_or_default();
    let mut arguments = split_arguments(call.trim_start_matches(PROMPT));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    for argument in &mut arguments {
        let is_here = root().join(&argument).exists();
        if let Some(script) = example
            .script
            .filter(|_| argument.ends_with(".csp") && !is_here)
        {
            fs::create_dir_all(&folder).expect("a folder can be made");
            let path = folder.join(&argument);
            fs::write(&path, script).expect("a script can be written");
            *argument = path.to_string_lossy().into_owned();
        }
    }
    // Text typed at the prompt of `step` stands in the example as it is echoed.
    let typed = example
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("> "));
    let typed: String = typed.map(|line| format!("{line}\n")).collect();
    let outcome = cspsym(&arguments, typed.as_bytes());
    let printed = format!("{call}\n{}{}", outcome.out, outcome.err);
    let printed = printed.replace(&format!("{}/", folder.display()), "");
    let printed = printed.trim_end().to_string();
    (without_times(example.text) != without_times(&printed)).then_some((example.text, printed))
}
