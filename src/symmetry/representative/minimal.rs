//! Minimal image: the least image of a state, by search down the stabiliser chain.
//!
//! S. Linton, *Finding the smallest image of a set* (ISSAC 2004); C. Jefferson, E. Jonauskyte, M.
//! Pfeiffer and R. Waldecker, *Minimal and canonical images* (J. Algebra 2019), whose orderings
//! that depend on the set make it fast. A state is a set of points, one of each component. The
//! group is never listed: the cost of a state grows with the length of the chain and with the
//! number of images that are still candidates. These are few unless the state itself is very
//! symmetric.

mod search;
mod sets;
mod tree;

use std::sync::Arc;

use num_bigint::BigUint;

use crate::group::Group;
use crate::pbisim::Symmetry;
use crate::permutations::element::{PointPermutation, extended, positions, restricted};
use machine::packing::{BitField, PackedState, Packing};

use self::search::ImageSearch;
use self::tree::StabiliserTree;
use super::function::Representative;
use super::reasons::NO_SYMMETRY;

/// The plan of a search for least images.
#[derive(Clone, Debug)]
pub struct MinimalPlan {
    group: Arc<Group>,
    points: Arc<Points>,
    /// The generators of the group, on `points`.
    generators: Arc<[PointPermutation]>,
    /// The most bytes that the tree of stabilisers may take before it is grown anew.
    most_bytes: usize,
}

/// The points that matter, numbered anew: those of each component that moves and has two states or
/// more, component by component; then all other points that move, which are carried along so that
/// an element on these points is an element of the group.
#[derive(Clone, Default, Debug)]
struct Points {
    /// The slots. They are the components that move: leaves by their number, and the specification
    /// as the number of leaves; each with its first point.
    components: Vec<(usize, u32)>,
    /// By point of a slot, the slot.
    slots: Vec<u32>,
    /// By point, its number in the group.
    in_group: Vec<u32>,
}

/// The most elements of a group; larger groups are refused. Nothing but the group bounds the number
/// of candidates of a state: with S20 on leaves that are half in one state, half in another, there
/// are C(19, 9) = 92,378.
const MOST_ELEMENTS: u128 = 1 << 64;

/// The most bytes that the tables of the stabilisers may take.
const MOST_BYTES: usize = 1 << 29;

/// The number of elements for which there must be room for the images of all points.
const LEAST_TABLES: usize = 1 << 7;

impl MinimalPlan {
    /// Makes the plan for `group`. The error is the reason why that takes too much, in one line.
    pub fn new(group: &Group) -> Result<Self, String> {
        if group.generators().is_empty() {
            return Err(NO_SYMMETRY.to_string());
        }
        if *group.order() > BigUint::from(MOST_ELEMENTS) {
            return Err(format!(
                "the group has {} elements, and least images are searched for with {MOST_ELEMENTS} at most",
                group.order()
            ));
        }
        let generators = group.permutations().stabiliser_generators(0);
        let points = Points::new(group, &generators);
        let table = points.in_group.len() * size_of::<u32>();
        if table.saturating_mul(LEAST_TABLES) > MOST_BYTES {
            return Err(format!(
                "{} states of components and events move, which makes the tables of a search for least images too large",
                points.in_group.len()
            ));
        }
        let position = positions(&points.in_group, group.permutations().points());
        let generators = generators.iter().map(|generator| {
            let images = restricted(generator.images(), &points.in_group, &position);
            PointPermutation::new(images)
        });
        Ok(Self {
            generators: generators.collect(),
            points: Arc::new(points),
            group: Arc::new(group.clone()),
            most_bytes: MOST_BYTES,
        })
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> MinimalRep<S> {
        let components = self.points.components.iter();
        let fields = components.map(|&(component, first)| (packing.fields()[component], first));
        MinimalRep {
            tree: StabiliserTree::new(
                self.points.slots.len(),
                self.generators.to_vec(),
                self.group.order().clone(),
            ),
            plan: self.clone(),
            fields: fields.collect(),
            search: ImageSearch::default(),
            set: Vec::new(),
            marker: std::marker::PhantomData,
        }
    }
}

impl Points {
    fn new(group: &Group, generators: &[PointPermutation]) -> Self {
        let moves = |point: u32| generators.iter().any(|g| g.apply(point) != point);
        let mut points = Self::default();
        for (component, range) in group.starts().windows(2).enumerate() {
            let range = range[0]..range[1];
            if range.len() > 1 && range.clone().any(moves) {
                let slot = points.components.len() as u32;
                let first = points.slots.len() as u32;
                points.components.push((component, first));
                points.slots.extend(range.clone().map(|_| slot));
                points.in_group.extend(range);
            }
        }
        // The points ascend, because components and their points were gone through in order.
        let counted = points.in_group.clone();
        let carried = (0..group.permutations().points() as u32)
            .filter(|&point| counted.binary_search(&point).is_err() && moves(point));
        points.in_group.extend(carried);
        points
    }
}

/// Minimal image on packed states. Allocates nothing for a state that takes a path already in the
/// tables.
#[derive(Clone, Debug)]
pub struct MinimalRep<S> {
    plan: MinimalPlan,
    tree: StabiliserTree,
    search: ImageSearch,
    /// By slot, its field and its first point.
    fields: Vec<(BitField, u32)>,
    /// The points of the state, by slot.
    set: Vec<u32>,
    marker: std::marker::PhantomData<S>,
}

impl<S: PackedState> MinimalRep<S> {
    fn load(&mut self, state: &S) {
        if self.tree.bytes() > self.plan.most_bytes {
            // The tree is pruned only between searches, because a search holds numbers of nodes.
            self.tree.prune();
        }
        let fields = self.fields.iter();
        let points = fields.map(|&(field, first)| first + field.get(state));
        self.set.clear();
        self.set.extend(points);
    }
}

impl<S: PackedState> Representative<S> for MinimalRep<S> {
    fn represent(&mut self, state: &mut S) {
        self.load(state);
        let slots = &self.plan.points.slots;
        let least = self.search.least(&mut self.tree, slots, &self.set);
        for ((&(field, first), &from), &to) in self.fields.iter().zip(&self.set).zip(least) {
            state.flip(field.word, field.flip(from - first, to - first));
        }
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        self.load(state);
        let points = &self.plan.points;
        let (slots, count) = (&points.slots, points.in_group.len());
        let element = self.search.element(&mut self.tree, slots, &self.set, count);
        let group = &self.plan.group;
        let count = group.permutations().points();
        group.symmetry(&extended(&element, &points.in_group, count))
    }
}

#[cfg(test)]
mod tests;
