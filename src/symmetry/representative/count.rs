//! How many orbits stored states are of.

use rustc_hash::FxHashSet;

use crate::machine::packing::PackedState;

use super::Representative;

/// How many orbits `states` are of, which is how many a search with unique representatives would
/// have stored. `exact` must have the same representative for all states of an orbit. Holds each
/// representative once.
pub fn orbit_count<S: PackedState>(
    states: impl Iterator<Item = S>,
    exact: &mut impl Representative<S>,
) -> u64 {
    let mut orbits: FxHashSet<Box<[u64]>> = FxHashSet::default();
    for mut state in states {
        exact.represent(&mut state);
        if !orbits.contains(state.words()) {
            orbits.insert(state.words().into());
        }
    }
    orbits.len() as u64
}
