//! Why a permutation is no symmetry.

use crate::base::number::plain;
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
        /// Its image under σ.
        image_trace: Vec<EventId>,
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
    /// P's order has the first of `events` above the second, but in that of Q the images are not so, or, if not `on_left`,
    /// the other way round.
    Priority {
        /// Events of P.
        events: [EventId; 2],
        /// Their images under σ.
        images: [EventId; 2],
        /// Whether P has them so.
        on_left: bool,
    },
    /// σ takes this event to something that is no event of the script; how that would be written.
    NoSuchEvent(EventId, String),
    /// The machine does not keep it although the rules say so.
    Machine(String),
    /// The specification is not symmetric: it allows `event` after `trace`, but not the images.
    Specification {
        /// Events of the specification.
        trace: Vec<EventId>,
        /// Their images.
        image_trace: Vec<EventId>,
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
    /// `POLE(A)` has move.1.A.B; that of `POLE(B)` does not have move.1.B.A``.
    pub fn text(&self, events: &EventTable) -> String {
        format!("{}: {}", self.rule.name(), self.sentence(events))
    }

    fn sentence(&self, events: &EventTable) -> String {
        let (p, q) = (&self.left, &self.right);
        match &self.why {
            Why::Priority {
                events: pair,
                images,
                on_left,
            } => {
                let text = |pair: &[EventId; 2]| {
                    let [higher, lower] = pair.map(|event| events.name(event));
                    format!("priority for {higher} over {lower}")
                };
                let (pair, images) = (text(pair), text(images));
                if p == q {
                    format!("`{p}` has {pair}, but no {images}")
                } else if *on_left {
                    format!("`{p}` has {pair}, but `{q}` has no {images}")
                } else {
                    format!("`{q}` has {images}, but `{p}` has no {pair}")
                }
            }
            Why::Operators if p == q => {
                format!("`{p}` has another outermost operator than its image")
            }
            Why::Operators => format!("`{p}` and `{q}` have different outermost operators"),
            &Why::OperandCount(n, m) => {
                format!("`{p}` has {}, but `{q}` has {m}", plain(n, "operand"))
            }
            &Why::Set {
                role,
                event,
                image,
                on_left,
            } => self.set(role, [event, image].map(|e| events.name(e)), on_left),
            Why::Behaviour {
                trace,
                image_trace,
                event,
                image,
                on_left,
            } => {
                let texts = behaviours([trace, image_trace], [*event, *image], *on_left, events);
                let who = [p, q].map(|who| format!("`{who}`"));
                self.contrast(["can do", "cannot do"], who, texts, *on_left)
            }
            Why::States(1, _) if self.rule == Rule::Specification => {
                "1 state of the specification has no image among its states".to_string()
            }
            Why::States(n, _) if self.rule == Rule::Specification => {
                format!("{n} states of the specification have no image among its states")
            }
            Why::States(n, m) if p == q => format!(
                "no single event tells `{p}` from its image, but {n} of its states and {m} of those of its image have no partners"
            ),
            Why::States(n, m) => format!(
                "no single event tells the image of `{p}` from `{q}`, but {n} of the states of the one and {m} of those of the other have no partners"
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
                image_trace,
                event,
                image,
                on_left,
            } => {
                let [does, not] =
                    behaviours([trace, image_trace], [*event, *image], *on_left, events);
                let at_first = if trace.is_empty() { " at first" } else { "" };
                format!("the specification allows {does}{at_first}, but not {not}")
            }
            Why::Initial if p.is_empty() => "the initial state does not stay".to_string(),
            Why::Initial if p == q => format!("the initial state of `{p}` does not stay"),
            Why::Initial => {
                format!("`{p}` and `{q}` differ only in the states in which they start")
            }
            Why::NotAsked => format!("the image of `{p}` is not `{q}`"),
            Why::Limit(what) => what.clone(),
        }
    }

    fn set(&self, role: &str, names: [&str; 2], on_left: bool) -> String {
        let (p, q) = (&self.left, &self.right);
        let mut who = [p, q].map(|who| format!("that of `{who}`"));
        who[usize::from(!on_left)] = format!("the {role} of `{}`", if on_left { p } else { q });
        let mut names = names.map(str::to_string);
        if !on_left {
            names.reverse();
        }
        self.contrast(["has", "does not have"], who, names, on_left)
    }

    /// What one of P and Q has or does, and what the other has not; `who` are P and Q, and `what` begins with that which one has.
    fn contrast(
        &self,
        [has, has_not]: [&str; 2],
        [p, q]: [String; 2],
        [what, other]: [String; 2],
        on_left: bool,
    ) -> String {
        let (who, whom) = if on_left { (p, q) } else { (q, p) };
        if self.left != self.right {
            format!("{who} {has} {what}; {whom} {has_not} {other}")
        } else if what == other {
            // Of long texts only the beginning is a name.
            format!("{who} {has} {what}; another one of that name {has_not} that")
        } else {
            format!("{who} {has} {what}, but not {other}")
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

/// An event after a trace, and its image after the image of that: first the one of the two that is done.
fn behaviours(
    traces: [&[EventId]; 2],
    labels: [EventId; 2],
    on_left: bool,
    events: &EventTable,
) -> [String; 2] {
    let order = if on_left { [0, 1] } else { [1, 0] };
    let same = !traces[0].is_empty() && traces[0] == traces[1];
    let mut texts = order.map(|side| {
        let name = events.name(labels[side]);
        match trace_text(traces[side], events).as_str() {
            "" => name.to_string(),
            trace => format!("{name} after {trace}"),
        }
    });
    if same && labels[0] != labels[1] {
        texts[1] = format!("{} after that", events.name(labels[order[1]]));
    }
    texts
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
