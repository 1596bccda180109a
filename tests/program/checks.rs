//! Assertions that are decided one after the other share compiled parts, and have the answers that
//! each has alone.

use crate::harness;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use cspsym::{Answer, Cancellation, Ends, Error, MemoryBounds, Options, Script, Task, Threads};
use pretty_assertions::assert_eq;
use report::assertion::{AssertionReport, Verdict};
use testkit::depth::cases;

/// Four assertions on one component, in which there are four calls of `P` and one of `SPEC`.
const SCRIPT: &str = "
transparent wbisim
channel a, b : {0..3}
P(i) = a.i -> b.i -> P(i)
SPEC = a?i -> SPEC
PART = wbisim((P(0) ||| P(1)) \\ {| b |})
SYSTEM = PART ||| P(2)
LARGER = SYSTEM ||| P(3)
assert SPEC [T= SYSTEM \\ {| b |}
assert SPEC [T= LARGER \\ {| b |}
assert LARGER :[deadlock free]
assert SPEC [F= LARGER \\ {| b |}
assert RUN({| a, b |}) [T= LARGER
";

/// The number of times that each kind of work on each definition was begun.
type Work = BTreeMap<(Cow<'static, str>, String), u64>;

fn work<'a>(reports: impl IntoIterator<Item = &'a AssertionReport>) -> Work {
    let mut work = Work::new();
    for report in reports {
        for row in report.profile.iter().flatten() {
            *work
                .entry((row.work.clone(), row.process.clone()))
                .or_default() += row.times;
        }
    }
    work
}

/// The number of times that this kind of work was begun, on definitions of any name.
fn times(work: &Work, kind: &str) -> u64 {
    let rows = work.iter().filter(|((work, _), _)| *work == kind);
    rows.map(|(_, times)| times).sum()
}

/// The reports on all assertions of `SCRIPT`, in tasks that are bounded by `memory`.
fn reports(memory: Option<&Arc<dyn MemoryBounds>>) -> Vec<AssertionReport> {
    let script = Script::parse("shared.csp", SCRIPT).expect("the script is right");
    let options = Options {
        profile: true,
        ..Options::default()
    };
    let mut checks = script.checks(&options);
    let report = |index| {
        let ends = Ends {
            memory: memory.cloned(),
            ..Ends::default()
        };
        let task = Task {
            cancellation: Cancellation::ending(ends),
            ..Task::default()
        };
        checks.check(index, &task).report
    };
    (0..script.assertions().len()).map(report).collect()
}

#[test]
fn each_part_is_built_once() {
    let reports = reports(None);
    assert!(reports.iter().all(|report| report.verdict == Verdict::Pass));
    let work = work(&reports);
    let of = |kind: &'static str, process: &str| {
        let row = (Cow::Borrowed(kind), process.to_string());
        work.get(&row).copied()
    };
    // Four calls, and one of a specification that never changes.
    assert_eq!(of("component", "P"), Some(4));
    assert_eq!(of("component", "SPEC"), Some(1));
    assert_eq!(times(&work, "compression"), 1);
    // One of `SPEC` in each model, and one of `RUN`.
    assert_eq!(times(&work, "normal form"), 3);
    // The calls of a process are followed once for each machine that is searched or normalised: of
    // the two specifications, of `SYSTEM` without the events `b`, and of `LARGER` with them and
    // without.
    assert_eq!(times(&work, "calls"), 5);
}

/// Bounds on memory of which half is taken at all times.
struct HalfTaken;

impl MemoryBounds for HalfTaken {
    fn exceeded_with(&self, _more: u64) -> Option<usize> {
        None
    }

    fn tightest(&self) -> Option<(u64, u64)> {
        Some((100, 50))
    }

    fn is_wanted(&self) -> bool {
        false
    }
}

#[test]
fn nothing_is_shared_where_memory_is_short() {
    let bounds: Arc<dyn MemoryBounds> = Arc::new(HalfTaken);
    let reports = reports(Some(&bounds));
    assert!(reports.iter().all(|report| report.verdict == Verdict::Pass));
    let work = work(&reports);
    assert_eq!(times(&work, "normal form"), 4);
    assert_eq!(times(&work, "compression"), 5);
}

#[test]
fn what_one_assertion_leaves_half_done_harms_no_other() {
    let text = "
channel a : {0..2}
P(n) = a.n -> (if n == 2 then error(\"too far\") else P(n + 1))
Q = a.0 -> Q
assert P(0) [T= Q
assert Q [T= P(0)
assert Q [T= P(1)
assert Q [T= Q
";
    let script = Script::parse("mistake.csp", text).expect("the script is right");
    let options = Options::default();
    let mut checks = script.checks(&options);
    for index in 0..script.assertions().len() {
        let shared = checks.check(index, &Task::default());
        let alone = script.check(index, &options, &Task::default());
        assert_eq!(known(&shared), known(&alone));
    }
}

/// The parts of an answer that do not depend on the numbers of events, which decide the order of a
/// search. A counterexample does not depend on them, because it is looked for once more alone.
fn known(answer: &Answer) -> impl PartialEq + std::fmt::Debug {
    let report = &answer.report;
    let found = report.counterexample.as_ref();
    // Some specifications are listed only as far as the search goes.
    let specification = report.specification.clone();
    let searched = (
        report.states,
        report.transitions,
        report.levels,
        specification,
    );
    (
        (
            report.assertion.clone(),
            report.verdict,
            report.machine.clone(),
        ),
        found.is_none().then_some(searched),
        found.cloned(),
        report
            .symmetry
            .as_ref()
            .map(|symmetry| symmetry.order.clone()),
        answer.problem.as_ref().map(Error::code),
    )
}

/// The scripts of the tests ask about every operator and in every model.
#[test]
fn answers_are_those_to_each_assertion_alone() {
    let options = Options {
        threads: Threads::one(),
        max_states: Some(20_000),
        ..Options::default()
    };
    let mut compared = 0;
    let files = harness::scripts("tests/scripts");
    for file in files.into_iter().step_by(cases(4, 1)) {
        let text = fs::read_to_string(&file).expect("it was found");
        let Ok(script) = Script::parse(&file, &text) else {
            continue;
        };
        let mut checks = script.checks(&options);
        for index in 0..script.assertions().len() {
            let shared = checks.check(index, &Task::default());
            let alone = script.check(index, &options, &Task::default());
            assert_eq!(known(&shared), known(&alone), "{file}");
            compared += 1;
        }
    }
    assert!(compared > cases(50, 200), "only {compared} were compared");
}

/// Scripts whose second assertion has several counterexamples, with the number of steps of the one
/// to be found; none is shorter. The numbers given for the first assertion must not decide which is
/// found.
const SEVERAL: &[(&str, usize)] = &[
    // A compressed step stands for one of two branches of a choice.
    (
        "transparent tau_loop_factor
channel left, right
CHOICE = ((left -> STOP) |~| STOP) |~| (right -> STOP)
STUCK = tau_loop_factor(CHOICE) [| {left, right} |] STOP
assert STOP [T= right -> STOP
assert STUCK :[deadlock free [F]]",
        1,
    ),
    (
        "transparent tau_loop_factor
channel left, right
CHOICE = (right -> STOP) |~| ((left -> STOP) |~| STOP)
STUCK = (tau_loop_factor(CHOICE) ||| tau_loop_factor(CHOICE)) [| {left, right} |] STOP
assert STOP [T= (left -> STOP) |~| STOP
assert STUCK :[deadlock free [F]]",
        2,
    ),
    // Two cycles of τ, one of them longer.
    (
        "channel go, come, beat, rest
SHORT = beat -> SHORT
LONG = beat -> rest -> LONG
assert STOP [T= come -> STOP
assert ((go -> LONG [] come -> SHORT) \\ {beat, rest}) :[divergence free]",
        1,
    ),
    // An event that is not allowed, and too little on offer, after as many steps.
    (
        "channel go, come, more, other
SPEC = go -> more -> STOP [] come -> more -> STOP
assert STOP [T= come -> STOP
assert SPEC [F= go -> STOP [] come -> (more -> STOP [] other -> STOP)",
        1,
    ),
];

#[test]
fn a_counterexample_is_the_same_whatever_else_is_asked() {
    let options = Options {
        threads: Threads::one(),
        ..Options::default()
    };
    for (text, steps) in SEVERAL {
        let script = Script::parse("several.csp", text).expect("the script is right");
        let alone = script.check(1, &options, &Task::default());
        let mut checks = script.checks(&options);
        checks.check(0, &Task::default());
        let beside = checks.check(1, &Task::default());
        assert_eq!(known(&alone), known(&beside), "{text}");
        let found = alone.report.counterexample.expect("it fails");
        assert_eq!(found.trace_with_taus.len(), *steps, "{text}");
    }
}

#[test]
fn what_a_chase_follows_does_not_depend_on_other_assertions() {
    let text = "transparent chase
channel left, right
LEFT = left -> STOP
RIGHT = right -> STOP
CHASED = chase(LEFT |~| RIGHT)
assert STOP [T= RIGHT
assert LEFT [T= CHASED
assert RIGHT [T= CHASED";
    let script = Script::parse("chased.csp", text).expect("the script is right");
    let options = Options::default();
    let mut checks = script.checks(&options);
    for index in 0..3 {
        let beside = checks.check(index, &Task::default()).report.verdict;
        let alone = script.check(index, &options, &Task::default());
        assert_eq!(beside, alone.report.verdict, "assertion {index}");
    }
}
