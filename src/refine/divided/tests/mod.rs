//! Searches of several processes against those of one: on random systems, with and without
//! symmetry, in every order in which parcels may come.

mod hub;
mod on_disk;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use testkit::depth::{cases, seeds};

use self::hub::seats;
use super::*;
use crate::check::{CheckResult, Outcome, Proof, check, twisted_check};
use crate::spill::{Identity, Spill};
use base::cancel::Cancellation;
use base::mix::mix;
use base::threads::Threads;
use lts::explore::{LeafLimits, explore};
use lts::model::Model as Semantics;
use lts::normal_form::NormalForm;
use process::termination::Termination;
use symmetry::representative::{GeneralPlan, Method, MinimalPlan};
use symmetry::testing::CopiesCheck;
use testkit::copies::Shape;

/// The result of every process of a cluster, which must be the same, without the numbers that
/// depend on how it was found.
fn found_by(
    processes: usize,
    (model, form): (&CopiesCheck, &NormalForm),
    method: Option<&Method>,
    seed: u64,
    most: Option<u64>,
) -> CheckResult {
    let options = CheckOptions {
        max_states: most,
        threads: Threads::new(NonZeroUsize::new(1 + seed as usize % 2).unwrap()),
        ..CheckOptions::default()
    };
    let results = results(
        seats(processes, seed, None),
        (model, form),
        method,
        &options,
    );
    let mut results = results.into_iter().map(Result::unwrap);
    let first = results.next().unwrap();
    for other in results {
        assert_eq!(other.outcome, first.outcome);
        assert_eq!(other.statistics, first.statistics);
    }
    first
}

/// The result of the process at each seat.
fn results(
    seats: Vec<Arc<dyn Exchange>>,
    (model, form): (&CopiesCheck, &NormalForm),
    method: Option<&Method>,
    options: &CheckOptions,
) -> Vec<base::diag::Result<CheckResult>> {
    let exact = MinimalPlan::new(&model.group()).map(Method::Minimal);
    let exact = exact.ok().filter(|_| method.is_some());
    let one = |exchange: Arc<dyn Exchange>| {
        let shared = SharedSearch {
            exchange,
            identity: Identity::default(),
        };
        let options = CheckOptions {
            shared: Some(shared),
            // Each process is ended by itself.
            cancellation: Cancellation::new(),
            ..options.clone()
        };
        let result = match method {
            None => check(form, &model.machine, &options),
            Some(method) => twisted_check(form, &model.machine, method, exact.as_ref(), &options),
        };
        result.map(essence)
    };
    thread::scope(|scope| {
        let seats = seats.into_iter();
        let threads: Vec<_> = seats.map(|seat| scope.spawn(|| one(seat))).collect();
        threads.into_iter().map(|run| run.join().unwrap()).collect()
    })
}

/// The proof that every process of a cluster finds `by` a search.
pub(crate) fn proofs(
    processes: usize,
    seed: u64,
    by: &(dyn Fn(&CheckOptions) -> base::diag::Result<(Proof, Statistics)> + Sync),
) -> Vec<(Proof, Statistics)> {
    let one = |exchange: Arc<dyn Exchange>| {
        let identity = Identity::default();
        let options = CheckOptions {
            shared: Some(SharedSearch { exchange, identity }),
            ..CheckOptions::default()
        };
        by(&options).unwrap()
    };
    thread::scope(|scope| {
        let seats = seats(processes, seed, None).into_iter();
        let threads: Vec<_> = seats.map(|seat| scope.spawn(|| one(seat))).collect();
        threads.into_iter().map(|run| run.join().unwrap()).collect()
    })
}

fn essence(result: CheckResult) -> CheckResult {
    let mut result = result;
    (result.statistics.memory_bytes, result.statistics.spilled) = (0, None);
    result
}

/// The result of one process without a cluster, in memory or in `spill`.
fn found_alone(
    (model, form): (&CopiesCheck, &NormalForm),
    method: Option<&Method>,
    spill: Option<Spill>,
) -> CheckResult {
    let options = CheckOptions {
        spill,
        ..CheckOptions::default()
    };
    let result = match method {
        None => check(form, &model.machine, &options),
        Some(method) => {
            let exact = MinimalPlan::new(&model.group()).map(Method::Minimal);
            twisted_check(form, &model.machine, method, exact.ok().as_ref(), &options)
        }
    };
    essence(result.unwrap())
}

/// The specifications that a machine is compared with: in traces that of the model, deadlock,
/// divergence, and the machine itself with its divergences.
fn specifications(model: &mut CopiesCheck) -> Vec<NormalForm> {
    let results = model.machine.rules.iter().map(|rule| rule.result);
    let mut events: Vec<_> = results.filter(|event| event.is_visible()).collect();
    events.sort_unstable();
    events.dedup();
    let mut all = vec![
        model.normal_form.clone(),
        NormalForm::deadlock_free(&events, Semantics::Failures, Termination::Signal),
        NormalForm::divergence_free(&events),
    ];
    if let Ok(itself) = explore(
        &mut model.table,
        model.implementation,
        &LeafLimits::all(500),
    ) {
        let semantics = Semantics::FailuresDivergences;
        let form = NormalForm::of(&itself.lts, semantics, 2000, Cancellation::never());
        all.extend(form);
    }
    all
}

