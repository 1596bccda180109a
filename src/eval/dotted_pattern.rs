//! Matches dotted patterns, and finds the fields that each of their parts takes.

use super::dot::join;
use super::pattern::Matcher;
use super::value::{Lazy, Value};
use base::diag::Result;
use base::stack::deep;
use syntax::ast::{Pattern, PatternId};

impl Matcher<'_, '_> {
    /// True if a dotted pattern matches. It goes through the fields from left to right. A
    /// constructor opens the current field, both sides of `@@` take as many fields as the longer
    /// one has parts, and a last variable or `@@` takes all fields that are left.
    pub(super) fn matches_dot(&mut self, patterns: &[PatternId], value: &Value) -> Result<bool> {
        let patterns = self.evaluator.script.flat_parts(patterns);
        // The fields still to match, the next one at the end.
        let mut rest: Vec<Value> = match value {
            Value::Dot(parts)
                if !self.evaluator.script.opens(patterns[0])
                    || self.evaluator.declared.bare_parts(value).is_some() =>
            {
                parts.iter().rev().cloned().collect()
            }
            other => vec![other.clone()],
        };
        for (i, &pattern) in patterns.iter().enumerate() {
            let is_both = matches!(
                self.evaluator.script.ast.pattern(pattern),
                Pattern::Both(..)
            );
            let is_last = i + 1 == patterns.len();
            // `max(1)`: where nothing is left, a last variable does not match, because one field is
            // missing.
            let taken = if is_last && (is_both || self.evaluator.script.is_variable(pattern)) {
                rest.len().max(1)
            } else if is_both {
                self.field_count(pattern)?
            } else {
                1
            };
            let Some(start) = rest.len().checked_sub(taken) else {
                return Ok(false);
            };
            let mut part = join(rest.drain(start..).rev().collect());
            if self.evaluator.script.opens(pattern)
                && let Value::Dot(parts) = &part
            {
                rest.extend(parts[1..].iter().rev().cloned());
                part = parts[0].clone();
            }
            if !self.matches(pattern, &Lazy::Value(part))? {
                return Ok(false);
            }
        }
        Ok(rest.is_empty())
    }

    /// The number of fields that a pattern spans: one for each part. Parts that follow a
    /// constructor with fields lie inside the field that it opens, and do not count.
    pub(super) fn field_count(&mut self, pattern: PatternId) -> Result<usize> {
        if let Pattern::Both(left, right) = self.evaluator.script.ast.pattern(pattern) {
            let left = deep(|| self.field_count(*left))?;
            return Ok(left.max(deep(|| self.field_count(*right))?));
        }
        let parts = [pattern];
        let parts = self.evaluator.script.flat_parts(&parts);
        let mut count = 0;
        // The number of fields still to come inside the present one.
        let mut inside = 0_usize;
        for &part in parts.iter() {
            let spanned = match self.evaluator.script.ast.pattern(part) {
                Pattern::Both(..) => deep(|| self.field_count(part))?,
                _ => 1,
            };
            // Parts inside a field that was opened before are no fields of their own.
            count += spanned.saturating_sub(inside);
            inside = inside.saturating_sub(spanned) + self.fields_opened(part)?;
        }
        Ok(count)
    }

    /// The number of fields of a part of a dotted pattern, if it is a constructor; otherwise 0.
    fn fields_opened(&mut self, part: PatternId) -> Result<usize> {
        match self.pattern_value(part)? {
            Some(Value::Head(head)) => Ok(self.evaluator.fields(head)?.len()),
            _ => Ok(0),
        }
    }
}
