//! Process terms as short CSPm text.

use rustc_hash::FxHashMap;

use base::diag::{Result, Severity};
use base::stack::deep;
use process::event::{EventId, EventSetId, EventTable};
use process::operator::Operator;
use process::term::{CallId, Definitions, Term, TermId};

/// The largest number of characters of a text that is cut.
const LONGEST: usize = 120;
/// The largest number of characters of a whole text. A term may share parts, which a text repeats,
/// and a million of them has to fit into memory.
const LONGEST_WHOLE: usize = 1_000;
/// The number of members of a set that are written out.
const MEMBERS: usize = 4;

/// `term` as CSPm text: a call by its name, anything else by its operators. A long text is cut.
pub fn expression(definitions: &dyn Definitions, term: TermId) -> String {
    let mut writer = Writer::new(definitions, LONGEST, None);
    writer.term(term, Brackets::Never);
    cut(writer.text, LONGEST)
}

/// `operator` as CSPm text without its operands. A long text is cut.
pub fn operator_text(definitions: &dyn Definitions, operator: &Operator) -> String {
    let writer = Writer::new(definitions, LONGEST, None);
    cut(writer.symbol(operator), LONGEST)
}

/// `term` as CSPm text with its present values: the rest of a definition is written with the values
/// of its variables, not as it stands in the source. A long text is cut.
pub fn present(definitions: &mut dyn Definitions, term: TermId) -> Result<String> {
    written_out(definitions, term, LONGEST)
}

/// `term` as CSPm text with its present values, cut only if it is longer than a reader wants.
pub fn present_in_full(definitions: &mut dyn Definitions, term: TermId) -> Result<String> {
    written_out(definitions, term, LONGEST_WHOLE)
}

/// `text` of at most `longest` characters, and three dots if it has more.
fn cut(text: String, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => text[..end].to_string() + "...",
        None => text,
    }
}

/// `term` as text of at most `longest` characters. Bodies stand in place of pieces of definitions.
fn written_out(definitions: &mut dyn Definitions, term: TermId, longest: usize) -> Result<String> {
    let mut bodies = FxHashMap::default();
    // Each round writes at least one level more of the syntax tree, so that there are few rounds.
    loop {
        let mut writer = Writer::new(definitions, longest, Some(&bodies));
        writer.term(term, Brackets::Never);
        let Writer { text, unknown, .. } = writer;
        if unknown.is_empty() {
            return Ok(cut(text, longest));
        }
        for call in unknown {
            let body = match definitions.body(call) {
                Ok(body) => Some(body),
                // A mistake in the body matters when it is reached.
                Err(error) if error.severity == Severity::Error => None,
                Err(error) => return Err(error),
            };
            bodies.insert(call, body);
        }
    }
}

/// The terms that are written in brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brackets {
    Never,
    /// Operators over other terms.
    AroundOperators,
}

struct Writer<'a> {
    definitions: &'a dyn Definitions,
    text: String,
    /// The number of bytes after which no more is written.
    longest: usize,
    /// The bodies of pieces of definitions, if they are to be written out; `None` for a piece that
    /// cannot be evaluated.
    bodies: Option<&'a FxHashMap<CallId, Option<TermId>>>,
    /// The pieces that were met and whose body is not known yet.
    unknown: Vec<CallId>,
}

impl<'a> Writer<'a> {
    fn new(
        definitions: &'a dyn Definitions,
        longest: usize,
        bodies: Option<&'a FxHashMap<CallId, Option<TermId>>>,
    ) -> Self {
        Self {
            definitions,
            text: String::new(),
            longest,
            bodies,
            unknown: Vec::new(),
        }
    }

    /// The term that is written for `term`: its body, if it is a piece of a definition.
    fn shown(&mut self, mut term: TermId) -> TermId {
        while let (Some(bodies), &Term::Call(call)) =
            (self.bodies, self.definitions.terms().get(term))
            && self.definitions.is_piece(call)
        {
            match bodies.get(&call) {
                Some(Some(body)) => term = *body,
                Some(None) => break,
                None => {
                    self.unknown.push(call);
                    break;
                }
            }
        }
        term
    }

    fn events(&self) -> &EventTable {
        &self.definitions.terms().events
    }

    fn term(&mut self, term: TermId, brackets: Brackets) {
        if self.text.len() > self.longest {
            self.text.push_str("...");
            return;
        }
        let term = self.shown(term);
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
                | Term::Imported(..)
                | Term::Over(Operator::Compress(_), _)
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
            Term::Imported(system, state) => {
                self.text += &format!("aut(\"{}\") in {state}", system.name());
            }
            Term::Watchdog(watchdog) => {
                let name = if watchdog.tests_refusals {
                    "failure_watchdog"
                } else {
                    "trace_watchdog"
                };
                self.call(name, watchdog.members.iter().take(1), ", ...)");
            }
            Term::Prefix(branches) => self.prefix(branches),
            Term::InternalChoice(operands) => self.infix(operands, " |~| "),
            Term::Over(operator, operands) => self.over(operator, operands),
        }
    }

    fn over(&mut self, operator: &Operator, operands: &[TermId]) {
        let symbol = self.symbol(operator);
        match operator {
            Operator::Compress(_) => self.call(&symbol, operands, ")"),
            Operator::Prioritise(_) => self.call(&symbol, operands, ", ...)"),
            Operator::Rename(_) => self.postfix(operands[0], &symbol),
            Operator::Hide(_) | Operator::Project(_) => {
                self.postfix(operands[0], &format!(" {symbol}"));
            }
            Operator::Sequential => self.infix(operands, "; "),
            _ => self.infix(operands, &format!(" {symbol} ")),
        }
    }

    /// The operator alone, with its set or its pairs.
    fn symbol(&self, operator: &Operator) -> String {
        let [_, open, close] = operator.name();
        match operator {
            Operator::Rename(pairs) => format!("[[{}]]", self.pairs(pairs, "<-")),
            Operator::Linked(ties) => format!("[{}]", self.pairs(ties, "<->")),
            Operator::Parallel(set) if self.events().set(*set).is_empty() => "|||".to_string(),
            _ => match operator.set().map(|set| self.set(set)) {
                Some(set) => format!("{open} {set} {close}").trim_end().to_string(),
                None => open.to_string(),
            },
        }
    }

    /// Writes the function `name` of these `operands`.
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
            if self.text.len() > self.longest {
                break;
            }
            if i > 0 {
                self.text.push_str(" [] ");
            }
            let name = self.events().name(event).to_string();
            self.text.push_str(&format!("{name} -> "));
            // `a -> b -> P` needs no brackets, but `a -> (b -> P [] c -> Q)` does.
            let brackets = match self.is_single_prefix(then) {
                true => Brackets::Never,
                false => Brackets::AroundOperators,
            };
            self.term(then, brackets);
        }
    }

    fn is_single_prefix(&mut self, term: TermId) -> bool {
        let term = self.shown(term);
        matches!(self.definitions.terms().get(term), Term::Prefix(branches) if branches.len() == 1)
    }

    fn infix(&mut self, operands: &[TermId], operator: &str) {
        for (i, &operand) in operands.iter().enumerate() {
            if self.text.len() > self.longest {
                break;
            }
            if i > 0 {
                self.text.push_str(operator);
            }
            self.term(operand, Brackets::AroundOperators);
        }
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
