//! States by number, wherever they lie.

use crate::machine::packing::PackedState;

/// Where the states are that are expanded.
pub(super) trait States: Sync {
    /// Copies state `number` into `state`.
    fn load<S: PackedState>(&self, number: u32, state: &mut S);
}
