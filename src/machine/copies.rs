//! Copies: operands of a parallel composition that are one process. States that differ only in the
//! places of copies are bisimilar, so a machine that is listed to be compressed or made
//! deterministic needs only the states in which the copies of each parallel stand in order.
//!
//! # Why one state of each kind is enough
//!
//! Let s be a state of the machine and s′ the state after two copies in it change places. As terms,
//! s and s′ differ in one parallel alone, of which two operands have changed places; and with the
//! operands their alphabets, which are equal. Parallel composition over one set is commutative and
//! associative up to strong bisimulation, so both parallels are bisimilar, whatever their operands
//! have become. All operators above them keep strong bisimulation, `prioritise` included: it looks
//! at nothing but the events that are possible. Hence s and s′ are bisimilar, with equal labels.
//! Only `chase` chooses one τ of several by its place; a machine with a `chase` has no copies here.
//!
//! Let r(s) be s with its copies in order. The initial state is in order, as copies begin alike. By
//! the above r(s) and s are bisimilar. Consider the system of the states r(s) with a transition
//! from r(s) to r(t) for each transition from r(s) to t. The relation of each state s of the
//! machine to r(s) is a bisimulation between the machine and this system, *up to bisimilarity*: the
//! bisimilar r(s) can do all that s does, and r takes the target to a bisimilar one. So both
//! initial states are bisimilar (Milner, *Communication and Concurrency*, 1989, section 4.3). A
//! compression or a normal form of the smaller system means what it would mean of the larger one. ∎

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::leaf::Behaviour;
use super::packing::{BitField, PackedState, Packing};
use super::tree::{NodeId, TreeNode};
use super::{LeafId, Machine};
use process::event::EventSetId;
use process::operator::Operator;
use process::term::TermId;

/// The copies in a machine.
pub(super) struct Copies {
    /// The copies of each process. Copies inside of copies come first.
    kinds: Vec<CopiesOfOne>,
}

/// True if `machine` has copies.
pub(super) fn has_copies(machine: &Machine) -> bool {
    !Copies::of(machine, &machine.packing(1)).are_none()
}

/// All copies of one process below one parallel, each as the fields of its leaves.
struct CopiesOfOne(Vec<Vec<BitField>>);

impl Copies {
    /// No copies.
    pub(super) fn none() -> Self {
        Self { kinds: Vec::new() }
    }

    /// The copies in `machine`, whose states are packed by `packing`.
    pub(super) fn of(machine: &Machine, packing: &Packing) -> Self {
        let mut operators = machine.nodes.iter().filter_map(TreeNode::operator);
        if operators.any(|operator| matches!(operator, Operator::Compress(_))) {
            return Self::none();
        }
        let mut kinds = Vec::new();
        // Every node comes after its operands, so copies come after the copies inside them.
        for node in machine.nodes.indices() {
            let mut alike: FxHashMap<(EventSetId, TermId), Vec<NodeId>> = FxHashMap::default();
            let mut order = Vec::new();
            for (alphabet, operand) in operands(machine, node) {
                let key = (alphabet, machine.nodes[operand].term);
                let nodes = alike.entry(key).or_insert_with(|| {
                    order.push(key);
                    Vec::new()
                });
                nodes.push(operand);
            }
            for key in order {
                let nodes = &alike[&key];
                if nodes.len() > 1 && nodes.iter().all(|&n| are_copies(machine, nodes[0], n)) {
                    let fields = |&copy: &NodeId| {
                        let leaves = machine.nodes[copy].leaves.clone();
                        leaves.map(|leaf| packing.fields()[leaf as usize]).collect()
                    };
                    kinds.push(CopiesOfOne(nodes.iter().map(fields).collect()));
                }
            }
        }
        Self { kinds }
    }

    /// True if there are no copies.
    pub(super) fn are_none(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Brings the copies of each process in `state` in order.
    pub(super) fn sort<S: PackedState>(&self, state: &mut S) {
        for CopiesOfOne(copies) in &self.kinds {
            // A step changes few copies of a state that was in order: inserting is quick then.
            for next in 1..copies.len() {
                let mut at = next;
                while at > 0 && compare(state, &copies[at - 1], &copies[at]) == Ordering::Greater {
                    swap(state, &copies[at - 1], &copies[at]);
                    at -= 1;
                }
            }
        }
    }
}

/// The operands of `node` that may change places if they are equal, each with its alphabet. There
/// are none if the node is no parallel. Parallels over one set that stand inside one another are
/// one parallel.
fn operands(machine: &Machine, node: NodeId) -> Vec<(EventSetId, NodeId)> {
    let operands = machine.side_by_side(node).into_iter();
    match machine.nodes[node].operator() {
        Some(Operator::Alphabetised(alphabets)) => {
            alphabets.iter().copied().zip(operands).collect()
        }
        Some(&Operator::Parallel(set)) => operands.map(|operand| (set, operand)).collect(),
        _ => Vec::new(),
    }
}

/// True if these nodes, which have equal terms, have leaves that number their states alike.
fn are_copies(machine: &Machine, one: NodeId, other: NodeId) -> bool {
    let leaves = |node: NodeId| machine.nodes[node].leaves.clone();
    leaves(one).len() == leaves(other).len()
        && leaves(one).zip(leaves(other)).all(|(one, other)| {
            let leaf = |number: u32| &machine.leaves[LeafId(number)];
            let (one, other) = (leaf(one), leaf(other));
            one.state_count() == other.state_count()
                && match (&one.behaviour, &other.behaviour) {
                    (Behaviour::Process(one), Behaviour::Process(other)) => Arc::ptr_eq(one, other),
                    // Controllers of equal terms are made in one way.
                    (Behaviour::Controller { .. }, Behaviour::Controller { .. }) => true,
                    _ => false,
                }
        })
}

/// The order of the states of two copies.
fn compare<S: PackedState>(state: &S, one: &[BitField], other: &[BitField]) -> Ordering {
    let value = |field: &BitField| field.get(state);
    one.iter().map(value).cmp(other.iter().map(value))
}

/// Swaps the states of two copies.
fn swap<S: PackedState>(state: &mut S, one: &[BitField], other: &[BitField]) {
    for (one, other) in one.iter().zip(other) {
        let (here, there) = (one.get(state), other.get(state));
        state.flip(one.word, one.flip(here, there));
        state.flip(other.word, other.flip(there, here));
    }
}

#[cfg(test)]
mod tests;
