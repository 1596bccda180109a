//! Pattern matching.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::quantify::all;
use super::sequence::Sequence;
use super::value::{Lazy, Value};
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use syntax::ast::{Pattern, PatternId};
use types::resolved::PatternName;

/// Slots of a frame of patterns, with the values they are bound to.
pub(super) type Bindings = Vec<(u32, Lazy)>;

/// Matches patterns whose variables share one frame.
pub(super) struct Matcher<'e, 's> {
    pub(super) evaluator: &'e mut Evaluator<'s>,
    /// The environment around the frame of the patterns, in which constructors in the patterns are
    /// looked up.
    environment: &'e Rc<Frame>,
    bindings: Bindings,
}

impl<'e, 's> Matcher<'e, 's> {
    pub(super) fn new(evaluator: &'e mut Evaluator<'s>, environment: &'e Rc<Frame>) -> Self {
        Self {
            evaluator,
            environment,
            bindings: Vec::new(),
        }
    }

    /// The slots of the patterns that matched, ascending, with the values they are bound to. Name
    /// resolution numbers the slots of one frame from 0 without gaps.
    pub(super) fn bindings(mut self) -> Bindings {
        self.bindings.sort_by_key(|(slot, _)| *slot);
        self.bindings
    }

    /// The frame of the patterns that matched.
    pub(super) fn frame(self) -> Rc<Frame> {
        let environment = self.environment;
        let slots = self.bindings().into_iter().map(|(_, lazy)| lazy);
        Frame::binding(slots.collect(), environment)
    }

    /// True if each of `values` matches its pattern.
    pub(super) fn all_match(&mut self, patterns: &[PatternId], values: &[Lazy]) -> Result<bool> {
        all(patterns.iter().zip(values), |(&pattern, value)| {
            self.matches(pattern, value)
        })
    }

    /// True if `lazy` matches. It is evaluated only as far as the pattern asks.
    pub(super) fn matches(&mut self, pattern: PatternId, lazy: &Lazy) -> Result<bool> {
        deep(|| self.matches_here(pattern, lazy))
    }

    fn matches_here(&mut self, pattern: PatternId, lazy: &Lazy) -> Result<bool> {
        match self.evaluator.script.ast.pattern(pattern) {
            Pattern::Wildcard => Ok(true),
            Pattern::Parenthesised(inner) => self.matches(*inner, lazy),
            Pattern::Both(a, b) => Ok(self.matches(*a, lazy)? && self.matches(*b, lazy)?),
            Pattern::Name(_) => match self.evaluator.script.pattern_name(pattern) {
                PatternName::Variable(slot) => {
                    self.bindings.push((*slot, lazy.clone()));
                    Ok(true)
                }
                PatternName::Constant(reference) => {
                    let constant = self.evaluator.reference(reference, self.environment)?;
                    let value = self.evaluator.force(lazy)?;
                    self.evaluator.not_by_name(&constant)?;
                    self.evaluator.equal(&constant, &value)
                }
            },
            Pattern::Int(n) => self.is_number(*n, lazy),
            Pattern::Bool(b) => {
                Ok(matches!(self.evaluator.force(lazy)?, Value::Bool(c) if c == *b))
            }
            Pattern::Char(c) => {
                Ok(matches!(self.evaluator.force(lazy)?, Value::Char(d) if d == *c))
            }
            Pattern::String(text) => {
                let wanted = Value::Sequence(Sequence::from_values(text.chars().map(Value::Char)));
                let value = self.evaluator.force(lazy)?;
                self.evaluator.equal(&wanted, &value)
            }
            Pattern::Tuple(parts) => match self.evaluator.force(lazy)? {
                Value::Tuple(values) if values.len() == parts.len() => {
                    self.all_match(parts, &values)
                }
                _ => Ok(false),
            },
            Pattern::EmptySet => match self.evaluator.force(lazy)? {
                Value::Set(set) => self.evaluator.is_empty_set(&set),
                _ => Ok(false),
            },
            Pattern::Singleton(inner) => match self.evaluator.force(lazy)? {
                Value::Set(set) if self.evaluator.is_finite(&set)? => {
                    match &*self.evaluator.members(&set)? {
                        [only] => self.matches(*inner, &only.clone().into()),
                        _ => Ok(false),
                    }
                }
                _ => Ok(false),
            },
            Pattern::Sequence(_) | Pattern::Concat(_) => match self.evaluator.force(lazy)? {
                Value::Sequence(sequence) => self.matches_sequence(pattern, sequence),
                _ => Ok(false),
            },
            Pattern::Dot(parts) => {
                let value = self.evaluator.force(lazy)?;
                self.matches_dot(parts, &value)
            }
        }
    }

