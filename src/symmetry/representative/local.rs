//! Local search: hill climbing over the generators.

use crate::machine::Machine;
use crate::machine::packing::{PackedState, Packing};
use crate::symmetry::pbisim::Symmetry;

use super::Representative;

/// The steps that are tried.
#[derive(Clone, Debug)]
pub struct LocalPlan {}

impl LocalPlan {
    /// The plan for `group`; or the reason why there is none, in one line.
    pub fn new(_machine: &Machine, _group: &crate::symmetry::group::Group) -> Result<Self, String> {
        todo!()
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, _packing: &Packing) -> LocalRep<S> {
        todo!()
    }
}

/// On packed states.
#[derive(Clone, Debug)]
pub struct LocalRep<S> {
    marker: std::marker::PhantomData<S>,
}

impl<S: PackedState> Representative<S> for LocalRep<S> {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, _: &mut S) {
        todo!()
    }

    fn twist(&mut self, _: &S) -> Symmetry {
        todo!()
    }
}
