//! Tests of the subcommands on small scripts: of the text on standard output and standard error,
//! and of the exit status.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use base::cancel::Cancellation;

use super::run_on;
use host::arguments::Arguments;
use host::console::Console;
use host::files::Files;
use host::monitor::Monitor;

/// Scripts, each with its name. Their assertions pass, fail and stay unknown, as the names of the
/// processes say.
const SCRIPTS: [(&str, &str); 9] = [
    (
        "good.csp",
        "channel a, b\nprint {1, 2}\nPASS = a -> PASS\nassert PASS [T= PASS\nassert STOP [T= STOP\n",
    ),
    (
        "mixed.csp",
        "channel a, b\nPASS = a -> PASS\nGROWS(n) = a -> GROWS(n + 1)\nUNKNOWN = GROWS(0)\nFAIL = PASS\nLAST = a -> PASS\n\
         assert PASS [T= PASS\nassert RUN({a}) [T= UNKNOWN\nassert STOP [T= FAIL\nassert PASS [T= LAST\n",
    ),
    (
        "undecided.csp",
        "channel a\nGROWS(n) = a -> GROWS(n + 1)\nUNKNOWN = GROWS(0)\nassert STOP [T= STOP\nassert RUN({a}) [T= UNKNOWN\n",
    ),
    (
        "wrong.csp",
        "f(0) = STOP\nassert STOP [T= STOP\nassert STOP [T= f(1)\nassert STOP [T= SKIP\n",
    ),
    ("empty.csp", "P = STOP\n"),
    ("broken.csp", "P = Q\n"),
    ("missing.csp", "P = Q\n"),
    (
        "cancelled.csp",
        "CANCEL = STOP\nassert STOP [T= SKIP\nassert STOP [T= CANCEL\nassert STOP [T= STOP\n",
    ),
    (
        "turns.csp",
        "nametype Id = {1..2}\nchannel enter : Id\nUSER(i) = enter.i -> USER(i)\n\
         TURN(i) = enter.i -> TURN(3 - i)\nTURNS = (||| i : Id @ USER(i)) [| {| enter |} |] TURN(1)\n",
    ),
];

/// Standard output, standard error and exit status of a call.
fn call(arguments: &[&str]) -> (String, String, u8) {
    called(arguments, Arc::new(cancelling()), false)
}

/// Ends the run once the assertion about `CANCEL` has its turn.
fn cancelling() -> Monitor {
    let monitor = Monitor::default();
    let run: Cancellation = monitor.cancellation().clone();
    monitor.told(move |work| {
        if work.title.contains("CANCEL") {
            run.cancel();
        }
    })
}

/// Standard output, standard error and exit status of a call under the limits of `monitor`. A
/// person reads the messages if `interactive`.
fn called(arguments: &[&str], monitor: Arc<Monitor>, interactive: bool) -> (String, String, u8) {
    // A process that grows for ever is given up soon.
    let few: &[&str] = match arguments[0] {
        "check" | "machine" => &["--max-leaf-states", "9"],
        _ => &[],
    };
    let arguments = ["cspsym"].iter().chain(arguments).chain(few);
    let arguments = Arguments::read(arguments).expect("it parses");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console::new(&mut out, &mut err, monitor, interactive);
    let scripts = SCRIPTS.map(|(name, text)| (name.to_string(), text.to_string()));
    let files = &mut Files::with_open(scripts);
    let status = run_on(&arguments.command, files, &mut console);
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
    assert_eq!(status(&["refine", "PASS", "STOP", "good.csp"]), 0);
    assert_eq!(status(&["refine", "STOP", "SKIP", "good.csp"]), 1);
}

