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

/// Slots of the pattern's frame, with the values they are bound to.
pub(super) type Bindings = Vec<(u32, Lazy)>;

impl<'s> Evaluator<'s> {
    /// True if `lazy` matches. It is evaluated only as far as the pattern asks. Constructors in the
    /// pattern are looked up in `environment`, the one around the pattern's own frame.
    pub(super) fn matches(
        &mut self,
        pattern: PatternId,
        lazy: &Lazy,
        environment: &Rc<Frame>,
        bindings: &mut Bindings,
    ) -> Result<bool> {
        deep(|| self.matches_here(pattern, lazy, environment, bindings))
    }

    fn matches_here(
        &mut self,
        pattern: PatternId,
        lazy: &Lazy,
        environment: &Rc<Frame>,
        bindings: &mut Bindings,
    ) -> Result<bool> {
        match self.ast().pattern(pattern) {
            Pattern::Wildcard => Ok(true),
            Pattern::Parenthesised(inner) => self.matches(*inner, lazy, environment, bindings),
            Pattern::Both(a, b) => Ok(self.matches(*a, lazy, environment, bindings)?
                && self.matches(*b, lazy, environment, bindings)?),
            Pattern::Name(_) => match self.pattern_name(pattern) {
                PatternName::Variable(slot) => {
                    bindings.push((*slot, lazy.clone()));
                    Ok(true)
                }
                PatternName::Constant(reference) => {
                    let constant = self.reference(reference, environment)?;
                    let value = self.force(lazy)?;
                    self.equal(&constant, &value)
                }
            },
            Pattern::Int(n) => Ok(matches!(self.force(lazy)?, Value::Int(m) if m == *n)),
            Pattern::Bool(b) => Ok(matches!(self.force(lazy)?, Value::Bool(c) if c == *b)),
            Pattern::Char(c) => Ok(matches!(self.force(lazy)?, Value::Char(d) if d == *c)),
            Pattern::String(text) => {
                let wanted = Value::Sequence(Sequence::from_values(text.chars().map(Value::Char)));
                let value = self.force(lazy)?;
                self.equal(&wanted, &value)
            }
            Pattern::Tuple(parts) => match self.force(lazy)? {
                Value::Tuple(values) if values.len() == parts.len() => {
                    self.all_match(parts, &values, environment, bindings)
                }
                _ => Ok(false),
            },
            Pattern::EmptySet => match self.force(lazy)? {
                Value::Set(set) => self.is_empty_set(&set),
                _ => Ok(false),
            },
            Pattern::Singleton(inner) => match self.force(lazy)? {
                Value::Set(set) if self.is_finite(&set)? => match &*self.members(&set)? {
                    [only] => self.matches(*inner, &only.clone().into(), environment, bindings),
                    _ => Ok(false),
                },
                _ => Ok(false),
            },
            Pattern::Sequence(_) | Pattern::Concat(_) => match self.force(lazy)? {
                Value::Sequence(sequence) => {
                    self.matches_sequence(pattern, sequence, environment, bindings)
                }
                _ => Ok(false),
            },
            Pattern::Dot(parts) => {
                let value = self.force(lazy)?;
                self.matches_dot(parts, &value, environment, bindings)
            }
        }
    }

    fn all_match(
        &mut self,
        patterns: &[PatternId],
        values: &[Lazy],
        environment: &Rc<Frame>,
        bindings: &mut Bindings,
    ) -> Result<bool> {
        all(patterns.iter().zip(values), |(&pattern, value)| {
            self.matches(pattern, value, environment, bindings)
        })
    }

    /// True if a sequence matches: first the parts of known length at both ends, then the part of
    /// unknown length in the middle.
    fn matches_sequence(
        &mut self,
        pattern: PatternId,
        mut sequence: Sequence,
        environment: &Rc<Frame>,
        bindings: &mut Bindings,
    ) -> Result<bool> {
        let parts = self.concat_parts(pattern);
        let middle = parts
            .iter()
            .position(|&part| self.known_length(part).is_none());
        let (front, rest) = parts.split_at(middle.unwrap_or(parts.len()));
        for &part in front {
            let length = self.known_length(part).unwrap_or(0);
            let mut items = Vec::with_capacity(length);
            for _ in 0..length {
                let Some((head, tail)) = self.uncons(&sequence)? else {
                    return Ok(false);
                };
                items.push(head);
                sequence = tail;
            }
            if !self.matches_items(part, &items, environment, bindings)? {
                return Ok(false);
            }
        }
        let Some((&middle, back)) = rest.split_first() else {
            return Ok(sequence.is_empty());
        };
        // The rest is passed on unevaluated: `<x>^xs` matches an infinite sequence.
        if back.is_empty() {
            return self.matches(
                middle,
                &Lazy::Value(Value::Sequence(sequence)),
                environment,
                bindings,
            );
        }
        // To know what stands at the end, all items are needed.
        let mut items = self.sequence_items(&sequence)?;
        for &part in back.iter().rev() {
            let length = self.known_length(part).unwrap_or(0);
            let Some(start) = items.len().checked_sub(length) else {
                return Ok(false);
            };
            let last = items.split_off(start);
            if !self.matches_items(part, &last, environment, bindings)? {
                return Ok(false);
            }
        }
        let middle_value = Value::Sequence(Sequence::prepend(items, Sequence::empty()));
        self.matches(middle, &Lazy::Value(middle_value), environment, bindings)
    }

