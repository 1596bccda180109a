//! Specification and machine side by side.

use super::store::StoredState;
use crate::base::index::TypedIndex;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::lts::normal_form::NormalForm;
use crate::machine::Machine;
use crate::machine::packing::{Field, Packing};
use crate::machine::successors::Successors;
use crate::process::event::{EventId, TAU};

/// Specification and machine side by side: a state is that of the machine with that of the
/// specification as one more field.
pub(super) struct Product<'a> {
    pub(super) machine: &'a Machine,
    pub(super) packing: Packing,
    pub(super) successors: Successors,
    pub(super) specification_states: u64,
    /// The specification's state.
    field: Field,
    /// For each event, where its column starts.
    column_starts: Vec<u32>,
    /// By column and specification state, the bits to flip, or [`REFUSED`].
    columns: Vec<u64>,
}

/// The column entry of an event that the specification does not allow.
const REFUSED: u64 = u64::MAX;

impl<'a> Product<'a> {
    pub(super) fn new(specification: &NormalForm, machine: &'a Machine) -> Result<Self> {
        let packing = machine.packing(specification.state_count() as u32);
        let successors = machine.successors(&packing)?;
        let field = packing.fields()[machine.leaves.len()];
        let mut results: Vec<EventId> = machine.rules.iter().map(|rule| rule.result).collect();
        results.sort_unstable();
        results.dedup();
        let event_count = results.last().map_or(0, |event| event.index() + 1);
        let mut column_starts = vec![0; event_count];
        let mut columns = Vec::new();
        for event in results.into_iter().filter(|&event| event != TAU) {
            column_starts[event.index()] = columns.len() as u32;
            columns.extend((0..specification.state_count() as u32).map(|state| {
                let next = specification.successor(StateId(state), event);
                next.map_or(REFUSED, |next| field.flip(state, next.0))
            }));
        }
        let specification_states = specification.state_count() as u64;
        Ok(Self {
            machine,
            packing,
            successors,
            specification_states,
            field,
            column_starts,
            columns,
        })
    }

    /// What to flip in the specification's field when the machine does `event` in `state`;
    /// nothing if the specification does not allow it.
    #[inline]
    pub(super) fn follow<S: StoredState>(&self, state: &S, event: EventId) -> Option<(u32, u64)> {
        if event == TAU {
            return Some((self.field.word, 0));
        }
        let column = self.column_starts[event.index()] + self.field.get(state);
        let flip = self.columns[column as usize];
        (flip != REFUSED).then_some((self.field.word, flip))
    }
}
