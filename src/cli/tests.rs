//! The subcommands over scripted sessions: what is printed where, and the exit status.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use crate::diag::{Diagnostic, Result};
use crate::refine::check::{Statistics, StopReason};
use crate::report::assertion::{AssertionReport, Counterexample, Kind, Step, Verdict};
use crate::report::machine::{LeafDescription, MachineDescription, MachineNode};
use crate::report::symmetry::SymmetryDescription;
use crate::report::symmetry::example::{hanoi, turns};
use crate::source::{FileId, SourceMap, Span};

use super::arguments::Arguments;
use super::console::Console;
use super::decide::stopped;
use super::files::Files;
use super::limits::Limit;
use super::monitor::Monitor;
use super::remaining::Open;
use super::request::{Decision, LoadFailure, Options, Session, SymmetrySubject};
use super::run;

/// A script whose assertions are words that say what comes out of them.
struct Scripted {
    file: String,
    assertions: Vec<&'static str>,
    sources: SourceMap,
    monitor: Arc<Monitor>,
}

fn load(
    file: &str,
    _files: &mut Files,
    options: &Options,
) -> std::result::Result<Box<dyn Session>, LoadFailure> {
    let mut sources = SourceMap::new();
    let id = sources.add(file, "P = Q\n");
    let assertions = match file {
        "good.csp" => vec!["pass one", "pass two"],
        "mixed.csp" => vec!["pass", "unknown", "fail", "pass last"],
        "undecided.csp" => vec!["pass", "unknown"],
        "wrong.csp" => vec!["pass", "error", "fail"],
        "empty.csp" => vec![],
        "cancelled.csp" => vec!["fail", "cancel", "pass"],
        _ => {
            assert_eq!(options.limits.leaf_states, 1_000_000);
            let problem = Diagnostic::error("unknown-name", "nothing is called `Q`");
            return Err(LoadFailure {
                sources,
                problems: vec![problem.at(Span::new(id, 4, 5), "")],
            });
        }
    };
    Ok(Box::new(Scripted {
        file: file.to_string(),
        assertions,
        sources,
        monitor: options.limits.monitor.clone(),
    }))
}

impl Scripted {
    fn decision(&self, word: &str) -> Decision {
        let report = AssertionReport {
            assertion: Some(word.to_string()),
            kind: Some(Kind::Refinement),
            model: Some("T"),
            states: Some(1),
            transitions: Some(2000),
            levels: Some(1),
            ..AssertionReport::new(&self.file)
        };
        let problem = match word {
            "unknown" => Some(Diagnostic::undecided("max-states", "too many")),
            "cancel" => {
                self.monitor.cancel();
                Some(self.monitor.problem(Limit::Signal))
            }
            "error" => Some(Diagnostic::error("no-match", "no clause fits")),
            _ => None,
        };
        let report = match &problem {
            Some(problem) => report.stopped_by(problem, &self.sources),
            None if word == "fail" => AssertionReport {
                verdict: Verdict::Fail,
                counterexample: Some(Counterexample {
                    event: Some("a".to_string()),
                    trace_with_taus: vec![Step::Internal],
                    ..Counterexample::default()
                }),
                ..report
            },
            None => AssertionReport {
                verdict: Verdict::Pass,
                ..report
            },
        };
        Decision { report, problem }
    }
}