#[test]
fn people_are_told_how_to_read_more_about_the_first_error() {
    let last = |arguments: &[&str]| {
        let (_, err, _) = called(arguments, Arc::new(cancelling()), true);
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
    assert_eq!(
        last(&["check", "undecided.csp"]),
        read_more("growing-process")
    );
    assert_eq!(last(&["check", "cancelled.csp"]), read_more("interrupted"));
    assert_eq!(
        last(&["symmetry", "PASS", "Q", "good.csp"]),
        read_more("unknown-name")
    );
    assert_eq!(last(&["eval", "1+1", "good.csp"]), "");
    // An answer in JSON gets no such line, and neither does a wrong call of `explain`.
    assert_eq!(last(&["eval", "1/0", "good.csp", "--format", "json"]), "");
    assert_eq!(last(&["explain", "nothing"]), "");
    let (_, err, _) = call(&["eval", "1/0", "good.csp"]);
    assert!(!err.contains("For more information"), "{err}");
}

#[test]
fn text_shows_prints_then_each_assertion() {
    let (out, err, _) = call(&["check", "good.csp"]);
    let expected = "\
{1, 2}
good.csp
assert PASS [T= PASS: holds
  1 state, 1 transition, 1 level, _
assert STOP [T= STOP: holds
  1 state, 0 transitions, 1 level, _
";
    let timeless = out.lines().map(|line| match line.split_once(" level, ") {
        Some((figures, time)) if time.ends_with(" s") => format!("{figures} level, _\n"),
        _ => format!("{line}\n"),
    });
    let timeless: String = timeless.collect();
    assert_eq!((timeless.as_str(), err.as_str()), (expected, ""));
}

#[test]
fn quiet_shows_what_does_not_hold() {
    let (out, err, _) = call(&["check", "mixed.csp", "--quiet"]);
    assert_eq!(
        out,
        "assert RUN({a}) [T= UNKNOWN: undecided (growing-process)\nassert STOP [T= FAIL: fails\n"
    );
    assert!(err.starts_with("error[growing-process]: "), "{err}");
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
    assert!(err.starts_with("{1, 2}\nerror[growing-process]"), "{err}");
}

#[test]
fn a_script_that_does_not_load_is_in_the_json_and_on_standard_error() {
    let (out, err, _) = call(&["check", "broken.csp", "--format", "json"]);
    assert!(out.contains(r#""assertion":null"#) && out.contains(r#""verdict":"error""#));
    assert!(out.contains(r#""message":"unknown-name: `Q` is not defined here (broken.csp:1:5)""#));
    assert!(err.starts_with("error[unknown-name]: `Q` is not defined here"));
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
    assert_eq!(picked(&["--assertion", "PASS"]), (2, 0));
    assert_eq!(picked(&["--assertion", "assert PASS [T= LAST"]), (1, 0));
    assert_eq!(
        picked(&["--assertion", "[T=LAST", "--assertion", "3"]),
        (2, 1)
    );
    assert_eq!(picked(&["--assertion", "5"]), (0, 2));
    assert_eq!(picked(&["--assertion", "0"]), (0, 2));
    assert_eq!(
        picked(&["--assertion", "PASS", "--assertion", "nothing"]),
        (2, 2)
    );
}

#[test]
fn a_run_that_is_ended_names_what_it_leaves() {
    let (out, err, status) = call(&["check", "cancelled.csp", "good.csp", "--quiet"]);
    let expected = "\
cancelled.csp: assert STOP [T= SKIP: fails
cancelled.csp: assert STOP [T= CANCEL: undecided (interrupted)
cancelled.csp: assert STOP [T= STOP: undecided (interrupted)
good.csp: undecided (interrupted)
";
    assert_eq!((out.as_str(), status), (expected, 1));
    assert_eq!(err.matches("error[interrupted]").count(), 1, "{err}");
}

#[test]
fn a_run_that_is_over_begins_nothing() {
    let over = || {
        let monitor = Arc::new(Monitor::default());
        monitor.cancellation().cancel();
        monitor
    };
    let (out, err, status) = called(&["check", "good.csp", "mixed.csp"], over(), false);
    let expected = "\
good.csp: undecided (interrupted)
mixed.csp: undecided (interrupted)
0 assertions in 2 scripts: 2 scripts not begun
";
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
    assert!(err.starts_with("error[unknown-name]: `Q` is not defined here\n"));
    let (out, err, status) = call(&["typecheck", "missing.csp", "--format", "json"]);
    let place =
        r#"{"file":"missing.csp","line":1,"column":5,"end_line":1,"end_column":6,"text":""}"#;
    let expected = format!(
        "{{\"schema\":1,\"severity\":\"error\",\"code\":\"unknown-name\",\"message\":\"`Q` is not defined here\",\"places\":[{place}],\"notes\":[],\"hint\":null}}\n"
    );
    assert_eq!((out, err, status), (expected, String::new(), 2));
}

#[test]
fn type_prints_the_type_or_why_there_is_none() {
    assert_eq!(
        call(&["type", "1+1", "good.csp"]),
        ("Int\n".to_string(), String::new(), 0)
    );
    let (out, err, status) = call(&["type", "1 + true", "good.csp"]);
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.starts_with("error[type-mismatch]"), "{err}");
    let (out, _, _) = call(&["type", "1+1", "good.csp", "--format", "json"]);
    assert_eq!(
        out,
        r#"{"schema":1,"file":"good.csp","expression":"1+1","type":"Int","message":null}"#
            .to_string()
            + "\n"
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
        "{\"schema\":1,\"file\":\"good.csp\",\"expression\":\"1/0\",\"value\":null,\"message\":\"division-by-zero: division by zero: 1 / 0 (<command line>:1:1)\"}\n"
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
fn help_prints_chapters() {
    let (json, err, status) = call(&["help", "json"]);
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(json.starts_with("# "), "{json}");
    let (schema, _, status) = call(&["help", "json", "--schema"]);
    assert!(schema.starts_with('{') && status == 0, "{schema}");
}

#[test]
fn help_of_subcommands_is_their_own() {
    let help = |words: &[&str]| {
        let error = Arguments::read(words).expect_err("it is help");
        assert!(!error.use_stderr());
        error.to_string()
    };
    assert_eq!(
        help(&["cspsym", "help", "check"]),
        help(&["cspsym", "check", "--help"])
    );
    assert_eq!(
        help(&["cspsym", "help", "lab", "start"]),
        help(&["cspsym", "lab", "start", "--help"])
    );
    let all = help(&["cspsym", "help"]);
    assert_eq!(all, help(&["cspsym", "--help"]));
    assert!(all.contains("\n  language ") && all.contains("\n  symmetry "));
}

#[test]
fn an_unknown_topic_gets_the_one_that_may_be_meant() {
    const LIST: &str = "`cspsym help` lists all topics";
    let hint = |topic: &str| {
        let words: Vec<&str> = ["help"].into_iter().chain(topic.split(' ')).collect();
        let (out, err, status) = call(&words);
        assert_eq!((out.as_str(), status), ("", 2));
        assert!(err.starts_with("error[unknown-topic]"), "{err}");
        err.split("help: ")
            .nth(1)
            .map(str::trim)
            .map(str::to_string)
    };
    let meant = |near: &str| {
        Some(format!(
            "did you mean `{near}`? `cspsym help` lists all topics"
        ))
    };
    assert_eq!(hint("editor"), meant("editors"));
    assert_eq!(hint("typechek"), meant("typecheck"));
    assert_eq!(hint("lab strat"), meant("lab start"));
    assert_eq!(hint("check good.csp"), Some(LIST.to_string()));
    assert_eq!(hint("xyzzy"), Some(LIST.to_string()));
    let schema = ["cspsym", "help", "limits", "--schema"];
    assert!(Arguments::read(schema).is_err_and(|error| error.use_stderr()));
}

#[test]
fn machine_prints_in_three_formats() {
    let (text, _, status) = call(&["machine", "PASS", "good.csp"]);
    assert_eq!(
        text,
        "PASS: 1 leaf, 1 rule, 0 bits a state\nleaf 1: PASS, 1 state, 1 transition\n"
    );
    assert_eq!(status, 0);
    assert!(
        call(&["machine", "PASS", "good.csp", "--format", "dot"])
            .0
            .starts_with("digraph")
    );
    assert!(
        call(&["machine", "PASS", "good.csp", "--format", "json"])
            .0
            .starts_with("{\"schema\":1,\"file\":\"good.csp\"")
    );
    let (out, err, status) = call(&["machine", "UNKNOWN", "mixed.csp", "--format", "json"]);
    let start =
        r#"{"schema":1,"file":"mixed.csp","expression":"UNKNOWN","message":"growing-process: "#;
    assert!(out.starts_with(start), "{out}");
    assert!(err.starts_with("error[growing-process]"));
    assert_eq!(status, 3);
}

#[test]
fn symmetry_prints_in_three_formats() {
    let question = ["symmetry", "RUN(Events)", "TURNS", "turns.csp"];
    let (out, err, status) = call(&question);
    assert!(
        out.starts_with("Symmetries of RUN(Events) [T= TURNS in turns.csp\n"),
        "{out}"
    );
    assert!(!out.contains("Permutation bisimulations"));
    assert_eq!((err.as_str(), status), ("", 0));
    let (out, _, _) = call(&[&question[..], &["--pbisims"]].concat());
    assert!(
        out.contains("    leaf 3 TURN(1) -> leaf 3 TURN(1): 0 -> 1, 1 -> 0"),
        "{out}"
    );
    let (out, _, _) = call(&[&question[..], &["--format", "json"]].concat());
    assert!(
        out.starts_with(r#"{"schema":1,"file":"turns.csp","assertion":"RUN(Events) [T= TURNS","#),
        "{out}"
    );
    assert!(out.contains(r#""pbisims":null"#), "{out}");
    let (out, _, _) = call(&[&question[..], &["--format", "json", "--pbisims"]].concat());
    assert!(
        out.contains(r#""pbisims":{"events":["enter.1","enter.2"]"#),
        "{out}"
    );
    let (out, _, _) = call(&[&question[..], &["--format", "dot"]].concat());
    assert!(
        out.starts_with("digraph symmetry {") && out.contains("s2_0 -> s2_1"),
        "{out}"
    );
}

#[test]
fn symmetry_takes_one_assertion() {
    let of = |assertion: &str| call(&["symmetry", "mixed.csp", "--assertion", assertion]);
    let title = |assertion: &str| of(assertion).0.lines().next().map(str::to_string);
    let fail = Some("Symmetries of STOP [T= FAIL in mixed.csp".to_string());
    assert_eq!(title("3"), fail);
    assert_eq!(title("assert STOP [T= FAIL"), fail);
    assert_eq!(
        title("[T= LAST"),
        Some("Symmetries of PASS [T= LAST in mixed.csp".to_string())
    );
    let (out, err, status) = of("PASS");
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(
        err.starts_with("error[ambiguous-assertion]: `--assertion PASS` picks 2 assertions"),
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
    let (out, err, status) = call(&["symmetry", "PASS", "Q", "good.csp", "--format", "json"]);
    let message = "unknown-name: `Q` is not defined here (<command line>:1:1)";
    assert_eq!(
        out,
        format!(
            "{{\"schema\":1,\"file\":\"good.csp\",\"specification\":\"PASS\",\"implementation\":\"Q\",\"message\":\"{message}\"}}\n"
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
        r#"{"schema":1,"file":"mixed.csp","specification":null,"implementation":null,"message":"no-such"#
    ));
    assert_eq!(status, 2);
    let (out, err, status) = call(&["symmetry", "P", "P", "broken.csp"]);
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.starts_with("error[unknown-name]"));
}
