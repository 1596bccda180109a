//! The engines against the oracle: equal traces and right verdicts for thousands of random
//! processes.

use crate::generate;
use crate::oracle;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use testkit::depth::cases;

use base::cancel::Cancellation;
use lts::bisimulation::minimise;
use lts::explore::{Explored, LeafLimits, explore};
use lts::graph::Lts;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit;
use machine::packing::PackedState;
use machine::successors::Scratch;
use machine::{CompileOptions, compile};
use process::event::{EventId, TAU};
use process::semantics::Semantics;
use process::term::TermId;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use refine::check::{CheckOptions, Outcome, check};
use witness::{Claim, explain};

use crate::translate::{Case, translate, translate_pair};

type TraceSet = BTreeSet<Vec<u32>>;
/// A way to compute the traces of a case up to a length; `None` if the case is too large for it.
type Engine = (&'static str, fn(&mut Case, usize) -> Option<TraceSet>);

const ENGINES: &[Engine] = &[
    ("operational semantics", of_steps),
    ("explored system", of_explored),
    ("minimised system", of_minimised),
    ("normal form", of_normal_form),
    ("structured machine", |case, bound| {
        of_machine(case, bound, false)
    }),
    ("machine of minimised leaves", |case, bound| {
        of_machine(case, bound, true)
    }),
];

/// The length up to which traces are compared, ✓ included.
const BOUND: usize = 4;

/// The number of cases, which is small in slow builds.
static CASES: LazyLock<u32> = LazyLock::new(|| cases(250, 3000));

/// The limits on systems: larger ones take long and find nothing more.
const SMALL: LeafLimits = LeafLimits::all(1000);

const OPTIONS: CompileOptions = CompileOptions::new(SMALL);

/// The results of the cases of a run.
#[derive(Default)]
struct Tally {
    too_large: Cell<u32>,
    passed: Cell<u32>,
    failed: Cell<u32>,
}

fn count(counter: &Cell<u32>) {
    counter.set(counter.get() + 1);
}

/// Runs `test` on fixed random cases. It returns `None` for a case that is too large.
fn run<S: Strategy>(
    cases: &S,
    test: impl Fn(S::Value, &Tally) -> Result<Option<()>, TestCaseError>,
) -> Tally {
    let config = Config {
        cases: *CASES,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let tally = Tally::default();
    let outcome = TestRunner::new_with_rng(config, rng).run(cases, |case| {
        if test(case, &tally)?.is_none() {
            count(&tally.too_large);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    let too_large = tally.too_large.get();
    println!("{too_large} of {} cases are too large", *CASES);
    assert!(too_large < *CASES / 10);
    tally
}

#[test]
fn traces_are_those_of_the_definition() {
    run(&generate::system(), |(defs, process), _| {
        let Some(expected) = oracle::traces(&defs, &process, BOUND) else {
            return Ok(None);
        };
        let mut case = translate(&defs, &process);
        if explore(&mut case.table, case.term, &SMALL).is_err() {
            return Ok(None);
        }
        for (name, engine) in ENGINES {
            let Some(found) = engine(&mut case, BOUND) else {
                return Ok(None);
            };
            if found != expected {
                let missing = expected.difference(&found).next();
                let extra = found.difference(&expected).next();
                let reason = format!("{name}: lacks {missing:?}, has too much {extra:?}");
                return Err(TestCaseError::fail(reason));
            }
        }
        Ok(Some(()))
    });
}

/// A pass must not contradict the oracle; the trace of a failure must be one of the implementation
/// alone, and all before its last event one of both.
#[test]
fn verdicts_are_those_of_the_definition() {
    let pairs = (generate::system(), generate::process());
    let tally = run(&pairs, |((defs, p), q), tally| {
        let traces = |process, bound| oracle::traces(&defs, process, bound);
        let (Some(of_p), Some(of_q)) = (traces(&p, BOUND), traces(&q, BOUND)) else {
            return Ok(None);
        };
        let Some(violation) = decided(&mut translate_pair(&defs, &p, &q)) else {
            return Ok(None);
        };
        let Some(trace) = violation else {
            count(&tally.passed);
            let extra = of_q.difference(&of_p).next();
            proptest::prop_assert_eq!(extra, None, "passed");
            return Ok(Some(()));
        };
        count(&tally.failed);
        let (Some(of_p), Some(of_q)) = (traces(&p, trace.len()), traces(&q, trace.len())) else {
            return Ok(None);
        };
        let before = &trace[..trace.len() - 1];
        proptest::prop_assert!(
            of_p.contains(before) && of_q.contains(before),
            "{:?}",
            trace
        );
        proptest::prop_assert!(
            of_q.contains(&trace),
            "not of the implementation: {:?}",
            trace
        );
        proptest::prop_assert!(!of_p.contains(&trace), "of the specification: {:?}", trace);
        Ok(Some(()))
    });
    let (passed, failed) = (tally.passed.get(), tally.failed.get());
    println!("{passed} refinements hold, {failed} do not");
    assert!(passed > *CASES / 10 && failed > *CASES / 10);
}

/// The answer to whether the second process refines the first, decided as the program does: `None`
/// if they are too large; otherwise the trace with the event that contradicts it, if there is one.
fn decided((case, implementation): &mut (Case, TermId)) -> Option<Option<Vec<u32>>> {
    let mut machine = |term| {
        explore(&mut case.table, term, &SMALL).ok()?;
        Some(compile(&mut case.table, term, &OPTIONS).unwrap())
    };
    let specification = explicit(&machine(case.term)?, SMALL.states, Cancellation::never()).ok()?;
    let normal_form =
        NormalForm::of(&specification, Model::Traces, 2000, Cancellation::never()).ok()?;
    let machine = machine(*implementation)?;
    let options = CheckOptions::default();
    let result = check(&normal_form, &machine, &options).unwrap();
    match result.outcome {
        Outcome::Holds => Some(None),
        Outcome::Violated(path) => {
            let claim = Claim::Refines(case.term, Model::Traces);
            let table = &mut case.table;
            let subject = (*implementation, Some(&machine));
            let found = explain(table, &claim, subject, &path, &OPTIONS).unwrap();
            let events = found.trace().into_iter().chain(found.event());
            Some(Some(events.map(|event| event.0).collect()))
        }
        Outcome::Stopped(reason) => panic!("{reason:?}"),
    }
}

fn of_steps(case: &mut Case, bound: usize) -> Option<TraceSet> {
    let mut semantics = Semantics::new();
    let found = traces(case.term, bound, |&term| {
        let steps = semantics.steps(&mut case.table, term).unwrap();
        steps.iter().map(|step| (step.label, step.target)).collect()
    });
    Some(found)
}

fn explored(case: &mut Case) -> Option<Explored> {
    explore(&mut case.table, case.term, &SMALL).ok()
}

fn of_lts(lts: &Lts, bound: usize) -> TraceSet {
    traces(Lts::INITIAL, bound, |&state| lts.row(state).to_vec())
}

fn of_explored(case: &mut Case, bound: usize) -> Option<TraceSet> {
    Some(of_lts(&explored(case)?.lts, bound))
}

fn of_minimised(case: &mut Case, bound: usize) -> Option<TraceSet> {
    Some(of_lts(
        &minimise(&explored(case)?.lts, Cancellation::never())
            .ok()?
            .lts,
        bound,
    ))
}

fn of_normal_form(case: &mut Case, bound: usize) -> Option<TraceSet> {
    let normal_form = NormalForm::of(
        &explored(case)?.lts,
        Model::Traces,
        2000,
        Cancellation::never(),
    )
    .ok()?;
    Some(of_lts(normal_form.lts(), bound))
}

fn of_machine(case: &mut Case, bound: usize, minimise: bool) -> Option<TraceSet> {
    let options = CompileOptions {
        minimise,
        ..CompileOptions::new(SMALL)
    };
    let machine = compile(&mut case.table, case.term, &options).unwrap();
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, Cancellation::never()).unwrap();
    let initial = <Vec<u64> as PackedState>::zero(packing.words());
    let mut scratch = Scratch::new(packing.words());
    let found = traces(initial, bound, |state| {
        let mut steps = Vec::new();
        successors.for_each(state, &mut scratch, &mut |_, event, next: &Vec<u64>| {
            steps.push((event, next.clone()));
        });
        steps
    });
    Some(found)
}

/// The traces of any transition system, given by the steps of a state.
fn traces<S: Ord + Clone>(
    initial: S,
    bound: usize,
    mut steps: impl FnMut(&S) -> Vec<(EventId, S)>,
) -> TraceSet {
    let mut known: BTreeMap<S, Vec<(EventId, S)>> = BTreeMap::new();
    let mut steps = |state: &S| {
        known
            .entry(state.clone())
            .or_insert_with(|| steps(state))
            .clone()
    };
    let mut found = TraceSet::new();
    let mut open = vec![(Vec::new(), BTreeSet::from([initial]))];
    while let Some((trace, states)) = open.pop() {
        let mut after: BTreeMap<EventId, BTreeSet<S>> = BTreeMap::new();
        let mut seen = states.clone();
        let mut closure: Vec<S> = states.into_iter().collect();
        while let Some(state) = closure.pop() {
            for (event, target) in steps(&state) {
                if event != TAU {
                    after.entry(event).or_default().insert(target);
                } else if seen.insert(target.clone()) {
                    closure.push(target);
                }
            }
        }
        if trace.len() < bound {
            let longer = |event: EventId| [trace.as_slice(), &[event.0]].concat();
            open.extend(
                after
                    .into_iter()
                    .map(|(event, states)| (longer(event), states)),
            );
        }
        found.insert(trace);
    }
    found
}
