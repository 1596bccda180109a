//! Matching of transition systems: worked cases, and comparison with all bijections on random
//! systems.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Difference, DistinguishingTrace, difference, difference_from, matching};
use crate::permutation::EventPermutation;
use crate::start::Start;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::index::TypedIndex;
use lts::bisimulation::minimise;
use lts::graph::{Lts, StateId};
use lts::model::Model;
use lts::normal_form::NormalForm;
use lts::testing::lts;
use process::event::{EventId, TAU};

const A: EventId = EventId(2);
const B: EventId = EventId(3);
const C: EventId = EventId(4);

fn swap(x: EventId, y: EventId) -> EventPermutation {
    EventPermutation::from_pairs([(x, y)]).unwrap()
}

/// The matching, or a difference between the systems.
fn matched(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    start: Start,
) -> Result<Arc<[u32]>, Difference> {
    at_leisure(|token| {
        let found = matching(left, sigma, right, start, token)?;
        found.map_or_else(
            || difference(left, sigma, right, start, token).map(Err),
            |f| Ok(Ok(f)),
        )
    })
}

fn found(left: &Lts, sigma: &EventPermutation, right: &Lts, start: Start) -> Vec<u32> {
    matched(left, sigma, right, start).unwrap().to_vec()
}

/// The difference that one side does its event after its trace, and the other side does not.
/// `traces` has the trace of the left and its image.
fn behaviour(traces: [&[EventId]; 2], event: EventId, image: EventId, on_left: bool) -> Difference {
    Difference::Behaviour(DistinguishingTrace {
        trace: traces[0].to_vec(),
        image_trace: traces[1].to_vec(),
        event,
        image,
        on_left,
    })
}

/// A pole with one disc that moves off to the other pole by `off`, and back by `on`.
fn pole(off: EventId, on: EventId, holds: bool) -> Lts {
    let [first, then] = if holds { [off, on] } else { [on, off] };
    lts(&[&[(first, 1)], &[(then, 0)]])
}

#[test]
fn poles_go_to_poles() {
    let (left, right) = (pole(A, B, true), pole(B, A, false));
    assert_eq!(
        found(&left, &EventPermutation::identity(), &right, Start::Fixed),
        [0, 1]
    );
    assert_eq!(
        found(&left, &swap(A, B), &pole(B, A, true), Start::Fixed),
        [0, 1]
    );
    // One pole holds the disc first and the other does not: only their starts differ.
    let empty = pole(B, A, false);
    assert_eq!(
        found(&pole(A, B, true), &swap(A, B), &empty, Start::Any),
        [1, 0]
    );
    assert_eq!(
        matched(&pole(A, B, true), &swap(A, B), &empty, Start::Fixed),
        Err(Difference::Initial)
    );
}

/// Counts up to 2 by `up`; `down` takes away one, or everything; at the top there is `full`.
fn counter(up: EventId, down: EventId, full: EventId, numbers: [u32; 3]) -> Lts {
    let [zero, one, two] = numbers;
    let mut rows = vec![Vec::new(); 3];
    let mut step = |from: u32, event, to| rows[from as usize].push((event, StateId(to)));
    step(zero, up, one);
    step(one, up, two);
    step(one, down, zero);
    step(two, down, one);
    step(two, down, zero);
    step(two, full, two);
    Lts::from_rows(rows)
}

#[test]
fn targets_of_one_event_are_told_apart_by_what_they_do() {
    let left = counter(A, B, C, [0, 1, 2]);
    // By numbers of transitions alone, `down` from 2 could also go with the targets exchanged.
    let right = counter(A, C, B, [0, 2, 1]);
    assert_eq!(
        found(&left, &swap(B, C), &right, Start::Fixed),
        [0, 2, 1],
        "by bisimilarity"
    );
    let other_start = counter(A, C, B, [2, 0, 1]);
    assert_eq!(
        found(&left, &swap(B, C), &other_start, Start::Any),
        [2, 0, 1]
    );
    assert_eq!(
        matched(&left, &swap(B, C), &other_start, Start::Fixed),
        Err(Difference::Initial)
    );
}

