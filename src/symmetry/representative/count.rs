//! Which orbits stored states are of.

use rustc_hash::FxHashSet;

use machine::packing::PackedState;

use super::Representative;

/// The orbits that `states` are of, each by the words of its representative: what a search with
/// unique representatives would have stored. `exact` must have the same representative for all
/// states of an orbit.
pub fn orbits_of<S: PackedState>(
    states: impl Iterator<Item = S>,
    exact: &mut impl Representative<S>,
) -> FxHashSet<Box<[u64]>> {
    let mut orbits: FxHashSet<Box<[u64]>> = FxHashSet::default();
    for mut state in states {
        exact.represent(&mut state);
        if !orbits.contains(state.words()) {
            orbits.insert(state.words().into());
        }
    }
    orbits
}
