//! Signature sort: ids are sorted by what the state says of them.
//!
//! A state is a set of points, states of components. For each id i and point ω there is a number
//! for the orbit of (i, ω); the key of i is a sum of the mixed numbers over the points of the
//! state, the same wherever the group takes both. Ids with different keys can stand in one order
//! only. Where keys are equal and it matters, `search` decides.

mod directory;
mod ids;
mod moves;
mod orbits;
mod packed;
mod says;
mod search;
mod sorter;
mod tables;
#[cfg(test)]
mod tests;
mod ties;

use std::sync::Arc;

use num_bigint::BigUint;

use crate::forest::Forest;
use crate::group::Group;
use crate::pbisim::Symmetry;
use machine::Machine;
use machine::leaf::Leaf;
use machine::packing::{PackedState, Packing};

use self::search::MOST_IMAGES;
use self::tables::{Limits, SignatureTables};

pub use self::packed::SignatureRep;

/// How to sort.
#[derive(Clone, Debug)]
pub struct SignaturePlan {
    tables: Arc<SignatureTables>,
    /// The exchanges with first siblings, family by family and member by member from the second on.
    swaps: Arc<[Symmetry]>,
    identity: Symmetry,
    is_unique: bool,
    /// How many images are compared for one state at most.
    most_images: u32,
}

impl SignaturePlan {
    /// The plan for the ids of `forest`, or the reason why that takes too much, in one line.
    /// `group` is the group that the forest's exchanges generate, or a larger one whose other
    /// elements leave the ids where they are.
    ///
    /// Costs a look at each id and state, and as much memory as a map of the states for each id.
    pub fn new(machine: &Machine, group: &Group, forest: &Forest) -> Result<Self, String> {
        let identity = group.identity();
        let leaves = machine.leaves.iter().map(Leaf::state_count);
        let specification = identity.specification.len() as u32;
        let states: Vec<u32> = leaves.chain([specification]).collect();
        let mut plan = Self::on(&states, identity.clone(), forest, Limits::default())?;
        if plan.is_unique {
            let generated = Group::new(machine, specification as usize, plan.swaps.to_vec());
            plan.is_unique = generated.order() == group.order();
        }
        Ok(plan)
    }

    /// The plan for components with `states` states each, the specification last; `identity` moves
    /// none.
    fn on(
        states: &[u32],
        identity: Symmetry,
        forest: &Forest,
        limits: Limits,
    ) -> Result<Self, String> {
        let tables = SignatureTables::new(states, forest, limits)?;
        let is_small = order(forest) <= BigUint::from(MOST_IMAGES);
        let swaps = forest.families.iter().flat_map(|family| &family.swaps);
        Ok(Self {
            is_unique: tables.linking.is_empty() || is_small,
            swaps: swaps.cloned().collect(),
            tables: Arc::new(tables),
            identity,
            most_images: MOST_IMAGES,
        })
    }

    /// Whether all states of an orbit have the same representative, whatever the state: no
    /// component relates ids to each other, or all orders of ids can be tried. But for accidents of
    /// probability 2⁻⁶⁴, the price of short keys.
    pub fn is_unique(&self) -> bool {
        self.is_unique
    }

    /// How many ids are sorted.
    #[cfg(test)]
    pub(super) fn ids(&self) -> usize {
        self.tables.ids.count()
    }

    /// How many families of siblings they make up.
    #[cfg(test)]
    pub(super) fn families(&self) -> usize {
        self.tables.ids.families.len()
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> SignatureRep<S> {
        SignatureRep::new(self, packing)
    }
}

/// How many elements permute the ids of `forest`.
fn order(forest: &Forest) -> BigUint {
    let sizes = forest.families.iter().map(|family| family.size());
    let factorial = |size: usize| (1..=size).map(BigUint::from).product::<BigUint>();
    sizes.map(factorial).product()
}
