//! sortRep: sorts the blocks of leaves that may be exchanged freely.

/// Families of blocks to be sorted.
#[derive(Clone, Debug)]
pub struct SortPlan {}

impl SortPlan {
    /// `sortRep`, or `sortRep, simultaneous` if some block has two or more leaves.
    pub fn name(&self) -> &'static str {
        unimplemented!()
    }
}
