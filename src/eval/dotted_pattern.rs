//! Matches dotted patterns, and finds the fields that each of their parts takes.

use std::borrow::Cow;
use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::pattern::Bindings;
use super::value::{Lazy, Value};
use base::diag::Result;
use base::stack::deep;
use syntax::ast::{Pattern, PatternId};
use types::resolved::PatternName;

impl Evaluator<'_> {
    /// True if a dotted pattern matches. It goes through the fields from left to right. A
    /// constructor opens the current field, both sides of `@@` take as many fields as the longer
    /// one has parts, and a last variable or `@@` takes all fields that are left.
    pub(super) fn matches_dot(
        &mut self,
        patterns: &[PatternId],
        value: &Value,
        environment: &Rc<Frame>,
        bindings: &mut Bindings,
    ) -> Result<bool> {
        let patterns = self.flat_parts(patterns);
        // The fields still to match, the next one at the end.
        let mut rest: Vec<Value> = match value {
            Value::Dot(parts) if !self.opens(patterns[0]) || self.bare_parts(value).is_some() => {
                parts.iter().rev().cloned().collect()
            }
            other => vec![other.clone()],
        };
        for (i, &pattern) in patterns.iter().enumerate() {
            let is_both = matches!(self.ast().pattern(pattern), Pattern::Both(..));
            let is_last = i + 1 == patterns.len();
            // `max(1)`: where nothing is left, a last variable does not match, because one field is
            // missing.
            let taken = if is_last && (is_both || self.is_variable(pattern)) {
                rest.len().max(1)
            } else if is_both {
                self.field_count(pattern, environment)?
            } else {
                1
            };
            let Some(start) = rest.len().checked_sub(taken) else {
                return Ok(false);
            };
            let mut part = Self::join(rest.drain(start..).rev().collect());
            if self.opens(pattern)
                && let Value::Dot(parts) = &part
            {
                rest.extend(parts[1..].iter().rev().cloned());
                part = parts[0].clone();
            }
            if !self.matches(pattern, &Lazy::Value(part), environment, bindings)? {
                return Ok(false);
            }
        }
        Ok(rest.is_empty())
    }

    /// The parts of a dotted pattern, with those of dotted parts in parentheses in line.
    fn flat_parts<'p>(&self, patterns: &'p [PatternId]) -> Cow<'p, [PatternId]> {
        let is_nested = |&pattern: &PatternId| {
            matches!(
                self.ast().pattern(pattern),
                Pattern::Parenthesised(_) | Pattern::Dot(_)
            )
        };
        if !patterns.iter().any(is_nested) {
            return Cow::Borrowed(patterns);
        }
        let mut flat = Vec::new();
        let mut pending: Vec<PatternId> = patterns.iter().rev().copied().collect();
        while let Some(pattern) = pending.pop() {
            match self.ast().pattern(pattern) {
                Pattern::Parenthesised(inner) => pending.push(*inner),
                Pattern::Dot(parts) => pending.extend(parts.iter().rev()),
                _ => flat.push(pattern),
            }
        }
        Cow::Owned(flat)
    }

    /// The number of fields that a pattern spans: one for each part. Parts that follow a
    /// constructor with fields lie inside the field that it opens, and do not count.
    pub(super) fn field_count(
        &mut self,
        pattern: PatternId,
        environment: &Rc<Frame>,
    ) -> Result<usize> {
        if let Pattern::Both(left, right) = self.ast().pattern(pattern) {
            let left = deep(|| self.field_count(*left, environment))?;
            return Ok(left.max(deep(|| self.field_count(*right, environment))?));
        }
        let parts = [pattern];
        let parts = self.flat_parts(&parts);
        let mut count = 0;
        // The number of fields still to come inside the present one.
        let mut inside = 0_usize;
        for &part in parts.iter() {
            let spanned = match self.ast().pattern(part) {
                Pattern::Both(..) => deep(|| self.field_count(part, environment))?,
                _ => 1,
            };
            // Parts inside a field that was opened before are no fields of their own.
            count += spanned.saturating_sub(inside);
            inside = inside.saturating_sub(spanned) + self.fields_opened(part, environment)?;
        }
        Ok(count)
    }

    /// The number of fields of a part of a dotted pattern, if it is a constructor; otherwise 0.
    fn fields_opened(&mut self, part: PatternId, environment: &Rc<Frame>) -> Result<usize> {
        match self.pattern_value(part, environment)? {
            Some(Value::Head(head)) => Ok(self.fields(head)?.len()),
            _ => Ok(0),
        }
    }

    /// True if the pattern is the name of a constructor or channel, which looks inside a field.
    fn opens(&self, pattern: PatternId) -> bool {
        match self.ast().pattern(pattern) {
            Pattern::Name(_) => matches!(self.pattern_name(pattern), PatternName::Constant(_)),
            _ => false,
        }
    }

    /// True if the pattern matches every value.
    pub(super) fn is_variable(&self, pattern: PatternId) -> bool {
        match self.ast().pattern(pattern) {
            Pattern::Wildcard => true,
            Pattern::Name(_) => matches!(self.pattern_name(pattern), PatternName::Variable(_)),
            _ => false,
        }
    }
}
