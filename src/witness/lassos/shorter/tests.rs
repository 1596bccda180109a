//! Lassos of random graphs against the distances between all pairs of nodes.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::lasso::Lasso;
use crate::lassos::Lassos;
use process::semantics::Semantics;
use process::table::DefinitionTable;
use process::term::Definitions;

/// The lasso found in a graph from node 0: the nodes of its stem and of its cycle.
fn found(edges: &[Vec<usize>]) -> Option<(Vec<usize>, Vec<usize>)> {
    let mut table = DefinitionTable::new();
    // The event of a step names the node that it leads to.
    let events: Vec<_> = (0..edges.len())
        .map(|node| table.terms_mut().events.intern(&format!("e{node:03}")))
        .collect();
    let names: Vec<String> = (0..edges.len()).map(|node| format!("N{node}")).collect();
    for (name, targets) in names.iter().zip(edges) {
        let calls: Vec<_> = targets
            .iter()
            .map(|&to| (events[to], table.call(&names[to])))
            .collect();
        let body = match calls.is_empty() {
            true => table.terms_mut().stop(),
            false => table.terms_mut().prefix(calls),
        };
        table.define(name, body);
    }
    let start = table.call(&names[0]);
    let set = table.terms_mut().events.intern_set(events.clone());
    let start = table.terms_mut().hide(start, set);
    let mut semantics = Semantics::new();
    let lasso = Lassos::default().find(&mut semantics, &mut table, start);
    let Lasso { stem, cycle } = lasso.unwrap()?;
    let nodes = [stem, cycle].map(|steps| {
        let node = |event| events.iter().position(|&e| e == event).unwrap();
        let nodes = steps.iter().map(|step| node(step.origin));
        nodes.collect::<Vec<usize>>()
    });
    let [stem, cycle] = nodes;
    let mut at = 0;
    for &node in stem.iter().chain(&cycle) {
        assert!(edges[at].contains(&node), "there is no such step");
        at = node;
    }
    assert_eq!(stem.last().unwrap_or(&0), cycle.last().unwrap());
    Some((stem, cycle))
}

/// The least length of a lasso from node 0; `None` if there is none.
fn least(edges: &[Vec<usize>]) -> Option<usize> {
    const FAR: usize = 1000;
    let count = edges.len();
    // The least number of steps, one at least.
    let mut ways = vec![vec![FAR; count]; count];
    for (from, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|&to| ways[from][to] = 1);
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                let around = ways[from][middle] + ways[middle][to];
                ways[from][to] = ways[from][to].min(around);
            }
        }
    }
    let stem = |node| if node == 0 { 0 } else { ways[0][node] };
    let lengths = (0..count).map(|node| stem(node) + ways[node][node]);
    lengths.min().filter(|&length| length < FAR)
}

#[test]
fn no_lasso_is_shorter() {
    let config = Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let graphs = (2_usize..14).prop_flat_map(|count| {
        let node = prop::collection::btree_set(0..count, 0..4);
        prop::collection::vec(node, count)
    });
    let run = |graph: Vec<std::collections::BTreeSet<usize>>| {
        let edges: Vec<Vec<usize>> = graph.into_iter().map(Vec::from_iter).collect();
        let length = found(&edges).map(|(stem, cycle)| stem.len() + cycle.len());
        prop_assert_eq!(length, least(&edges));
        Ok(())
    };
    if let Err(error) = TestRunner::new_with_rng(config, rng).run(&graphs, run) {
        panic!("{error}");
    }
}

#[test]
fn a_cycle_that_no_way_leads_around_is_found() {
    // The way to 3 is through 1, but the short cycle is between 3 and 2; first of all there is a
    // long one.
    let mut edges = vec![vec![4, 1, 2], vec![3], vec![3], vec![2]];
    edges.extend((5..20).map(|next| vec![next]));
    edges.push(vec![0]);
    assert_eq!(found(&edges), Some((vec![2], vec![3, 2])));
}
