//! `cspsym refines`, driven as programs drive FDR4's `refines`: under its name, by scripts that
//! look for a word, and by programs that read JSON.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::harness::{Outcome, cspsym, empty_folder, in_parallel, root, scripts, split_arguments};

const KINDS: &str = "tests/refines/kinds.csp";
const UNDECIDED: &str = "tests/refines/undecided.csp";
const WRONG: &str = "tests/refines/wrong.csp";

fn refines(line: &str) -> Outcome {
    cspsym(&split_arguments(&format!("refines {line}")), b"")
}

/// The documents that a call prints, each in a line.
fn documents(outcome: &Outcome) -> Vec<Value> {
    let lines = outcome.out.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line is an object"))
        .collect()
}

/// A folder for files of a test.
fn folder(test: &str) -> PathBuf {
    empty_folder("refines", test)
}

/// The verdicts of `check` as `result` of FDR.
fn checked(script: &str, options: &str) -> Vec<Value> {
    let line = format!("check {script} --format json {options}");
    let outcome = cspsym(&split_arguments(&line), b"");
    let reports = documents(&outcome).into_iter();
    let verdict = |report: Value| match report["verdict"].as_str() {
        Some("pass") => json!(1),
        Some("fail") => json!(0),
        _ => Value::Null,
    };
    reports.map(verdict).collect()
}

#[test]
#[cfg(unix)]
fn under_its_name_a_shell_script_looks_for_a_word() {
    let folder = folder("name");
    let link = folder.join("refines");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_cspsym"), &link).expect("a link can be made");
    let says = |script: &str| {
        let line = format!(
            "found=\"$(refines --brief --quiet {script} 2>/dev/null)\"; echo $found | grep -q 'Failed' && echo bad"
        );
        let mut shell = Command::new("sh");
        let path = format!("{}:/usr/bin:/bin", folder.display());
        let shell = shell
            .args(["-c", &line])
            .env("PATH", path)
            .current_dir(root());
        let output = shell.output().expect("there is a shell");
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    };
    assert_eq!(says(KINDS), "bad");
    assert_eq!(says("cspm/hanoi/hanoi.csp"), "bad");
    // What is undecided must not look like a success.
    assert_eq!(says(UNDECIDED), "bad");
    assert_eq!(says("tests/refines/fine.csp"), "");
}

#[test]
fn failing_assertions_end_with_0_and_others_do_not() {
    let status = |line: &str| refines(line).status;
    for format in ["plain", "colour", "json", "framed_json"] {
        let status = |script: &str| status(&format!("--format {format} {script}"));
        assert_eq!(status(KINDS), Some(0), "{format}");
        assert_eq!(status(UNDECIDED), Some(3), "{format}");
        assert_eq!(status(WRONG), Some(2), "{format}");
        assert_eq!(status("tests/refines/none.csp"), Some(2), "{format}");
    }
    assert_eq!(status(&format!("--typecheck {KINDS}")), Some(0));
    assert_eq!(status(&format!("--typecheck {WRONG}")), Some(2));
    assert_eq!(status(&format!("--no-such-option {KINDS}")), Some(2));
}

#[test]
fn documents_have_the_keys_that_drivers_read() {
    let outcome = refines(&format!("--format=json {KINDS} {UNDECIDED} {WRONG}"));
    let [kinds, undecided, wrong] = documents(&outcome).try_into().expect("one for each script");
    assert_eq!(outcome.err, "");
    for document in [&kinds, &undecided, &wrong] {
        for key in ["results", "print_statement_results", "warnings", "errors"] {
            assert!(document[key].is_array(), "{key} of {document}");
        }
        assert!(document["event_map"].is_object() && document["file_name"].is_string());
        for result in document["results"].as_array().expect("a list") {
            for key in [
                "visited_states",
                "visited_transitions",
                "visited_plys",
                "is_negated",
            ] {
                assert!(result[key].is_u64(), "{key} of {result}");
            }
            assert!(result["assertion_string"].is_string() && result["counterexamples"].is_array());
            let has_errors = result["errors"] != json!([]);
            assert_eq!(has_errors, result.get("result").is_none(), "{result}");
        }
    }
    let results = |document: &Value| -> Vec<Value> {
        let results = document["results"].as_array().expect("a list").iter();
        results.map(|result| result["result"].clone()).collect()
    };
    assert_eq!(results(&kinds), checked(KINDS, ""));
    assert_eq!(results(&undecided), [Value::Null, json!(1)]);
    assert_eq!(kinds["results"][2]["is_negated"], 1);
    assert_eq!(kinds["print_statement_results"][0]["result"], "<coin, tea>");
    assert_eq!(wrong["results"], json!([]));
    let error = wrong["errors"][0].as_str().expect("a text");
    assert!(error.starts_with("tests/refines/wrong.csp:2"), "{error}");
}

