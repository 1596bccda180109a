//! An explicit labelled transition system in compressed rows.

use crate::define_index;
use crate::process::event::EventId;

define_index! {
    /// A state of an [`Lts`].
    StateId,
}

/// A labelled transition system. States are numbered in breadth-first order of discovery from
/// the initial state, which is 0; every state is reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    /// `starts[s]..starts[s + 1]` are the transitions of state `s`; one more entry than states.
    starts: Vec<u32>,
    /// Row by row; within a row ascending by (event, target), without repetition.
    transitions: Vec<(EventId, StateId)>,
}

impl Lts {
    /// The initial state.
    pub const INITIAL: StateId = StateId(0);

    /// From the transitions of each state, in any order and with repetitions. The caller keeps the numbering.
    pub fn from_rows(rows: Vec<Vec<(EventId, StateId)>>) -> Self {
        let mut starts = vec![0];
        let mut transitions = Vec::with_capacity(rows.iter().map(Vec::len).sum());
        for mut row in rows {
            row.sort_unstable();
            row.dedup();
            transitions.extend(row);
            starts.push(transitions.len() as u32);
        }
        Self {
            starts,
            transitions,
        }
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many transitions there are.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The transitions of `state`, ascending by (event, target).
    pub fn row(&self, state: StateId) -> &[(EventId, StateId)] {
        let i = state.0 as usize;
        &self.transitions[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// All states in order.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.state_count() as u32).map(StateId)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Lts, StateId};
    use crate::process::event::EventId;

    /// The system with these transitions, by state.
    pub(crate) fn lts(rows: &[&[(EventId, u32)]]) -> Lts {
        let row = |row: &&[(EventId, u32)]| row.iter().map(|&(e, s)| (e, StateId(s))).collect();
        Lts::from_rows(rows.iter().map(row).collect())
    }
}
