//! Representative functions: one state for each orbit.

mod blocks;
mod changes;
mod count;
mod decisions;
mod general;
mod images;
mod insertion;
mod local;
mod minimal;
mod product;
mod signature;
mod sort;

use base::index::TypedIndex;
use lts::graph::StateId;
use machine::leaf::Leaf;
use machine::packing::{BitField, PackedState, Packing};
use machine::{LeafId, Machine};

use super::pbisim::{Pbisim, Symmetry};
use super::permutation::EventPermutation;

pub(super) use self::blocks::{NO_SYMMETRY, moved_specification};
pub use self::count::orbits_of;
pub use self::general::{GenRep, GeneralPlan};
pub use self::local::{LocalPlan, LocalRep};
pub use self::minimal::{MinimalPlan, MinimalRep};
pub use self::product::{ProductPlan, ProductRep};
pub use self::signature::{SignaturePlan, SignatureRep};
pub use self::sort::{SortPlan, SortRep};

/// A way to find representatives, before states are packed.
#[derive(Clone, Debug)]
pub enum Method {
    /// sortRep, perhaps with blocks of leaves swapped in step.
    Sort(SortPlan),
    /// genRep over the closure of the generators.
    General(GeneralPlan),
    /// Ids that the group permutes like the nodes of a forest, sorted by what the state says of
    /// them.
    Signature(SignaturePlan),
    /// The least image, by search down the stabiliser chain.
    Minimal(MinimalPlan),
    /// Hill climbing over the generators: some image from which no generator leads lower.
    Local(LocalPlan),
    /// Direct factors of the group one after the other.
    Product(ProductPlan),
}

/// A function from packed states to representatives of their orbits.
/// Each thread has its own.
pub trait Representative<S: PackedState>: Clone + Send + 'static {
    /// Whether every state is its own representative, so that nothing need be called.
    const IS_IDENTITY: bool;

    /// Replaces `state` by its representative. The field of the specification moves too, unless no
    /// symmetry moves it.
    fn represent(&mut self, state: &mut S);

    /// Says that the states that come to `represent_successor` follow on `source`, which is its own
    /// representative.
    fn set_source(&mut self, _source: &S) {}

    /// As `represent`, for a state that follows on the last source: cheaper where few components
    /// have changed.
    fn represent_successor(&mut self, state: &mut S) {
        self.represent(state);
    }

    /// The symmetry σ by which `represent` moves `state`.
    fn twist(&mut self, state: &S) -> Symmetry;

    /// Whether representing a state takes several times as long as sending it to another process.
    fn is_dear(&self) -> bool {
        true
    }

    /// Whether all states so far that are in one orbit got one representative.
    fn is_unique(&self) -> bool {
        true
    }
}

/// Every state represents itself: plain search.
#[derive(Clone, Debug)]
pub struct Itself {
    leaf_states: Vec<u32>,
    specification_states: usize,
}

impl Itself {
    /// For states of `machine` beside a specification of `specification_states` states.
    pub fn new(machine: &Machine, specification_states: usize) -> Self {
        Self {
            leaf_states: machine.leaves.iter().map(Leaf::state_count).collect(),
            specification_states,
        }
    }
}

impl<S: PackedState> Representative<S> for Itself {
    const IS_IDENTITY: bool = true;

    fn represent(&mut self, _: &mut S) {}

    fn twist(&mut self, _: &S) -> Symmetry {
        let leaves = (0..self.leaf_states.len()).map(LeafId::from_usize);
        let states = self.leaf_states.iter().map(|&states| (0..states).collect());
        Symmetry {
            events: EventPermutation::identity(),
            pbisim: Pbisim::new(leaves.collect(), states.collect()),
            specification: (0..self.specification_states as u32).collect(),
        }
    }
}

impl Method {
    /// `sortRep`, `sortRep, simultaneous`, `genRep`, `signature sort`, `minimal image`, `local
    /// search`, `product`
    pub fn name(&self) -> &'static str {
        match self {
            Method::Sort(plan) => plan.name(),
            Method::General(_) => "genRep",
            Method::Signature(_) => "signature sort",
            Method::Minimal(_) => "minimal image",
            Method::Local(_) => "local search",
            Method::Product(_) => "product",
        }
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> AnyRep<S> {
        match self {
            Method::Sort(plan) => AnyRep::Sort(plan.packed(packing)),
            Method::General(plan) => AnyRep::General(plan.packed(packing)),
            Method::Signature(plan) => AnyRep::Signature(plan.packed(packing)),
            Method::Minimal(plan) => AnyRep::Minimal(plan.packed(packing)),
            Method::Local(plan) => AnyRep::Local(plan.packed(packing)),
            Method::Product(plan) => AnyRep::Product(plan.packed(packing)),
        }
    }

