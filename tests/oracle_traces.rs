//! The engines against the oracle: equal traces of thousands of random processes.

#![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

mod common;
mod oracle;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use cspsym::lts::bisimulation::minimise;
use cspsym::lts::explore::{Explored, LeafLimits, explore};
use cspsym::lts::graph::Lts;
use cspsym::lts::normal_form::NormalForm;
use cspsym::process::event::{EventId, TAU};
use cspsym::process::semantics::Semantics;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use common::generate;
use common::translate::{Case, translate};

type TraceSet = BTreeSet<Vec<u32>>;
/// One way of computing the traces of a case up to a length; none if it is too large for that.
type Engine = (&'static str, fn(&mut Case, usize) -> Option<TraceSet>);

const ENGINES: &[Engine] = &[
    ("operational semantics", of_steps),
    ("explored system", |case, bound| {
        Some(of_lts(&explored(case).lts, bound))
    }),
    ("minimised system", |case, bound| {
        Some(of_lts(&minimise(&explored(case).lts).lts, bound))
    }),
    ("normal form", of_normal_form),
];

/// Traces are compared up to this length, ✓ included.
const BOUND: usize = 4;

const CASES: u32 = 1500;

/// Larger systems are left out: they take long and find nothing more.
const SMALL: LeafLimits = LeafLimits { states: 1000 };

#[test]
fn traces_are_those_of_the_definition() {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let too_large = Cell::new(0);
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome =
        TestRunner::new_with_rng(config, rng).run(&generate::system(), |(defs, process)| {
            let Some(expected) = oracle::traces(&defs, &process, BOUND) else {
                too_large.set(too_large.get() + 1);
                return Ok(());
            };
            let mut case = translate(&defs, &process);
            if explore(&mut case.table, case.term, &SMALL).is_err() {
                too_large.set(too_large.get() + 1);
                return Ok(());
            }
            for (name, engine) in ENGINES {
                let Some(found) = engine(&mut case, BOUND) else {
                    continue;
                };
                if found != expected {
                    let missing = expected.difference(&found).next();
                    let extra = found.difference(&expected).next();
                    let reason = format!("{name}: lacks {missing:?}, has too much {extra:?}");
                    return Err(TestCaseError::fail(reason));
                }
            }
            Ok(())
        });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    assert!(
        too_large.get() < CASES / 5,
        "{} cases are too large",
        too_large.get()
    );
}

fn of_steps(case: &mut Case, bound: usize) -> Option<TraceSet> {
    let mut semantics = Semantics::new();
    let found = traces(case.term, bound, |&term| {
        let steps = semantics.steps(&mut case.table, term).unwrap();
        steps.iter().map(|step| (step.label, step.target)).collect()
    });
    Some(found)
}

fn explored(case: &mut Case) -> Explored {
    explore(&mut case.table, case.term, &SMALL).unwrap()
}

fn of_lts(lts: &Lts, bound: usize) -> TraceSet {
    traces(Lts::INITIAL, bound, |&state| lts.row(state).to_vec())
}

fn of_normal_form(case: &mut Case, bound: usize) -> Option<TraceSet> {
    let normal_form = NormalForm::of(&explored(case).lts, 2000).ok()?;
    Some(traces(NormalForm::INITIAL, bound, |&state| {
        normal_form.row(state).to_vec()
    }))
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
