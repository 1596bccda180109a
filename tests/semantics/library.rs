//! The library as a program uses it that knows only its documentation: all names come from the root
//! of the crate and from `report`.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use cspsym::{
    Cancellation, Definition, Error, Loader, NotIncluded, Options, Phase, Progress, Script,
    Subject, Symmetries, Task, Threads,
};
use pretty_assertions::assert_eq;
use report::assertion::{CounterexampleKind, Verdict};
use report::text::{Detail, render};

/// Three philosophers, their forks in another file.
const TABLE: &str = r#"
include "forks.csp"
N = 3
Id = {0..N-1}
channel eats : Id
PHIL(i) = picks.i.i -> picks.i.next(i) -> eats.i -> puts.i.next(i) -> puts.i.i -> PHIL(i)
next(i) = (i + 1) % N
ALPHABET(i) = {| picks.i, puts.i, eats.i |}
SYSTEM = (|| i : Id @ [ALPHABET(i)] PHIL(i)) [| {| picks, puts |} |] (||| f : Id @ FORK(f))
assert SYSTEM :[deadlock free]
assert STOP [T= SYSTEM \ {| picks, puts, eats |}
"#;

const FORKS: &str = "
channel picks, puts : {0..N-1}.{0..N-1}
FORK(f) = picks?i!f -> puts!i!f -> FORK(f)
";

/// Files in memory.
struct Shelf(HashMap<&'static str, &'static str>);

impl Loader for Shelf {
    fn load(
        &mut self,
        path: &str,
        _including: &str,
        _root: &str,
    ) -> Result<(String, String), NotIncluded> {
        match self.0.get(path) {
            Some(text) => Ok((path.to_string(), text.to_string())),
            None => Err(NotIncluded::Missing(format!("there is no {path}"))),
        }
    }
}

fn table(n: u32) -> Script {
    let mut shelf = Shelf(HashMap::from([("forks.csp", FORKS)]));
    let size = Definition {
        name: "N".to_string(),
        text: n.to_string(),
    };
    Script::read("table.csp", TABLE, &mut shelf, &[size]).expect("the script is right")
}

/// The data that a program may keep: a script, and the questions about it.
struct Job {
    script: Script,
    options: Options,
    task: Task,
}

#[test]
fn a_script_is_read_kept_sent_and_asked_from_several_threads() {
    let job = Arc::new(Job {
        script: table(3),
        options: Options {
            threads: Threads::one(),
            ..Options::default()
        },
        task: Task::default(),
    });
    assert_eq!(
        job.script.assertions(),
        [
            "SYSTEM :[deadlock free]",
            "STOP [T= SYSTEM \\ {| picks, puts, eats |}"
        ]
    );
    let checks = [0, 1].map(|index| {
        let job = job.clone();
        thread::spawn(move || job.script.check(index, &job.options, &job.task))
    });
    let [deadlock, traces] = checks.map(|check| check.join().expect("it does not panic"));
    assert_eq!(deadlock.report.verdict, Verdict::Fail);
    assert!(deadlock.problem.is_none());
    let symmetry = deadlock
        .report
        .symmetry
        .as_ref()
        .expect("the table can be turned");
    assert_eq!(symmetry.order, "3");
    let found = deadlock.report.counterexample.as_ref().expect("it fails");
    assert_eq!(found.kind, CounterexampleKind::Deadlock);
    assert_eq!(found.trace.len(), 3);
    let text = render(&deadlock.report, Detail::Normal);
    assert!(
        text.starts_with("assert SYSTEM :[deadlock free]: fails\n"),
        "{text}"
    );
    assert_eq!(traces.report.verdict, Verdict::Pass);
}

#[test]
fn options_say_how_a_question_is_decided() {
    let script = table(4);
    let plain = Options {
        symmetries: Symmetries::Off,
        ..Options::default()
    };
    let states = |options: &Options| script.check(0, options, &Task::default()).report.states;
    assert!(states(&plain) > states(&Options::default()));
    let few = Options {
        max_states: Some(2),
        ..plain
    };
    let answer = script.check(0, &few, &Task::default());
    assert_eq!(answer.report.verdict, Verdict::Unknown);
    let error = answer.problem.expect("there is no verdict");
    assert_eq!(error.code(), "state-limit");
    assert!(
        error.to_string().starts_with("error[state-limit]: "),
        "{error}"
    );
}

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let error = Script::parse("wrong.csp", "P = a -> STOP\n").expect_err("there is no channel");
    assert_eq!(error.code(), "unknown-name");
    let text = error.to_string();
    assert!(
        text.contains("wrong.csp:1:5") && text.contains("P = a -> STOP"),
        "{text}"
    );
    let script = table(2);
    let (options, task) = (Options::default(), Task::default());
    let error = script
        .evaluate("N + true", &options, &task)
        .expect_err("it is no sum");
    assert_eq!(error.code(), "type-mismatch");
    let answer = script.refine("STOP", "NOBODY", &options, &task);
    assert_eq!(answer.report.verdict, Verdict::Error);
    assert_eq!(
        answer.problem.expect("there is no verdict").code(),
        "unknown-name"
    );
    let missing = Script::parse("alone.csp", "include \"forks.csp\"").expect_err("it is not there");
    assert_eq!(missing.code(), "include-not-found");
}