    /// Whether all states of an orbit have the same representative, whatever the state.
    pub fn is_unique(&self) -> bool {
        match self {
            Method::Sort(_) | Method::General(_) | Method::Minimal(_) => true,
            Method::Signature(plan) => plan.is_unique(),
            Method::Product(plan) => plan.is_unique(),
            Method::Local(_) => false,
        }
    }
}

/// What a [`Method`] is on packed states. A search takes the same branch for every state, so
/// choosing costs it nothing.
#[derive(Clone, Debug)]
pub enum AnyRep<S> {
    /// sortRep.
    Sort(SortRep),
    /// genRep.
    General(GenRep<S>),
    /// Signature sort.
    Signature(SignatureRep<S>),
    /// Minimal image.
    Minimal(MinimalRep<S>),
    /// Local search.
    Local(LocalRep<S>),
    /// Factor by factor.
    Product(ProductRep<S>),
}

impl<S: PackedState> Representative<S> for AnyRep<S> {
    const IS_IDENTITY: bool = false;

    #[inline]
    fn represent(&mut self, state: &mut S) {
        match self {
            AnyRep::Sort(rep) => rep.represent(state),
            AnyRep::General(rep) => rep.represent(state),
            AnyRep::Signature(rep) => rep.represent(state),
            AnyRep::Minimal(rep) => rep.represent(state),
            AnyRep::Local(rep) => rep.represent(state),
            AnyRep::Product(rep) => rep.represent(state),
        }
    }

    #[inline]
    fn set_source(&mut self, source: &S) {
        match self {
            AnyRep::Sort(rep) => rep.set_source(source),
            AnyRep::Product(rep) => rep.set_source(source),
            AnyRep::General(_) | AnyRep::Signature(_) | AnyRep::Minimal(_) | AnyRep::Local(_) => {}
        }
    }

    #[inline]
    fn represent_successor(&mut self, state: &mut S) {
        match self {
            AnyRep::Sort(rep) => rep.represent_successor(state),
            AnyRep::Product(rep) => rep.represent_successor(state),
            others => others.represent(state),
        }
    }

    fn is_dear(&self) -> bool {
        match self {
            AnyRep::Sort(_) => false,
            AnyRep::Product(rep) => rep.is_dear(),
            _ => true,
        }
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        match self {
            AnyRep::Sort(rep) => rep.twist(state),
            AnyRep::General(rep) => rep.twist(state),
            AnyRep::Signature(rep) => rep.twist(state),
            AnyRep::Minimal(rep) => rep.twist(state),
            AnyRep::Local(rep) => rep.twist(state),
            AnyRep::Product(rep) => rep.twist(state),
        }
    }

    fn is_unique(&self) -> bool {
        match self {
            AnyRep::Sort(_) | AnyRep::General(_) | AnyRep::Minimal(_) => true,
            AnyRep::Signature(rep) => Representative::<S>::is_unique(rep),
            AnyRep::Local(_) => false,
            AnyRep::Product(rep) => rep.is_unique(),
        }
    }
}

/// Moves a packed state, or both of a pair, by a symmetry. The specification's field is the one
/// after those of the leaves.
pub fn apply<S: PackedState>(packing: &Packing, symmetry: &Symmetry, state: &S) -> S {
    let mut image = S::zero(packing.words());
    let leaves = symmetry.pbisim.leaf_count();
    // The image is all zeros, so that flipping from 0 to a value sets it.
    let mut set = |field: BitField, value: u32| image.flip(field.word, field.flip(0, value));
    for fields in packing.fields().chunks(leaves + 1) {
        for (leaf, &field) in fields[..leaves].iter().enumerate() {
            let leaf = LeafId::from_usize(leaf);
            let to = symmetry.pbisim.leaf(leaf).index();
            set(
                fields[to],
                symmetry.pbisim.states(leaf)[field.get(state) as usize],
            );
        }
        let specification = fields[leaves];
        let moved = symmetry.specification(StateId(specification.get(state)));
        set(specification, moved.0);
    }
    image
}

#[cfg(test)]
pub(crate) mod tests;
