//! Why a permutation is no symmetry.

use crate::process::event::EventId;
use crate::source::Span;

use super::rules::Rule;

/// Why `Pσ = Q` could not be shown for two terms: the innermost place where it breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The rule that does not apply.
    pub rule: Rule,
    /// P as CSPm.
    pub left: String,
    /// Q as CSPm.
    pub right: String,
    /// Where P stands in the script: the innermost named process around it.
    pub span: Option<Span>,
    /// What is not preserved.
    pub why: Why,
}

/// What is not preserved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// P and Q have different outermost operators.
    Operators,
    /// P and Q have different numbers of operands.
    OperandCount(usize, usize),
    /// A set of P has `event`, but the corresponding set of Q does not have its image, or the other way round.
    Set {
        /// What the set is for: `synchronisation set`, `alphabet`, `hidden set`...
        role: &'static str,
        /// The event of P.
        event: EventId,
        /// Its image under σ.
        image: EventId,
        /// Whether P's set has the event (and Q's does not have the image).
        on_left: bool,
    },
    /// P does `event` after `trace` (visible events and τ, of P), but Q does not do its image after the image of
    /// the trace; or, if not `on_left`, the other way round.
    Behaviour {
        /// Events of P, τ included.
        trace: Vec<EventId>,
        /// The event of P.
        event: EventId,
        /// Its image under σ.
        image: EventId,
        /// Whether P does it.
        on_left: bool,
    },
    /// P and Q differ in what they may become, but in no single event: they have these many states that are not bisimilar.
    States(usize, usize),
    /// No operand of Q is the image of this operand of P. The refusals of those that came nearest are not kept.
    NoPartner(String),
    /// The renaming of P is not carried onto that of Q; this pair of P has no partner.
    Renaming(EventId, EventId),
    /// σ takes this event to something that is no event of the script; how that would be written.
    NoSuchEvent(EventId, String),
    /// The machine does not keep it although the rules say so.
    Machine(String),
    /// The specification is not symmetric: it allows `event` after `trace`, but not the images.
    Specification {
        /// Events of the specification.
        trace: Vec<EventId>,
        /// The event.
        event: EventId,
        /// Its image.
        image: EventId,
        /// Whether the event is allowed and the image is not, or the other way round.
        on_left: bool,
    },
    /// It moves the initial state, and that was forbidden.
    Initial,
    /// A process goes beyond a limit; what the message said.
    Limit(String),
}
