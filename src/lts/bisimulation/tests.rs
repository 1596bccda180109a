//! Minimisation against refinement by definition, on random transition systems.

use std::collections::BTreeSet;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{minimise, minimise_with_hashes};
use crate::graph::{Lts, StateId};
use base::cancel::at_leisure;
use base::index::TypedIndex;
use process::event::EventId;

type Edge = (u32, u32, u32);

/// The transition system of `edges`, its reachable states numbered breadth first.
fn reachable(edges: &[Edge]) -> Lts {
    let mut order = vec![0];
    let mut rows = Vec::new();
    while let Some(&state) = order.get(rows.len()) {
        let mut row = Vec::new();
        for &(_, label, to) in edges.iter().filter(|edge| edge.0 == state) {
            let known = order.iter().position(|&s| s == to).unwrap_or_else(|| {
                order.push(to);
                order.len() - 1
            });
            row.push((EventId(label), StateId::from_usize(known)));
        }
        rows.push(row);
    }
    Lts::from_rows(rows)
}

/// Bisimilarity by definition: splits by signature until nothing changes.
fn naive_classes(lts: &Lts) -> Vec<usize> {
    let mut classes = vec![0; lts.state_count()];
    loop {
        let signature = |state: StateId| {
            let row = lts.row(state).iter();
            let steps: BTreeSet<(EventId, usize)> =
                row.map(|&(e, t)| (e, classes[t.index()])).collect();
            (classes[state.index()], steps)
        };
        let signatures: Vec<_> = lts.states().map(signature).collect();
        let distinct: BTreeSet<_> = signatures.iter().collect();
        let refined: Vec<usize> = signatures
            .iter()
            .map(|s| distinct.iter().position(|d| *d == s).unwrap())
            .collect();
        if distinct.len() == classes.iter().collect::<BTreeSet<_>>().len() {
            return refined;
        }
        classes = refined;
    }
}

fn check(lts: &Lts) -> Result<(), TestCaseError> {
    let quotient = at_leisure(|token| minimise(lts, token));
    let naive = naive_classes(lts);
    let class = |s: StateId| quotient.class_of[s];
    for s in lts.states() {
        for t in lts.states() {
            prop_assert_eq!(
                naive[s.index()] == naive[t.index()],
                class(s) == class(t),
                "{:?} {:?}",
                s,
                t
            );
        }
        let row = lts.row(s).iter();
        let image: BTreeSet<_> = row.map(|&(e, t)| (e, class(t))).collect();
        let image: Vec<_> = image.into_iter().collect();
        prop_assert_eq!(quotient.lts.row(class(s)), image);
    }
    prop_assert_eq!(class(Lts::INITIAL), Lts::INITIAL);
    prop_assert_eq!(
        &at_leisure(|token| minimise(&quotient.lts, token)).lts,
        &quotient.lts
    );
    // Hashes of no bit and of one leave all, or nearly all, to partition refinement.
    for mask in [0, 1] {
        let again = at_leisure(|token| minimise_with_hashes(lts, mask, token));
        prop_assert_eq!(&again, &quotient);
    }
    Ok(())
}

fn run(states: u32, labels: u32, edges: std::ops::Range<usize>) {
    let config = Config {
        cases: 2000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let edges = prop::collection::vec((0..states, 0..labels, 0..states), edges);
    let result =
        TestRunner::new_with_rng(config, rng).run(&edges, |edges| check(&reachable(&edges)));
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn agrees_with_the_definition_on_dense_systems() {
    run(6, 2, 0..20);
}

#[test]
fn agrees_with_the_definition_on_sparse_systems() {
    run(20, 2, 15..40);
}

#[test]
fn agrees_with_the_definition_on_one_label() {
    run(12, 1, 8..24);
}

#[test]
fn deterministic_systems_become_canonical() {
    let one = reachable(&[(0, 2, 1), (1, 3, 0)]);
    let two = reachable(&[(0, 2, 1), (1, 3, 2), (2, 2, 3), (3, 3, 0)]);
    assert_eq!(at_leisure(|token| minimise(&two, token)).lts, one);
    assert_eq!(at_leisure(|token| minimise(&one, token)).lts, one);
}
