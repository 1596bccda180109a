//! The transitions that a leaf of a machine has on its own.

use std::collections::{BTreeMap, BTreeSet};

use base::order::ascending;
use machine::leaf::{Behaviour, Leaf, What};
use machine::{LeafId, Machine};
use process::event::EventId;
use report::machine::LeafDescription;

/// The expression of a leaf, and how large it is.
pub(super) fn leaf_description(leaf: &Leaf) -> LeafDescription {
    LeafDescription {
        expression: leaf.expression.clone(),
        states: u64::from(leaf.state_count()),
        transitions: leaf.transition_count() as u64,
    }
}

/// The transitions of `leaf` itself as (from, event, to), ascending. The moves of a controller have
/// no events of their own, so they get the events of the rules in which they take part.
pub(super) fn leaf_transitions(
    id: LeafId,
    leaf: &Leaf,
    results: &ControlResults,
) -> Vec<(u32, EventId, u32)> {
    match &leaf.behaviour {
        Behaviour::Process(graph) => {
            let rows = graph.lts.states().map(|from| (from, graph.lts.row(from)));
            ascending(
                rows.flat_map(|(from, row)| {
                    row.iter().map(move |&(event, to)| (from.0, event, to.0))
                }),
            )
        }
        Behaviour::Controller { moves, .. } => {
            let numbered = (0..).zip(moves);
            // Two moves may join the same states and result in one event.
            ascending(numbered.flat_map(|(number, pairs)| {
                let events = results.get(&(id, number)).into_iter().flatten();
                events
                    .flat_map(move |&event| pairs.iter().map(move |&(from, to)| (from, event, to)))
            }))
        }
    }
}

/// By controller and number of its action, the results of the rules in which it takes that action.
pub(super) type ControlResults = BTreeMap<(LeafId, u32), BTreeSet<EventId>>;

/// The results of the actions of all controllers of `machine`.
pub(super) fn control_results(machine: &Machine) -> ControlResults {
    let mut results = ControlResults::new();
    for rule in machine.rules.iter() {
        for (leaf, action) in &rule.participants {
            if let What::Control(number) = action.what {
                results
                    .entry((*leaf, number))
                    .or_default()
                    .insert(rule.result);
            }
        }
    }
    results
}
