//! Runs code: finds the first steps of a call, as a list of *tokens*.
//!
//! A list of tokens is a process term with calls as its leaves. Two lists are equal exactly if the
//! terms that `eval/process.rs` makes are equal. A list begins with a number for the kind of term,
//! and continues with:
//!
//! | term | tokens |
//! |---|---|
//! | `STOP`, `SKIP`, after ✓ | none |
//! | choice of prefixes | their number; for each its event, and the tokens after it; ascending |
//! | `[]`, `\|~\|` of two or more | their number; the tokens of each operand |
//! | a call | the words by which it is equal to others; the number of the kind gives the unit |

use super::code::{Argument, Body, PartId, ProcessCode, UnitId};
use super::formula::Given;
use super::source::CodeSource;
use super::word::ValueWord;
use base::index::TypedIndex;
use base::stack::deep;

/// One number of a list of tokens.
pub(super) type HeadToken = u32;

pub(super) const STOP: HeadToken = 0;
pub(super) const SKIP: HeadToken = 1;
pub(super) const OMEGA: HeadToken = 2;
pub(super) const PREFIX: HeadToken = 3;
pub(super) const EXTERNAL: HeadToken = 4;
pub(super) const INTERNAL: HeadToken = 5;
/// The first number for calls: unit u has the kind `CALL + u`.
pub(super) const CALL: HeadToken = 6;

/// Runs code.
pub(super) struct Runner<C> {
    pub(super) source: C,
    /// The registers of all units that are running, each after those of its caller.
    registers: Vec<ValueWord>,
    /// Results of parts that are being gone through.
    results: Vec<ValueWord>,
}

