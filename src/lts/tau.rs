//! What τ alone can do: closures and divergence.

use super::graph::{Lts, StateId};
use crate::base::index::TypedIndex;
use crate::process::event::TAU;

/// Computes τ-closures.
pub struct Closure<'a> {
    lts: &'a Lts,
    /// The run that last saw each state.
    seen_by: Vec<u32>,
    runs: u32,
}

impl<'a> Closure<'a> {
    /// None computed yet.
    pub fn new(lts: &'a Lts) -> Self {
        Self {
            lts,
            seen_by: vec![0; lts.state_count()],
            runs: 0,
        }
    }

    /// All states that τ leads to from `states`, those included, ascending.
    pub fn of(&mut self, states: &[StateId]) -> Vec<StateId> {
        self.runs += 1;
        let mut found: Vec<StateId> = Vec::new();
        for &state in states {
            self.see(state, &mut found);
        }
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            next += 1;
            for target in tau_targets(self.lts, state) {
                self.see(target, &mut found);
            }
        }
        found.sort_unstable();
        found
    }

    fn see(&mut self, state: StateId, found: &mut Vec<StateId>) {
        if std::mem::replace(&mut self.seen_by[state.index()], self.runs) != self.runs {
            found.push(state);
        }
    }
}

/// The states that one τ leads to from `state`, ascending.
pub fn tau_targets(lts: &Lts, state: StateId) -> impl Iterator<Item = StateId> + '_ {
    let row = lts.row(state).iter();
    row.take_while(|&&(event, _)| event == TAU)
        .map(|&(_, target)| target)
}

/// By state, whether it can do τ for ever: whether τ leads to a cycle of τ. Takes time linear in the transitions.
pub fn divergent_states(lts: &Lts) -> Vec<bool> {
    // What is left when states without τ to what is left are taken away, again and again.
    let mut ways = vec![0_u32; lts.state_count()];
    let mut sources: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    for state in lts.states() {
        for target in tau_targets(lts, state) {
            ways[state.index()] += 1;
            sources[target.index()].push(state);
        }
    }
    let mut resting: Vec<StateId> = lts.states().filter(|s| ways[s.index()] == 0).collect();
    while let Some(state) = resting.pop() {
        for &source in &sources[state.index()] {
            ways[source.index()] -= 1;
            if ways[source.index()] == 0 {
                resting.push(source);
            }
        }
    }
    ways.into_iter().map(|ways| ways > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::event::EventId;

    #[test]
    fn divergence_is_a_way_to_a_cycle() {
        let to = |targets: &[u32]| targets.iter().map(|&t| (TAU, StateId(t))).collect();
        let mut rows: Vec<Vec<_>> =
            vec![to(&[1, 4]), to(&[2]), to(&[3]), to(&[2]), to(&[5]), to(&[])];
        rows[5].push((EventId(2), StateId(0)));
        let lts = Lts::from_rows(rows);
        let divergent = [true, true, true, true, false, false];
        assert_eq!(divergent_states(&lts), divergent);
        let closure = Closure::new(&lts).of(&[StateId(4), StateId(1)]);
        assert_eq!(closure, [1, 2, 3, 4, 5].map(StateId));
    }
}