#[test]
fn expressions_processes_and_symmetries_are_asked_for() -> Result<(), Error> {
    let script = table(3);
    let (options, task) = (Options::default(), Task::default());
    assert_eq!(script.evaluate("next(2)", &options, &task)?.text, "0");
    assert_eq!(script.type_of("next")?, "(Int) -> Int");
    let fork = script.transitions("FORK(0)", &options, &task)?;
    assert_eq!(fork.transitions.len(), 4);
    let picked: Vec<_> = fork.steps(0).map(|(label, _)| label).collect();
    assert_eq!(picked, ["picks.0.0", "picks.1.0", "picks.2.0"]);
    let few = Options {
        max_leaf_states: Some(5),
        ..Options::default()
    };
    let refused = script.transitions("FORK(0) ||| FORK(1)", &few, &task);
    assert_eq!(refused.map_err(|error| error.code()), Err("large-process"));
    let machine = script.machine("SYSTEM", &options, &task)?;
    assert_eq!(machine.leaves.len(), 6);
    let subject = Subject::Refinement {
        specification: "CHAOS(Events)",
        implementation: "SYSTEM",
    };
    let symmetry = script.symmetry(subject, &options, &task)?;
    assert_eq!(symmetry.order, "3");
    // No question changes the script for the next one.
    assert_eq!(script.assertions().len(), 2);
    Ok(())
}

#[test]
fn progress_is_told_and_a_task_is_cancelled_from_its_listener() -> Result<(), Error> {
    let cancellation = Cancellation::new();
    let seen = Arc::new(AtomicU64::new(0));
    let (token, steps) = (cancellation.clone(), seen.clone());
    let progress = Progress::told(move |work| {
        steps.fetch_max(work.steps, Ordering::Relaxed);
        if work.phase == Phase::Component && work.steps > 0 {
            token.cancel();
        }
    });
    let task = Task {
        cancellation,
        progress: Arc::new(progress),
    };
    let text = "channel up\nP(n) = up -> P(n + 1)\nassert P(0) :[deadlock free]";
    let script = Script::parse("up.csp", text)?;
    let answer = script.check(0, &Options::default(), &task);
    assert_eq!(answer.report.verdict, Verdict::Unknown);
    let error = answer.problem.expect("there is no verdict");
    assert_eq!(error.code(), "interrupted");
    assert!(seen.load(Ordering::Relaxed) > 0);
    let notes = &error.messages()[0].notes;
    assert!(
        notes[0].starts_with("it was compiling `P(0)`, "),
        "{notes:?}"
    );
    Ok(())
}

#[test]
fn printed_values_share_what_they_evaluate_and_a_mistake_spoils_no_other() {
    let text = "N = 20\nprint N + 1\nprint N / 0\nprint N + 2\nprint N + 3\n";
    let script = Script::parse("prints.csp", text).expect("the script is right");
    assert_eq!(script.prints().len(), 4);
    let (options, task) = (Options::default(), Task::default());
    let mut printing = script.printing(&options);
    let values = [0, 1, 2, 3].map(|index| {
        let value = printing.value(index, &task);
        value.map_err(|error| error.code())
    });
    let expected = [Ok("21"), Err("division-by-zero"), Ok("22"), Ok("23")];
    assert_eq!(
        values.each_ref().map(|v| v.as_deref().map_err(|c| *c)),
        expected
    );
    // Each question has the task that it is given.
    task.cancellation.cancel();
    assert_eq!(
        printing.value(0, &Task::default()).ok().as_deref(),
        Some("21")
    );
}