impl<C: CodeSource> Runner<C> {
    pub(super) fn new(source: C) -> Self {
        Self {
            source,
            registers: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Forgets the units that were running when a part was not found.
    pub(super) fn reset(&mut self) {
        self.registers.clear();
        self.results.clear();
    }

    /// Appends to `tokens` those of the term that the call with the tokens `call` stands for.
    pub(super) fn unfold(&mut self, call: &[HeadToken], tokens: &mut Vec<HeadToken>) -> Option<()> {
        let unit = UnitId::from_usize((call[0] - CALL) as usize);
        let body = self.source.body(unit)?;
        let base = self.registers.len();
        let words = call[1..].iter().map(|&token| ValueWord(token));
        self.registers.extend(words);
        self.registers
            .resize(base + body.registers as usize, ValueWord::FALSE);
        let done = self.body(&body, base, tokens);
        self.registers.truncate(base);
        done
    }

    fn body(&mut self, body: &Body, base: usize, tokens: &mut Vec<HeadToken>) -> Option<()> {
        let Some(selection) = &body.selection else {
            return self.code(&body.clauses[0].code, base, tokens);
        };
        let start = self.results.len();
        self.result(selection.part, base)?;
        let clause = &body.clauses[self.results[start].0 as usize];
        let bound = start + 1..self.results.len();
        self.bind(base, clause.first, bound);
        self.results.truncate(start);
        self.code(&clause.code, base, tokens)
    }

    /// Puts results into registers.
    fn bind(&mut self, base: usize, first: u32, results: std::ops::Range<usize>) {
        let to = base + first as usize;
        self.registers[to..to + results.len()].copy_from_slice(&self.results[results]);
    }

    fn code(&mut self, code: &ProcessCode, base: usize, tokens: &mut Vec<HeadToken>) -> Option<()> {
        match code {
            ProcessCode::Stop => tokens.push(STOP),
            ProcessCode::Skip => tokens.push(SKIP),
            ProcessCode::Prefix {
                offers,
                first,
                width,
                then,
            } => return self.prefix(*offers, (*first, *width), then, base, tokens),
            ProcessCode::ExternalChoice(operands) => {
                return self.choice(EXTERNAL, operands, base, tokens);
            }
            ProcessCode::InternalChoice(operands) => {
                return self.choice(INTERNAL, operands, base, tokens);
            }
            ProcessCode::Replicated {
                is_external,
                environments,
                first,
                width,
                operand,
            } => {
                let kind = if *is_external { EXTERNAL } else { INTERNAL };
                return self.replicated(
                    kind,
                    *environments,
                    (*first, *width),
                    operand,
                    base,
                    tokens,
                );
            }
            ProcessCode::If(condition, branches) => {
                let [then, otherwise] = &**branches;
                let branch = match self.argument(condition, base)? {
                    ValueWord::TRUE => then,
                    _ => otherwise,
                };
                return deep(|| self.code(branch, base, tokens));
            }
            ProcessCode::Call(unit, arguments) => {
                tokens.push(CALL + unit.index() as HeadToken);
                for argument in arguments {
                    let word = self.argument(argument, base)?;
                    tokens.push(word.0);
                }
            }
        }
        Some(())
    }

    fn choice(
        &mut self,
        kind: HeadToken,
        operands: &[ProcessCode],
        base: usize,
        tokens: &mut Vec<HeadToken>,
    ) -> Option<()> {
        let mut choice = ChoiceTokens::begin(kind, tokens);
        for operand in operands {
            deep(|| self.code(operand, base, tokens))?;
            choice.operand(tokens);
        }
        choice.end(tokens)
    }

    fn prefix(
        &mut self,
        offers: PartId,
        (first, width): (u32, u32),
        then: &ProcessCode,
        base: usize,
        tokens: &mut Vec<HeadToken>,
    ) -> Option<()> {
        let begin = self.results.len();
        self.result(offers, base)?;
        let end = self.results.len();
        let width = 1 + width as usize;
        let start = tokens.len();
        tokens.extend([PREFIX, ((end - begin) / width) as HeadToken]);
        let mut is_ascending = true;
        for offer in (begin..end).step_by(width) {
            let event = self.results[offer];
            is_ascending &= offer == begin || self.results[offer - width] < event;
            self.bind(base, first, offer + 1..offer + width);
            tokens.push(event.0);
            deep(|| self.code(then, base, tokens))?;
        }
        self.results.truncate(begin);
        if begin == end {
            tokens.truncate(start);
            tokens.push(STOP);
        } else if !is_ascending {
            self.sort_offers(start, tokens);
        }
        Some(())
    }

    /// Puts the offers of the choice at `start` into order, and leaves out repetitions.
    fn sort_offers(&self, start: usize, tokens: &mut Vec<HeadToken>) {
        let mut offers: Vec<&[HeadToken]> = Vec::new();
        let mut at = start + 2;
        while at < tokens.len() {
            let end = self.after(tokens, at + 1);
            offers.push(&tokens[at..end]);
            at = end;
        }
        offers.sort_unstable();
        offers.dedup();
        let count = offers.len() as HeadToken;
        let sorted = offers.concat();
        tokens.truncate(start + 1);
        tokens.push(count);
        tokens.extend(sorted);
    }

    fn replicated(
        &mut self,
        kind: HeadToken,
        environments: PartId,
        (first, width): (u32, u32),
        operand: &ProcessCode,
        base: usize,
        tokens: &mut Vec<HeadToken>,
    ) -> Option<()> {
        let begin = self.results.len();
        self.result(environments, base)?;
        let (count, width) = (self.results[begin].0 as usize, width as usize);
        let mut choice = ChoiceTokens::begin(kind, tokens);
        for i in 0..count {
            let from = begin + 1 + i * width;
            self.bind(base, first, from..from + width);
            deep(|| self.code(operand, base, tokens))?;
            choice.operand(tokens);
        }
        self.results.truncate(begin);
        choice.end(tokens)
    }

    fn argument(&mut self, argument: &Argument, base: usize) -> Option<ValueWord> {
        let part = match argument {
            Argument::Register(register) => {
                return Some(self.registers[base + *register as usize]);
            }
            Argument::Formula(formula, part) => {
                let mut given = Given {
                    registers: &self.registers[base..],
                    words: self.source.words(),
                };
                match formula.value(&mut given) {
                    Some(word) => return Some(word),
                    None => *part,
                }
            }
            Argument::Part(part) => *part,
        };
        self.result(part, base)?;
        self.results.pop()
    }

    /// Appends the value of `part` to the results.
    fn result(&mut self, part: PartId, base: usize) -> Option<()> {
        let registers = &self.registers[base..];
        self.source.add_value(part, registers, &mut self.results)
    }

    /// The position behind the term at `at`.
    pub(super) fn after(&self, tokens: &[HeadToken], at: usize) -> usize {
        // Each term on the way says how many more follow it.
        let (mut at, mut open) = (at, 1_usize);
        while open > 0 {
            open -= 1;
            match tokens[at] {
                STOP | SKIP | OMEGA => at += 1,
                EXTERNAL | INTERNAL => {
                    open += tokens[at + 1] as usize;
                    at += 2;
                }
                PREFIX => {
                    let count = tokens[at + 1];
                    at += 2;
                    for _ in 0..count {
                        at = deep(|| self.after(tokens, at + 1));
                    }
                }
                call => {
                    let unit = UnitId::from_usize((call - CALL) as usize);
                    at += 1 + self.source.width(unit);
                }
            }
        }
        at
    }
}

/// A choice whose operands are being appended.
struct ChoiceTokens {
    kind: HeadToken,
    /// The beginning of its tokens, and of those of the next operand.
    start: usize,
    next: usize,
    operands: u32,
}

impl ChoiceTokens {
    fn begin(kind: HeadToken, tokens: &mut Vec<HeadToken>) -> Self {
        let start = tokens.len();
        tokens.extend([kind, 0]);
        Self {
            kind,
            start,
            next: tokens.len(),
            operands: 0,
        }
    }

    /// Ends an operand. `[]` leaves out the term `STOP`, like `Terms::external_choice`.
    fn operand(&mut self, tokens: &mut Vec<HeadToken>) {
        if self.kind == EXTERNAL && tokens[self.next] == STOP {
            tokens.truncate(self.next);
            return;
        }
        self.next = tokens.len();
        self.operands += 1;
    }

    /// Ends the choice. One operand takes its place. Returns `None` for `|~|` of none.
    fn end(self, tokens: &mut Vec<HeadToken>) -> Option<()> {
        match self.operands {
            0 if self.kind == INTERNAL => return None,
            0 => {
                tokens.truncate(self.start);
                tokens.push(STOP);
            }
            1 => {
                tokens.drain(self.start..self.start + 2);
            }
            count => tokens[self.start + 1] = count,
        }
        Some(())
    }
}
