//! Limits hold in every phase of the work, what is known by then is said, and nothing is printed by halves.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

#[allow(dead_code, reason = "the assertions of scripts are of no use here")]
#[path = "../benches/support/script.rs"]
mod script;

/// Ten to the power of twenty states are more than any machine can search.
const LARGE: &str = "\
channel c : {0..19}.{0..9}
P(i, n) = c.i.n -> P(i, (n + 1) % 10)
assert STOP [T= STOP
assert RUN(Events) [T= ||| i : {0..19} @ P(i, 0)
assert RUN(Events) [T= P(0, 0)
";

/// Starts the program with the arguments of `line`, and writes it the script. Standard input stays open.
fn start(line: &str, script: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .args(line.split_whitespace())
        // Each thread has memory of its own: limits are to be met at about the same place on any machine.
        .args(["--threads", "2"])
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

/// What ends, with its exit status, standard output and standard error.
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

/// What a run gives that gets the script and nothing more.
fn run(line: &str, script: &str) -> (Option<i32>, String, String) {
    outcome(start(line, script))
}

/// The first line on standard error, and what is read from it later.
fn first_line(child: &mut Child) -> (String, BufReader<impl Read + use<>>) {
    drop(child.stdin.take());
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("it is UTF-8");
    (line, errors)
}

/// By line the assertion, the verdict and the code of the message.
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
    // Told once, with the place of the assertion that was under way, and what was known of it.
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
        // It waits for its input, which it never gets.
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

#[cfg(target_os = "linux")]
mod memory {
    use super::*;
    use std::fs;
    use std::thread;

    /// In megabytes.
    const LIMIT: u64 = 64;

    /// A script for each phase that can take much memory, and what is said of where it was; nothing where that depends on the moment.
    const PHASES: [(&str, &str, &str); 9] = [
        (
            "evaluation",
            "evaluation was here",
            "f(n, s) = if n == 0 then s else f(n - 1, <n>^s)\nassert STOP [T= if f(100000000, <>) == <> then STOP else SKIP\n",
        ),
        (
            "set",
            "",
            "assert STOP [T= if card({x * 1000000 + y * 1000 + z | x <- {1..200}, y <- {1..200}, z <- {1..200}}) == 0 then STOP else SKIP\n",
        ),
        (
            "component",
            "",
            "channel c : {0..99}\nP(n) = c.(n % 100) -> P((n * 7 + 1) % 100000000)\nassert RUN(Events) [T= P(0)\n",
        ),
        (
            "normal form",
            "",
            "channel a, b\nP = LAST |~| (|~| n : {0..1000} @ L(n))\nLAST = a -> LAST [] b -> LAST [] a -> L(1000)\nL(n) = if n == 0 then STOP else a -> L(n - 1) [] b -> L(n - 1)\nassert P [T= STOP\n",
        ),
        (
            "compression",
            "it was compressing",
            "transparent wbisim\nchannel t\nchannel a : {0..2999}\nP(n) = if n == 0 then STOP else a.n -> STOP [] t -> P(n - 1)\nassert STOP [T= wbisim(P(2999) \\ {t})\n",
        ),
        (
            "listing",
            "it was listing the states of",
            "transparent sbisim\nchannel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert RUN(Events) [T= sbisim(||| i : {0..19} @ P(i, 0))\n",
        ),
        (
            "search",
            "it was searching level",
            "channel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert RUN(Events) [T= ||| i : {0..19} @ P(i, 0)\n",
        ),
        (
            "divergence",
            "followed along τ",
            "channel c : {0..19}.{0..9}\nP(i, n) = if n == 9 then STOP else c.i.n -> P(i, n + 1)\nassert STOP [FD= (||| i : {0..14} @ P(i, 0)) \\ {|c|}\n",
        ),
        (
            "determinism",
            "it was searching level",
            "channel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert ||| i : {0..19} @ P(i, 0) :[deterministic]\n",
        ),
    ];

    /// The most memory that a running program had, in megabytes; asked until it has ended.
    fn peak(child: &mut Child) -> u64 {
        let path = format!("/proc/{}/status", child.id());
        let mut most = 0;
        while child.try_wait().expect("it is a child").is_none() {
            let status = fs::read_to_string(&path).unwrap_or_default();
            let row = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = row.and_then(|row| row.trim().trim_end_matches(" kB").parse().ok());
            most = most.max(kilobytes.unwrap_or(0_u64) / 1024);
            thread::yield_now();
        }
        most
    }

    #[test]
    fn the_limit_holds_in_every_phase() {
        for (phase, place, script) in PHASES {
            let line = format!(
                "check - --symmetry off --max-leaf-states 100000000 --memory-limit {LIMIT}M"
            );
            let mut child = start(&line, script);
            drop(child.stdin.take());
            let most = peak(&mut child);
            let (status, out, err) = outcome(child);
            let said = format!("{phase}: {most} MB\n{out}\n{err}");
            assert_eq!(status, Some(3), "{said}");
            assert!(out.contains("undecided (memory-limit)"), "{said}");
            assert!(err.starts_with("error[memory-limit]"), "{said}");
            assert!(err.contains(" -:") && err.contains(place), "{said}");
            // A tenth more than allowed, and what a machine under load does between two looks.
            assert!(most <= LIMIT + LIMIT / 10 + 24, "{said}");
        }
    }
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn send(child: &Child, signal: &str) {
        let command = format!("kill -s {signal} {}", child.id());
        let sent = Command::new("sh").args(["-c", &command]).status();
        assert!(sent.expect("there is a shell").success());
    }

    #[test]
    fn the_first_ends_the_run_with_what_is_known() {
        for signal in ["INT", "TERM"] {
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

    #[test]
    fn the_second_kills() {
        let mut child = start("check - --progress on", "");
        let input = child.stdin.take();
        let (line, _errors) = first_line(&mut child);
        assert!(line.starts_with("reading the script"), "{line}");
        // Two of one kind might become one on the way.
        send(&child, "INT");
        send(&child, "TERM");
        let status = child.wait().expect("the program ends");
        drop(input);
        assert!(status.signal().is_some(), "{status:?}");
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

/// Stages that take long ask whether they may go on while they work, wherever they are.
mod stages {
    use std::collections::BTreeSet;
    use std::num::NonZeroUsize;
    use std::sync::{Arc, Mutex};

    use cspsym::base::threads::Threads;
    use cspsym::diag::{Diagnostic, Result};
    use cspsym::eval::{self, Evaluator, Script};
    use cspsym::lts::explore::LeafLimits;
    use cspsym::lts::model::Model;
    use cspsym::lts::normal_form::NormalForm;
    use cspsym::machine::expand::{End, expand};
    use cspsym::machine::explicit::{explicit, explicit_while};
    use cspsym::machine::{CompileOptions, Machine, compile};
    use cspsym::process::term::{Definitions, TermId};
    use cspsym::process::work::{Pace, Phase, Watcher};
    use cspsym::refine::check::{CheckOptions, Control, Outcome, StopReason, check};
    use cspsym::symmetry::Start;
    use cspsym::symmetry::find::{Subject, Wish, find};

    use super::script;

    /// Ends a phase when it has asked more often than so. That takes no time, and is at the same place on any machine.
    struct Patience {
        phase: Phase,
        times: usize,
        seen: Mutex<Seen>,
    }

    #[derive(Default)]
    struct Seen {
        now: Phase,
        asked: usize,
        names: BTreeSet<String>,
    }

    /// One that the test keeps an eye on.
    struct Shared(Arc<Patience>);

    impl Watcher for Shared {
        fn enter(&self, phase: Phase, name: &str) {
            let mut seen = self.0.seen.lock().expect("no thread panics");
            seen.now = phase;
            if phase == self.0.phase {
                seen.names.insert(name.to_string());
            }
        }

        fn proceed(&self, _: u64) -> Result<()> {
            let mut seen = self.0.seen.lock().expect("no thread panics");
            seen.asked += usize::from(seen.now == self.0.phase);
            if seen.asked > self.0.times {
                return Diagnostic::undecided("timeout", "").into();
            }
            Ok(())
        }
    }

    fn patience(phase: Phase, times: usize) -> Arc<Patience> {
        let seen = Mutex::default();
        Arc::new(Patience { phase, times, seen })
    }

    /// The process that the assertion of `script` is about.
    fn implementation(evaluator: &mut Evaluator<'_>, script: &Script) -> TermId {
        let expression = script::refinements(script)[0].1;
        match evaluator.value_of(expression).expect("it has a value") {
            eval::Value::Process(term) => term,
            _ => panic!("it is a process"),
        }
    }

    fn options(threads: usize) -> CompileOptions {
        CompileOptions {
            limits: LeafLimits { states: 100_000 },
            minimise: true,
            threads: Threads::new(NonZeroUsize::new(threads).expect("there is one")),
        }
    }

    /// How compiling the process of `text` ends, and the names that it told of.
    fn compiled(
        text: &str,
        threads: usize,
        phase: Phase,
        times: usize,
    ) -> (bool, BTreeSet<String>) {
        let script = script::load("limits.csp", text);
        let patience = patience(phase, times);
        let mut evaluator = Evaluator::new(&script, Box::new(Shared(patience.clone())));
        let term = implementation(&mut evaluator, &script);
        let outcome = compile(&mut evaluator, term, &options(threads));
        if let Err(problem) = &outcome {
            assert_eq!(problem.code, "timeout", "{}", problem.message);
        }
        let names = &patience.seen.lock().expect("no thread panics").names;
        (outcome.is_ok(), names.clone())
    }

    /// Compiles with more and more patience until that is enough: how often it was not.
    fn endings(text: &str, threads: usize, phase: Phase) -> usize {
        let times = (0..20).map(|power| (1 << power) - 1);
        let ends = |&times: &usize| !compiled(text, threads, phase, times).0;
        times.take_while(ends).count()
    }

    /// Components that count up and down, so that each state differs from all others only far away.
    const COUNTERS: &str = "\
channel up, down : {0..3}
L(i, n) = (n < 6000 & up.i -> L(i, n + 1)) [] (n > 0 & down.i -> L(i, n - 1))
assert STOP [T= ||| i : {0..3} @ L(i, 0)
";

    #[test]
    fn components_are_minimised_as_long_as_there_is_time() {
        for threads in [1, 2] {
            assert!(endings(COUNTERS, threads, Phase::Minimisation) > 2);
            // Whichever thread works on it, each is told of.
            let (_, names) = compiled(COUNTERS, threads, Phase::Minimisation, usize::MAX);
            let expected = [0, 1, 2, 3].map(|i| format!("L({i}, 0)"));
            assert!(names.into_iter().eq(expected), "{threads}");
        }
    }

    /// Two components that can do one event together in 300 times 300 ways.
    const WAYS: &str = "\
channel a : {0..299}
R = a?x -> R
X = (R ||| STOP)[[a.x <- a.0 | x <- {0..299}]]
assert STOP [T= X [| {a.0} |] X
";

    #[test]
    fn rules_are_made_as_long_as_there_is_time() {
        let endings = endings(WAYS, 1, Phase::Machine);
        assert!(endings > 2, "{endings}");
    }

    #[test]
    fn tables_of_many_rules_are_made_as_long_as_there_is_time() {
        let script = script::load("limits.csp", WAYS);
        let mut evaluator = Evaluator::new(&script, Box::new(|| false));
        let term = implementation(&mut evaluator, &script);
        let machine = compile(&mut evaluator, term, &options(1)).expect("it is small");
        let packing = machine.packing(1);
        let asked = asked(|proceed| {
            let successors = machine.successors_while(&packing, &mut Pace::new(proceed));
            successors.map(drop)
        });
        // Ten times each rule: what its leaves do, what triggers it, what a state costs, where its bits go.
        assert!(asked > 10 * 90_000 / 64, "{asked}");
    }

    /// How often `work` asks. Wherever it may not go on, which is tried at more and more places, it ends at once.
    fn asked(mut work: impl FnMut(&mut dyn FnMut() -> Result<()>) -> Result<()>) -> usize {
        let mut most = 0;
        loop {
            let mut asked = 0;
            let mut proceed = || {
                asked += 1;
                if asked > most {
                    return Diagnostic::undecided("timeout", "").into();
                }
                Ok(())
            };
            match work(&mut proceed) {
                Ok(()) => return asked,
                Err(problem) => assert_eq!((problem.code, asked), ("timeout", most + 1)),
            }
            most = 2 * most + 1;
        }
    }

    #[test]
    fn compressed_runs_are_expanded_as_long_as_there_is_time() {
        let text = COUNTERS.replace("||| i : {0..3} @ L(i, 0)", "sbisim(L(0, 0))");
        let script = script::load("limits.csp", &format!("transparent sbisim\n{text}"));
        let mut evaluator = Evaluator::new(&script, Box::new(|| false));
        let term = implementation(&mut evaluator, &script);
        let machine = compile(&mut evaluator, term, &options(1)).expect("it is small");
        let up = machine.rules.iter().map(|rule| rule.result).min();
        let up = up.expect("there are rules");
        let steps = vec![(up, up); 6000];
        let mut endings = 0;
        for power in 0.. {
            let patience = patience(Phase::Machine, (1 << power) - 1);
            // Events have the same numbers as before.
            let mut evaluator = Evaluator::new(&script, Box::new(Shared(patience)));
            let term = implementation(&mut evaluator, &script);
            match expand(&mut evaluator, term, &steps, &End::Anyhow, &options(1)) {
                Ok(run) => {
                    assert_eq!(run.map(|run| run.len()), Some(6000));
                    break;
                }
                Err(problem) => assert_eq!(problem.code, "timeout"),
            }
            endings += 1;
        }
        // In the machine of the compressed component, and in that of what it compresses.
        assert!(endings > 2, "{endings}");
    }

    #[test]
    fn compressions_go_on_as_long_as_there_is_time() {
        for compression in [
            "sbisim",
            "dbisim",
            "wbisim",
            "tau_loop_factor",
            "diamond",
            "normal",
            "lazynorm",
            "model_compress",
        ] {
            let text = format!(
                "transparent {compression}\n\
                 channel up, down, jump : {{0..2}}\n\
                 P(i, n) = (n < 29 & up.i -> P(i, n + 1)) [] (n > 0 & down.i -> P(i, n - 1)) [] jump.i -> P(i, 0)\n\
                 assert STOP [T= {compression}((||| i : {{0..2}} @ P(i, 0)) \\ {{jump.0}})\n"
            );
            assert!(endings(&text, 1, Phase::Compression) > 1, "{compression}");
            assert!(endings(&text, 1, Phase::Listing) > 1, "{compression}");
        }
    }

    #[test]
    fn specifications_are_made_deterministic_as_long_as_there_is_time() {
        let one = COUNTERS.replace("||| i : {0..3} @ L(i, 0)", "L(0, 0)");
        let script = script::load("limits.csp", &one);
        let mut evaluator = Evaluator::new(&script, Box::new(|| false));
        let term = implementation(&mut evaluator, &script);
        let machine = compile(&mut evaluator, term, &options(1)).expect("it is small");
        let lts = explicit(&machine, 100_000).expect("it is small");
        let asked = asked(|proceed| {
            NormalForm::of_while(&lts, Model::Failures, 100_000, proceed).map(drop)
        });
        // More often than its states are looked at in making sets of them.
        assert!(asked > 6001, "{asked}");
    }

    /// The machine of the counters and a specification that allows it nothing, with whoever waits for more.
    fn with_counters(
        times: usize,
        work: impl FnOnce(&mut Evaluator<'_>, TermId, &Machine, &NormalForm) -> Result<()>,
    ) -> Result<()> {
        let script = script::load("limits.csp", COUNTERS);
        let patience = patience(Phase::Symmetry, times);
        let mut evaluator = Evaluator::new(&script, Box::new(Shared(patience)));
        let term = implementation(&mut evaluator, &script);
        let machine = compile(&mut evaluator, term, &options(1))?;
        let nothing = NormalForm::divergence_free(&[]);
        evaluator.enter(Phase::Symmetry, "");
        work(&mut evaluator, term, &machine, &nothing)
    }

    #[test]
    fn symmetries_are_looked_for_as_long_as_there_is_time() {
        let mut endings = 0;
        for power in 0..20 {
            let outcome = with_counters((1 << power) - 1, |evaluator, term, machine, nothing| {
                let options = options(1);
                let subject = Subject {
                    term,
                    machine,
                    specification: nothing,
                    options: &options,
                };
                find(evaluator, &subject, Start::Any, &Wish::Auto, false).map(drop)
            });
            match outcome {
                Ok(()) => break,
                Err(problem) => assert_eq!(problem.code, "timeout"),
            }
            endings += 1;
        }
        assert!(endings > 3, "{endings}");
    }

    #[test]
    fn tables_are_made_as_long_as_there_is_time() {
        let made = with_counters(0, |evaluator, _, machine, _| {
            let mut proceed = || evaluator.proceed();
            let packing = machine.packing(1);
            let pace = &mut Pace::new(&mut proceed);
            machine.successors_while(&packing, pace).map(drop)
        });
        assert_eq!(made.expect_err("there is no time").code, "timeout");
        let listed = with_counters(0, |evaluator, _, machine, _| {
            explicit_while(machine, 100_000, &mut || evaluator.proceed()).map(drop)
        });
        assert_eq!(listed.expect_err("there is no time").code, "timeout");
        let searched = with_counters(0, |_, _, machine, nothing| {
            let stop = &mut |_: &_| Control::Stop;
            let result = check(nothing, machine, &CheckOptions::default(), stop)?;
            let stopped = Outcome::Stopped(StopReason::Observer);
            assert_eq!((result.outcome, result.statistics.states), (stopped, 0));
            Ok(())
        });
        searched.expect("the search says itself that it was stopped");
    }
}
