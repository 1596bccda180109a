//! What an environment can see of a process that goes on.

use super::event::EventId;

/// One event of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedStep {
    /// What was offered at rest before the event, ascending, if the process was seen at rest and that counts.
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
