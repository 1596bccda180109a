//! Random transition systems.

use process::event::EventId;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The transitions of a system, by state; the initial state is 0.
pub type SystemRows<'a> = [&'a [(EventId, u32)]];

/// Runs `test` on `cases` random systems, which are fixed. They have many τ, and some ✓, after
/// which nothing follows.
pub fn random_systems(cases: u32, test: impl Fn(&SystemRows<'_>)) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let label = prop_oneof![4 => Just(0_u32), 1 => Just(1_u32), 3 => Just(2_u32), 2 => Just(3_u32)];
    let edges = (2_u32..8).prop_flat_map(move |states| {
        prop::collection::vec((0..states, label.clone(), 0..states), 1..16)
    });
    let outcome = TestRunner::new_with_rng(config, rng).run(&edges, |edges| {
        let rows = reachable(&edges);
        test(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// The transition system of `edges`, its reachable states numbered breadth first. ✓ leads to a
/// state of its own.
fn reachable(edges: &[(u32, u32, u32)]) -> Vec<Vec<(EventId, u32)>> {
    const OMEGA: u32 = 1000;
    let mut order = vec![0];
    let mut rows = Vec::new();
    while let Some(&state) = order.get(rows.len()) {
        let mut row = Vec::new();
        for &(_, label, to) in edges.iter().filter(|edge| edge.0 == state) {
            let to = if label == 1 { OMEGA } else { to };
            let known = order.iter().position(|&s| s == to).unwrap_or_else(|| {
                order.push(to);
                order.len() - 1
            });
            row.push((EventId(label), known as u32));
        }
        rows.push(row);
    }
    rows
}
