//! The observation that an environment can make of one step of a process.

use super::event::EventId;

/// One event of a history, with the observation before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedStep {
    /// The events offered at rest before the event, ascending. `None` if the process was not seen
    /// at rest, or if that does not count.
    pub rest: Option<Vec<EventId>>,
    /// The event, or ✓.
    pub event: EventId,
}

impl ObservedStep {
    /// The event, without an observation before it.
    pub fn unseen(event: EventId) -> Self {
        Self { rest: None, event }
    }
}
