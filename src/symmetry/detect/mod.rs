//! Symmetries without any hint: automorphisms of the graph of machine and specification.

use crate::lts::normal_form::NormalForm;
use crate::machine::Machine;

use super::Start;
use super::pbisim::Symmetry;

/// What the search for automorphisms found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Together with the symmetries that were known they generate the group of all symmetries, if the search is complete.
    /// None moves only what can never be reached. They have still to be verified.
    pub generators: Vec<Symmetry>,
    /// Whether the search came to its end within its budget.
    pub is_complete: bool,
    /// Steps that it took, to compare with the budget.
    pub steps: u64,
}

/// Searches for symmetries of `machine` and `specification` that the verified symmetries `known` do not generate.
pub fn detect(
    _machine: &Machine,
    _specification: &NormalForm,
    _start: Start,
    _known: &[Symmetry],
    _budget: u64,
) -> Detection {
    todo!()
}
