//! Limits hold in every phase of the work. The results known by then are printed, and no output is
//! cut in the middle.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

#[allow(dead_code, reason = "the assertions of scripts are of no use here")]
#[path = "../../benches/support/script.rs"]
mod script;

mod known;
#[cfg(target_os = "linux")]
mod memory;
mod stages;

/// A script with ten to the power of twenty states, more than any machine can search.
const LARGE: &str = "\
channel c : {0..19}.{0..9}
P(i, n) = c.i.n -> P(i, (n + 1) % 10)
assert STOP [T= STOP
assert RUN(Events) [T= ||| i : {0..19} @ P(i, 0)
assert RUN(Events) [T= P(0, 0)
";

/// Starts the program with the arguments of `line`, and writes the script to its standard input,
/// which stays open.
fn start(line: &str, script: &str) -> Child {
    // Each thread has memory of its own: limits are to be met at about the same place on any
    // machine.
    let has_threads =
        !["eval", "type", "typecheck"].contains(&line.split(' ').next().unwrap_or(""));
    let threads: &[&str] = if has_threads {
        &["--threads", "2"]
    } else {
        &[]
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .args(line.split_whitespace())
        .args(threads)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = child.stdin.as_mut().expect("standard input is a pipe");
    input
        .write_all(script.as_bytes())
        .expect("the program reads");
    child
}

/// The outcome of an ended run: exit status, standard output and standard error.
fn outcome(mut child: Child) -> (Option<i32>, String, String) {
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The outcome of a run that gets the script and nothing more.
fn run(line: &str, script: &str) -> (Option<i32>, String, String) {
    outcome(start(line, script))
}

/// The first line on standard error, and the reader of the rest.
fn first_line(child: &mut Child) -> (String, BufReader<impl Read + use<>>) {
    drop(child.stdin.take());
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("it is UTF-8");
    (line, errors)
}

/// The assertion, the verdict and the code of the message in each line.
fn verdicts(out: &str) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("none").to_string();
    let verdict = |line: &str| {
        let report: Value = serde_json::from_str(line).expect("a line is one object");
        let message = text(&report["message"]);
        let code = message.split(':').next().unwrap_or_default().to_string();
        (text(&report["assertion"]), text(&report["verdict"]), code)
    };
    assert!(out.is_empty() || out.ends_with('\n'), "{out}");
    out.lines().map(verdict).collect()
}

fn expected<'a>(verdicts: impl IntoIterator<Item = [&'a str; 3]>) -> Vec<(String, String, String)> {
    let verdicts = verdicts.into_iter();
    verdicts.map(|all| all.map(str::to_string).into()).collect()
}

const LARGE_TEXT: &str = "RUN(Events) [T= ||| i <- {0..19} @ P(i, 0)";

#[test]
fn a_timeout_leaves_the_rest_undecided() {
    let line = "check - cspm/hanoi/hanoi.csp --symmetry off --timeout 0.4 --format json";
    let (status, out, err) = run(line, LARGE);
    assert_eq!(status, Some(3));
    assert_eq!(
        verdicts(&out),
        expected([
            ["STOP [T= STOP", "pass", "none"],
            [LARGE_TEXT, "unknown", "timeout"],
            ["RUN(Events) [T= P(0, 0)", "unknown", "timeout"],
            ["none", "unknown", "timeout"],
        ])
    );
    // The message comes once, with the place of the assertion that was under way, and with all that
    // was known of it.
    assert_eq!(err.matches("error[timeout]").count(), 1, "{err}");
    assert!(
        err.contains("-:4:1") && err.contains("it was searching level"),
        "{err}"
    );
    let cut: Value = serde_json::from_str(out.lines().nth(1).expect("a line")).expect("JSON");
    assert!(cut["states"].as_u64() > Some(1000), "{cut}");
    assert_eq!(cut["machine"]["leaves"], 20);
    assert_eq!(cut["algorithm"], "Check");
}

/// A script for each kind of long work, and its message before an assertion that is decided at
/// once.
const LONG: [(&str, &str); 12] = [
    (
        "evaluation",
        "f(n) = f(n + 1)\nassert STOP [T= if f(0) == 0 then STOP else SKIP\n",
    ),
    (
        "sequences",
        "f(n, s) = if n == 0 then s else f(n - 1, s^s)\nassert STOP [T= if elem(2, f(60, <1>)) then STOP else SKIP\n",
    ),
    (
        "sets",
        "assert STOP [T= if card({x + y + z | x <- {1..9999}, y <- {1..9999}, z <- {1..9999}}) == 0 then STOP else SKIP\n",
    ),
    (
        "component",
        "channel c : {0..99}\nP(n) = c.(n % 100) -> P((n * 7 + 1) % 100000000)\nassert RUN(Events) [T= P(0)\n",
    ),
    (
        "growth",
        "channel c\nP(n) = c -> P(n + 1)\nassert P(0) [F= P(1)\n",
    ),
    (
        "normal form",
        "channel a, b\nP = LAST |~| (|~| n : {0..1000} @ L(n))\nLAST = a -> LAST [] b -> LAST [] a -> L(1000)\nL(n) = if n == 0 then STOP else a -> L(n - 1) [] b -> L(n - 1)\nassert P [T= STOP\n",
    ),
    (
        "listing",
        "transparent sbisim\nchannel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert RUN(Events) [T= sbisim(||| i : {0..19} @ P(i, 0)) [| {c.0.0} |] RUN({c.0.0})\n",
    ),
    (
        "search",
        "channel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert RUN(Events) [T= ||| i : {0..19} @ P(i, 0)\n",
    ),
    (
        "divergence",
        "channel c : {0..19}.{0..9}\nP(i, n) = if n == 9 then STOP else c.i.n -> P(i, n + 1)\nassert STOP [FD= (||| i : {0..14} @ P(i, 0)) \\ {|c|}\n",
    ),
    (
        "determinism",
        "channel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert ||| i : {0..19} @ P(i, 0) :[deterministic]\n",
    ),
    (
        "revivals",
        "channel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nS = ||| i : {0..19} @ P(i, 0)\nassert S [V= S\n",
    ),
    (
        "symmetric",
        "datatype Id = I1 | I2\nf(n) = f(n + 1)\nassert (if f(0) == 0 then {I1} else {I2}) :[symmetric]: Id\n",
    ),
];

#[test]
fn one_hard_assertion_does_not_keep_the_next_from_being_decided() {
    for (work, script) in LONG {
        let line =
            "check - --symmetry off --max-leaf-states 100000000 --timeout-each 0.5 --format json";
        let (status, out, err) = run(line, &format!("{script}assert STOP [T= STOP\n"));
        let found = verdicts(&out);
        let found = found
            .iter()
            .map(|(_, verdict, code)| (&verdict[..], &code[..]));
        let expected = [("unknown", "timeout"), ("pass", "none")];
        assert!(found.eq(expected), "{work}: {out}{err}");
        assert_eq!(status, Some(3), "{work}: {err}");
        let start = "error[timeout]: the time given with --timeout-each is over\n";
        assert!(
            err.starts_with(start) && err.contains(" -:"),
            "{work}: {err}"
        );
    }
}

#[test]
fn each_value_that_is_printed_has_its_time() {
    let script = "f(n) = f(n + 1)\nk = f(0)\nprint k\nprint 1 + 1\nprint k\nassert STOP [T= STOP\n";
    let (status, out, err) = run("check - --timeout-each 0.5", script);
    assert_eq!(status, Some(3), "{err}");
    assert!(
        out.starts_with("2\n-\nassert STOP [T= STOP: holds\n"),
        "{out}"
    );
    // The second time, too, the time is over: the value does not seem to need itself.
    assert_eq!(err.matches("error[timeout]").count(), 2, "{err}");
}

#[test]
fn the_whole_call_ends_whatever_each_assertion_may_take() {
    let line = "check - --symmetry off --timeout 1 --timeout-each 100 --format json";
    let (status, out, err) = run(line, LARGE);
    assert_eq!(status, Some(3));
    let codes: Vec<String> = verdicts(&out).into_iter().map(|(.., code)| code).collect();
    assert_eq!(codes, ["none", "timeout", "timeout"]);
    assert!(
        err.contains("the time given with --timeout is over"),
        "{err}"
    );
    let line = "refine RUN(Events) INTERLEAVED - --symmetry off --timeout-each 0.5";
    let script = LARGE.replace("assert RUN(Events) [T= |||", "INTERLEAVED = |||");
    let (status, out, err) = run(line, &script);
    assert_eq!(status, Some(3), "{out}{err}");
    assert!(
        err.contains("the time given with --timeout-each is over"),
        "{err}"
    );
}

#[test]
fn memory_that_one_assertion_took_is_there_for_the_next() {
    let line = "check - --symmetry off --memory-limit 60M --format json";
    let (status, out, err) = run(line, LARGE);
    assert_eq!(status, Some(3), "{err}");
    assert_eq!(
        verdicts(&out),
        expected([
            ["STOP [T= STOP", "pass", "none"],
            [LARGE_TEXT, "unknown", "memory-limit"],
            ["RUN(Events) [T= P(0, 0)", "pass", "none"],
        ])
    );
    assert!(
        err.contains("-:4:1") && err.contains("it was searching level"),
        "{err}"
    );
}

#[test]
fn less_memory_than_the_program_takes_is_a_limit_too() {
    for subcommand in [
        "check",
        "refine STOP STOP",
        "eval 1",
        "type 1",
        "machine STOP",
        "symmetry STOP STOP",
        "typecheck",
    ] {
        let line = format!("{subcommand} - --memory-limit 1000 --format json");
        // The program waits for its input, which it never gets.
        let mut child = start(&line, "");
        let input = child.stdin.take();
        let (status, out, err) = outcome(child);
        drop(input);
        assert_eq!(status, Some(3), "{subcommand:?}");
        assert_eq!(out.lines().count(), 1, "{out}");
        let report: Value = serde_json::from_str(&out).expect("it is one object");
        assert!(report.to_string().contains("memory-limit"), "{out}");
        // In JSON the messages of `typecheck` are its results.
        let is_told = err.starts_with("error[memory-limit]");
        assert!(is_told || subcommand == "typecheck", "{err}");
    }
}

#[cfg(unix)]
mod signals {
    use super::*;

    fn send(child: &Child, signal: &str) {
        let command = format!("kill -s {signal} {}", child.id());
        shell(&command);
    }

    fn shell(command: &str) {
        let sent = Command::new("sh").args(["-c", command]).status();
        assert!(sent.expect("there is a shell").success());
    }

    /// The signals that end a run, without those that the environment of the tests ignores.
    fn signals() -> impl Iterator<Item = &'static str> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|row| u64::from_str_radix(row.trim(), 16).ok());
        let hears_hangup = ignored.is_some_and(|ignored| ignored & 1 == 0);
        ["INT", "TERM"]
            .into_iter()
            .chain(hears_hangup.then_some("HUP"))
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_to_be_ignored_is_ignored() {
        let program = env!("CARGO_BIN_EXE_cspsym");
        let line = format!("trap '' HUP; exec {program} check - --progress on --format json");
        let mut child = Command::new("sh")
            .args(["-c", &line])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let input = child.stdin.take();
        let (line, _errors) = first_line(&mut child);
        assert!(line.starts_with("reading the script"), "{line}");
        // The run ignores HUP. If it counted, INT would be the second signal, which kills.
        send(&child, "HUP");
        send(&child, "INT");
        let (status, out, _) = outcome(child);
        drop(input);
        assert_eq!(status, Some(3), "{out}");
        assert_eq!(
            verdicts(&out),
            expected([["none", "unknown", "interrupted"]])
        );
    }

    #[test]
    fn the_first_ends_the_run_with_what_is_known() {
        for signal in signals() {
            let line = "check - cspm/hanoi/hanoi.csp --symmetry off --progress on --format json";
            let mut child = start(line, LARGE);
            // The first line comes half a second after the large assertion was begun.
            let (line, mut errors) = first_line(&mut child);
            assert!(line.starts_with("searching level"), "{line}");
            send(&child, signal);
            let (status, out, _) = outcome(child);
            assert_eq!(status, Some(3));
            assert_eq!(
                verdicts(&out),
                expected([
                    ["STOP [T= STOP", "pass", "none"],
                    [LARGE_TEXT, "unknown", "interrupted"],
                    ["RUN(Events) [T= P(0, 0)", "unknown", "interrupted"],
                    ["none", "unknown", "interrupted"],
                ])
            );
            let mut err = String::new();
            errors.read_to_string(&mut err).expect("it is UTF-8");
            assert!(
                err.contains("error[interrupted]") && err.contains("-:4:1"),
                "{err}"
            );
        }
    }

    #[test]
    fn work_that_does_not_heed_it_is_ended_from_outside() {
        let mut child = start("check - --progress on --format json", "");
        let input = child.stdin.take();
        let (line, _errors) = first_line(&mut child);
        assert_eq!(
            line.split(", ").next(),
            Some("reading the script"),
            "{line}"
        );
        send(&child, "INT");
        let (status, out, _) = outcome(child);
        drop(input);
        assert_eq!(status, Some(3));
        assert_eq!(
            verdicts(&out),
            expected([["none", "unknown", "interrupted"]])
        );
    }

    /// `timeout` signals its child and then the group of its child, to which the child belongs.
    #[test]
    fn two_at_once_are_one() {
        let mut child = start("check - --symmetry off --progress on --format json", LARGE);
        let (line, _errors) = first_line(&mut child);
        assert!(line.starts_with("searching level"), "{line}");
        let id = child.id();
        shell(&format!("kill -s INT {id}; kill -s TERM {id}"));
        let (status, out, _) = outcome(child);
        assert_eq!(status, Some(3), "{out}");
        assert_eq!(verdicts(&out).len(), 3, "{out}");
    }
}

#[test]
fn progress_is_on_standard_error_if_it_is_asked_for() {
    let is_progress = |text: &str| text.contains(" waiting, ");
    for (progress, shown) in [
        ("--progress on", true),
        ("--progress on --quiet", true),
        ("--progress off", false),
        ("", false),
    ] {
        let line = format!("check - --symmetry off --timeout 1 {progress}");
        let (_, out, err) = run(&line, LARGE);
        assert!(!is_progress(&out), "{out}");
        assert_eq!(is_progress(&err), shown, "{line}: {err}");
    }
}

#[cfg(unix)]
#[test]
fn a_request_that_needs_too_much_memory_is_answered_and_so_is_the_next() {
    let script = "f(n, s) = if n == 0 then s else f(n - 1, <n>^s)\n\
                  assert (if f(100000000, <>) == <> then STOP else SKIP) :[deadlock free]\n";
    let request = |text: &str| {
        let files = serde_json::json!({ "large.csp": text });
        let request = serde_json::json!({
            "method": "check", "file": "large.csp", "files": files, "assertion": 1,
        });
        format!("{request}\n")
    };
    let requests = request(script) + &request("assert STOP :[divergence free]");
    let mut limited = Command::new("sh")
        .args(["-c", "ulimit -v 1500000; exec \"$0\" api"])
        .arg(env!("CARGO_BIN_EXE_cspsym"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell starts");
    let mut input = limited.stdin.take().expect("it is piped");
    input
        .write_all(requests.as_bytes())
        .expect("it reads requests");
    drop(input);
    let answered = limited.wait_with_output().expect("it ends");
    let answers = String::from_utf8_lossy(&answered.stdout).into_owned();
    let verdicts: Vec<(String, String)> = answers
        .lines()
        .map(|line| {
            let answer: Value = serde_json::from_str(line).expect("it is JSON");
            let problems = answer["problems"].as_array().expect("there is a list");
            let codes = problems
                .iter()
                .filter_map(|problem| problem["code"].as_str());
            let verdict = answer["result"]["verdict"].as_str().unwrap_or_default();
            (verdict.to_string(), codes.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let expected = [("unknown", "memory-limit"), ("pass", "")];
    let expected = expected.map(|(verdict, codes)| (verdict.to_string(), codes.to_string()));
    assert_eq!(verdicts, expected, "{answers}");
}