    /// The parts of a concatenation, with those of nested concatenations in their places.
    fn concat_parts(&self, pattern: PatternId) -> Vec<PatternId> {
        let mut found = Vec::new();
        let mut open = vec![pattern];
        while let Some(next) = open.pop() {
            let part = self.ast().unbracketed_pattern(next);
            match self.ast().pattern(part) {
                // The last part pushed is looked at next, so that parts come from left to right.
                Pattern::Concat(parts) => open.extend(parts.iter().rev()),
                _ => found.push(part),
            }
        }
        found
    }

    /// The number of items that a part of a sequence pattern takes, if the pattern fixes it.
    fn known_length(&self, pattern: PatternId) -> Option<usize> {
        let inner = |part: PatternId| deep(|| self.known_length(part));
        let pattern = self.ast().unbracketed_pattern(pattern);
        match self.ast().pattern(pattern) {
            Pattern::Sequence(items) => Some(items.len()),
            Pattern::String(text) => Some(text.chars().count()),
            Pattern::Both(a, b) => inner(*a).or_else(|| inner(*b)),
            Pattern::Concat(parts) => parts.iter().map(|&part| inner(part)).sum(),
            _ => None,
        }
    }

    /// True if a part of known length matches exactly these items.
    fn matches_items(
        &mut self,
        pattern: PatternId,
        items: &[Lazy],
        environment: &Rc<Frame>,
        bindings: &mut Bindings,
    ) -> Result<bool> {
        match self.ast().pattern(pattern) {
            Pattern::Sequence(patterns) => Ok(patterns.len() == items.len()
                && self.all_match(patterns, items, environment, bindings)?),
            _ => {
                let value = Value::Sequence(Sequence::prepend(items.to_vec(), Sequence::empty()));
                self.matches(pattern, &Lazy::Value(value), environment, bindings)
            }
        }
    }

    /// The meaning of a name in a pattern.
    pub(super) fn pattern_name(&self, pattern: PatternId) -> &'s PatternName {
        let name = &self.script.resolved.patterns[pattern];
        name.as_ref().expect("every name in a pattern was resolved")
    }

    /// The value of a pattern that is the name of a constructor or channel.
    pub(super) fn pattern_value(
        &mut self,
        pattern: PatternId,
        environment: &Rc<Frame>,
    ) -> Result<Option<Value>> {
        if let Pattern::Name(_) = self.ast().pattern(pattern)
            && let PatternName::Constant(reference) = self.pattern_name(pattern)
        {
            return Ok(Some(self.reference(reference, environment)?));
        }
        Ok(None)
    }

    /// The slot of a pattern that is just a variable.
    pub(super) fn plain_variable(&self, pattern: PatternId) -> Option<u32> {
        let pattern = self.ast().unbracketed_pattern(pattern);
        match self.ast().pattern(pattern) {
            Pattern::Name(_) => match self.pattern_name(pattern) {
                PatternName::Variable(slot) => Some(*slot),
                PatternName::Constant(_) => None,
            },
            _ => None,
        }
    }

    /// All slots that the pattern fills.
    pub(super) fn pattern_slots(&self, pattern: PatternId, slots: &mut Vec<u32>) {
        match self.ast().pattern(pattern) {
            Pattern::Name(_) => slots.extend(self.plain_variable(pattern)),
            Pattern::Tuple(parts)
            | Pattern::Sequence(parts)
            | Pattern::Concat(parts)
            | Pattern::Dot(parts) => {
                parts
                    .iter()
                    .for_each(|&part| deep(|| self.pattern_slots(part, slots)));
            }
            Pattern::Singleton(inner) | Pattern::Parenthesised(inner) => {
                deep(|| self.pattern_slots(*inner, slots))
            }
            Pattern::Both(a, b) => {
                deep(|| self.pattern_slots(*a, slots));
                deep(|| self.pattern_slots(*b, slots));
            }
            _ => {}
        }
    }

    /// The frame of patterns that matched.
    pub(super) fn bind(&self, mut bindings: Bindings, environment: &Rc<Frame>) -> Rc<Frame> {
        // Name resolution numbers the slots of one frame from 0 without gaps, so sorted bindings
        // are the frame.
        bindings.sort_by_key(|(slot, _)| *slot);
        Frame::binding(
            bindings.into_iter().map(|(_, lazy)| lazy).collect(),
            environment,
        )
    }

    /// Matches one pattern and pushes its frame.
    pub(super) fn match_and_bind(
        &mut self,
        pattern: PatternId,
        lazy: &Lazy,
        environment: &Rc<Frame>,
    ) -> Result<Option<Rc<Frame>>> {
        let mut bindings = Vec::new();
        if !self.matches(pattern, lazy, environment, &mut bindings)? {
            return Ok(None);
        }
        Ok(Some(self.bind(bindings, environment)))
    }

    pub(super) fn pattern_mismatch(&mut self, pattern: PatternId, value: &Value) -> Diagnostic {
        let shown = self.show_briefly(value);
        Diagnostic::error("pattern-mismatch", "the value does not match this pattern")
            .at(self.ast().patterns[pattern].span, "")
            .note(format!("the value is {shown}"))
    }
}
