//! Runs both examples of each explanation in `src/report/explanations/`. The one before the change
//! gives the message with that code and no other, the one after it gives none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{Outcome, cspsym, in_parallel, root, split_arguments};
use report::explanation::{Example, codes, explanation, list};

/// The codes without a small example, with the reasons, which their explanations state too.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("file-too-large", "a file of 256 MiB is too long"),
    ("internal-error", "what is known is mended"),
    ("internal-replay", "what is known is mended"),
    ("interrupted", "it does not depend on the script"),
    ("more-errors", "it comes with the errors that it counts"),
    ("no-server", "it needs a port that is taken"),
    ("no-signals", "it does not depend on the script"),
    ("no-thread", "it does not depend on the script"),
    ("not-utf-8", "an explanation is text in UTF-8"),
    ("replay-limit", "it takes millions of states"),
    ("unwritable-output", "it does not depend on the script"),
    ("job-lost", "it does not depend on the script"),
    ("unwritable-cache", "it does not depend on the script"),
    ("unwritable-report", "it does not depend on the script"),
    ("bad-request", "it does not depend on the script"),
    ("damaged-spill", "it does not depend on the script"),
    ("no-such-event", "it is asked in a walk"),
    ("no-such-step", "it needs a saved walk"),
    ("no-such-move", "it is asked in a request"),
    ("not-kept", "it is asked in a request"),
    ("no-such-component", "it is asked in a request"),
    ("no-such-state", "it is asked in a request"),
    ("no-twists", "it is asked in a request"),
    ("not-a-walk", "it needs a saved walk"),
    ("other-spill", "it does not depend on the script"),
    ("spill-directory", "it does not depend on the script"),
    ("spill-in-use", "it does not depend on the script"),
    ("unwritable-spill", "it does not depend on the script"),
    ("cluster-differs", "it does not depend on the script"),
    ("cluster-ended", "it does not depend on the script"),
    ("cluster-failed", "it does not depend on the script"),
    ("cluster-hosts", "it does not depend on the script"),
    ("cluster-lost", "it does not depend on the script"),
    ("cluster-not-joined", "it does not depend on the script"),
    ("cluster-secret", "it does not depend on the script"),
    ("cluster-stopped", "it does not depend on the script"),
    ("missing-share", "it does not depend on the script"),
    ("lab-exists", "it does not depend on the script"),
    ("unwritable-lab", "it does not depend on the script"),
    ("no-submissions", "it does not depend on the script"),
    ("unexported-page", "it does not depend on the script"),
];

/// The warnings of assertions that say little.
const OF_WEAK_ASSERTIONS: [&str; 2] = ["allows-everything", "does-nothing"];

#[test]
fn examples_show_what_they_explain() {
    let codes: Vec<&str> = codes().collect();
    let complaints: Vec<String> = in_parallel(&codes, |code| complaint(code))
        .into_iter()
        .flatten()
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The problem with the example of `code`, if there is one.
fn complaint(code: &str) -> Option<String> {
    let explanation = explanation(code).expect("each code is explained");
    let is_excused = WITHOUT_EXAMPLE.iter().any(|(other, _)| *other == code);
    let (before, after) = match (explanation.before, explanation.after) {
        (Some(before), Some(after)) if !is_excused => (before, after),
        (None, None) if is_excused => return None,
        (None, None) => return Some(format!("{code} has no example")),
        _ if is_excused => return Some(format!("{code} has an example and is said to have none")),
        _ => return Some(format!("{code} has only half of an example")),
    };
    let outcome = run(code, "before", &before);
    if given(&outcome) != BTreeSet::from([code.to_string()]) {
        return Some(format!("{code}, before: {}", shown(&outcome)));
    }
    let is_success = outcome.status == Some(0);
    if is_success != outcome.err.contains("warning[") {
        return Some(format!("{code}, before, exit status {:?}", outcome.status));
    }
    let outcome = run(code, "after", &after);
    let mut left = given(&outcome);
    // An example that shows something else may say little of its process.
    left.retain(|other| !OF_WEAK_ASSERTIONS.contains(&other.as_str()) || other == code);
    let is_clean = left.is_empty() && outcome.status == Some(0);
    (!is_clean).then(|| format!("{code}, after: {}", shown(&outcome)))
}

/// Runs an example in a folder of its own.
fn run(code: &str, side: &str, example: &Example) -> Outcome {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("explanations")
        .join(code)
        .join(side);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut first: Option<PathBuf> = None;
    for script in &example.scripts {
        let path = folder.join(script.name.unwrap_or("script.csp"));
        fs::write(&path, script.text).expect("a script can be written");
        first.get_or_insert(path);
    }
    let mut arguments = split_arguments(example.arguments());
    for argument in arguments.iter_mut().filter(|argument| *argument == "FILE") {
        let path = first.as_ref().expect("a call with FILE has a script");
        *argument = path.to_string_lossy().into_owned();
    }
    let is_input = arguments.iter().any(|argument| argument == "-");
    let input = match example.scripts.first() {
        Some(script) if is_input => script.text,
        _ => "",
    };
    cspsym(&arguments, input.as_bytes())
}

/// The codes of the messages.
fn given(outcome: &Outcome) -> BTreeSet<String> {
    let code = |line: &str| {
        let rest = line
            .strip_prefix("error[")
            .or(line.strip_prefix("warning["))?;
        Some(rest.split_once(']')?.0.to_string())
    };
    outcome.err.lines().filter_map(code).collect()
}

fn shown(outcome: &Outcome) -> String {
    let Outcome { status, out, err } = outcome;
    format!("exit status {status:?}\n{out}{err}")
}

#[test]
fn every_file_is_the_explanation_of_a_code() {
    let entries = fs::read_dir(root().join("src/report/explanations"));
    let entries = entries.expect("the folder is readable");
    let names = entries.map(|entry| {
        let name = entry.expect("an entry is readable").file_name();
        name.to_string_lossy().trim_end_matches(".md").to_string()
    });
    let expected: BTreeSet<String> = codes().map(str::to_string).collect();
    assert_eq!(names.collect::<BTreeSet<String>>(), expected);
}

#[test]
fn explanations_point_to_others() {
    for code in codes() {
        for other in explanation(code).expect("it is explained").see_also {
            assert!(explanation(other).is_some(), "{code} points to {other}");
            assert_ne!(code, other, "{code} points to itself");
        }
    }
}

#[test]
fn explanations_fit_on_a_terminal() {
    let texts = codes().map(|code| explanation(code).expect("it is explained").text());
    for text in texts.chain([list()]) {
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "too long:\n{line}");
            assert!(
                !line.contains("```") && !line.starts_with('#'),
                "a mark is left:\n{line}"
            );
        }
    }
}

#[test]
fn codes_without_an_example_say_so() {
    for (code, why) in WITHOUT_EXAMPLE {
        let explanation = explanation(code).expect("it is explained");
        let words: Vec<&str> = explanation.paragraphs.split_whitespace().collect();
        assert!(
            words.join(" ").contains("no example"),
            "{code} does not say that it has no example ({why})"
        );
    }
}