#[test]
fn the_partner_of_the_initial_state_is_found_among_many_like_it() {
    // A round of forty, one step of which is `b`: the other steps differ in their distance from it.
    let round = |to_b: usize| {
        let event = |state| if state == to_b { B } else { A };
        let row = |state: usize| vec![(event(state), StateId::from_usize((state + 1) % 40))];
        Lts::from_rows((0..40).map(row).collect())
    };
    let identity = EventPermutation::identity();
    for turn in [1, 7, 8, 9, 30] {
        let partners = found(&round(35), &identity, &round(35 - turn), Start::Any);
        let expected: Vec<u32> = (0..40)
            .map(|state| (state + 40 - turn as u32) % 40)
            .collect();
        assert_eq!(partners, expected);
        assert!(matched(&round(35), &identity, &round(35 - turn), Start::Fixed).is_err());
    }
}

#[test]
fn differences_are_shortest_traces_in_events_of_the_left() {
    // a, b, c in a cycle; and the image under (a b), but with a c where a belongs.
    let left = lts(&[&[(A, 1)], &[(B, 2)], &[(C, 0)]]);
    let right = lts(&[&[(B, 1)], &[(C, 2)], &[(C, 0)]]);
    let sigma = swap(A, B);
    assert_eq!(
        matched(&left, &sigma, &right, Start::Fixed),
        Err(behaviour([&[A], &[B]], B, A, true))
    );
    // With any start: b never has its image a.
    assert_eq!(
        matched(&left, &sigma, &right, Start::Any),
        Err(behaviour([&[A], &[B]], B, A, true))
    );
    let more = lts(&[&[(B, 1)], &[(A, 2), (C, 1)], &[(C, 0)]]);
    assert_eq!(
        matched(&left, &sigma, &more, Start::Fixed),
        Err(behaviour([&[A], &[B]], C, C, false))
    );
    let on_the_right = |event| behaviour([&[A], &[B]], event, event, false);
    assert_eq!(
        difference_from((&left, StateId(0)), &sigma, (&more, StateId(0))),
        Some(on_the_right(C))
    );
    assert_eq!(
        difference_from((&left, StateId(2)), &sigma, (&more, StateId(2))),
        Some(behaviour([&[C, A], &[C, B]], C, C, false))
    );
}

#[test]
fn what_happens_from_no_start_is_a_difference_from_any() {
    // Every event occurs on both sides equally often, but a a is possible on the left only.
    let left = lts(&[&[(A, 1)], &[(A, 2)], &[(B, 3)], &[(B, 0)]]);
    let right = lts(&[&[(A, 1)], &[(B, 2)], &[(A, 3)], &[(B, 0)]]);
    let identity = EventPermutation::identity();
    assert_eq!(
        matched(&left, &identity, &right, Start::Any),
        Err(behaviour([&[A], &[A]], A, A, true))
    );
}

#[test]
fn equal_traces_are_not_enough() {
    // a -> (b -> STOP [] c -> STOP) and (a -> b -> STOP) [] (a -> c -> STOP)
    let left = lts(&[&[(A, 1)], &[(B, 2), (C, 2)], &[]]);
    let right = lts(&[&[(A, 1), (A, 2)], &[(B, 3)], &[(C, 3)], &[]]);
    let identity = EventPermutation::identity();
    for start in [Start::Fixed, Start::Any] {
        assert_eq!(
            matched(&left, &identity, &right, start),
            Err(Difference::States(2, 3))
        );
    }
}

#[test]
fn systems_that_were_not_minimised_may_still_be_matched() {
    let long = lts(&[&[(A, 1)], &[(A, 2)], &[(A, 0)]]);
    assert_eq!(
        found(&long, &EventPermutation::identity(), &long, Start::Fixed),
        [0, 1, 2]
    );
    // All four are bisimilar, but no bijection keeps the transitions.
    let one = lts(&[&[(A, 0), (A, 1)], &[(A, 0)]]);
    let other = lts(&[&[(A, 1)], &[(A, 0), (A, 1)]]);
    assert_eq!(
        matched(&one, &EventPermutation::identity(), &other, Start::Fixed),
        Err(Difference::States(2, 2))
    );
}

#[test]
fn normal_forms_are_matched_with_their_internal_choices_joined() {
    let choice = lts(&[
        &[(TAU, 1), (TAU, 2)],
        &[(A, 3)],
        &[(A, 4)],
        &[(B, 0)],
        &[(C, 0)],
    ]);
    let specification = NormalForm::of(&choice, Model::Traces, 100, Cancellation::never()).unwrap();
    let states = specification.lts();
    assert_eq!(
        found(states, &swap(B, C), states, Start::Fixed),
        [0, 1],
        "b and c are chosen alike"
    );
    assert_eq!(
        matched(states, &swap(A, B), states, Start::Fixed),
        Err(behaviour([&[], &[]], A, B, true))
    );
}

