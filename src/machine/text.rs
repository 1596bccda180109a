//! Process terms as short CSPm text.

use crate::base::stack::deep;
use crate::process::event::{EventId, EventSetId, EventTable};
use crate::process::term::{Definitions, Term, TermId};

/// Texts longer than this are cut.
const LONGEST: usize = 120;
/// How many members of a set are written out.
const MEMBERS: usize = 4;

/// `term` as CSPm text: a call by its name, anything else by its operators, cut where long.
pub(crate) fn expression(definitions: &dyn Definitions, term: TermId) -> String {
    let mut writer = Writer {
        definitions,
        text: String::new(),
    };
    writer.term(term, false);
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

struct Writer<'a> {
    definitions: &'a dyn Definitions,
    text: String,
}

impl Writer<'_> {
    fn events(&self) -> &EventTable {
        &self.definitions.terms().events
    }

    fn term(&mut self, term: TermId, in_brackets: bool) {
        if self.text.len() > LONGEST {
            self.text.push_str("...");
            return;
        }
        deep(|| self.operator(term, in_brackets));
    }

    fn operator(&mut self, term: TermId, in_brackets: bool) {
        let definitions = self.definitions;
        let term = definitions.terms().get(term);
        match term {
            Term::Call(call) => return self.text.push_str(&definitions.call_name(*call)),
            Term::Stop => return self.text.push_str("STOP"),
            Term::Skip => return self.text.push_str("SKIP"),
            Term::Omega => return self.text.push('Ω'),
            Term::Div => return self.text.push_str("DIV"),
            Term::Run(set) => return self.constant("RUN", *set),
            Term::Chaos(set) => return self.constant("CHAOS", *set),
            Term::Buffer(shape, _) => {
                return self
                    .text
                    .push_str(&format!("BUFFER({}, ...)", shape.capacity));
            }
            Term::Compress(compression, p) => {
                self.text.push_str(compression.name());
                self.text.push('(');
                self.term(*p, false);
                return self.text.push(')');
            }
            _ => {}
        }
        if in_brackets {
            self.text.push('(');
        }
        self.composite(term);
        if in_brackets {
            self.text.push(')');
        }
    }

    fn composite(&mut self, term: &Term) {
        match term {
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
            Term::Hide(p, set) => {
                self.term(*p, true);
                let set = self.set(*set);
                self.text.push_str(&format!(" \\ {set}"));
            }
            Term::Project(p, set) => {
                self.term(*p, true);
                let set = self.set(*set);
                self.text.push_str(&format!(" |\\ {set}"));
            }
            Term::Watchdog(watchdog) => {
                let name = if watchdog.tests_refusals {
                    "failure_watchdog("
                } else {
                    "trace_watchdog("
                };
                self.text.push_str(name);
                for &member in watchdog.members.iter().take(1) {
                    self.term(member, false);
                }
                self.text.push_str(", ...)");
            }
            Term::Prioritise(p, _) => {
                self.text.push_str("prioritise(");
                self.term(*p, false);
                self.text.push_str(", ...)");
            }
            Term::Rename(p, pairs) => {
                self.term(*p, true);
                let pairs = self.pairs(pairs, "<-");
                self.text.push_str(&format!("[[{pairs}]]"));
            }
            _ => {}
        }
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
            self.term(then, true);
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
            self.term(operand, true);
        }
    }

    fn around(&mut self, operands: &[TermId], open: &str, set: EventSetId, close: &str) {
        let operator = format!(" {open}{}{close} ", self.set(set));
        self.infix(operands, &operator);
    }

    fn constant(&mut self, name: &str, set: EventSetId) {
        let set = self.set(set);
        self.text.push_str(&format!("{name}({set})"));
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
