//! genRep: the lexicographically least image under all elements of the group.
//!
//! Section 7.1 of the paper. A state goes to the least of its images, compared leaf by leaf in a
//! fixed order and in the specification's state last: of the elements that take the machine's state
//! to one image, that one wins whose specification state is least. All pairs of one orbit have the
//! same images, hence the same representative. For small groups nothing is faster: on `dijkstra`
//! with 5 participants (120 elements, 491,659 states) the whole program takes 2.4 times as long
//! with signature sort, 3.7 times with minimal image.

use std::sync::Arc;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use base::index::TypedIndex;
use machine::packing::{PackedState, Packing};
use machine::{LeafId, Machine};

use super::Representative;
use super::decisions::{Decisions, ElementActions};
use super::images::ImageTables;

/// The elements of the group.
#[derive(Clone, Debug)]
pub struct GeneralPlan {
    /// The identity first. No two move states in the same way. Equal maps are shared.
    pub(super) elements: Arc<[Symmetry]>,
    /// The components that some element moves, in the order in which they are compared: leaves by
    /// their number, and the specification as the number of leaves.
    pub(super) positions: Arc<[usize]>,
    /// By component, how many states it has.
    pub(super) states: Arc<[u32]>,
}

/// Larger groups are not listed.
const MOST_ELEMENTS: usize = 50_000;

/// What the tables of all elements may take.
const MOST_BYTES: usize = 1 << 30;
/// For each state of each leaf and element: where it goes, and its image as bits of a packed state.
const BYTES_PER_STATE: usize = size_of::<u32>() + size_of::<u64>();

impl GeneralPlan {
    /// The plan for `group`, whose elements are listed; or the reason why that takes too much, in
    /// one line.
    pub fn new(machine: &Machine, group: &Group) -> Result<Self, String> {
        let limit = element_limit(machine);
        let elements = group.closure(limit);
        let elements = elements.ok_or_else(|| too_large(group.order(), limit))?;
        let elements = shared(elements);
        let leaves = machine.leaves.iter().map(|leaf| leaf.state_count());
        let specification = elements[0].specification.len() as u32;
        let states: Vec<u32> = leaves.chain([specification]).collect();
        Ok(Self {
            positions: positions(&elements, &states).into(),
            elements: elements.into(),
            states: states.into(),
        })
    }

    /// How many elements there are that move states differently.
    pub fn element_count(&self) -> usize {
        self.elements.len()
    }

    /// The elements, the identity first.
    pub fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    /// Compares two states, given by component, as the plan does: `Less` if `a` comes before `b`.
    pub fn compare(&self, a: &[u32], b: &[u32]) -> std::cmp::Ordering {
        let key = |state: &[u32]| -> Vec<u32> {
            let value = |&component: &usize| state[component];
            self.positions.iter().map(value).collect()
        };
        key(a).cmp(&key(b))
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> GenRep<S> {
        let actions = ElementActions::of_elements(&self.elements, &self.positions);
        GenRep {
            decisions: Decisions::new(actions, &self.positions, &self.states, packing),
            images: ImageTables::new(&self.elements, &self.states, packing),
            elements: self.elements.clone(),
        }
    }
}

/// How many elements may be listed.
fn element_limit(machine: &Machine) -> usize {
    let states = machine
        .leaves
        .iter()
        .map(|leaf| leaf.state_count() as usize);
    let bytes = states.sum::<usize>().saturating_mul(BYTES_PER_STATE);
    MOST_ELEMENTS.min(MOST_BYTES / bytes.max(1))
}

fn too_large(order: &BigUint, limit: usize) -> String {
    format!("the group has {order} elements, and least images are taken over {limit} at most")
}

/// Without those that move states as an earlier one does, and with one copy of each map of states.
fn shared(elements: Vec<Symmetry>) -> Vec<Symmetry> {
    let mut maps: FxHashMap<Arc<[u32]>, Arc<[u32]>> = FxHashMap::default();
    let mut share = |map: &Arc<[u32]>| {
        maps.entry(map.clone())
            .or_insert_with(|| map.clone())
            .clone()
    };
    let mut kept: FxHashMap<(Pbisim, Arc<[u32]>), ()> = FxHashMap::default();
    let mut different = Vec::new();
    for element in elements {
        let leaves = (0..element.pbisim.leaf_count()).map(LeafId::from_usize);
        let images = leaves
            .clone()
            .map(|leaf| element.pbisim.leaf(leaf))
            .collect();
        let states = leaves
            .map(|leaf| share(element.pbisim.states(leaf)))
            .collect();
        let pbisim = Pbisim::new(images, states);
        let specification = share(&element.specification);
        // Events are no part of a state: elements that differ in events alone are one.
        if kept
            .insert((pbisim.clone(), specification.clone()), ())
            .is_none()
        {
            different.push(Symmetry {
                events: element.events,
                pbisim,
                specification,
            });
        }
    }
    different
}

/// The components that move, in an order that prunes early: leaves that stay but whose states move
/// decide alone which elements survive, large leaves have few ties, and the specification is last
/// by definition.
fn positions(elements: &[Symmetry], states: &[u32]) -> Vec<usize> {
    let leaves = states.len() - 1;
    let moved = |&leaf: &usize| {
        elements
            .iter()
            .any(|e| !e.pbisim.fixes(LeafId::from_usize(leaf)))
    };
    let stays = |leaf: usize| {
        let leaf = LeafId::from_usize(leaf);
        elements
            .iter()
            .all(|element| element.pbisim.leaf(leaf) == leaf)
    };
    let mut positions: Vec<usize> = (0..leaves).filter(moved).collect();
    positions.sort_by_cached_key(|&leaf| (!stays(leaf), std::cmp::Reverse(states[leaf]), leaf));
    if elements
        .iter()
        .any(|element| !element.fixes_specification())
    {
        positions.push(leaves);
    }
    positions
}

/// genRep on packed states. Allocates nothing for a state whose like has been seen.
#[derive(Clone, Debug)]
pub struct GenRep<S> {
    elements: Arc<[Symmetry]>,
    decisions: Decisions,
    images: ImageTables<S>,
}

impl<S: PackedState> Representative<S> for GenRep<S> {
    const IS_IDENTITY: bool = false;

    #[inline]
    fn represent(&mut self, state: &mut S) {
        let element = self.decisions.least(state);
        // Element 0 is the identity.
        if element != 0 {
            self.images.apply(element, state);
        }
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        self.elements[self.decisions.least(state) as usize].clone()
    }
}
