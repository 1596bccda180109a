//! The reasons why a permutation is no symmetry.

use base::number::plain;
use base::source::Span;
use machine::Machine;
use process::event::{EventId, EventTable};

use super::bisimilarity::{Difference, DistinguishingTrace};
use super::proof_rule::ProofRule;

/// The innermost place where a proof of `Pσ = Q` for two terms breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The rule that does not apply.
    pub rule: ProofRule,
    /// P as CSPm.
    pub left: String,
    /// Q as CSPm.
    pub right: String,
    /// The place of P in the script: the innermost named process around it.
    pub span: Option<Span>,
    /// The reason why the rule does not apply.
    pub why: Why,
}

/// The reason why a rule does not apply: something is not preserved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// P and Q have different outermost operators.
    Operators,
    /// P and Q have different numbers of operands.
    OperandCount(usize, usize),
    /// A set of P has `event`, but the corresponding set of Q does not have its image, or the other
    /// way round.
    Set {
        /// The use of the set: `synchronisation set`, `alphabet`, `hidden set`...
        role: &'static str,
        /// The event of P.
        event: EventId,
        /// Its image under σ.
        image: EventId,
        /// True if P's set has the event (and Q's does not have the image).
        on_left: bool,
    },
    /// P does an event after a trace and Q, up to σ, does not, or the other way round.
    Behaviour(DistinguishingTrace),
    /// P and Q differ in the states that they may reach, but in no single event: these many states
    /// of P and of Q have no partner.
    States(usize, usize),
    /// No operand of Q is the image of this operand of P. The refusals of the operands that came
    /// nearest are not kept.
    NoPartner(String),
    /// The renaming of P is not carried onto the renaming of Q: this pair of P has no partner.
    Renaming(EventId, EventId),
    /// P's order has the first of `events` above the second, but Q's order does not have the first
    /// of `images` above the second; or, if not `on_left`, the other way round.
    Priority {
        /// Events of P.
        events: [EventId; 2],
        /// Their images under σ.
        images: [EventId; 2],
        /// True if P's order has its first event above its second.
        on_left: bool,
    },
    /// σ takes this event to something that is no event of the script; the text is the image as it
    /// would be written.
    NoSuchEvent(EventId, String),
    /// The machine is not preserved, although the rules say so; the text is the error.
    Machine(String),
    /// The specification is not symmetric: it allows the event after the trace, but not the images,
    /// or the other way round.
    Specification(DistinguishingTrace),
    /// The permutation moves the initial state, which was forbidden.
    Initial,
    /// The transition systems differ; no distinguishing event was asked for.
    NotAsked,
    /// A process goes beyond a limit; the text is the message.
    Limit(String),
}

impl From<Difference> for Why {
    fn from(difference: Difference) -> Self {
        match difference {
            Difference::Behaviour(found) => Why::Behaviour(found),
            Difference::States(left, right) => Why::States(left, right),
            Difference::Initial => Why::Initial,
        }
    }
}

impl Refusal {
    /// A refusal about a machine as a whole.
    pub(super) fn of_machine(machine: &Machine, rule: ProofRule, why: Why) -> Self {
        let expression = &machine.nodes[machine.root()].expression;
        Self {
            rule,
            left: expression.clone(),
            right: expression.clone(),
            span: None,
            why,
        }
    }

    /// The rule and the reason, in a sentence without a full stop: ``rule 11 (||): the alphabet of
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
                let orders = [pair, images].map(|&[higher, lower]| {
                    let [higher, lower] = [higher, lower].map(|event| events.name(event));
                    format!("priority for {higher} over {lower}")
                });
                self.priority(orders, *on_left)
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
            Why::Behaviour(found) => {
                let who = [p, q].map(|who| format!("`{who}`"));
                let texts = behaviours(found, events);
                self.contrast(["can do", "cannot do"], who, texts, found.on_left)
            }
            &Why::States(n, m) => self.states(n, m),
            Why::NoPartner(operand) => {
                format!("no operand of `{q}` is the image of the operand `{operand}` of `{p}`")
            }
            &Why::Renaming(from, to) => self.renaming(events.name(from), events.name(to)),
            Why::NoSuchEvent(event, text) => format!(
                "{} would become {text}, which is no event of the script",
                events.name(*event)
            ),
            Why::Machine(what) | Why::Limit(what) => what.clone(),
            Why::Specification(found) => {
                let [does, not] = behaviours(found, events);
                let at_first = if found.trace.is_empty() {
                    " at first"
                } else {
                    ""
                };
                format!("the specification allows {does}{at_first}, but not {not}")
            }
            Why::Initial if p.is_empty() => "the initial state does not stay".to_string(),
            Why::Initial if p == q => format!("the initial state of `{p}` does not stay"),
            Why::Initial => {
                format!("`{p}` and `{q}` differ only in the states in which they start")
            }
            Why::NotAsked => format!("the image of `{p}` is not `{q}`"),
        }
    }

    /// The sentence that one of P and Q orders events and the other does not: `pair` belongs to P,
    /// and `images` to Q.
    fn priority(&self, [pair, images]: [String; 2], on_left: bool) -> String {
        let (p, q) = (&self.left, &self.right);
        if p == q {
            format!("`{p}` has {pair}, but no {images}")
        } else if on_left {
            format!("`{p}` has {pair}, but `{q}` has no {images}")
        } else {
            format!("`{q}` has {images}, but `{p}` has no {pair}")
        }
    }

    /// The sentence that `n` states of P and `m` of Q have no partners.
    fn states(&self, n: usize, m: usize) -> String {
        let (p, q) = (&self.left, &self.right);
        if self.rule == ProofRule::Specification {
            let have = if n == 1 { "has" } else { "have" };
            let states = plain(n, "state");
            format!("{states} of the specification {have} no image among its states")
        } else if p == q {
            format!(
                "no single event tells `{p}` from its image, but {n} of its states and {m} of those of its image have no partners"
            )
        } else {
            format!(
                "no single event tells the image of `{p}` from `{q}`, but {n} of the states of the one and {m} of those of the other have no partners"
            )
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

    /// A sentence that contrasts two sides. The first side has or does something, and the other has
    /// or does not: P if `on_left`, else Q. The names of P and Q come first, then the two things,
    /// that of the first side in front.
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
            // Only the beginning of a long text is shown, so that different processes may look
            // alike.
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
            ProofRule::Linked => {
                format!("the tie of {from} and {to} in `{p}` has no counterpart in `{q}`")
            }
            ProofRule::Buffer => {
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

/// An event after a trace, and its image after the image of that trace: first the one that is done.
fn behaviours(found: &DistinguishingTrace, events: &EventTable) -> [String; 2] {
    let mut sides = [
        (&found.trace, found.event),
        (&found.image_trace, found.image),
    ];
    if !found.on_left {
        sides.reverse();
    }
    let mut texts = sides.map(|(trace, event)| {
        let name = events.name(event);
        let before: Vec<&str> = trace.iter().map(|&event| events.name(event)).collect();
        if trace.is_empty() {
            name.to_string()
        } else {
            format!("{name} after <{}>", before.join(", "))
        }
    });
    let [(trace, done), (other, not_done)] = sides;
    // A trace that is its own image is not written twice.
    if !trace.is_empty() && trace == other && done != not_done {
        texts[1] = format!("{} after that", events.name(not_done));
    }
    texts
}

#[cfg(test)]
mod tests;
