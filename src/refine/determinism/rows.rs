//! The process whose determinism is decided, as far as its states are asked for.

use base::diag::Result;
use lts::graph::StateId;
use machine::Machine;
use machine::explicit::LazyLts;
use process::event::EventId;

/// A transition system whose states have numbers by the time that they are met.
pub trait Rows {
    /// The transitions of `state`, in any order and with repetitions.
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>>;
    /// The number of states that were met.
    fn met(&self) -> usize;
    /// Bytes that the states met take.
    fn bytes(&self) -> usize;
}

impl Rows for LazyLts<&Machine> {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        LazyLts::row(self, state)
    }

    fn met(&self) -> usize {
        LazyLts::met(self)
    }

    fn bytes(&self) -> usize {
        LazyLts::bytes(self)
    }
}
