//! Delay and weak minimisation against bisimilarity by definition, on random transition systems.

use std::collections::BTreeSet;

use pretty_assertions::assert_eq;

use super::{Gathered, MatchedStep, SMALL};
use crate::compress::tests::{random_systems, side_by_side};
use crate::graph::{Lts, StateId};
use base::cancel::at_leisure;
use base::index::TypedIndex;
use process::event::{EventId, TAU};

fn weak_bisimulation(lts: &Lts) -> Lts {
    at_leisure(|token| super::weak_bisimulation(lts, token))
}

fn delay_bisimulation(lts: &Lts) -> Lts {
    at_leisure(|token| super::delay_bisimulation(lts, token))
}

fn tau_loop_factor(lts: &Lts) -> Lts {
    at_leisure(|token| crate::tau_loops::tau_loop_factor(lts, token)).into_owned()
}

fn saturated(lts: &Lts, after: MatchedStep, room: usize) -> Option<Lts> {
    at_leisure(|token| super::saturated(lts, after, room, token))
}

/// A relation on states, as a matrix.
type Relation = Vec<Vec<bool>>;

/// The relation ⇒, by repeated composition.
fn internal_paths(lts: &Lts) -> Relation {
    let n = lts.state_count();
    let mut paths = vec![vec![false; n]; n];
    for state in lts.states() {
        paths[state.index()][state.index()] = true;
        for &(event, target) in lts.row(state) {
            paths[state.index()][target.index()] |= event == TAU;
        }
    }
    for middle in 0..n {
        for from in 0..n {
            for to in 0..n {
                paths[from][to] |= paths[from][middle] && paths[middle][to];
            }
        }
    }
    paths
}

/// For each state, true if it can do τ for ever: it reaches a cycle of τ.
fn divergent(lts: &Lts, paths: &Relation) -> Vec<bool> {
    let on_cycle = |state: StateId| {
        let mut steps = lts.row(state).iter();
        steps.any(|&(event, target)| event == TAU && paths[target.index()][state.index()])
    };
    let reaches = |from: usize| lts.states().any(|s| paths[from][s.index()] && on_cycle(s));
    (0..lts.state_count()).map(reaches).collect()
}

/// The greatest bisimulation, by removing pairs that break the definition until none does.
fn by_definition(lts: &Lts, after: MatchedStep) -> Relation {
    let paths = internal_paths(lts);
    let divergent = divergent(lts, &paths);
    let n = lts.state_count();
    let mut related: Relation = (0..n)
        .map(|s| (0..n).map(|t| divergent[s] == divergent[t]).collect())
        .collect();
    let matches = |related: &Relation, event: EventId, to: usize, t: usize| {
        (0..n).filter(|&u| paths[t][u]).any(|u| {
            if event == TAU {
                return related[to][u];
            }
            let row = lts.row(StateId::from_usize(u)).iter();
            row.filter(|&&(e, _)| e == event)
                .any(|&(_, v)| match after {
                    MatchedStep::Nothing => related[to][v.index()],
                    MatchedStep::Internal => (0..n).any(|w| paths[v.index()][w] && related[to][w]),
                })
        })
    };
    loop {
        let simulates = |related: &Relation, s: usize, t: usize| {
            let row = lts.row(StateId::from_usize(s)).iter();
            row.clone()
                .all(|&(event, to)| matches(related, event, to.index(), t))
        };
        let mut next = related.clone();
        for s in 0..n {
            for t in 0..n {
                next[s][t] =
                    related[s][t] && simulates(&related, s, t) && simulates(&related, t, s);
            }
        }
        if next == related {
            return related;
        }
        related = next;
    }
}

fn classes(relation: &Relation) -> usize {
    relation.iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn quotients_are_bisimilar_and_minimal() {
    random_systems(1500, |lts| {
        for (after, quotient) in [
            (MatchedStep::Nothing, delay_bisimulation(lts)),
            (MatchedStep::Internal, weak_bisimulation(lts)),
        ] {
            let (both, second) = side_by_side(lts, &quotient);
            let related = by_definition(&both, after);
            assert!(related[0][second], "{after:?} {lts:?} {quotient:?}");
            let among_themselves = by_definition(&quotient, after);
            assert_eq!(classes(&among_themselves), quotient.state_count());
            assert!(quotient.state_count() <= lts.state_count());
            assert!(quotient.transition_count() <= lts.transition_count());
        }
    });
}

#[test]
fn weak_bisimilarity_is_coarser() {
    random_systems(500, |lts| {
        assert!(weak_bisimulation(lts).state_count() <= delay_bisimulation(lts).state_count());
    });
}

#[test]
fn long_internal_chains_are_one_state() {
    let last = 200_000;
    let chain = (0..=last).map(|s| match s {
        s if s == last => vec![(EventId(2), StateId(0))],
        s => vec![(TAU, StateId(s + 1))],
    });
    let one = Lts::from_rows(vec![vec![(EventId(2), StateId(0))]]);
    assert_eq!(weak_bisimulation(&Lts::from_rows(chain.collect())), one);
}

/// Two hidden counters to 400 beside each other, and an event that each allows only at its end.
#[test]
fn independent_internal_steps_are_one_state() {
    let side = 401;
    let state = |x: u32, y: u32| StateId(x * side + y);
    let mut rows = Vec::new();
    for x in 0..side {
        for y in 0..side {
            let mut row = Vec::new();
            if x + 1 < side {
                row.push((TAU, state(x + 1, y)));
            }
            if y + 1 < side {
                row.push((TAU, state(x, y + 1)));
            }
            if row.is_empty() {
                row.push((EventId(2), StateId(0)));
            }
            rows.push(row);
        }
    }
    let one = Lts::from_rows(vec![vec![(EventId(2), StateId(0))]]);
    assert_eq!(weak_bisimulation(&Lts::from_rows(rows)), one);
}

#[test]
fn saturation_ends_where_there_is_no_room_for_all_of_it() {
    random_systems(500, |lts| {
        let lts = tau_loop_factor(lts);
        for after in [MatchedStep::Nothing, MatchedStep::Internal] {
            let whole = saturated(&lts, after, usize::MAX).expect("there is room");
            let size = whole.transition_count();
            let enough = (0..=2 * size + 2).find(|&room| saturated(&lts, after, room).is_some());
            let enough = enough.expect("what is made before it is followed by τ is counted too");
            assert!(enough >= size, "{lts:?}");
            assert_eq!(saturated(&lts, after, enough), Some(whole));
        }
    });
}

#[test]
fn repetitions_take_no_room() {
    let mut gathered = Gathered::new([0_usize]);
    for _ in 0..1000 {
        at_leisure(|token| gathered.extend(0..SMALL, SMALL, token));
        assert!(gathered.items.len() <= 3 * SMALL);
    }
    let mut room = SMALL;
    assert_eq!(gathered.finish(&mut room), Some((0..SMALL).collect()));
    assert_eq!(room, 0);
    let mut gathered = Gathered::new([]);
    at_leisure(|token| gathered.extend(0..2 * SMALL, SMALL, token));
    assert_eq!(gathered.finish(&mut SMALL.clone()), None);
}
