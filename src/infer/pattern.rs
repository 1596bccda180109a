//! Types of patterns.

use super::constraint::Constraint;
use super::frames::{FrameId, SlotContent};
use super::inference::Inference;
use super::reason::TypeReason;
use super::scheme::Scheme;
use super::types::{Type, Types};
use base::diag::Result;
use base::stack::deep;
use syntax::ast::{Pattern, PatternId};
use types::resolved::PatternName;

impl Inference<'_> {
    /// Types `patterns` from outside the new frame that they fill, then enters that frame.
    pub(super) fn enter_patterns(&mut self, patterns: &[PatternId]) -> Vec<Type> {
        let frame = self.environment.frames.make(0);
        let types = self.patterns(patterns, frame);
        self.environment.enter(frame);
        types
    }

    /// The type of `id`, whose variables fill slots of `frame`. A variable that already has a type
    /// in its slot keeps it. Mistakes are reported.
    pub(super) fn pattern(&mut self, id: PatternId, frame: FrameId) -> Type {
        let typed = deep(|| self.any_pattern(id, frame));
        self.problems.typed(typed)
    }

    fn any_pattern(&mut self, id: PatternId, frame: FrameId) -> Result<Type> {
        let ast = self.script.ast;
        Ok(match ast.pattern(id) {
            Pattern::Name(_) => {
                let ty = self.pattern_name(id, frame);
                self.patterns[id] = Some(ty);
                ty
            }
            Pattern::Wildcard => self.types.unknown_yet(),
            Pattern::Int(_) => Types::INT,
            Pattern::Bool(_) => Types::BOOL,
            Pattern::Char(_) => Types::CHAR,
            Pattern::String(_) => self.types.sequence(Types::CHAR),
            Pattern::Tuple(parts) => {
                let parts = self.patterns(parts, frame);
                self.types.tuple(&parts)
            }
            Pattern::Dot(parts) => {
                let parts = self.patterns(parts, frame);
                self.types.dot(&parts)
            }
            Pattern::Sequence(parts) => {
                let element = self.types.unknown_yet();
                for &part in parts {
                    self.expect_pattern(part, frame, element, "another item of the sequence");
                }
                self.types.sequence(element)
            }
            Pattern::Concat(parts) => {
                let element = self.types.unknown_yet();
                let sequence = self.types.sequence(element);
                for &part in parts {
                    self.expect_pattern(part, frame, sequence, "what `^` joins");
                }
                sequence
            }
            Pattern::EmptySet => {
                let element = self.types.unknown_yet();
                self.comparable_set(element, id)?
            }
            Pattern::Singleton(part) => {
                let element = self.pattern(*part, frame);
                self.comparable_set(element, id)?
            }
            Pattern::Both(left, right) => {
                let ty = self.pattern(*left, frame);
                self.expect_pattern(*right, frame, ty, "the other side of `@@`");
                ty
            }
            Pattern::Parenthesised(inner) => self.pattern(*inner, frame),
        })
    }

    /// Requires the items of a set pattern to be comparable, since matching a set compares it.
    fn comparable_set(&mut self, element: Type, id: PatternId) -> Result<Type> {
        let span = self.script.pattern_span(id);
        self.check().require(Constraint::Eq, element, span)?;
        Ok(self.types.set(element))
    }

    fn patterns(&mut self, parts: &[PatternId], frame: FrameId) -> Vec<Type> {
        parts
            .iter()
            .map(|&part| self.pattern(part, frame))
            .collect()
    }

    fn expect_pattern(
        &mut self,
        id: PatternId,
        frame: FrameId,
        expected: Type,
        what: &'static str,
    ) {
        let actual = self.pattern(id, frame);
        let span = self.script.pattern_span(id);
        let reason = TypeReason::Taken(what);
        let fits = self.check().checked(expected, actual, span, reason);
        self.problems.report(fits);
    }

    fn pattern_name(&mut self, id: PatternId, frame: FrameId) -> Type {
        let resolved = self.script.resolved;
        match &resolved.patterns[id] {
            None => Types::UNKNOWN,
            Some(PatternName::Constant(reference)) => {
                self.environment.reference(&mut self.types, Some(reference))
            }
            Some(PatternName::Variable(slot)) => {
                // The variables of a pattern declaration have had a type since `begin`
                // (`typing.rs`).
                if let SlotContent::Value(scheme) = self.environment.frames.slot(frame, *slot) {
                    return scheme.ty;
                }
                let ty = self.types.unknown_yet();
                let value = SlotContent::Value(Scheme::of(ty));
                self.environment.frames.fill_in(frame, *slot, value);
                ty
            }
        }
    }
}
