//! Watchdogs: processes that follow a specification beside an implementation, and bark when that breaks it.

use super::event::{EventId, EventSetId};
use super::term::TermId;

/// What a watchdog watches, and how far it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Watchdog {
    /// What the specification may have become, ascending.
    pub members: Vec<TermId>,
    /// The events that are watched; all others of the specification count as internal.
    pub alphabet: EventSetId,
    /// What it does after a watched event that the specification does not allow.
    pub bark: EventId,
    /// Whether it watches refusals too.
    pub tests_refusals: bool,
    /// The events it insists on at present: one of each acceptance.
    pub demand: Option<Vec<EventId>>,
}