impl Session for Scripted {
    fn sources(&self) -> &SourceMap {
        &self.sources
    }
    fn problems(&self) -> &[Diagnostic] {
        &[]
    }
    fn prints(&mut self) -> Vec<Result<String>> {
        if self.file == "good.csp" {
            vec![Ok("{1,2}".to_string())]
        } else {
            Vec::new()
        }
    }
    fn assertions(&self) -> Vec<String> {
        self.assertions
            .iter()
            .map(|word| word.to_string())
            .collect()
    }
    fn undecided(&self, index: usize) -> Open {
        let mut open = Open::file(&self.file);
        open.report.assertion = Some(self.assertions[index].to_string());
        open.place = Some(Span::new(FileId(0), 0, 1));
        open
    }
    fn decide(&mut self, index: usize) -> Decision {
        self.decision(self.assertions[index])
    }
    fn refine(&mut self, specification: &str, implementation: &str) -> Decision {
        let word = if specification == implementation {
            "pass"
        } else {
            "fail"
        };
        self.decision(word)
    }
    fn evaluate(&mut self, expression: &str) -> Result<String> {
        match expression {
            "1+1" => Ok("2".to_string()),
            _ => Diagnostic::error("division-by-zero", "this divides by zero").into(),
        }
    }
    fn type_of(&mut self, expression: &str) -> Result<String> {
        match expression {
            "1+1" => Ok("Int".to_string()),
            _ => Diagnostic::error("infinite-type", "it would contain itself").into(),
        }
    }
    fn machine(&mut self, expression: &str) -> Result<MachineDescription> {
        if expression != "P" {
            return Diagnostic::undecided("leaf-too-large", "it grows for ever").into();
        }
        let root = MachineNode {
            parent: None,
            operator: "leaf".to_string(),
            argument: None,
            leaf: Some(0),
        };
        Ok(MachineDescription {
            file: self.file.clone(),
            expression: expression.to_string(),
            nodes: vec![root],
            leaves: vec![LeafDescription {
                expression: "P".to_string(),
                states: 1,
                transitions: 1,
            }],
            rules: 1,
            bits_per_state: 1,
        })
    }
    fn symmetry(&mut self, subject: SymmetrySubject<'_>) -> Result<SymmetryDescription> {
        match subject {
            SymmetrySubject::Processes {
                implementation: "Q",
                ..
            } => {
                let span = Span::new(FileId(0), 4, 5);
                Diagnostic::error("unknown-name", "nothing is called `Q`")
                    .at(span, "")
                    .into()
            }
            SymmetrySubject::Processes { .. } => Ok(turns()),
            SymmetrySubject::Assertion(index) => Ok(SymmetryDescription {
                assertion: format!("assert RUN(Events) [T= {}", self.assertions[index]),
                ..hanoi()
            }),
        }
    }
}

/// Standard output, standard error and exit status of a call.
fn call(arguments: &[&str]) -> (String, String, u8) {
    called(arguments, Arc::default(), false)
}

/// The same where the limits are those of `monitor`, and a person may read what is wrong.
fn called(arguments: &[&str], monitor: Arc<Monitor>, interactive: bool) -> (String, String, u8) {
    let arguments = Arguments::read(["cspsym"].iter().chain(arguments)).expect("it parses");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console::new(&mut out, &mut err, monitor, interactive);
    let status = run(&arguments.command, load, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (
        text(out),
        text(err),
        status.expect("vectors can be written to").code(),
    )
}

fn status(arguments: &[&str]) -> u8 {
    call(arguments).2
}

#[test]
fn the_exit_status_is_that_of_the_worst() {
    assert_eq!(status(&["check", "good.csp"]), 0);
    assert_eq!(status(&["check", "mixed.csp"]), 1);
    assert_eq!(status(&["check", "undecided.csp"]), 3);
    assert_eq!(status(&["check", "wrong.csp"]), 2);
    assert_eq!(status(&["check", "broken.csp"]), 2);
    assert_eq!(status(&["check", "broken.csp", "mixed.csp"]), 2);
    assert_eq!(status(&["check", "undecided.csp", "mixed.csp"]), 1);
    assert_eq!(status(&["check", "empty.csp"]), 0);
    assert_eq!(status(&["refine", "P", "P", "good.csp"]), 0);
    assert_eq!(status(&["refine", "P", "Q", "good.csp"]), 1);
}

#[test]
fn people_are_told_how_to_read_more_about_the_first_error() {
    let last = |arguments: &[&str]| {
        let (_, err, _) = called(arguments, Arc::default(), true);
        err.lines().last().unwrap_or_default().to_string()
    };
    let read_more =
        |code| format!("For more information about this error, try `cspsym explain {code}`.");
    assert_eq!(
        last(&["typecheck", "broken.csp", "missing.csp"]),
        read_more("unknown-name")
    );
    assert_eq!(
        last(&["eval", "1/0", "good.csp"]),
        read_more("division-by-zero")
    );
    assert_eq!(last(&["check", "undecided.csp"]), read_more("max-states"));
    assert_eq!(last(&["check", "cancelled.csp"]), read_more("interrupted"));
    assert_eq!(
        last(&["symmetry", "P", "Q", "good.csp"]),
        read_more("unknown-name")
    );
    assert_eq!(last(&["eval", "1+1", "good.csp"]), "");
    // What a program reads stays as it is, and so does what nobody reads.
    assert_eq!(last(&["eval", "1/0", "good.csp", "--format", "json"]), "");
    assert_eq!(last(&["explain", "nothing"]), "");
    let (_, err, _) = call(&["eval", "1/0", "good.csp"]);
    assert!(!err.contains("For more information"), "{err}");
}

/// They take gigabytes, too many for a script among the tests.
#[test]
fn what_is_said_of_states_without_numbers() {
    let statistics = Statistics {
        levels: 7,
        states: 4_294_967_295,
        ..Statistics::default()
    };
    let problem = stopped(StopReason::Numbers, statistics, &Options::default());
    assert_eq!(
        problem.render(&SourceMap::new()),
        "\
error[state-limit]: more states than can be numbered
 = note: it was searching level 7, 4,294,967,295 states
 = help: check a smaller instance with -D

"
    );
}

#[test]
fn text_shows_prints_then_each_assertion() {
    let (out, err, _) = call(&["check", "good.csp"]);
    let expected = "\
{1,2}
good.csp
assert pass one: holds
  1 state, 2,000 transitions, 1 level, 0.00 s
assert pass two: holds
  1 state, 2,000 transitions, 1 level, 0.00 s
";
    assert_eq!((out.as_str(), err.as_str()), (expected, ""));
}

#[test]
fn quiet_shows_what_does_not_hold() {
    let (out, err, _) = call(&["check", "mixed.csp", "--quiet"]);
    assert_eq!(
        out,
        "assert unknown: undecided (max-states)\nassert fail: fails\n"
    );
    assert!(err.starts_with("error[max-states]: too many\n"));
    assert_eq!(
        call(&["check", "good.csp", "--quiet"]),
        (String::new(), String::new(), 0)
    );
}

#[test]
fn json_has_one_object_an_assertion_and_prints_go_elsewhere() {
    let (out, err, _) = call(&["check", "good.csp", "mixed.csp", "--format", "json"]);
    let verdicts: Vec<String> = out
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON")["verdict"]
                .to_string()
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            "\"pass\"",
            "\"pass\"",
            "\"pass\"",
            "\"unknown\"",
            "\"fail\"",
            "\"pass\""
        ]
    );
    assert!(err.starts_with("{1,2}\nerror[max-states]"), "{err}");
}

