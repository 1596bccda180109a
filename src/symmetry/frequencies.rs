//! How often each event occurs in the parts of a check: what a symmetry keeps, and is cheap to look up.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::lts::normal_form::NormalForm;
use crate::machine::Machine;
use crate::machine::leaf::Behaviour;
use crate::machine::tree::Operator;
use crate::process::event::EventId;

/// By event, how many transitions of it the specification and the leaves have.
///
/// A symmetry takes leaves to leaves and the specification to itself with all their transitions, each to one of the image
/// of its event: so an event and its image occur equally often. Most permutations of values that are no symmetries are
/// refused so, without lifting them or looking at processes.
pub(super) struct Frequencies {
    counts: FxHashMap<EventId, (usize, usize)>,
}

impl Frequencies {
    /// Below a renaming another permutation may be at work than outside: with one, leaves are not counted.
    pub(super) fn of(machine: &Machine, specification: &NormalForm) -> Self {
        let mut counts: FxHashMap<EventId, (usize, usize)> = FxHashMap::default();
        let lts = specification.lts();
        for &(event, _) in lts.states().flat_map(|state| lts.row(state)) {
            counts.entry(event).or_default().0 += 1;
        }
        let is_renaming =
            |operator: &Operator| matches!(operator, Operator::Rename(_) | Operator::Linked(_));
        if !machine.nodes.iter().any(|node| is_renaming(&node.operator)) {
            for leaf in machine.leaves.iter() {
                if let Behaviour::Process(graph) = &leaf.behaviour {
                    for (event, count) in graph.counts() {
                        counts.entry(event).or_default().1 += count;
                    }
                }
            }
        }
        Self { counts }
    }

    /// A number that is the same for `event` and its image.
    pub(super) fn of_event(&self, event: EventId) -> u64 {
        let counts = self.counts.get(&event).copied().unwrap_or_default();
        FxBuildHasher.hash_one(counts)
    }
}