    fn is_number(&mut self, wanted: i64, lazy: &Lazy) -> Result<bool> {
        match self.evaluator.force(lazy)? {
            Value::Atom(atom) => {
                let what = "a pattern that is a number";
                self.evaluator.looked_into(atom.id, what).into()
            }
            value => Ok(matches!(value, Value::Int(number) if number == wanted)),
        }
    }

    /// True if a sequence matches: first the parts of known length at both ends, then the part of
    /// unknown length in the middle.
    fn matches_sequence(&mut self, pattern: PatternId, mut sequence: Sequence) -> Result<bool> {
        let parts = self.evaluator.script.concat_parts(pattern);
        let middle = parts
            .iter()
            .position(|&part| self.evaluator.script.known_length(part).is_none());
        let (front, rest) = parts.split_at(middle.unwrap_or(parts.len()));
        for &part in front {
            let length = self.evaluator.script.known_length(part).unwrap_or(0);
            let mut items = Vec::with_capacity(length);
            for _ in 0..length {
                let Some((head, tail)) = self.evaluator.uncons(&sequence)? else {
                    return Ok(false);
                };
                items.push(head);
                sequence = tail;
            }
            if !self.matches_items(part, &items)? {
                return Ok(false);
            }
        }
        let Some((&middle, back)) = rest.split_first() else {
            return Ok(sequence.is_empty());
        };
        // The rest is passed on unevaluated: `<x>^xs` matches an infinite sequence.
        if back.is_empty() {
            return self.matches(middle, &Lazy::Value(Value::Sequence(sequence)));
        }
        // To know what stands at the end, all items are needed.
        let mut items = self.evaluator.sequence_items(&sequence)?;
        for &part in back.iter().rev() {
            let length = self.evaluator.script.known_length(part).unwrap_or(0);
            let Some(start) = items.len().checked_sub(length) else {
                return Ok(false);
            };
            let last = items.split_off(start);
            if !self.matches_items(part, &last)? {
                return Ok(false);
            }
        }
        let middle_value = Value::Sequence(Sequence::prepend(items, Sequence::empty()));
        self.matches(middle, &Lazy::Value(middle_value))
    }

    /// True if a part of known length matches exactly these items.
    fn matches_items(&mut self, pattern: PatternId, items: &[Lazy]) -> Result<bool> {
        match self.evaluator.script.ast.pattern(pattern) {
            Pattern::Sequence(patterns) => {
                Ok(patterns.len() == items.len() && self.all_match(patterns, items)?)
            }
            _ => {
                let value = Value::Sequence(Sequence::prepend(items.to_vec(), Sequence::empty()));
                self.matches(pattern, &Lazy::Value(value))
            }
        }
    }

    /// The value of a pattern that is the name of a constructor or channel.
    pub(super) fn pattern_value(&mut self, pattern: PatternId) -> Result<Option<Value>> {
        if let Pattern::Name(_) = self.evaluator.script.ast.pattern(pattern)
            && let PatternName::Constant(reference) = self.evaluator.script.pattern_name(pattern)
        {
            let value = self.evaluator.reference(reference, self.environment)?;
            self.evaluator.not_by_name(&value)?;
            return Ok(Some(value));
        }
        Ok(None)
    }
}

impl Evaluator<'_> {
    /// The frame of one pattern, if `lazy` matches it.
    pub(super) fn match_and_bind(
        &mut self,
        pattern: PatternId,
        lazy: &Lazy,
        environment: &Rc<Frame>,
    ) -> Result<Option<Rc<Frame>>> {
        let mut matcher = Matcher::new(self, environment);
        Ok(matcher.matches(pattern, lazy)?.then(|| matcher.frame()))
    }

    pub(super) fn pattern_mismatch(&self, pattern: PatternId, value: &Value) -> Diagnostic {
        let shown = self.text().brief(value);
        Diagnostic::error("pattern-mismatch", "the value does not match this pattern")
            .at(self.script.ast.patterns[pattern].span, "")
            .note(format!("the value is {shown}"))
    }
}