/// The states that can be reached from 0 by (from, label, to) edges, numbered as they are found.
/// Label 0 is τ.
fn reachable(edges: &[(u32, u32, u32)]) -> Lts {
    let mut order = vec![0];
    let mut rows = Vec::new();
    while let Some(&state) = order.get(rows.len()) {
        let mut row = Vec::new();
        for &(_, label, to) in edges.iter().filter(|edge| edge.0 == state) {
            let known = order.iter().position(|&s| s == to).unwrap_or_else(|| {
                order.push(to);
                order.len() - 1
            });
            // ✓ has no label: like τ it is an event that no permutation moves.
            let label = if label == 0 { 0 } else { label + 1 };
            row.push((EventId(label), StateId::from_usize(known)));
        }
        rows.push(row);
    }
    Lts::from_rows(rows)
}

/// `lts` with its states and events exchanged.
fn image(lts: &Lts, states: &[u32], sigma: &EventPermutation) -> Lts {
    let mut rows = vec![Vec::new(); lts.state_count()];
    for state in lts.states() {
        let step = |&(e, t): &(EventId, StateId)| (sigma.apply(e), StateId(states[t.index()]));
        rows[states[state.index()] as usize] = lts.row(state).iter().map(step).collect();
    }
    Lts::from_rows(rows)
}

/// All orders of 0..n.
fn orders(n: u32) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let insert = |order: &Vec<u32>, at: usize| {
        let mut order = order.clone();
        order.insert(at, n - 1);
        order
    };
    let shorter = orders(n - 1);
    let longer = shorter
        .iter()
        .flat_map(|order| (0..n as usize).map(move |at| insert(order, at)));
    longer.collect()
}

/// True if `lts` can do `trace` from one of the states `from`.
fn can(lts: &Lts, from: &[StateId], trace: &[EventId]) -> bool {
    let mut states: BTreeSet<StateId> = from.iter().copied().collect();
    for event in trace {
        let steps = states.iter().flat_map(|&state| lts.row(state));
        states = steps.filter(|(e, _)| e == event).map(|&(_, t)| t).collect();
    }
    !states.is_empty()
}

/// Compares the result of `matching` with all bijections, and a difference with the traces of the
/// systems.
fn check(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    start: Start,
) -> Result<bool, TestCaseError> {
    let kept = |states: &Vec<u32>| {
        (start == Start::Any || states[0] == 0) && image(left, states, sigma) == *right
    };
    let all: Vec<Vec<u32>> = if left.state_count() == right.state_count() {
        let all = orders(left.state_count() as u32);
        all.into_iter().filter(kept).collect()
    } else {
        Vec::new()
    };
    match matched(left, sigma, right, start) {
        Ok(states) => {
            prop_assert!(
                all.contains(&states.to_vec()),
                "{states:?} is none of {all:?}"
            );
            return Ok(true);
        }
        Err(Difference::Behaviour(DistinguishingTrace {
            trace,
            image_trace,
            event,
            image,
            on_left,
        })) => {
            prop_assert_eq!(sigma.apply(event), image);
            let there: Vec<EventId> = trace.iter().map(|&e| sigma.apply(e)).collect();
            prop_assert_eq!(&there, &image_trace);
            let ours = [trace.clone(), vec![event]].concat();
            let theirs = [there.clone(), vec![image]].concat();
            let does = [(left, &ours, &trace), (right, &theirs, &there)];
            let [does, does_not] = if on_left { does } else { [does[1], does[0]] };
            let from: Vec<StateId> = match start {
                Start::Fixed => vec![Lts::INITIAL],
                Start::Any => does_not.0.states().collect(),
            };
            prop_assert!(can(does.0, &[Lts::INITIAL], does.1));
            prop_assert!(!can(does_not.0, &from, does_not.1));
            if start == Start::Fixed {
                prop_assert!(
                    can(does_not.0, &from, does_not.2),
                    "a shorter trace would do"
                );
            }
        }
        Err(Difference::States(ours, theirs)) => prop_assert!(ours + theirs > 0),
        Err(Difference::Initial) => prop_assert_eq!(start, Start::Fixed),
    }
    prop_assert!(all.is_empty(), "{all:?} were missed");
    Ok(false)
}

