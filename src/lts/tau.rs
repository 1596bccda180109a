//! The internal steps of a transition system: divergence, τ-cycles and orders along τ. Also
//! renumbers the states that are left after some were taken out.

use super::graph::{Lts, LtsBuilder, StateId};
use super::partition::RefinablePartition;
use base::cancel::Cancellation;
use base::components::{NumberedGraph, strong_components};
use base::diag::Result;
use base::index::TypedIndex;
use process::event::{EventId, TAU};

/// The transitions of one state to states whose numbers are not final.
pub(crate) type UnnumberedRow = Vec<(EventId, u32)>;

/// The targets of τ from `state`, ascending. `state` is one of them if it can do τ and stay.
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

/// The targets of `event` from `state`, ascending.
pub(super) fn targets(
    lts: &Lts,
    state: StateId,
    event: EventId,
) -> impl Iterator<Item = StateId> + '_ {
    let row = lts.row(state);
    let steps = row[row.partition_point(|&(label, _)| label < event)..].iter();
    steps
        .take_while(move |&&(label, _)| label == event)
        .map(|&(_, target)| target)
}

/// True if `state` has no τ.
pub(crate) fn is_stable(lts: &Lts, state: StateId) -> bool {
    lts.row(state)
        .first()
        .is_none_or(|&(event, _)| event != TAU)
}

/// True if `state` can do τ and stay. In a system without other τ-cycles only that is a divergence.
pub(super) fn is_divergent(lts: &Lts, state: StateId) -> bool {
    internal(lts, state).any(|target| target == state)
}

/// The strongly connected component of each state along τ. A τ never leads to a component with a
/// higher number.
pub(super) fn components(lts: &Lts, token: &Cancellation) -> Result<Vec<u32>> {
    strong_components(&TauGraph(lts), &mut |edges| token.look(edges))
}

/// The τ of a system as a graph of its states.
struct TauGraph<'a>(&'a Lts);

impl NumberedGraph for TauGraph<'_> {
    fn node_count(&self) -> usize {
        self.0.state_count()
    }

    fn successor(&self, node: usize, edge: usize) -> Option<u32> {
        // τ come first in a row.
        let row = self.0.row(StateId::from_usize(node));
        row.get(edge)
            .filter(|step| step.0 == TAU)
            .map(|step| step.1.0)
    }
}

/// The states of a system whose only τ-cycles lead from a state to itself, in an order in which
/// each state stands behind all that τ lead to from it.
pub(super) fn targets_first(lts: &Lts, token: &Cancellation) -> Result<Vec<StateId>> {
    let components = components(lts, token)?;
    // Components are numbered from the ends of τ, so listing the states component by component is
    // the order.
    let by_component = RefinablePartition::new(components, token)?;
    Ok(by_component
        .all_items()
        .iter()
        .copied()
        .map(StateId)
        .collect())
}

/// The system of the states that can be reached in `rows` from `initial`, numbered breadth first.
pub(super) fn reachable(
    rows: &mut [UnnumberedRow],
    initial: u32,
    token: &Cancellation,
) -> Result<Lts> {
    reachable_by(rows.len(), initial, |state, row| {
        // Taken, so that the memory of the row is free before the next one is copied.
        *row = std::mem::take(&mut rows[state as usize]);
        token.look(1 + row.len())
    })
}

/// The system of the states that can be reached from `initial`, numbered breadth first. There are
/// `count` states. `write_row` puts the transitions of a state into an empty row. It is called once
/// for each state reached, and asks whether work may go on.
pub(super) fn reachable_by(
    count: usize,
    initial: u32,
    mut write_row: impl FnMut(u32, &mut UnnumberedRow) -> Result<()>,
) -> Result<Lts> {
    const NONE: u32 = u32::MAX;
    let mut numbers = vec![NONE; count];
    let mut order = vec![initial];
    numbers[initial as usize] = 0;
    let mut numbered = LtsBuilder::default();
    let mut row = UnnumberedRow::new();
    while let Some(&state) = order.get(numbered.state_count()) {
        row.clear();
        write_row(state, &mut row)?;
        // Sorted by the old numbers, so that the new ones do not depend on how the row was
        // gathered.
        row.sort_unstable();
        row.dedup();
        let mut number = |target: u32| {
            if numbers[target as usize] == NONE {
                numbers[target as usize] = order.len() as u32;
                order.push(target);
            }
            StateId(numbers[target as usize])
        };
        numbered.push(row.iter().map(|&(event, to)| (event, number(to))));
    }
    Ok(numbered.finish())
}

/// For each state, true if it can do τ for ever: τ leads from it to a cycle of τ. Takes time linear
/// in the transitions.
pub fn divergent_states(lts: &Lts, token: &Cancellation) -> Result<Vec<bool>> {
    // A state that can rest for sure has only τ to such states. Those are taken away one after the
    // other; the states that are left can do τ for ever.
    let mut ways = vec![0_u32; lts.state_count()];
    let mut sources: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    for state in lts.states() {
        token.look(1)?;
        for target in internal(lts, state) {
            token.look(1)?;
            ways[state.index()] += 1;
            sources[target.index()].push(state);
        }
    }
    let mut resting: Vec<StateId> = lts.states().filter(|s| ways[s.index()] == 0).collect();
    while let Some(state) = resting.pop() {
        token.look(1 + sources[state.index()].len())?;
        for &source in &sources[state.index()] {
            ways[source.index()] -= 1;
            if ways[source.index()] == 0 {
                resting.push(source);
            }
        }
    }
    Ok(ways.into_iter().map(|ways| ways > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::at_leisure;
    use base::cancel::testing::asked;
    use process::event::EventId;

    #[test]
    fn divergence_is_a_way_to_a_cycle() {
        let to = |targets: &[u32]| targets.iter().map(|&t| (TAU, StateId(t))).collect();
        let mut rows: Vec<Vec<_>> =
            vec![to(&[1, 4]), to(&[2]), to(&[3]), to(&[2]), to(&[5]), to(&[])];
        rows[5].push((EventId(2), StateId(0)));
        let lts = Lts::from_rows(rows);
        let divergent = [true, true, true, true, false, false];
        assert_eq!(at_leisure(|token| divergent_states(&lts, token)), divergent);
    }

    #[test]
    fn divergence_is_looked_for_as_long_as_there_is_time() {
        let to_next = |next: u32| vec![(TAU, StateId(next.min(9_999)))];
        let lts = Lts::from_rows((1..=10_000).map(to_next).collect());
        // Each state and its step.
        assert!(asked(|token| divergent_states(&lts, token)) >= 2 * 10_000 / 64);
    }
}
