//! Runs the shipped scripts, and those of `tests/scripts/`, and compares them with their directives
//! (see `harness/directives.rs`).

use crate::harness::directives;
use testkit::depth::cases;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{Outcome, cspsym, files, in_parallel, root, scripts};
use directives::{Command, Expected, Run, parse, squeeze};

/// A script and its runs.
struct Script {
    file: String,
    /// The file with its directives: the script, or a file beside it.
    directives: String,
    runs: Vec<Run>,
}

/// The file beside a script that may have its directives.
fn beside(file: &str) -> String {
    let path = Path::new(file).with_extension("expected");
    path.to_string_lossy().replace('\\', "/")
}

/// The scripts under these folders, each with its runs.
fn with_directives(folders: &[&str]) -> Vec<Script> {
    let files = folders.iter().flat_map(|folder| scripts(folder));
    // The scripts of labs have directives of their own; `tests/program/labs.rs` runs them.
    let files = files.filter(|file| !file.starts_with("cspm/labs/"));
    let read = |file: String| {
        let text = fs::read(root().join(&file)).expect("a script is readable");
        let other = beside(&file);
        let expected = root().join(&other);
        let expected = expected
            .exists()
            .then(|| fs::read_to_string(&expected).expect("a file of expectations is readable"));
        let runs = parse(&String::from_utf8_lossy(&text), expected.as_deref());
        let directives = if expected.is_some() {
            other
        } else {
            file.clone()
        };
        Script {
            runs: runs.unwrap_or_else(|problem| panic!("{directives}: {problem}")),
            file,
            directives,
        }
    };
    files.map(read).collect()
}

