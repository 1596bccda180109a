//! Watchdogs: processes that follow a specification beside an implementation, and bark when the
//! implementation breaks it.

use super::event::{EventId, EventSetId};
use super::term::TermId;

/// The events that a watchdog watches, and the state it is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Watchdog {
    /// The terms that the specification may have become, ascending.
    pub members: Vec<TermId>,
    /// The events that are watched. All others of the specification count as internal.
    pub alphabet: EventSetId,
    /// The event that it does after a watched event that the specification does not allow.
    pub bark: EventId,
    /// True if refusals are watched too.
    pub tests_refusals: bool,
    /// The events on which it insists at present: one of each acceptance.
    pub demand: Option<Vec<EventId>>,
}
