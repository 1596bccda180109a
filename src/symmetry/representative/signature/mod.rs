//! Signature sort: ids are sorted by what the state says of them.
//!
//! A state is a set of points, states of components. For each id i and point ω there is a number
//! for the orbit of (i, ω): it is what ω *says* of i. The key of i is the sum of the mixed numbers
//! over the points of the state, so it stays the same when the group moves id and state together.
//! Ids with different keys can be put in one order only. Where keys are equal and their order
//! matters, `search` decides.

mod directory;
mod ids;
mod moves;
mod orbits;
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
use crate::representative::function::Representative;
use machine::Machine;
use machine::packing::{PackedState, Packing};

use self::search::{MOST_IMAGES, TieSearch};
use self::sorter::{Signed, Sorter};
use self::tables::{Limits, SignatureTables};

/// The plan of a signature sort.
#[derive(Clone, Debug)]
pub struct SignaturePlan {
    tables: Arc<SignatureTables>,
    /// The exchanges with first siblings, family by family and member by member from the second on.
    swaps: Arc<[Symmetry]>,
    identity: Symmetry,
    is_unique: bool,
    /// The most images that are compared for one state.
    most_images: u32,
}

impl SignaturePlan {
    /// Makes the plan for the ids of `forest`. The error is the reason why that takes too much, in
    /// one line. `group` is the group that the forest's exchanges generate, or a larger one whose
    /// other elements leave the ids where they are.
    ///
    /// Costs a look at each id and state, and as much memory as a map of the states for each id.
    pub fn new(machine: &Machine, group: &Group, forest: &Forest) -> Result<Self, String> {
        let identity = group.identity();
        let states = group.state_counts();
        let mut plan = Self::on(&states, identity.clone(), forest, Limits::default())?;
        if plan.is_unique {
            let specification = identity.specification.len();
            let generated = Group::new(machine, specification, plan.swaps.to_vec());
            plan.is_unique = generated.order() == group.order();
        }
        Ok(plan)
    }

    /// The plan for components with `states` states each, the specification last; `identity` moves
    /// no state.
    fn on(
        states: &[u32],
        identity: Symmetry,
        forest: &Forest,
        limits: Limits,
    ) -> Result<Self, String> {
        let tables = SignatureTables::new(states, forest, limits)?;
        let is_small = forest.order() <= BigUint::from(MOST_IMAGES);
        Ok(Self {
            is_unique: tables.linking.is_empty() || is_small,
            swaps: forest.swaps().cloned().collect(),
            tables: Arc::new(tables),
            identity,
            most_images: MOST_IMAGES,
        })
    }

    /// True if all states of an orbit have the same representative, whatever the state: no
    /// component relates ids to each other, or all orders of ids can be tried. Exceptions have
    /// probability 2⁻⁶⁴, because keys are short.
    pub fn is_unique(&self) -> bool {
        self.is_unique
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> SignatureRep<S> {
        SignatureRep {
            plan: self.clone(),
            sorter: Sorter::new(&self.tables, packing),
            signed: Signed {
                keys: vec![0; self.tables.ids.count()],
                ..Signed::default()
            },
            steps: Vec::new(),
            search: TieSearch::new(&self.tables, packing, self.most_images),
            ambiguous: 0,
        }
    }
}

/// Signature sort on packed states. Allocates nothing for a state that needs no more room than
/// earlier ones.
#[derive(Clone, Debug)]
pub struct SignatureRep<S> {
    plan: SignaturePlan,
    sorter: Sorter,
    /// The state at hand.
    signed: Signed,
    /// The exchanges that `state` has been moved by.
    steps: Vec<u32>,
    search: TieSearch<S>,
    /// The number of states for which the search for the least image was given up, so that others
    /// of the same orbit may have been represented differently.
    ambiguous: u64,
}

impl<S: PackedState> SignatureRep<S> {
    /// Moves `state` to its representative and adds the exchanges to `steps`. Returns true if all
    /// states of the orbit have this outcome.
    #[inline]
    fn canonise(&mut self, state: &mut S) -> bool {
        self.steps.clear();
        let (sorter, signed) = (&mut self.sorter, &mut self.signed);
        sorter.read(state, signed);
        let sorted = sorter.sort(&signed.keys, &mut self.steps);
        // Without linking points, siblings with equal keys have corresponding points: exchanging
        // them leaves the state as it is.
        let is_settled = !sorted.is_tied || signed.linking.is_empty();
        if sorted.has_moved {
            if is_settled {
                // `signed` is not read any more, so only the state is moved.
                sorter.move_state(signed, &self.steps, state);
            } else {
                sorter.move_signed(signed, &self.steps, state);
            }
        }
        is_settled || self.search.settle(sorter, signed, &mut self.steps, state)
    }
}

impl<S: PackedState> Representative<S> for SignatureRep<S> {
    fn is_unique(&self) -> bool {
        self.ambiguous == 0
    }

    #[inline]
    fn represent(&mut self, state: &mut S) {
        let is_certain = self.canonise(state);
        self.ambiguous += u64::from(!is_certain);
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        self.canonise(&mut state.clone());
        let words = &self.plan.tables.exchanges.words;
        let swaps = self
            .steps
            .iter()
            .flat_map(|&step| words[step as usize].iter());
        swaps.fold(self.plan.identity.clone(), |twist, &swap| {
            twist.then(&self.plan.swaps[swap as usize])
        })
    }
}