type Edges = Vec<(u32, u32, u32)>;
type Case = (Edges, Vec<u32>, Vec<u32>, Edges);

/// Random systems, orders of their states and events, and other edges.
fn cases() -> impl Strategy<Value = Case> {
    let order = |n: u32| Just((0..n).collect::<Vec<u32>>()).prop_shuffle();
    let edges = |n| prop::collection::vec((0..6u32, 0..4u32, 0..6u32), n);
    (edges(1..14), order(6), order(3), edges(0..2))
}

fn run(test: impl Fn(Case) -> Result<(), TestCaseError>) {
    let config = Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(error) = TestRunner::new_with_rng(config, rng).run(&cases(), test) {
        panic!("{error}");
    }
}

/// The permutation of a, b, c that the order gives.
fn events(order: &[u32]) -> EventPermutation {
    let pairs = order.iter().zip(0..);
    EventPermutation::from_pairs(pairs.map(|(&to, from)| (EventId(from + 2), EventId(to + 2))))
        .unwrap()
}

/// The part of a longer order that orders 0..n.
fn first(order: &[u32], n: usize) -> Vec<u32> {
    let order = order.iter().copied();
    order.filter(|&state| (state as usize) < n).collect()
}

#[test]
fn renamed_systems_are_matched() {
    run(|(edges, order, event_order, _)| {
        let left = at_leisure(|token| minimise(&reachable(&edges), token)).lts;
        let states = first(&order, left.state_count());
        let sigma = events(&event_order);
        let right = image(&left, &states, &sigma);
        // From a state in the middle, other states may be out of reach.
        let all = reachable_count(&right) == right.state_count();
        prop_assume!(all);
        prop_assert_eq!(
            matched(&left, &sigma, &right, Start::Any),
            Ok(Arc::from(states.clone()))
        );
        check(&left, &sigma, &right, Start::Fixed)?;
        Ok(())
    });
}

fn reachable_count(lts: &Lts) -> usize {
    let mut seen = BTreeSet::from([Lts::INITIAL]);
    let mut open = vec![Lts::INITIAL];
    while let Some(state) = open.pop() {
        let fresh = lts.row(state).iter().filter(|step| seen.insert(step.1));
        open.extend(fresh.map(|step| step.1));
    }
    seen.len()
}

#[test]
fn changed_systems_are_matched_only_if_some_bijection_does() {
    let counts = [const { Cell::new(0) }; 2];
    run(|(edges, order, event_order, more)| {
        let left = at_leisure(|token| minimise(&reachable(&edges), token)).lts;
        // The same system from another state, perhaps with an edge more or less.
        let mut changed: Edges = edges
            .iter()
            .map(|&(from, label, to)| (order[from as usize], label, order[to as usize]))
            .collect();
        if let [_] = more[..] {
            changed.swap_remove(order[0] as usize % changed.len());
        }
        changed.extend(more);
        let sigma = events(&event_order);
        let right = at_leisure(|token| minimise(&reachable(&changed), token)).lts;
        let renamed = image(&right, &[0, 1, 2, 3, 4, 5], &sigma);
        for start in [Start::Fixed, Start::Any] {
            for (p, q) in [(&left, &renamed), (&renamed, &left), (&left, &left)] {
                let found = check(p, &sigma, q, start)?;
                let count = &counts[usize::from(found)];
                count.set(count.get() + 1);
            }
        }
        Ok(())
    });
    let counts = counts.map(Cell::into_inner);
    assert!(
        counts.iter().all(|&count| count > 1500),
        "refused, found: {counts:?}"
    );
}

#[test]
fn systems_with_bisimilar_states_are_never_matched_wrongly() {
    run(|(edges, order, _, _)| {
        let left = reachable(&edges);
        let states = first(&order, left.state_count());
        let identity = EventPermutation::identity();
        let right = image(&left, &states, &identity);
        prop_assume!(reachable_count(&right) == right.state_count());
        if let Ok(found) = matched(&left, &identity, &right, Start::Any) {
            prop_assert_eq!(image(&left, &found, &identity), right);
        }
        Ok(())
    });
}
