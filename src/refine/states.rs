//! States by number, wherever they lie.

/// Where the states are that are expanded.
pub(super) trait States<S>: Sync {
    /// Copies state `number` into `state`.
    fn load(&self, number: u32, state: &mut S);
}
