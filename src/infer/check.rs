//! Compares types, with the messages where they do not fit.

use super::constraint::Constraint;
use super::mismatch::Unified;
use super::reason::TypeReason;
use super::script::InputScript;
use super::single::SingleTypes;
use super::types::{Type, Types};
use base::diag::Result;
use base::index::IndexVec;
use base::source::Span;
use syntax::ast::ExprId;

/// The parts that are needed to compare types and to say why they do not fit.
pub(super) struct TypeCheck<'i, 'a> {
    pub(super) script: InputScript<'a>,
    pub(super) types: &'i mut Types,
    /// The type of each expression, as far as it was found.
    pub(super) expressions: &'i IndexVec<ExprId, Option<Type>>,
    pub(super) singles: &'i SingleTypes,
}

impl TypeCheck<'_, '_> {
    /// Unifies the type of `id` with the type it must have for `reason`.
    pub(super) fn fitting(
        &mut self,
        id: ExprId,
        (expected, actual): (Type, Type),
        reason: TypeReason,
    ) -> Result<()> {
        let unified = self.types.unify_at(self.script.span(id), expected, actual);
        self.explained(unified, id, (expected, actual), reason)
    }

    /// Unifies the type of an argument with that of the parameter. Dots in it are evaluated first
    /// by the longest match, as they were in the parameters.
    pub(super) fn argument(
        &mut self,
        id: ExprId,
        (parameter, actual): (Type, Type),
        reason: TypeReason,
    ) -> Result<()> {
        let place = self.script.span(id);
        let unified = self.types.unify_evaluated(place, parameter, actual);
        self.explained(unified, id, (parameter, actual), reason)
    }

    /// The value of `unified`. If the types did not fit, the message about it, with a hint: the
    /// expression `culprit` should have type `expected` for `reason`, but has type `actual`.
    pub(super) fn explained(
        &mut self,
        unified: Unified,
        culprit: ExprId,
        types: (Type, Type),
        reason: TypeReason,
    ) -> Result<()> {
        unified.map_err(|mismatch| Box::new(self.mismatch_of(culprit, types, mismatch, reason)))
    }

    /// Unifies the type of the expression at `span` with the expected type.
    pub(super) fn checked(
        &mut self,
        expected: Type,
        actual: Type,
        span: Span,
        reason: TypeReason,
    ) -> Result<()> {
        let unified = self.types.unify_at(span, expected, actual);
        unified
            .map_err(|mismatch| Box::new(self.mismatch(span, (expected, actual), mismatch, reason)))
    }

    /// Requires `ty`, the type of the expression at `span`, to satisfy `constraint`.
    pub(super) fn require(&mut self, constraint: Constraint, ty: Type, span: Span) -> Result<()> {
        self.types.cause = Some(span);
        let required = self.types.require_one(constraint, ty);
        let (types, reason) = ((ty, ty), TypeReason::Taken(""));
        required.map_err(|mismatch| Box::new(self.mismatch(span, types, mismatch, reason)))
    }

    /// The type `ty` of the expression at `span` with evaluated dots.
    pub(super) fn evaluated(&mut self, ty: Type, span: Span) -> Result<Type> {
        self.types.cause = Some(span);
        let (types, reason) = ((Types::UNKNOWN, ty), TypeReason::Taken("this"));
        let evaluated = self.types.with_evaluated_dots(ty);
        evaluated.map_err(|mismatch| Box::new(self.mismatch(span, types, mismatch, reason)))
    }
}
