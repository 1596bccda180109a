//! Uniform permutation bisimulations over the leaves of a machine, and symmetries of a whole check.
//!
//! Moffat, Goldsmith and Roscoe, *A Representative Function Approach to Symmetry Exploitation for
//! CSP Refinement Checking*, sections 3.2 and 7.1.

use std::sync::Arc;

use base::index::TypedIndex;
use lts::graph::StateId;
use machine::{LeafId, Machine};

use super::permutation::EventPermutation;
use super::permutations::element::{inverted, is_identity, product};

/// A union of bijections: each leaf's states onto the states of some leaf, no two leaves onto the
/// same one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pbisim {
    /// By leaf, the leaf its states go to: a permutation.
    leaves: Vec<LeafId>,
    /// By leaf and state, the state of `leaves[leaf]` it goes to. Leaves that do not move share one
    /// list.
    states: Vec<Arc<[u32]>>,
}

impl Pbisim {
    /// From the image of each leaf and, by leaf and state, the image of each state. Both must be
    /// bijections: the caller knows that they are, or [`verify`](super::verify) checks it before
    /// the pbisim is used.
    pub fn new(leaves: Vec<LeafId>, states: Vec<Arc<[u32]>>) -> Self {
        debug_assert_eq!(leaves.len(), states.len());
        Self { leaves, states }
    }

    /// The pbisim that takes every state of `machine` to itself.
    pub(crate) fn identity(machine: &Machine) -> Self {
        let leaves = machine.leaves.indices().collect();
        let states = machine.leaves.iter();
        let states = states.map(|leaf| (0..leaf.state_count()).collect());
        Self::new(leaves, states.collect())
    }

    /// The number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// The leaf to whose states the states of `leaf` go.
    pub fn leaf(&self, leaf: LeafId) -> LeafId {
        self.leaves[leaf.index()]
    }

    /// By state of `leaf`, the state of its image.
    pub fn states(&self, leaf: LeafId) -> &Arc<[u32]> {
        &self.states[leaf.index()]
    }

    /// The leaves that go to other leaves, ascending, each with its image.
    pub(crate) fn moved_leaves(&self) -> impl Iterator<Item = (LeafId, LeafId)> {
        let all = self.leaves.iter().enumerate();
        all.map(|(leaf, &image)| (LeafId::from_usize(leaf), image))
            .filter(|(leaf, image)| leaf != image)
    }

    /// True if `leaf` and all its states stay.
    pub fn fixes(&self, leaf: LeafId) -> bool {
        self.leaf(leaf) == leaf && is_identity(self.states(leaf))
    }

    /// True if everything stays.
    pub fn is_identity(&self) -> bool {
        (0..self.leaves.len()).all(|leaf| self.fixes(LeafId::from_usize(leaf)))
    }

    /// The state vector that `state` (a state of each leaf) is related to.
    pub fn image(&self, state: &[u32]) -> Vec<u32> {
        let mut image = vec![0; state.len()];
        for (leaf, &value) in state.iter().enumerate() {
            image[self.leaves[leaf].index()] = self.states[leaf][value as usize];
        }
        image
    }

    /// First this pbisim, then `next`: the relational composition.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let leaves = self.leaves.iter().map(|&leaf| next.leaf(leaf)).collect();
        let states = self.leaves.iter().zip(&self.states);
        let states = states.map(|(&leaf, states)| product(states, next.states(leaf)));
        Self::new(leaves, states.collect())
    }

    /// The converse relation.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut leaves = self.leaves.clone();
        let mut states = self.states.clone();
        for (leaf, &image) in self.leaves.iter().enumerate() {
            leaves[image.index()] = LeafId::from_usize(leaf);
            states[image.index()] = inverted(&self.states[leaf]);
        }
        Self::new(leaves, states)
    }
}

/// A symmetry of a whole check: one permutation of events, of leaf states and of specification
/// states, which preserves every transition of machine and specification.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    /// The permutation of events, σ.
    pub events: EventPermutation,
    /// The bijections of leaf states.
    pub pbisim: Pbisim,
    /// By state of the specification's normal form, the state it goes to.
    pub specification: Arc<[u32]>,
}

impl Symmetry {
    /// The symmetry that moves nothing.
    pub(crate) fn identity(machine: &Machine, specification_states: usize) -> Self {
        Self {
            events: EventPermutation::identity(),
            pbisim: Pbisim::identity(machine),
            specification: (0..specification_states as u32).collect(),
        }
    }

    /// True if nothing moves.
    pub fn is_identity(&self) -> bool {
        self.events.is_identity() && !self.moves_states()
    }

    /// True if every state of the specification stays.
    pub fn fixes_specification(&self) -> bool {
        is_identity(&self.specification)
    }

    /// True if some state of a leaf or of the specification moves.
    pub(crate) fn moves_states(&self) -> bool {
        !self.pbisim.is_identity() || !self.fixes_specification()
    }

    /// The number of components: the leaves, by their numbers, and behind them the specification.
    pub(crate) fn component_count(&self) -> usize {
        self.pbisim.leaf_count() + 1
    }

    /// The component to which the states of `component` go, and by state the state there.
    pub(crate) fn part(&self, component: usize) -> (usize, &Arc<[u32]>) {
        if component == self.pbisim.leaf_count() {
            return (component, &self.specification);
        }
        let leaf = LeafId::from_usize(component);
        (self.pbisim.leaf(leaf).index(), self.pbisim.states(leaf))
    }

    /// True if all states of `component` stay.
    pub(crate) fn fixes(&self, component: usize) -> bool {
        let (to, states) = self.part(component);
        to == component && is_identity(states)
    }

    /// True if the initial states of machine and specification stay.
    pub fn fixes_initial(&self) -> bool {
        let start = vec![0; self.pbisim.leaf_count()];
        self.pbisim.image(&start) == start && self.specification(StateId(0)) == StateId(0)
    }

    /// The image of a state of the specification.
    pub fn specification(&self, state: StateId) -> StateId {
        StateId(self.specification[state.index()])
    }

    /// First this symmetry, then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self {
            events: self.events.then(&next.events),
            pbisim: self.pbisim.then(&next.pbisim),
            specification: product(&self.specification, &next.specification),
        }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            events: self.events.inverse(),
            pbisim: self.pbisim.inverse(),
            specification: inverted(&self.specification),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three leaves of two states: 0 goes to 1, 1 to 2, 2 to 0 with its states exchanged.
    fn turn() -> Pbisim {
        let leaves = [1, 2, 0].map(LeafId).to_vec();
        let states = vec![Arc::from([0, 1]), Arc::from([0, 1]), Arc::from([1, 0])];
        Pbisim::new(leaves, states)
    }

    #[test]
    fn images_follow_leaves_and_states() {
        assert_eq!(turn().image(&[0, 1, 1]), [0, 0, 1]);
        assert_eq!(turn().image(&[1, 0, 0]), [1, 1, 0]);
    }

    #[test]
    fn composition_and_inverse_are_those_of_relations() {
        let turn = turn();
        let twice = turn.then(&turn);
        let state = [1, 0, 1];
        assert_eq!(twice.image(&state), turn.image(&turn.image(&state)));
        assert!(turn.then(&turn.inverse()).is_identity());
        assert!(turn.inverse().then(&turn).is_identity());
        // Three turns exchange the states of every leaf, six are the identity.
        let three = twice.then(&turn);
        assert_eq!(three.image(&[0, 1, 0]), [1, 0, 1]);
        assert!(!three.is_identity() && three.then(&three).is_identity());
    }
}