/// Compares the results of clusters of 1 to 4 processes with that of one process without a cluster.
fn compare(question: (&CopiesCheck, &NormalForm), method: Option<&Method>, seed: u64) -> Outcome {
    let expected = found_alone(question, method, None);
    let first = found_by(1, question, method, seed, None);
    match (&expected.outcome, &first.outcome) {
        (Outcome::Violated(expected), Outcome::Violated(path)) => {
            assert_eq!(expected.steps.len(), path.steps.len());
        }
        (expected, outcome) => assert_eq!(outcome, expected),
    }
    if expected.outcome == Outcome::Holds {
        assert_eq!(first.statistics, expected.statistics);
    }
    assert_eq!(first.statistics.levels, expected.statistics.levels);
    for processes in 2..=4 {
        let found = found_by(processes, question, method, seed, None);
        assert_eq!(found.outcome, first.outcome, "{processes} processes");
        assert_eq!(found.statistics, first.statistics, "{processes} processes");
    }
    first.outcome
}

#[test]
fn a_limit_of_states_ends_all_in_the_same_place() {
    let (mut stopped, mut others) = (0, 0);
    for seed in 0..40 {
        let Some(mut model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        let general = Method::General(GeneralPlan::new(&group).unwrap());
        for (number, form) in specifications(&mut model).iter().enumerate() {
            // The group is that of the model's own specification.
            let method = Some(&general).filter(|_| number == 0 && seed % 2 == 0);
            let most = 1 + mix(seed) % 40;
            let question = (&model, form);
            let first = found_by(1, question, method, seed, Some(most));
            for processes in 2..=3 {
                let found = found_by(processes, question, method, seed, Some(most));
                assert_eq!(found.outcome, first.outcome, "{processes} processes");
                assert_eq!(found.statistics, first.statistics, "{processes} processes");
            }
            let options = CheckOptions {
                max_states: Some(most),
                ..CheckOptions::default()
            };
            let alone = match method {
                None => check(form, &model.machine, &options),
                Some(method) => twisted_check(form, &model.machine, method, None, &options),
            };
            let alone = alone.unwrap();
            // In a level with both, the limit may come first alone.
            if let (Outcome::Stopped(_), Outcome::Stopped(_)) = (&alone.outcome, &first.outcome) {
                let of =
                    |result: &CheckResult| (result.statistics.states, result.statistics.levels);
                // A limit on the states known along τ ends a search at fewer states.
                if of(&alone).0 == most && of(&first).0 == most {
                    assert_eq!(of(&first), of(&alone));
                }
                stopped += 1;
            } else {
                others += 1;
            }
        }
    }
    assert!(stopped > 30 && others > 20, "{stopped} {others}");
}

/// Ends one of three processes in each phase of a search in turn. A process that still says that
/// the refinement holds has found all states. A process that is ended while orbits are counted says
/// so too, and does not know how many there are.
#[test]
fn a_process_that_is_ended_changes_no_verdict() {
    let (mut uncounted, mut stopped, mut failed) = (0, 0, 0);
    for seed in 0..30 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        let general = Method::General(GeneralPlan::new(&group).unwrap());
        let question = (&model, &model.normal_form);
        let expected = found_by(3, question, Some(&general), seed, None);
        if expected.outcome != Outcome::Holds {
            continue;
        }
        for phase in 0.. {
            let seats = seats(3, mix(seed + phase), Some(phase));
            let results = results(seats, question, Some(&general), &CheckOptions::default());
            let mut is_over = true;
            for found in results {
                match found {
                    Ok(found) if found.outcome == Outcome::Stopped(StopReason::Cancelled) => {
                        stopped += 1;
                        is_over = false;
                    }
                    Ok(mut found) => {
                        let extra = expected.statistics.extra_states;
                        if extra.is_some() && found.statistics.extra_states.is_none() {
                            found.statistics.extra_states = extra;
                            uncounted += 1;
                            is_over = false;
                        }
                        assert_eq!(found.outcome, expected.outcome);
                        assert_eq!(found.statistics, expected.statistics);
                    }
                    // The others have left.
                    Err(_) => {
                        failed += 1;
                        is_over = false;
                    }
                }
            }
            if is_over {
                break;
            }
        }
    }
    assert!(
        uncounted > 3 && stopped > 100 && failed > 100,
        "{uncounted} {stopped} {failed}"
    );
}

#[test]
fn several_processes_find_what_one_finds() {
    let (mut held, mut violated, mut largest) = ([0; 4], [0; 4], 0);
    for seed in seeds(37, 150) {
        let Some(mut model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        let general = Method::General(GeneralPlan::new(&group).unwrap());
        let specifications = specifications(&mut model);
        for (number, form) in specifications.iter().enumerate() {
            let outcome = compare((&model, form), None, seed);
            match outcome {
                Outcome::Holds => held[number] += 1,
                Outcome::Violated(_) => violated[number] += 1,
                Outcome::Stopped(reason) => panic!("{reason:?}"),
            }
            largest += 1;
            if number == 0 {
                compare((&model, form), Some(&general), mix(seed));
            }
        }
    }
    let few = held[..3].iter().chain(&violated[..3]).min();
    assert!(
        few >= Some(&cases(1, 3)) && held[3] > cases(4, 20),
        "{held:?} {violated:?}"
    );
    assert!(largest > cases(56, 300), "{largest}");
}
