//! Rows of transitions that wait for the states of their targets.

use std::collections::VecDeque;

use process::event::EventId;

/// The transitions of states, in the order of the states, from state to target.
#[derive(Default)]
pub(super) struct WaitingRows {
    steps: VecDeque<(EventId, u32)>,
    rows: VecDeque<Row>,
}

#[derive(Default)]
struct Row {
    steps: u32,
    /// The greatest target.
    last: u32,
}

impl WaitingRows {
    /// Begins the row of the next state. Transitions that are added from now on belong to it.
    pub(super) fn begin_row(&mut self) {
        self.rows.push_back(Row::default());
    }

    /// Adds a transition to the last row.
    pub(super) fn add(&mut self, event: EventId, target: u32) {
        self.steps.push_back((event, target));
        if let Some(row) = self.rows.back_mut() {
            row.steps += 1;
            row.last = row.last.max(target);
        }
    }

    /// Puts the next row into `row`, if the states of all its targets are known. `states` is
    /// indexed by target. Returns false if there is no such row.
    pub(super) fn next_row(&mut self, states: &[u32], row: &mut Vec<(EventId, u32)>) -> bool {
        row.clear();
        match self.rows.front() {
            Some(&Row { steps, last }) if steps == 0 || (last as usize) < states.len() => {
                let taken = self.steps.drain(..steps as usize);
                row.extend(taken.map(|(event, target)| (event, states[target as usize])));
                self.rows.pop_front();
                true
            }
            _ => false,
        }
    }
}
