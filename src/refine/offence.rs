//! What can be wrong with a pair.

use machine::RuleId;
use process::event::EventId;

/// What the search found to be wrong with a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offence {
    /// That it does this event, by this rule.
    Event(RuleId, EventId),
    /// With what it comes to rest.
    Refusal,
    /// That it does this event from a rest.
    Revival(EventId),
    /// That it does τ for ever.
    Divergence,
}
