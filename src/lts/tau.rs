//! The internal part of a transition system: τ-cycles, orders along τ, and renumbering what is left.

use super::graph::{Lts, StateId};
use crate::base::components::strong_components;
use crate::base::index::TypedIndex;
use crate::process::event::{EventId, TAU};

/// The transitions of one state, its target not numbered for good.
pub(super) type Row = Vec<(EventId, u32)>;

/// Where τ leads from `state`, ascending, itself included if it does a τ and stays.
pub(super) fn internal(lts: &Lts, state: StateId) -> impl Iterator<Item = StateId> + '_ {
    let steps = lts.row(state).iter();
    steps
        .take_while(|&&(event, _)| event == TAU)
        .map(|&(_, target)| target)
}

/// The visible transitions of `state` and ✓, ascending.
pub(super) fn visible(lts: &Lts, state: StateId) -> &[(EventId, StateId)] {
    let row = lts.row(state);
    &row[row.partition_point(|&(event, _)| event == TAU)..]
}

/// Whether `state` has no τ.
pub(super) fn is_stable(lts: &Lts, state: StateId) -> bool {
    lts.row(state)
        .first()
        .is_none_or(|&(event, _)| event != TAU)
}

/// Whether `state` does a τ and stays, which is how a system without other τ-cycles diverges.
pub(super) fn is_divergent(lts: &Lts, state: StateId) -> bool {
    internal(lts, state).any(|target| target == state)
}

/// The strongly connected component of each state along τ. A τ never leads to a component with a higher number.
pub(super) fn components(lts: &Lts) -> Vec<u32> {
    let successors: Vec<Vec<u32>> = lts
        .states()
        .map(|state| internal(lts, state).map(|target| target.0).collect())
        .collect();
    strong_components(&successors)
}

/// The states of a system without τ-cycles but those from a state to itself, each after all that τ leads to from it.
pub(super) fn targets_first(lts: &Lts) -> Vec<StateId> {
    let components = components(lts);
    let mut order: Vec<StateId> = lts.states().collect();
    order.sort_by_key(|state| components[state.index()]);
    order
}

/// What can be reached in `rows` from `initial`, numbered breadth first.
pub(super) fn reachable(rows: &mut [Row], initial: u32) -> Lts {
    const NONE: u32 = u32::MAX;
    let mut numbers = vec![NONE; rows.len()];
    let mut order = vec![initial];
    numbers[initial as usize] = 0;
    let mut numbered = Vec::new();
    while let Some(&state) = order.get(numbered.len()) {
        let mut row = std::mem::take(&mut rows[state as usize]);
        row.sort_unstable();
        row.dedup();
        let mut number = |target: u32| {
            if numbers[target as usize] == NONE {
                numbers[target as usize] = order.len() as u32;
                order.push(target);
            }
            StateId(numbers[target as usize])
        };
        numbered.push(
            row.into_iter()
                .map(|(event, to)| (event, number(to)))
                .collect(),
        );
    }
    Lts::from_rows(numbered)
}
