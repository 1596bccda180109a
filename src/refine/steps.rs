//! The steps of the states of a search: those of a machine, or of pairs of its states.

use super::determinism::pairs::PairSteps;
use machine::RuleId;
use machine::packing::PackedState;
use machine::successors::{Scratch, Successors};
use process::event::EventId;

/// The steps of the states of a search.
pub(super) struct SearchSteps {
    machine: Successors,
    /// The steps of pairs, where determinism is decided.
    pairs: Option<Box<PairSteps>>,
}

impl SearchSteps {
    /// The steps of the states of a machine.
    pub(super) fn new(machine: Successors) -> Self {
        Self {
            machine,
            pairs: None,
        }
    }

    /// The steps of pairs of states of the machine.
    pub(super) fn of_pairs(self, pairs: PairSteps) -> Self {
        Self {
            pairs: Some(Box::new(pairs)),
            ..self
        }
    }

    /// Calls `emit` with every step of `state`, in a fixed order.
    #[inline]
    pub(super) fn for_each<S: PackedState>(
        &self,
        state: &S,
        scratch: &mut Scratch<S>,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        match &self.pairs {
            None => self.machine.for_each(state, scratch, emit),
            Some(pairs) => pairs.for_each(&self.machine, state, scratch, emit),
        }
    }

    /// The initial state, in `words` words.
    pub(super) fn initial<S: PackedState>(&self, words: usize) -> S {
        let mut state: S = self.machine.initial(words);
        if self.pairs.is_some() {
            state.words_mut().copy_within(..words / 2, words / 2);
        }
        state
    }

    /// True if the states are pairs, and `found` of them are so many that the states of the machine
    /// had better be looked at one by one.
    pub(super) fn has_too_many_pairs(&self, found: u64) -> bool {
        let pairs = self.pairs.as_ref();
        pairs.is_some_and(|pairs| pairs.are_too_many(found))
    }
}
