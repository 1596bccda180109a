//! The things that can be wrong with a pair.

use machine::RuleId;
use process::event::EventId;

/// Something wrong with a pair, as the search found it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offence {
    /// The pair does this event, by this rule.
    Event(RuleId, EventId),
    /// The pair comes to rest with offers that are not allowed.
    Refusal,
    /// The pair does this event from a rest.
    Revival(EventId),
    /// The pair does τ for ever.
    Divergence,
}
