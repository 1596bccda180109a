//! Representative functions: one state for each orbit.

mod general;
mod sort;

use crate::machine::Machine;
use crate::machine::packing::{PackedState, Packing};

use super::pbisim::Symmetry;

pub use self::general::GeneralPlan;
pub use self::sort::SortPlan;

/// A way to find representatives, before states are packed.
#[derive(Clone, Debug)]
pub enum Method {
    /// sortRep, perhaps with blocks of leaves swapped in step.
    Sort(SortPlan),
    /// genRep over the closure of the generators.
    General(GeneralPlan),
}

/// A function from packed states to representatives of their orbits.
pub trait Representative<S: PackedState> {
    /// Whether every state is its own representative, so that nothing need be called.
    const IS_IDENTITY: bool;

    /// Replaces `state` by its representative. The field of the specification moves too, unless no symmetry moves it.
    fn represent(&mut self, state: &mut S);

    /// The symmetry σ by which `represent` moves `state`.
    fn twist(&mut self, state: &S) -> Symmetry;
}

/// Every state represents itself: plain search.
#[derive(Clone, Debug)]
pub struct Itself {
    identity: Symmetry,
}

impl Itself {
    /// For states of `machine` beside a specification of these many states.
    pub fn new(machine: &Machine, specification_states: usize) -> Self {
        Self {
            identity: Symmetry::identity(machine, specification_states),
        }
    }
}

impl<S: PackedState> Representative<S> for Itself {
    const IS_IDENTITY: bool = true;

    fn represent(&mut self, _: &mut S) {}

    fn twist(&mut self, _: &S) -> Symmetry {
        self.identity.clone()
    }
}

impl Method {
    /// `sortRep`, `sortRep, simultaneous`, `genRep`
    pub fn name(&self) -> &'static str {
        match self {
            Method::Sort(plan) => plan.name(),
            Method::General(_) => "genRep",
        }
    }
}

/// Moves a packed state by a symmetry; `specification` is the position of its field in the packing.
pub fn apply<S: PackedState>(packing: &Packing, symmetry: &Symmetry, state: &S) -> S {
    let _ = (packing, symmetry, state);
    unimplemented!()
}
