//! genRep: the lexicographically least image under all elements of the group.
//!
//! Section 7.1 of the paper. A state goes to the least of its images, compared leaf by leaf in a
//! fixed order and in the specification's state last: of the elements that take the machine's state
//! to one image, the element wins whose specification state is least. All pairs of one orbit have
//! the same images, hence the same representative. For small groups nothing is faster: on
//! `dijkstra` with 5 participants (120 elements, 491,659 states) the whole program takes 2.4 times
//! as long with signature sort, 3.7 times with minimal image.

use std::sync::Arc;

use num_bigint::BigUint;

use crate::group::Group;
use crate::pbisim::Symmetry;
use machine::packing::{PackedState, Packing};

use super::decisions::{Decisions, ElementActions, ROOM};
use super::function::Representative;
use super::images::ImageTables;

/// The elements of the group.
#[derive(Clone, Debug)]
pub struct GeneralPlan {
    /// The elements, the identity first. No two move states in the same way.
    pub(super) elements: Arc<[Symmetry]>,
    /// The components that some element moves, in the order in which they are compared: leaves by
    /// their number, and the specification as the number of leaves.
    pub(super) positions: Arc<[usize]>,
    /// By component, its number of states.
    pub(super) states: Arc<[u32]>,
}

/// The most elements of a group that is listed.
const MOST_ELEMENTS: usize = 50_000;

/// The most bytes that the tables of all elements may take.
const MOST_BYTES: usize = 1 << 30;
/// The bytes for each state of each leaf and element: its image, and the bits of this image in a
/// packed state.
const BYTES_PER_STATE: usize = size_of::<u32>() + size_of::<u64>();

impl GeneralPlan {
    /// Makes the plan for `group`, whose elements are listed. The error is the reason why that
    /// takes too much, in one line.
    pub fn new(group: &Group) -> Result<Self, String> {
        let states = group.state_counts();
        let limit = element_limit(&states[..states.len() - 1]);
        let elements = group.closure(limit);
        let elements = elements.ok_or_else(|| too_large(group.order(), limit))?;
        Ok(Self {
            positions: positions(&elements, &states).into(),
            elements: elements.into(),
            states: states.into(),
        })
    }

    /// The elements, the identity first.
    pub fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> GenRep<S> {
        let actions = ElementActions::of_elements(&self.elements, &self.positions);
        GenRep {
            decisions: Decisions::new(actions, &self.positions, &self.states, packing, ROOM),
            images: ImageTables::new(&self.elements, &self.states, packing),
            elements: self.elements.clone(),
        }
    }
}

/// The most elements that may be listed if components have these numbers of states.
fn element_limit(states: &[u32]) -> usize {
    let states = states.iter().map(|&states| states as usize);
    let bytes = states.sum::<usize>().saturating_mul(BYTES_PER_STATE);
    MOST_ELEMENTS.min(MOST_BYTES / bytes.max(1))
}

fn too_large(order: &BigUint, limit: usize) -> String {
    format!("the group has {order} elements, and least images are taken over {limit} at most")
}

/// The components that move, in an order that prunes early: leaves that stay but whose states move
/// come first, because each decides alone which elements survive; then large leaves, which have few
/// ties. The specification is last by definition.
fn positions(elements: &[Symmetry], states: &[u32]) -> Vec<usize> {
    let specification = states.len() - 1;
    let moved = |&component: &usize| elements.iter().any(|e| !e.fixes(component));
    let stays = |component: usize| elements.iter().all(|e| e.part(component).0 == component);
    let mut positions: Vec<usize> = (0..states.len()).filter(moved).collect();
    positions.sort_by_cached_key(|&component| {
        let is_last = component == specification;
        let largest_first = std::cmp::Reverse(states[component]);
        (is_last, !stays(component), largest_first, component)
    });
    positions
}

/// genRep on packed states. Allocates nothing for a state that takes a path already in the graph.
#[derive(Clone, Debug)]
pub struct GenRep<S> {
    elements: Arc<[Symmetry]>,
    decisions: Decisions,
    images: ImageTables<S>,
}

impl<S: PackedState> Representative<S> for GenRep<S> {
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
