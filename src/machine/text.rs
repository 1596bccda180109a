//! Process terms as short CSPm text.

use crate::base::stack::deep;
use crate::process::event::{EventId, EventSetId, EventTable};
use crate::process::term::{Definitions, Term, TermId};

/// Texts of more characters than this are cut.
const LONGEST: usize = 120;
/// How many members of a set are written out.
const MEMBERS: usize = 4;

/// `term` as CSPm text: a call by its name, anything else by its operators, cut where long.
pub(crate) fn expression(definitions: &dyn Definitions, term: TermId) -> String {
    let mut writer = Writer {
        definitions,
        text: String::new(),
    };
    writer.term(term, Brackets::Never);
    if writer.text.chars().count() > LONGEST {
        return writer
            .text
            .chars()
            .take(LONGEST)
            .chain("...".chars())
            .collect();
    }
    writer.text
}

/// Whether a term is written in brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brackets {
    Never,
    /// If it is an operator over other terms.
    AroundOperators,
}

struct Writer<'a> {
    definitions: &'a dyn Definitions,
    text: String,
}

impl Writer<'_> {
    fn events(&self) -> &EventTable {
        &self.definitions.terms().events
    }

    fn term(&mut self, term: TermId, brackets: Brackets) {
        if self.text.len() > LONGEST {
            self.text.push_str("...");
            return;
        }
        deep(|| self.operator(term, brackets));
    }

    fn operator(&mut self, term: TermId, brackets: Brackets) {
        let definitions = self.definitions;
        let term = definitions.terms().get(term);
        let is_alone = matches!(
            term,
            Term::Call(_)
                | Term::Stop
                | Term::Skip
                | Term::Omega
                | Term::Div
                | Term::Run(_)
                | Term::Chaos(_)
                | Term::Buffer(..)
                | Term::Compress(..)
        );
        let in_brackets = brackets == Brackets::AroundOperators && !is_alone;
        if in_brackets {
            self.text.push('(');
        }
        self.unbracketed(term);
        if in_brackets {
            self.text.push(')');
        }
    }

    fn unbracketed(&mut self, term: &Term) {
        match term {
            Term::Call(call) => self.text += &self.definitions.call_name(*call),
            Term::Stop => self.text += "STOP",
            Term::Skip => self.text += "SKIP",
            Term::Omega => self.text += "Ω",
            Term::Div => self.text += "DIV",
            Term::Run(set) => self.text += &format!("RUN({})", self.set(*set)),
            Term::Chaos(set) => self.text += &format!("CHAOS({})", self.set(*set)),
            Term::Buffer(shape, _) => self.text += &format!("BUFFER({}, ...)", shape.capacity),
            Term::Compress(compression, p) => self.call(compression.name(), [p], ")"),
            Term::Prioritise(p, _) => self.call("prioritise", [p], ", ...)"),
            Term::Watchdog(watchdog) => {
                let name = if watchdog.tests_refusals {
                    "failure_watchdog"
                } else {
                    "trace_watchdog"
                };
                self.call(name, watchdog.members.iter().take(1), ", ...)");
            }
            Term::Prefix(branches) => self.prefix(branches),
            Term::ExternalChoice(operands) => self.infix(operands, " [] "),
            Term::InternalChoice(operands) => self.infix(operands, " |~| "),
            Term::Sequential(p, q) => self.infix(&[*p, *q], "; "),
            Term::Interrupt(p, q) => self.infix(&[*p, *q], " /\\ "),
            Term::SlidingChoice(p, q) => self.infix(&[*p, *q], " [> "),
            Term::Exception(p, set, q) => self.around(&[*p, *q], "[| ", *set, " |>"),
            Term::SynchronisingChoice(set, operands) => self.around(operands, "[+ ", *set, " +]"),
            Term::SynchronisingInterrupt(p, set, q) => self.around(&[*p, *q], "/+ ", *set, " +\\"),
            Term::Parallel(set, operands) if self.events().set(*set).is_empty() => {
                self.infix(operands, " ||| ");
            }
            Term::Parallel(set, operands) => self.around(operands, "[| ", *set, " |]"),
            Term::Alphabetised(operands) => {
                let processes: Vec<TermId> = operands.iter().map(|&(_, p)| p).collect();
                self.infix(&processes, " || ");
            }
            Term::Linked(p, ties, q) => {
                let ties = self.pairs(ties, "<->");
                self.infix(&[*p, *q], &format!(" [{ties}] "));
            }
            Term::Hide(p, set) => self.postfix(*p, &format!(" \\ {}", self.set(*set))),
            Term::Project(p, set) => self.postfix(*p, &format!(" |\\ {}", self.set(*set))),
            Term::Rename(p, pairs) => {
                self.postfix(*p, &format!("[[{}]]", self.pairs(pairs, "<-")));
            }
        }
    }

    /// The function `name` of these `operands`.
    fn call<'t>(&mut self, name: &str, operands: impl IntoIterator<Item = &'t TermId>, end: &str) {
        self.text += name;
        self.text.push('(');
        for &operand in operands {
            self.term(operand, Brackets::Never);
        }
        self.text += end;
    }

    fn postfix(&mut self, operand: TermId, operator: &str) {
        self.term(operand, Brackets::AroundOperators);
        self.text += operator;
    }

    fn prefix(&mut self, branches: &[(EventId, TermId)]) {
        for (i, &(event, then)) in branches.iter().enumerate() {
            if self.text.len() > LONGEST {
                break;
            }
            if i > 0 {
                self.text.push_str(" [] ");
            }
            let name = self.events().name(event).to_string();
            self.text.push_str(&format!("{name} -> "));
            self.term(then, Brackets::AroundOperators);
        }
    }

    fn infix(&mut self, operands: &[TermId], operator: &str) {
        for (i, &operand) in operands.iter().enumerate() {
            if self.text.len() > LONGEST {
                break;
            }
            if i > 0 {
                self.text.push_str(operator);
            }
            self.term(operand, Brackets::AroundOperators);
        }
    }

    fn around(&mut self, operands: &[TermId], open: &str, set: EventSetId, close: &str) {
        let operator = format!(" {open}{}{close} ", self.set(set));
        self.infix(operands, &operator);
    }

    fn set(&self, set: EventSetId) -> String {
        let members = self.events().set(set);
        let shown: Vec<&str> = members
            .iter()
            .take(MEMBERS)
            .map(|&e| self.events().name(e))
            .collect();
        let more = if members.len() > MEMBERS { ", ..." } else { "" };
        format!("{{{}{more}}}", shown.join(", "))
    }

    fn pairs(&self, pairs: &[(EventId, EventId)], arrow: &str) -> String {
        let name = |event| self.events().name(event);
        let shown: Vec<String> = pairs
            .iter()
            .take(MEMBERS)
            .map(|&(from, to)| format!("{} {arrow} {}", name(from), name(to)))
            .collect();
        let more = if pairs.len() > MEMBERS { ", ..." } else { "" };
        format!("{}{more}", shown.join(", "))
    }
}