#[test]
fn a_script_that_does_not_load_is_in_the_json_and_on_standard_error() {
    let (out, err, _) = call(&["check", "broken.csp", "--format", "json"]);
    assert!(out.contains(r#""assertion":null"#) && out.contains(r#""verdict":"error""#));
    assert!(out.contains(r#""message":"unknown-name: nothing is called `Q` (broken.csp:1:5)""#));
    assert!(err.starts_with("error[unknown-name]: nothing is called `Q`"));
    assert_eq!(call(&["check", "broken.csp"]).0, "");
}

#[test]
fn assertions_are_picked_by_number_or_text() {
    let picked = |arguments: &[&str]| {
        let (out, _, status) = call(
            &[
                &["check", "mixed.csp", "--quiet", "--format", "json"],
                arguments,
            ]
            .concat(),
        );
        (
            out.lines()
                .filter(|line| !line.contains(r#""assertion":null"#))
                .count(),
            status,
        )
    };
    assert_eq!(picked(&["--assertion", "1"]), (1, 0));
    assert_eq!(picked(&["--assertion", "pass"]), (2, 0));
    assert_eq!(picked(&["--assertion", "assert pass last"]), (1, 0));
    assert_eq!(
        picked(&["--assertion", "passlast", "--assertion", "3"]),
        (2, 1)
    );
    assert_eq!(picked(&["--assertion", "5"]), (0, 2));
    assert_eq!(picked(&["--assertion", "0"]), (0, 2));
    assert_eq!(
        picked(&["--assertion", "pass", "--assertion", "nothing"]),
        (2, 2)
    );
}

#[test]
fn a_run_that_is_ended_names_what_it_leaves() {
    let (out, err, status) = call(&["check", "cancelled.csp", "good.csp", "--quiet"]);
    let expected = "\
assert fail: fails
assert cancel: undecided (interrupted)
assert pass: undecided (interrupted)
good.csp: undecided (interrupted)
";
    assert_eq!((out.as_str(), status), (expected, 1));
    assert_eq!(err.matches("error[interrupted]").count(), 1, "{err}");
}

#[test]
fn a_run_that_is_over_begins_nothing() {
    let over = || {
        let monitor = Arc::new(Monitor::default());
        monitor.cancel();
        monitor
    };
    let (out, err, status) = called(&["check", "good.csp", "mixed.csp"], over(), false);
    let expected = "good.csp: undecided (interrupted)\nmixed.csp: undecided (interrupted)\n";
    assert_eq!((out.as_str(), status), (expected, 3));
    assert_eq!(err.matches("error[interrupted]").count(), 1, "{err}");
    let (out, err, status) = called(&["typecheck", "good.csp", "mixed.csp"], over(), false);
    assert_eq!((out.as_str(), status), ("", 3));
    assert!(err.starts_with("error[interrupted]"), "{err}");
}

#[test]
fn typecheck_prints_nothing_or_what_is_wrong() {
    let nothing = (String::new(), String::new(), 0);
    assert_eq!(call(&["typecheck", "good.csp", "empty.csp"]), nothing);
    let (out, err, status) = call(&["typecheck", "good.csp", "missing.csp"]);
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.starts_with("error[unknown-name]: nothing is called `Q`\n"));
    let (out, err, status) = call(&["typecheck", "missing.csp", "--format", "json"]);
    let place =
        r#"{"file":"missing.csp","line":1,"column":5,"end_line":1,"end_column":6,"text":""}"#;
    let expected = format!(
        "{{\"severity\":\"error\",\"code\":\"unknown-name\",\"message\":\"nothing is called `Q`\",\"places\":[{place}],\"notes\":[],\"hint\":null}}\n"
    );
    assert_eq!((out, err, status), (expected, String::new(), 2));
}

#[test]
fn type_prints_the_type_or_why_there_is_none() {
    assert_eq!(
        call(&["type", "1+1", "good.csp"]),
        ("Int\n".to_string(), String::new(), 0)
    );
    let (out, err, status) = call(&["type", "x(x)", "good.csp"]);
    assert_eq!(
        (out.as_str(), err.trim_end(), status),
        ("", "error[infinite-type]: it would contain itself", 2)
    );
    let (out, _, _) = call(&["type", "1+1", "good.csp", "--format", "json"]);
    assert_eq!(
        out,
        r#"{"file":"good.csp","expression":"1+1","type":"Int","message":null}"#.to_string() + "\n"
    );
}

#[test]
fn eval_prints_the_value_or_why_there_is_none() {
    assert_eq!(
        call(&["eval", "1+1", "good.csp"]),
        ("2\n".to_string(), String::new(), 0)
    );
    let (out, err, status) = call(&["eval", "1/0", "good.csp"]);
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.starts_with("error[division-by-zero]"));
    let (out, _, _) = call(&["eval", "1/0", "good.csp", "--format", "json"]);
    assert_eq!(
        out,
        "{\"file\":\"good.csp\",\"expression\":\"1/0\",\"value\":null,\"message\":\"division-by-zero: this divides by zero\"}\n"
    );
}

#[test]
fn explain_finds_the_code_in_what_is_copied() {
    let (explained, _, status) = call(&["explain", "timeout"]);
    assert_eq!(status, 0);
    assert!(explained.starts_with("timeout: the time"), "{explained}");
    assert_eq!(call(&["explain", "ERROR[TIMEOUT]:"]).0, explained);
    let (all, _, status) = call(&["explain"]);
    assert_eq!(status, 0);
    assert!(all.contains("\ntimeout "), "{all}");
}

#[test]
fn an_unknown_code_gets_those_that_may_be_meant() {
    let (out, err, status) = call(&["explain", "timeuot"]);
    assert_eq!((out.as_str(), status), ("", 2));
    let expected = "\
error[unknown-code]: no message has the code `timeuot`
 = help: did you mean `timeout`? `cspsym explain` lists all codes
";
    assert_eq!(err.trim_end(), expected.trim_end());
    let (_, err, _) = call(&["explain", "brackets"]);
    let meant = "did you mean `mismatched-bracket` or `unclosed-bracket`?";
    assert!(err.contains(meant), "{err}");
    let (_, err, _) = call(&["explain", "xyzzy"]);
    assert!(err.contains("help: `cspsym explain` lists"), "{err}");
}

#[test]
fn machine_prints_in_three_formats() {
    let (text, _, status) = call(&["machine", "P", "good.csp"]);
    assert_eq!(
        text,
        "P: 1 leaf, 1 rule, 1 bit a state\nleaf 1: P, 1 state, 1 transition\n"
    );
    assert_eq!(status, 0);
    assert!(
        call(&["machine", "P", "good.csp", "--format", "dot"])
            .0
            .starts_with("digraph")
    );
    assert!(
        call(&["machine", "P", "good.csp", "--format", "json"])
            .0
            .starts_with("{\"file\":\"good.csp\"")
    );
    let (out, err, status) = call(&["machine", "Q", "good.csp", "--format", "json"]);
    assert_eq!(
        out,
        "{\"file\":\"good.csp\",\"expression\":\"Q\",\"message\":\"leaf-too-large: it grows for ever\"}\n"
    );
    assert!(err.starts_with("error[leaf-too-large]"));
    assert_eq!(status, 3);
}

#[test]
fn symmetry_prints_in_three_formats() {
    let question = ["symmetry", "SpecME", "TURNS", "good.csp"];
    let (out, err, status) = call(&question);
    assert!(
        out.starts_with("Symmetries of SpecME [T= TURNS in turns.csp\n"),
        "{out}"
    );
    assert!(!out.contains("Permutation bisimulations"));
    assert_eq!((err.as_str(), status), ("", 0));
    let (out, _, _) = call(&[&question[..], &["--pbisims"]].concat());
    assert!(
        out.contains("    leaf 4 TURN -> leaf 4 TURN: 1 -> 2, 2 -> 1, every other"),
        "{out}"
    );
    let (out, _, _) = call(&[&question[..], &["--format", "json"]].concat());
    assert!(
        out.starts_with(r#"{"file":"turns.csp","assertion":"assert SpecME [T= TURNS","#),
        "{out}"
    );
    assert!(out.contains(r#""pbisims":null"#), "{out}");
    let (out, _, _) = call(&[&question[..], &["--format", "json", "--pbisims"]].concat());
    assert!(
        out.contains(r#""pbisims":{"events":["τ","enter.P1""#),
        "{out}"
    );
    let (out, _, _) = call(&[&question[..], &["--format", "dot"]].concat());
    assert!(
        out.starts_with("digraph symmetry {") && out.contains("s3_1 -> s3_2"),
        "{out}"
    );
}

#[test]
fn symmetry_takes_one_assertion() {
    let of = |assertion: &str| call(&["symmetry", "mixed.csp", "--assertion", assertion]);
    let title = |assertion: &str| of(assertion).0.lines().next().map(str::to_string);
    let fail = Some("Symmetries of RUN(Events) [T= fail in hanoi.csp".to_string());
    assert_eq!(title("3"), fail);
    assert_eq!(title("assert fail"), fail);
    assert_eq!(
        title("pass last"),
        Some("Symmetries of RUN(Events) [T= pass last in hanoi.csp".to_string())
    );
    let (out, err, status) = of("pass");
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(
        err.starts_with("error[ambiguous-assertion]: `--assertion pass` picks 2 assertions"),
        "{err}"
    );
    let (out, err, status) = of("5");
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(
        err.starts_with("error[no-such-assertion]: `--assertion 5` picks no assertion"),
        "{err}"
    );
}

#[test]
fn symmetry_says_why_there_is_nothing_to_print() {
    let (out, err, status) = call(&["symmetry", "P", "Q", "good.csp", "--format", "json"]);
    let message = "unknown-name: nothing is called `Q` (good.csp:1:5)";
    assert_eq!(
        out,
        format!(
            "{{\"file\":\"good.csp\",\"specification\":\"P\",\"implementation\":\"Q\",\"message\":\"{message}\"}}\n"
        )
    );
    assert!(err.starts_with("error[unknown-name]"));
    assert_eq!(status, 2);
    let (out, _, status) = call(&[
        "symmetry",
        "mixed.csp",
        "--assertion",
        "9",
        "--format",
        "json",
    ]);
    assert!(out.starts_with(
        r#"{"file":"mixed.csp","specification":null,"implementation":null,"message":"no-such"#
    ));
    assert_eq!(status, 2);
    let (out, err, status) = call(&["symmetry", "P", "P", "broken.csp"]);
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.starts_with("error[unknown-name]"));
}
