//! Determinism against its definition on the normal form, which has all that a process can do and
//! refuse after each trace.

use std::cell::Cell;

use super::*;
use base::cancel::Cancellation;
use lts::graph::{Lts, StateId};
use lts::normal_form::NormalForm;
use lts::testing::lts;
use testkit::systems::random_systems;

const A: EventId = EventId(2);
const B: EventId = EventId(3);
const MODELS: [Model; 2] = [Model::Failures, Model::FailuresDivergences];

impl Rows for &Lts {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        Ok(Lts::row(self, state).to_vec())
    }

    fn met(&self) -> usize {
        self.state_count()
    }

    fn bytes(&self) -> usize {
        self.transition_count() * size_of::<(EventId, StateId)>()
    }
}

fn decided(mut process: &Lts, model: Model, most: Option<u64>) -> (Determinism, Statistics) {
    let options = CheckOptions {
        max_states: most,
        ..CheckOptions::default()
    };
    check_determinism(&mut process, model, &options).unwrap()
}

/// The nondeterminism in `state` of a normal form: the events that can be both done and refused
/// there, and true if the process can diverge.
fn wrong(normal: &NormalForm, state: StateId) -> (Vec<EventId>, bool) {
    let mut events: Vec<EventId> = normal.row(state).iter().map(|step| step.0).collect();
    if let Some(sets) = normal.acceptances(state) {
        events.retain(|event| sets.iter().any(|set| !set.contains(event)));
    }
    (events, normal.is_divergent(state))
}

/// The length of a shortest trace after which something is wrong.
pub(super) fn least(normal: &NormalForm) -> Option<usize> {
    let mut found = vec![(NormalForm::INITIAL, 0)];
    let mut next = 0;
    while let Some(&(state, length)) = found.get(next) {
        next += 1;
        let (events, diverges) = wrong(normal, state);
        if diverges || !events.is_empty() {
            return Some(length);
        }
        for &(_, target) in normal.row(state) {
            if found.iter().all(|&(known, _)| known != target) {
                found.push((target, length + 1));
            }
        }
    }
    None
}

#[test]
fn a_shortest_violation_is_found_exactly_if_there_is_one() {
    const CASES: u32 = 40_000;
    let counts: [[Cell<u32>; 3]; 2] = Default::default();
    random_systems(CASES, |rows| {
        let process = &lts(rows);
        for (model, [holds, fails, open]) in MODELS.into_iter().zip(&counts) {
            let normal = NormalForm::of(process, model, 10_000, Cancellation::never()).unwrap();
            let count = match decided(process, model, None).0 {
                Determinism::Holds => {
                    assert_eq!(least(&normal), None, "{model:?}");
                    holds
                }
                Determinism::Violated { found, is_shortest } => {
                    let after = |state, &event: &EventId| normal.successor(state, event);
                    let state = found.trace.iter().try_fold(NormalForm::INITIAL, after);
                    let (events, diverges) = wrong(&normal, state.expect("it has the trace"));
                    assert!(match found.event {
                        // Where the process diverges, the normal form does not say what else there
                        // is.
                        Some(event) => diverges || events.contains(&event),
                        None => diverges,
                    });
                    if is_shortest {
                        assert_eq!(least(&normal), Some(found.trace.len()), "{model:?}");
                    } else {
                        assert_eq!(model, Model::Failures);
                    }
                    fails
                }
                Determinism::Undecided => {
                    assert_eq!(model, Model::Failures);
                    open
                }
                Determinism::Stopped(reason) => panic!("{reason:?}"),
            };
            count.set(count.get() + 1);
        }
    });
    let least = [[CASES / 20, CASES / 20, 1], [CASES / 20, CASES / 20, 0]];
    for (counts, least) in counts.iter().zip(least) {
        for (count, least) in counts.iter().zip(least) {
            assert!(count.get() >= least, "{counts:?}");
        }
    }
}

