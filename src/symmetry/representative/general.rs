//! genRep: the lexicographically least image under all elements of the group.

/// The elements of the group.
#[derive(Clone, Debug)]
pub struct GeneralPlan {}