#[test]
fn a_frame_is_a_document_about_one_assertion() {
    let whole = documents(&refines(&format!(
        "--format json --divide --reveal-taus {KINDS}"
    )));
    let frames = documents(&refines(&format!(
        "--format framed_json --divide --reveal-taus {KINDS}"
    )));
    let results = whole[0]["results"].as_array().expect("a list");
    assert_eq!(frames.len(), results.len());
    for (frame, result) in frames.iter().zip(results) {
        assert_eq!(frame["results"].as_array().map(Vec::len), Some(1));
        let named = |document: &Value, entry: &Value| {
            let mut entry = entry.clone();
            name_events(&mut entry, &document["event_map"]);
            entry
        };
        assert_eq!(named(frame, &frame["results"][0]), named(&whole[0], result));
    }
    // A script without assertions, and one with mistakes, have one all the same.
    for script in ["tests/refines/parts/drinks.csp", WRONG] {
        let frames = documents(&refines(&format!("--format framed_json {script}")));
        assert_eq!(frames.len(), 1, "{script}");
        assert_eq!(frames[0]["results"], json!([]));
    }
}

/// Replaces the numbers of events by their names.
fn name_events(entry: &mut Value, names: &Value) {
    const EVENTS: [&str; 3] = ["trace", "acceptance", "error_event"];
    let name = |event: &mut Value| *event = names[event.to_string()].clone();
    match entry {
        Value::Array(all) => all.iter_mut().for_each(|entry| name_events(entry, names)),
        Value::Object(keys) => {
            for (key, value) in keys {
                match value {
                    Value::Array(events) if EVENTS.contains(&&**key) => {
                        events.iter_mut().for_each(name);
                    }
                    Value::Number(_) if EVENTS.contains(&&**key) => name(value),
                    value => name_events(value, names),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn counterexamples_are_those_of_check() {
    let document = &documents(&refines(&format!("--format json --reveal-taus {KINDS}")))[0];
    let reports = cspsym(
        &split_arguments(&format!("check {KINDS} --format json")),
        b"",
    );
    let results = document["results"].as_array().expect("a list");
    for (result, report) in results.iter().zip(documents(&reports)) {
        let mut result = result.clone();
        name_events(&mut result, &document["event_map"]);
        let found = &result["counterexamples"][0];
        let expected = &report["counterexample"];
        let sections = found["implementation_behaviour"]["prior_sections"].as_array();
        let before = sections.into_iter().flatten();
        let before = before.flat_map(|section| section["trace"].as_array().expect("a list"));
        let last = found["implementation_behaviour"]["trace"].as_array();
        let events: Vec<Value> = before.chain(last.expect("a list")).cloned().collect();
        let steps = expected["trace_with_taus"]
            .as_array()
            .expect("a list")
            .iter();
        let steps = steps.chain(expected["cycle"].as_array().into_iter().flatten());
        let seen = steps.map(|step| match step.as_str() {
            Some(step) if step.starts_with('τ') => json!("τ"),
            _ => step.clone(),
        });
        assert_eq!(events, seen.collect::<Vec<_>>(), "{result}");
        let other = found["specification_behaviour"]["trace"].as_array();
        let other_steps = expected["other_trace_with_taus"].as_array();
        if let (Some(other), Some(steps)) = (other, other_steps) {
            assert_eq!(other.len() + 1, steps.len(), "{result}");
        }
        let behaviour = &found["implementation_behaviour"];
        let end = if behaviour["last"].is_object() {
            &behaviour["last"]
        } else {
            behaviour
        };
        match expected["kind"].as_str() {
            Some("trace" | "revival") => assert_eq!(end["error_event"], expected["event"]),
            Some("divergence") => assert_eq!(end["type"], "loop"),
            _ => assert_eq!(end["acceptance"], expected["offers"]),
        }
    }
}

#[test]
fn verdicts_are_those_of_check() {
    let all = scripts("tests/scripts").into_iter().step_by(7);
    let some: Vec<String> = all.chain(scripts("cspm/language")).collect();
    assert!(some.len() > 10);
    let bounds = "--max-states 20000 --max-leaf-states 20000";
    let differences = in_parallel(&some, |script| {
        let outcome = refines(&format!("--format json --quiet {bounds} {script}"));
        let document = documents(&outcome).remove(0);
        let results = document["results"].as_array().expect("a list").iter();
        let found: Vec<Value> = results.map(|result| result["result"].clone()).collect();
        let expected = checked(script, bounds);
        (found != expected && document["errors"] == json!([]))
            .then(|| format!("{script}: {found:?} {expected:?}"))
    });
    let differences: Vec<String> = differences.into_iter().flatten().collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn an_archive_has_all_that_a_script_includes() {
    let folder = folder("archive");
    let archive = folder.join("kinds").display().to_string();
    let saved = refines(&format!("--archive {archive} {KINDS}"));
    assert_eq!((saved.status, saved.out.as_str()), (Some(0), ""));
    assert_eq!(
        saved.err,
        format!("Saved {KINDS} (and all dependent files) to {archive}\n")
    );
    // Elsewhere, where there is no such script.
    let mut there = Command::new(env!("CARGO_BIN_EXE_cspsym"));
    let there = there
        .args(["refines", "--divide", "kinds"])
        .current_dir(&folder);
    let there = there.output().expect("the program runs");
    assert_eq!(
        String::from_utf8_lossy(&there.stdout),
        refines(&format!("--divide {KINDS}")).out
    );
    assert_eq!(there.status.code(), Some(0));
    // What is cut short is no archive.
    let bytes = fs::read(&archive).expect("it is there");
    fs::write(&archive, &bytes[..bytes.len() / 2]).expect("it can be written");
    let damaged = refines(&archive);
    assert_eq!(damaged.status, Some(2));
    assert!(damaged.err.contains("no archive"), "{}", damaged.err);
}

#[test]
fn a_limit_of_the_call_leaves_a_document() {
    let whole = "--format json --timeout 0 cspm/dijkstra/dijkstra.csp";
    let outcome = refines(whole);
    assert_eq!(outcome.status, Some(3));
    let document = &documents(&outcome)[0];
    let told = document["errors"].as_array().expect("a list").len();
    let results = document["results"].as_array().expect("a list");
    let undecided = results
        .iter()
        .filter(|result| result.get("result").is_none());
    assert!(told + undecided.count() > 0, "{document}");
}

#[test]
fn every_script_of_a_call_is_told_of() {
    let folder = folder("all");
    let damaged = folder.join("damaged");
    fs::write(&damaged, [0x1f, 0x8b, 8, 0]).expect("it can be written");
    let damaged = damaged.display();
    let files = format!("{WRONG} tests/refines/none.csp {damaged} tests/refines/fine.csp");
    let outcome = refines(&format!("--format json {files}"));
    let documents = documents(&outcome);
    let has_errors = documents
        .iter()
        .map(|document| document["errors"] != json!([]));
    assert_eq!(has_errors.collect::<Vec<_>>(), [true, true, true, false]);
    assert_eq!((outcome.status, outcome.err.as_str()), (Some(2), ""));
    let outcome = refines(&format!("--brief {files}"));
    assert_eq!(
        outcome.out.matches("Failed to load").count(),
        3,
        "{}",
        outcome.out
    );
    assert_eq!(
        outcome.out.matches(": Passed").count(),
        3,
        "{}",
        outcome.out
    );
    assert!(
        outcome
            .err
            .contains("<unknown location>:\n    error[unreadable-file]"),
        "{}",
        outcome.err
    );
}

#[test]
fn what_a_limit_leaves_is_told_of() {
    let folder = folder("stuck");
    let stuck = folder.join("stuck.csp");
    let text = "assert STOP [T= STOP\nassert card(Set({1..24})) == 0 & STOP :[deadlock free]\n";
    fs::write(&stuck, text).expect("it can be written");
    let files = format!("{} tests/refines/fine.csp", stuck.display());
    // The second script is or is not read before the run ends.
    for format in ["json", "framed_json"] {
        let outcome = refines(&format!("--format {format} --timeout 1 {files}"));
        assert_eq!(outcome.status, Some(3), "{}", outcome.err);
        let documents = documents(&outcome);
        let all = documents.iter();
        let all = all.flat_map(|document| document["results"].as_array().expect("a list"));
        let decided: Vec<bool> = all.map(|result| result.get("result").is_some()).collect();
        let undecided = decided.iter().filter(|decided| !**decided);
        assert!(undecided.count() >= 1, "{}", outcome.out);
        assert!(
            !decided.iter().skip(1).any(|decided| *decided),
            "{}",
            outcome.out
        );
        let last = documents.last().expect("there are some");
        assert_eq!(last["file_name"], "tests/refines/fine.csp");
        assert!(last["errors"] != json!([]) || last["results"] != json!([]));
    }
    let outcome = refines(&format!("--brief --timeout 1 {files}"));
    assert!(
        outcome.out.matches("Failed").count() >= 2,
        "{}",
        outcome.out
    );
}

#[test]
fn options_are_as_forgiving_as_those_of_fdr() {
    let status = |line: &str| refines(&format!("{line} tests/refines/fine.csp")).status;
    for line in [
        "--brief --brief",
        "--format json --f plain",
        "--t",
        "--q --rev --typ",
        "-d",
    ] {
        assert_eq!(status(line), Some(0), "{line}");
    }
    let version = refines("--version");
    assert_eq!((version.status, version.err.as_str()), (Some(0), ""));
    // A value that cannot be printed leaves no assertion open.
    let printing = cspsym(
        &split_arguments("refines --brief -"),
        b"print head(<>)\nassert STOP [T= STOP\n",
    );
    assert_eq!(printing.status, Some(0), "{}", printing.err);
    assert!(printing.err.contains("error[") && printing.out.contains("Passed"));
}

#[test]
fn an_archive_takes_the_place_of_nothing_and_reads_nothing_else() {
    let folder = folder("places");
    let script = folder.join("script.csp");
    fs::write(&script, "assert STOP [T= STOP\n").expect("it can be written");
    let script = script.display();
    for line in [
        format!("--archive {script} {script}"),
        format!("--archive - {script}"),
        format!(
            "--archive {} -D N=1 {script}",
            folder.join("defined").display()
        ),
        format!(
            "--archive {} {script} {script}",
            folder.join("two").display()
        ),
    ] {
        let outcome = refines(&line);
        assert_eq!(outcome.status, Some(2), "{line}: {}", outcome.err);
    }
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    // An archive that somebody else has made may name files that are not in it.
    let beside = folder.join("beside.csp");
    fs::write(&beside, "channel secret\n").expect("it can be written");
    let text = json!({ "files": [[folder.join("a.csp"), "include \"beside.csp\"\n"]] });
    let packed = folder.join("packed");
    let line = format!("printf '%s' '{text}' | gzip > {}", packed.display());
    let made = Command::new("sh").args(["-c", &line]).status();
    assert!(made.is_ok_and(|made| made.success()));
    let outcome = refines(&packed.display().to_string());
    assert_eq!(outcome.status, Some(2));
    assert!(
        outcome.err.contains("outside of the archive"),
        "{}",
        outcome.err
    );
}
