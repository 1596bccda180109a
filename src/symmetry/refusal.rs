//! Why a permutation is no symmetry.

use crate::machine::Machine;
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
    /// The transition systems differ; in what, nobody asked.
    NotAsked,
    /// A process goes beyond a limit; what the message said.
    Limit(String),
}

impl Refusal {
    /// A refusal about a machine as a whole.
    pub(super) fn of_machine(machine: &Machine, rule: Rule, why: Why) -> Self {
        let expression = &machine.nodes[machine.root()].expression;
        Self {
            rule,
            left: expression.clone(),
            right: expression.clone(),
            span: None,
            why,
        }
    }

    /// The rule and what is not preserved, in a sentence without a full stop: ``rule 11 (||): the alphabet of
    /// `POLE(A)` has move.1.A.B, but that of `POLE(B)` does not have move.1.B.A``.
    pub fn text(&self, events: &EventTable) -> String {
        format!("{}: {}", self.rule.name(), self.sentence(events))
    }

    fn sentence(&self, events: &EventTable) -> String {
        let (p, q) = (&self.left, &self.right);
        match &self.why {
            Why::Operators if p == q => {
                format!("`{p}` has another outermost operator than its image")
            }
            Why::Operators => format!("`{p}` and `{q}` have different outermost operators"),
            Why::OperandCount(n, m) => format!("`{p}` has {n} operands, but `{q}` has {m}"),
            &Why::Set {
                role,
                event,
                image,
                on_left,
            } => self.set(role, [event, image].map(|e| events.name(e)), on_left),
            Why::Behaviour {
                trace,
                event,
                image,
                on_left,
            } => {
                let names = [*event, *image].map(|e| events.name(e));
                self.behaviour(&trace_text(trace, events), names, *on_left)
            }
            Why::States(n, _) if self.rule == Rule::Specification => {
                format!("the specification has {n} states that have no image among its states")
            }
            Why::States(n, m) if p == q => format!(
                "no single event tells `{p}` from its image, but {n} of its states and {m} of those of its image have no partners"
            ),
            Why::States(n, m) => format!(
                "no single event tells the image of `{p}` from `{q}`, but {n} states of the one and {m} of the other have no partners"
            ),
            Why::NoPartner(operand) => {
                format!("no operand of `{q}` is the image of the operand `{operand}` of `{p}`")
            }
            &Why::Renaming(from, to) => self.renaming(events.name(from), events.name(to)),
            Why::NoSuchEvent(event, text) => format!(
                "{} would become {text}, which is no event of the script",
                events.name(*event)
            ),
            Why::Machine(what) => what.clone(),
            Why::Specification {
                trace,
                event,
                image,
                on_left,
            } => {
                let names = [*event, *image].map(|e| events.name(e));
                specification(&trace_text(trace, events), names, *on_left)
            }
            Why::Initial if p.is_empty() => "the initial state does not stay".to_string(),
            Why::Initial if p == q => format!("the initial state of `{p}` does not stay"),
            Why::Initial => {
                format!("the initial state of `{p}` does not go to that of `{q}`")
            }
            Why::NotAsked => format!("the image of `{p}` is not `{q}`"),
            Why::Limit(what) => what.clone(),
        }
    }

    /// Whether P and Q have one name, so that it is enough to say that something of P has one event and not another.
    fn is_about_one(&self, [event, image]: [&str; 2]) -> bool {
        self.left == self.right && event != image
    }

    fn set(&self, role: &str, [event, image]: [&str; 2], on_left: bool) -> String {
        let (p, q) = (&self.left, &self.right);
        match (on_left, self.is_about_one([event, image])) {
            (true, true) => format!("the {role} of `{p}` has {event}, but not {image}"),
            (false, true) => format!("the {role} of `{p}` has {image}, but not {event}"),
            (true, false) => {
                format!("the {role} of `{p}` has {event}, but that of `{q}` does not have {image}")
            }
            (false, false) => {
                format!("the {role} of `{q}` has {image}, but that of `{p}` does not have {event}")
            }
        }
    }

    fn behaviour(&self, trace: &str, [event, image]: [&str; 2], on_left: bool) -> String {
        let (p, q) = (&self.left, &self.right);
        let [after, image_after] = places(trace, on_left, "");
        match (on_left, self.is_about_one([event, image])) {
            (true, true) => format!("`{p}` does {event}{after}, but not {image}{image_after}"),
            (false, true) => format!("`{p}` does {image}{image_after}, but not {event}{after}"),
            (true, false) => {
                format!("`{p}` does {event}{after}, but `{q}` does not do {image}{image_after}")
            }
            (false, false) => {
                format!("`{q}` does {image}{image_after}, but `{p}` does not do {event}{after}")
            }
        }
    }

    fn renaming(&self, from: &str, to: &str) -> String {
        let (p, q) = (&self.left, &self.right);
        let has = if p == q {
            "has".to_string()
        } else {
            format!("`{q}` has")
        };
        match self.rule {
            Rule::Linked => {
                format!("the tie of {from} and {to} in `{p}` has no counterpart in `{q}`")
            }
            Rule::Buffer => {
                format!("`{p}` takes {from} and gives {to}, and `{q}` has no such pair")
            }
            _ if from == to => {
                format!("`{p}` does not rename {from}, and {has} no event to which that would go")
            }
            _ => {
                format!("`{p}` renames {from} to {to}, and {has} no event to which {from} would go")
            }
        }
    }
}

fn specification(trace: &str, [event, image]: [&str; 2], on_left: bool) -> String {
    let [after, image_after] = places(trace, on_left, " at first");
    if on_left {
        format!("the specification allows {event}{after}, but not {image}{image_after}")
    } else {
        format!("the specification allows {image}{image_after}, but not {event}{after}")
    }
}

/// After a trace, and after its image; what is said first names the trace.
fn places(trace: &str, on_left: bool, at_first: &str) -> [String; 2] {
    if trace.is_empty() {
        return [at_first.to_string(), at_first.to_string()];
    }
    let image = if on_left { "that" } else { trace };
    [
        format!(" after {trace}"),
        format!(" after the image of {image}"),
    ]
}

/// `<a, τ, b>`; nothing for the empty trace.
fn trace_text(trace: &[EventId], events: &EventTable) -> String {
    if trace.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = trace.iter().map(|&event| events.name(event)).collect();
    format!("<{}>", names.join(", "))
}

#[cfg(test)]
mod tests;
