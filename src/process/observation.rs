//! What an environment can see of one step of a process.

use super::event::EventId;

/// One event of a history, with what was seen before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedStep {
    /// What was offered at rest before the event, ascending, if the process was seen at rest and
    /// that counts.
    pub rest: Option<Vec<EventId>>,
    /// The event, or ✓.
    pub event: EventId,
}

impl ObservedStep {
    /// The event, whatever the process was like before.
    pub fn unseen(event: EventId) -> Self {
        Self { rest: None, event }
    }
}