#[test]
fn scripts_do_what_their_directives_say() {
    let scripts = with_directives(&["cspm", "tests/scripts"]);
    let mut runs: Vec<(&Script, &Run)> = scripts
        .iter()
        .flat_map(|script| script.runs.iter().map(move |run| (script, run)))
        .collect();
    runs.retain(|(_, run)| !run.long || cases(false, true));
    // The long runs come first, so that no single one is left over at the end.
    runs.sort_by_key(|(_, run)| !run.long);
    let problems: Vec<String> =
        in_parallel(&runs, |(script, run)| differences(script, run)).concat();
    assert!(
        problems.is_empty(),
        "{} differences\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn every_shipped_script_has_assertions_that_hold_and_that_fail() {
    let mut problems = Vec::new();
    for script in with_directives(&["cspm"]) {
        let verdicts: BTreeSet<&str> = script.runs.iter().flat_map(verdict_words).collect();
        for verdict in ["pass", "fail"]
            .iter()
            .filter(|verdict| !verdicts.contains(*verdict))
        {
            problems.push(format!(
                "{}: no assertion is expected to {verdict}",
                script.file
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A reader of a model sees the model first, not directives.
#[test]
fn every_shipped_script_has_its_directives_beside_it() {
    let shipped = with_directives(&["cspm"]);
    assert!(shipped.len() > 30, "only {} scripts", shipped.len());
    for script in &shipped {
        assert_eq!(script.directives, beside(&script.file));
        assert!(!script.runs.is_empty(), "{} is empty", script.directives);
    }
    let mut used: Vec<String> = shipped
        .into_iter()
        .map(|script| script.directives)
        .collect();
    used.sort();
    assert_eq!(files("cspm", "expected"), used, "each belongs to a script");
}

/// A shipped script with a verdict that depends on the meaning of termination has a run with
/// `--termination`.
#[test]
fn verdicts_depend_on_termination_only_where_scripts_say_so() {
    let chooses = |run: &Run| run.arguments.iter().any(|word| word == "--termination");
    let mut scripts = with_directives(&["cspm"]);
    scripts.retain(|script| !script.runs.iter().any(chooses));
    let first_check = |script: &Script| -> Option<(String, Run)> {
        let mut checks = script.runs.iter();
        let run = checks.find(|run| run.command == Command::Check && !run.long)?;
        Some((script.file.clone(), run.clone()))
    };
    let runs: Vec<(String, Run)> = scripts.iter().filter_map(first_check).collect();
    let dependent = in_parallel(&runs, |(file, run)| {
        let mut signal = run.command_line(file);
        signal.insert(1, "--termination=signal".to_string());
        let differs =
            verdicts(&cspsym(&signal, b"")) != verdicts(&cspsym(&run.command_line(file), b""));
        differs.then(|| file.to_string())
    });
    let dependent: Vec<String> = dependent.into_iter().flatten().collect();
    assert!(runs.len() > 20 && dependent.is_empty(), "{dependent:?}");
}

/// The verdicts that a run of `check` gives, in order.
fn verdicts(outcome: &Outcome) -> Vec<String> {
    let reports = outcome.out.lines().map(|line| {
        let report: Value = serde_json::from_str(line).expect("a report is JSON");
        report["verdict"].to_string()
    });
    reports.collect()
}

fn verdict_words(run: &Run) -> impl Iterator<Item = &str> {
    run.verdicts
        .iter()
        .map(|(_, expected)| expected.verdict.as_str())
}

/// The differences of a run from its expected results, each with its place.
fn differences(script: &Script, run: &Run) -> Vec<String> {
    let arguments = run.command_line(&script.file);
    let outcome = cspsym(&arguments, b"");
    let mut found = Vec::new();
    if outcome.status != Some(run.status()) {
        found.push(format!(
            "exit status {:?}, not {}",
            outcome.status,
            run.status()
        ));
    }
    if run.command == Command::Eval {
        found.extend(in_order(&run.prints, &outcome.out));
    } else {
        found.extend(in_order(&run.prints, &outcome.err));
        found.extend(verdict_differences(run, &outcome));
    }
    if !found.is_empty() && !outcome.err.is_empty() {
        found.push(format!("standard error: {}", outcome.err.trim_end()));
    }
    found
        .iter()
        .map(|problem| format!("{}:{}: {problem}", script.directives, run.line))
        .collect()
}

/// The first of the lines `expected` that is missing in `text`. Other lines may stand between them.
fn in_order(expected: &[String], text: &str) -> Option<String> {
    let mut lines = text.lines();
    let missing = expected
        .iter()
        .find(|line| !lines.any(|other| other.trim() == line.as_str()));
    missing.map(|line| format!("not printed: {line}\nbut: {}", text.trim_end()))
}

fn verdict_differences(run: &Run, outcome: &Outcome) -> Vec<String> {
    let reports: Vec<Value> = match outcome.out.lines().map(serde_json::from_str).collect() {
        Ok(reports) => reports,
        Err(error) => {
            return vec![format!(
                "standard output is not JSON: {error}\n{}",
                outcome.out
            )];
        }
    };
    if reports.len() != run.verdicts.len() {
        let expected = run.verdicts.len();
        return vec![format!(
            "{} assertions were decided, but {expected} are expected",
            reports.len()
        )];
    }
    let mut expectations: Vec<&(usize, Expected)> = run.verdicts.iter().collect();
    expectations.sort_by_key(|(number, _)| *number);
    let mut found = Vec::new();
    // With `--assertion` the reports are those of the picked assertions, in order.
    if !run
        .arguments
        .iter()
        .any(|argument| argument == "--assertion")
    {
        let wrong = expectations
            .iter()
            .zip(1..)
            .find(|((number, _), position)| number != position);
        found.extend(wrong.map(|((number, _), _)| format!("there is no assertion {number}")));
    }
    for ((number, expected), report) in expectations.iter().zip(&reports) {
        let differences = report_differences(expected, report);
        let title = report["assertion"].as_str().unwrap_or("the script");
        found.extend(
            differences
                .into_iter()
                .map(|problem| format!("assertion {number}, {title}: {problem}")),
        );
    }
    found
}

/// The differences of one report from the expected one.
fn report_differences(expected: &Expected, report: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, expected: Option<String>, actual: Option<String>| {
        if expected.is_some() && expected != actual {
            let (expected, actual) = (
                expected.unwrap_or_default(),
                actual.unwrap_or("nothing".to_string()),
            );
            found.push(format!("{what} is {actual}, not {expected}"));
        }
    };
    let text = |value: &Value| value.as_str().map(squeeze);
    let message = report["message"].as_str();
    let code = message
        .and_then(|message| message.split(':').next())
        .map(str::to_string);
    compare(
        "the verdict",
        Some(expected.verdict.clone()),
        text(&report["verdict"]),
    );
    compare("the code", expected.code.clone(), code);
    for (key, value) in [
        ("algorithm", &expected.algorithm),
        ("representative", &expected.representative),
    ] {
        compare(key, value.clone(), text(&report[key]));
    }
    for (key, value) in &expected.numbers {
        compare(key, Some(value.to_string()), number(report, key));
    }
    let counterexample = &report["counterexample"];
    let events = counterexample["trace"].as_array();
    let trace = events.map(|events| {
        let events: Vec<String> = events.iter().filter_map(text).collect();
        format!("<{}>", events.join(","))
    });
    compare("the trace", expected.trace.clone(), trace);
    compare(
        "the event",
        expected.event.clone(),
        text(&counterexample["event"]),
    );
    found
}

/// A number of the report, as text.
fn number(report: &Value, key: &str) -> Option<String> {
    let steps = &report["counterexample"]["trace_with_taus"];
    match key {
        "length" => steps.as_array().map(|steps| steps.len().to_string()),
        "order" => report["symmetry"]["order"].as_str().map(str::to_string),
        "views" | "in_sight" | "fails_with" | "instances" | "decided" | "least" | "largest"
        | "cutoff" => report["for_all"][key]
            .as_u64()
            .map(|number| number.to_string()),
        key => report[key].as_u64().map(|number| number.to_string()),
    }
}

#[test]
fn differences_are_found() {
    let report: Value = serde_json::from_str(
        r#"{"assertion":"P [T= Q","verdict":"fail","states":3,"message":null,
            "algorithm":"SymCheck1","representative":"sortRep, simultaneous",
            "symmetry":{"order":"24"},
            "counterexample":{"trace":["a.1","b.(1, 2)"],"event":"c",
                              "trace_with_taus":["a.1","τ","b.(1, 2)"]}}"#,
    )
    .expect("it is JSON");
    let run = |directive: &str| {
        parse(&format!("--! run\n--! 1 {directive}"), None)
            .expect("it parses")
            .remove(0)
    };
    let differences = |directive: &str| report_differences(&run(directive).verdicts[0].1, &report);
    assert!(differences("fail states=3 trace=<a.1, b.(1,2)> event=c").is_empty());
    assert_eq!(differences("pass"), ["the verdict is fail, not pass"]);
    assert_eq!(differences("fail states=4"), ["states is 3, not 4"]);
    assert_eq!(differences("fail levels=4"), ["levels is nothing, not 4"]);
    assert_eq!(
        differences("fail trace=<a.1>"),
        ["the trace is <a.1,b.(1,2)>, not <a.1>"]
    );
    assert_eq!(differences("fail event=d"), ["the event is c, not d"]);
    assert!(differences("fail length=3 order=24 algorithm=SymCheck1").is_empty());
    assert!(differences("fail representative=sortRep, simultaneous").is_empty());
    assert_eq!(differences("fail length=2"), ["length is 3, not 2"]);
    assert_eq!(differences("fail order=6"), ["order is 24, not 6"]);
    assert_eq!(
        differences("fail algorithm=Check"),
        ["algorithm is SymCheck1, not Check"]
    );
    assert_eq!(
        differences("fail representative=genRep"),
        ["representative is sortRep,simultaneous, not genRep"]
    );
    let outcome = |out: &str| Outcome {
        status: Some(0),
        out: out.to_string(),
        err: String::new(),
    };
    assert_eq!(verdict_differences(&run("pass"), &outcome("")).len(), 1);
    assert_eq!(
        verdict_differences(&run("pass"), &outcome("no JSON")).len(),
        1
    );
    assert_eq!(
        in_order(&["a".to_string(), "b".to_string()], "x\na\ny\nb\n"),
        None
    );
    assert!(in_order(&["a".to_string(), "b".to_string()], "b\na\n").is_some());
}
