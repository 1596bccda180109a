//! Watchdogs: processes that follow a specification beside an implementation, and bark when that
//! breaks it.

use super::event::{EventId, EventSetId};
use super::term::TermId;

/// What a watchdog watches, and what it has seen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Watchdog {
    /// The terms that the specification may have become, ascending.
    pub members: Vec<TermId>,
    /// The events that are watched; all others of the specification count as internal.
    pub alphabet: EventSetId,
    /// The event that it does after a watched event that the specification does not allow.
    pub bark: EventId,
    /// Whether refusals are watched too.
    pub tests_refusals: bool,
    /// The events on which it insists at present: one of each acceptance.
    pub demand: Option<Vec<EventId>>,
}
