//! The shapes of patterns, as far as their syntax and the meanings of their names show them.

use std::borrow::Cow;

use super::script::ResolvedScript;
use base::stack::deep;
use syntax::ast::{Pattern, PatternId};
use types::resolved::PatternName;

impl ResolvedScript {
    /// The meaning of a name in a pattern.
    pub(super) fn pattern_name(&self, pattern: PatternId) -> &PatternName {
        let name = &self.resolved.patterns[pattern];
        name.as_ref().expect("every name in a pattern was resolved")
    }

    /// The slot of a pattern that is just a variable.
    pub(super) fn plain_variable(&self, pattern: PatternId) -> Option<u32> {
        let pattern = self.ast.unbracketed_pattern(pattern);
        match self.ast.pattern(pattern) {
            Pattern::Name(_) => match self.pattern_name(pattern) {
                PatternName::Variable(slot) => Some(*slot),
                PatternName::Constant(_) => None,
            },
            _ => None,
        }
    }

    /// True if the pattern matches every value.
    pub(super) fn is_variable(&self, pattern: PatternId) -> bool {
        match self.ast.pattern(pattern) {
            Pattern::Wildcard => true,
            Pattern::Name(_) => matches!(self.pattern_name(pattern), PatternName::Variable(_)),
            _ => false,
        }
    }

    /// True if the pattern is the name of a constructor or channel, which looks inside a field.
    pub(super) fn opens(&self, pattern: PatternId) -> bool {
        match self.ast.pattern(pattern) {
            Pattern::Name(_) => matches!(self.pattern_name(pattern), PatternName::Constant(_)),
            _ => false,
        }
    }

    /// True if the last part of a pattern is a variable, which may stand for several fields.
    pub(super) fn ends_in_variable(&self, pattern: PatternId) -> bool {
        let mut last = pattern;
        loop {
            last = self.ast.unbracketed_pattern(last);
            match self.ast.pattern(last) {
                Pattern::Dot(parts) => last = parts[parts.len() - 1],
                _ => return self.is_variable(last),
            }
        }
    }

    /// All slots that the pattern fills.
    pub(super) fn pattern_slots(&self, pattern: PatternId, slots: &mut Vec<u32>) {
        match self.ast.pattern(pattern) {
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

    /// The parts of a concatenation, with those of nested concatenations in their places.
    pub(super) fn concat_parts(&self, pattern: PatternId) -> Vec<PatternId> {
        let mut found = Vec::new();
        let mut open = vec![pattern];
        while let Some(next) = open.pop() {
            let part = self.ast.unbracketed_pattern(next);
            match self.ast.pattern(part) {
                // The last part pushed is looked at next, so that parts come from left to right.
                Pattern::Concat(parts) => open.extend(parts.iter().rev()),
                _ => found.push(part),
            }
        }
        found
    }

    /// The number of items that a part of a sequence pattern takes, if the pattern fixes it.
    pub(super) fn known_length(&self, pattern: PatternId) -> Option<usize> {
        let inner = |part: PatternId| deep(|| self.known_length(part));
        let pattern = self.ast.unbracketed_pattern(pattern);
        match self.ast.pattern(pattern) {
            Pattern::Sequence(items) => Some(items.len()),
            Pattern::String(text) => Some(text.chars().count()),
            Pattern::Both(a, b) => inner(*a).or_else(|| inner(*b)),
            Pattern::Concat(parts) => parts.iter().map(|&part| inner(part)).sum(),
            _ => None,
        }
    }

    /// The parts of a dotted pattern, with those of dotted parts in parentheses in line.
    pub(super) fn flat_parts<'p>(&self, patterns: &'p [PatternId]) -> Cow<'p, [PatternId]> {
        let is_nested = |&pattern: &PatternId| {
            matches!(
                self.ast.pattern(pattern),
                Pattern::Parenthesised(_) | Pattern::Dot(_)
            )
        };
        if !patterns.iter().any(is_nested) {
            return Cow::Borrowed(patterns);
        }
        let mut flat = Vec::new();
        let mut pending: Vec<PatternId> = patterns.iter().rev().copied().collect();
        while let Some(pattern) = pending.pop() {
            match self.ast.pattern(pattern) {
                Pattern::Parenthesised(inner) => pending.push(*inner),
                Pattern::Dot(parts) => pending.extend(parts.iter().rev()),
                _ => flat.push(pattern),
            }
        }
        Cow::Owned(flat)
    }
}
