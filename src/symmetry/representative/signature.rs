//! Signature sort: ids are sorted by what the state says of them.

use crate::machine::Machine;
use crate::machine::packing::{PackedState, Packing};
use crate::symmetry::pbisim::Symmetry;

use super::Representative;

/// How to sort.
#[derive(Clone, Debug)]
pub struct SignaturePlan {}

impl SignaturePlan {
    /// The plan for the ids of `forest`; `group` is the group it generates, or a larger one whose other elements leave the ids where they are. Or the reason why that takes too much, in one line.
    pub fn new(
        _machine: &Machine,
        _group: &crate::symmetry::group::Group,
        _forest: &crate::symmetry::forest::Forest,
    ) -> Result<Self, String> {
        todo!()
    }

    /// Whether all states of an orbit have the same representative, whatever the state.
    pub fn is_unique(&self) -> bool {
        todo!()
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, _packing: &Packing) -> SignatureRep<S> {
        todo!()
    }
}

/// On packed states.
#[derive(Clone, Debug)]
pub struct SignatureRep<S> {
    marker: std::marker::PhantomData<S>,
}

impl<S: PackedState> Representative<S> for SignatureRep<S> {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, _: &mut S) {
        todo!()
    }

    fn twist(&mut self, _: &S) -> Symmetry {
        todo!()
    }
}
