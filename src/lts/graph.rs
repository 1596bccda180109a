//! An explicit labelled transition system in compressed rows.

use base::cancel::Cancellation;
use base::define_index;
use base::diag::Result;
use process::event::{EventId, TAU};

define_index! {
    /// A state of an [`Lts`].
    StateId,
}

/// A labelled transition system. The initial state is 0, and every state is reachable. States are
/// numbered in breadth-first order of discovery, except in a normal form, where all states come
/// before the points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    /// `starts[s]..starts[s + 1]` are the transitions of state `s`; one more entry than states.
    starts: Vec<u32>,
    /// The transitions, row by row; within a row ascending by (event, target), without repetition.
    transitions: Vec<(EventId, StateId)>,
}

impl Lts {
    /// The initial state.
    pub const INITIAL: StateId = StateId(0);

    /// The system with these transitions of each state, in any order and with repetitions. The
    /// caller numbers the states breadth first.
    pub fn from_rows(rows: Vec<Vec<(EventId, StateId)>>) -> Self {
        let mut lts = LtsBuilder::default();
        for row in rows {
            lts.push(row);
        }
        lts.finish()
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of transitions.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The transitions of `state`, ascending by (event, target).
    pub fn row(&self, state: StateId) -> &[(EventId, StateId)] {
        let i = state.0 as usize;
        &self.transitions[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The events that `state` offers at rest, ascending; `None` if it does τ.
    pub fn acceptance(&self, state: StateId) -> Option<Vec<EventId>> {
        let row = self.row(state);
        // A row is ascending and τ is the least event.
        if row.first().is_some_and(|&(event, _)| event == TAU) {
            return None;
        }
        let mut events: Vec<EventId> = row.iter().map(|&(event, _)| event).collect();
        events.dedup();
        Some(events)
    }

    /// True if no state has a τ, or two transitions of one event.
    pub fn is_deterministic(&self, token: &Cancellation) -> Result<bool> {
        for state in self.states() {
            let row = self.row(state);
            token.look(1 + row.len())?;
            // A row is ascending and τ is the least event.
            let has_tau = row.first().is_some_and(|step| step.0 == TAU);
            if has_tau || row.windows(2).any(|steps| steps[0].0 == steps[1].0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// This system with each event replaced by its image.
    pub fn renamed(
        &self,
        image: impl Fn(EventId) -> EventId,
        token: &Cancellation,
    ) -> Result<Self> {
        let step = |&(event, target): &(EventId, StateId)| (image(event), target);
        let mut renamed = LtsBuilder::default();
        for state in self.states() {
            token.look(1 + self.row(state).len())?;
            renamed.push(self.row(state).iter().map(step));
        }
        Ok(renamed.finish())
    }

    /// All states in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (0..self.state_count() as u32).map(StateId)
    }
}

/// An [`Lts`] that is put together row by row. Keeping rows apart until all are known would take
/// twice as much memory, and putting them together at the end would be one long step that cannot be
/// interrupted.
#[derive(Debug)]
pub struct LtsBuilder(Lts);

impl Default for LtsBuilder {
    /// A system in which no state has a row yet.
    fn default() -> Self {
        Self(Lts {
            starts: vec![0],
            transitions: Vec::new(),
        })
    }
}

impl LtsBuilder {
    /// The number of states that have their row.
    pub fn state_count(&self) -> usize {
        self.0.state_count()
    }

    /// The number of transitions so far.
    pub fn transition_count(&self) -> usize {
        self.0.transition_count()
    }

    /// Adds the transitions of the next state, in any order and with repetitions. There must not be
    /// more transitions in all than 32 bits can number.
    pub fn push(&mut self, row: impl IntoIterator<Item = (EventId, StateId)>) {
        let Lts {
            starts,
            transitions,
        } = &mut self.0;
        let start = transitions.len();
        transitions.extend(row);
        transitions[start..].sort_unstable();
        // `Vec::dedup` would go through the rows before this one as well, each time.
        let mut kept = start;
        for at in start..transitions.len() {
            if at == start || transitions[at] != transitions[kept - 1] {
                transitions[kept] = transitions[at];
                kept += 1;
            }
        }
        transitions.truncate(kept);
        starts.push(kept as u32);
    }

    /// The system of these rows.
    pub fn finish(mut self) -> Lts {
        self.0.transitions.shrink_to_fit();
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::StateId;
    use crate::testing::lts;
    use process::event::EventId;

    #[test]
    fn rows_are_put_in_order_and_lose_repetitions() {
        let [a, b] = [2, 3].map(EventId);
        let lts = lts(&[&[(b, 0), (a, 1), (b, 0), (a, 0), (a, 1)], &[], &[(b, 1)]]);
        assert_eq!((lts.state_count(), lts.transition_count()), (3, 4));
        let expected = [(a, StateId(0)), (a, StateId(1)), (b, StateId(0))];
        assert_eq!(lts.row(StateId(0)), expected);
        assert_eq!(lts.row(StateId(1)), []);
        assert_eq!(lts.row(StateId(2)), [(b, StateId(1))]);
    }
}
