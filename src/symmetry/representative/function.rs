//! Functions from states to representatives of their orbits.

use rustc_hash::FxHashSet;

use machine::Machine;
use machine::packing::{PackedState, Packing};

use crate::pbisim::Symmetry;

/// A function from packed states to representatives of their orbits.
/// Each thread has its own.
pub trait Representative<S: PackedState>: Clone + Send + 'static {
    /// True if every state is its own representative, so that no function need be called.
    const IS_IDENTITY: bool = false;

    /// Replaces `state` by its representative. The field of the specification moves too, unless no
    /// symmetry moves it.
    fn represent(&mut self, state: &mut S);

    /// Declares that the states that come to `represent_successor` are successors of `source`,
    /// which is its own representative.
    fn set_source(&mut self, _source: &S) {}

    /// Like `represent`, for a successor of the last source: cheaper where few components have
    /// changed.
    fn represent_successor(&mut self, state: &mut S) {
        self.represent(state);
    }

    /// The symmetry σ by which `represent` moves `state`.
    fn twist(&mut self, state: &S) -> Symmetry;

    /// True if representing a state takes several times as long as sending it to another process.
    fn is_dear(&self) -> bool {
        true
    }

    /// True if all states of one orbit that were met so far got the same representative.
    fn is_unique(&self) -> bool {
        true
    }
}

/// The function by which every state represents itself: plain search.
#[derive(Clone, Debug)]
pub struct Itself {
    identity: Symmetry,
}

impl Itself {
    /// The function for states of `machine` beside a specification of `specification_states`
    /// states.
    pub fn new(machine: &Machine, specification_states: usize) -> Self {
        let identity = Symmetry::identity(machine, specification_states);
        Self { identity }
    }
}

impl<S: PackedState> Representative<S> for Itself {
    const IS_IDENTITY: bool = true;

    fn represent(&mut self, _: &mut S) {}

    fn twist(&mut self, _: &S) -> Symmetry {
        self.identity.clone()
    }
}

/// Moves a packed state, or both of a pair, by a symmetry. The specification's field is the one
/// after those of the leaves.
pub fn apply<S: PackedState>(packing: &Packing, symmetry: &Symmetry, state: &S) -> S {
    let mut image = S::zero(packing.words());
    for fields in packing.fields().chunks(symmetry.component_count()) {
        for (component, &from) in fields.iter().enumerate() {
            let (to, states) = symmetry.part(component);
            // The image is all zeros, so that flipping from 0 to a value sets it.
            let bits = fields[to].flip(0, states[from.get(state) as usize]);
            image.flip(fields[to].word, bits);
        }
    }
    image
}

/// The orbits of `states`, each by the words of its representative: the states that a search with
/// unique representatives would have stored. `exact` must have the same representative for all
/// states of an orbit.
pub fn orbits_of<S: PackedState>(
    states: impl Iterator<Item = S>,
    exact: &mut impl Representative<S>,
) -> FxHashSet<Box<[u64]>> {
    let mut orbits: FxHashSet<Box<[u64]>> = FxHashSet::default();
    for mut state in states {
        exact.represent(&mut state);
        if !orbits.contains(state.words()) {
            orbits.insert(state.words().into());
        }
    }
    orbits
}
