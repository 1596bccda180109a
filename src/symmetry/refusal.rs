//! Why a permutation is no symmetry.

use crate::process::event::{EventId, EventTable};
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

impl Refusal {
    /// What is not preserved, in words.
    pub fn text(&self, events: &EventTable) -> String {
        let name = |event: &EventId| events.name(*event);
        let does = |yes: bool| if yes { "does" } else { "does not do" };
        let after = |trace: &[EventId]| {
            let trace: Vec<&str> = trace.iter().map(name).collect();
            format!("after <{}>", trace.join(", "))
        };
        let what = match &self.why {
            Why::Operators => "they have different operators".to_string(),
            Why::OperandCount(left, right) => format!("they have {left} and {right} operands"),
            Why::Set {
                role,
                event,
                image,
                on_left,
            } => {
                let (has, lacks) = if *on_left {
                    ("first", "second")
                } else {
                    ("second", "first")
                };
                let (event, image) = (name(event), name(image));
                format!(
                    "the {role}s: {event} goes to {image}, but the {has} has it and the {lacks} does not"
                )
            }
            Why::Behaviour {
                trace,
                event,
                image,
                on_left,
            }
            | Why::Specification {
                trace,
                event,
                image,
                on_left,
            } => {
                let (first, second) = (does(*on_left), does(!*on_left));
                let (after, event, image) = (after(trace), name(event), name(image));
                format!(
                    "{after} the first {first} {event}, but after its image the second {second} {image}"
                )
            }
            Why::States(left, right) => {
                format!("they differ in what they may become ({left} and {right} states)")
            }
            Why::NoPartner(operand) => format!("no operand is the image of {operand}"),
            Why::Renaming(from, to) => {
                format!(
                    "the renaming of {} to {} has no partner",
                    name(from),
                    name(to)
                )
            }
            Why::NoSuchEvent(event, image) => {
                format!("{} would go to {image}, which is no event", name(event))
            }
            Why::Machine(fact) | Why::Limit(fact) => fact.clone(),
            Why::Initial => "it moves the initial state".to_string(),
        };
        format!("{} does not become {}: {what}", self.left, self.right)
    }
}