/// An endless line of states that do `A`, each of which leads to two copies of the next, but one of
/// the last of twenty stops. Its states are known as they are met.
struct Endless {
    met: usize,
}

impl Rows for Endless {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        let stops = state.0 == 39;
        let next = 2 * state.0.div_ceil(2);
        self.met = self.met.max(next as usize + 3);
        Ok(match stops {
            true => Vec::new(),
            false => [next + 1, next + 2].map(|to| (A, StateId(to))).to_vec(),
        })
    }

    fn met(&self) -> usize {
        self.met
    }

    fn bytes(&self) -> usize {
        0
    }
}

#[test]
fn what_is_near_is_found_where_there_is_no_end() {
    for model in MODELS {
        let options = CheckOptions {
            max_states: Some(100),
            ..CheckOptions::default()
        };
        let found = check_determinism(&mut Endless { met: 1 }, model, &options);
        let (found, statistics) = found.unwrap();
        let expected = Determinism::Violated {
            found: Nondeterminism {
                trace: vec![A; 20],
                event: Some(A),
            },
            is_shortest: true,
        };
        assert_eq!(found, expected);
        assert!(statistics.states < 50);
        let options = CheckOptions {
            max_states: Some(30),
            ..CheckOptions::default()
        };
        let stopped = check_determinism(&mut Endless { met: 1 }, model, &options);
        let stopped = stopped.unwrap().0;
        assert_eq!(stopped, Determinism::Stopped(StopReason::StateLimit));
    }
}

/// All states of two rings of different lengths behave alike, but each is met beside each of a
/// third: as many pairs as their product.
#[test]
fn what_behaves_alike_is_not_compared_pair_by_pair() {
    const RINGS: [u32; 2] = [1009, 1013];
    let mut rows = vec![RINGS.map(|_| (A, StateId(0))).to_vec()];
    for (ring, length) in RINGS.into_iter().enumerate() {
        let start = rows.len() as u32;
        rows[0][ring].1 = StateId(start);
        let next = |k| vec![(A, StateId(start + (k + 1) % length))];
        rows.extend((0..length).map(next));
    }
    let process = Lts::from_rows(rows);
    for model in MODELS {
        let (found, statistics) = decided(&process, model, None);
        assert_eq!(found, Determinism::Holds);
        // The start, and all others.
        assert_eq!(statistics.specification_states, 2);
        assert!(statistics.levels < 3000, "{statistics:?}");
    }
}

#[test]
fn it_stops_when_told_to() {
    let process = Lts::from_rows(
        (0..10_000)
            .map(|state| vec![(A, StateId((state + 1) % 10_000))])
            .collect(),
    );
    let options = CheckOptions::default();
    options.cancellation.cancel();
    let found = check_determinism(&mut &process, Model::Failures, &options);
    let stopped = Determinism::Stopped(StopReason::Cancelled);
    assert_eq!(found.unwrap().0, stopped);
}

#[test]
fn parts_that_never_rest_say_nothing_of_what_rests_beside_them() {
    const C: EventId = EventId(4);
    const D: EventId = EventId(5);
    // After a it offers c, and after b d, but for a part that never rests: the same in both.
    let rows: &[&[(EventId, u32)]] = &[
        &[(A, 1), (B, 2)],
        &[(TAU, 3), (TAU, 5)],
        &[(TAU, 4), (TAU, 5)],
        &[(C, 0)],
        &[(D, 0)],
        &[(TAU, 5)],
    ];
    let process = lts(rows);
    assert_eq!(
        decided(&process, Model::Failures, None).0,
        Determinism::Undecided
    );
    let (found, _) = decided(&process, Model::FailuresDivergences, None);
    let divergence = Nondeterminism {
        trace: vec![A],
        event: None,
    };
    let is_divergence =
        |found| matches!(found, Determinism::Violated { found, .. } if found == divergence);
    assert!(is_divergence(found));
}
