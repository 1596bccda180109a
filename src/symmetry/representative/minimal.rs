//! Minimal image: the least image of a state, by search down the stabiliser chain.

use crate::machine::Machine;
use crate::machine::packing::{PackedState, Packing};
use crate::symmetry::pbisim::Symmetry;

use super::Representative;

/// How to search.
#[derive(Clone, Debug)]
pub struct MinimalPlan {}

impl MinimalPlan {
    /// The plan for `group`, or the reason why that takes too much, in one line.
    pub fn new(_machine: &Machine, _group: &crate::symmetry::group::Group) -> Result<Self, String> {
        todo!()
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, _packing: &Packing) -> MinimalRep<S> {
        todo!()
    }
}

/// On packed states.
#[derive(Clone, Debug)]
pub struct MinimalRep<S> {
    marker: std::marker::PhantomData<S>,
}

impl<S: PackedState> Representative<S> for MinimalRep<S> {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, _: &mut S) {
        todo!()
    }

    fn twist(&mut self, _: &S) -> Symmetry {
        todo!()
    }
}
