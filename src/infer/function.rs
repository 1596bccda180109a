//! Types of functions and constants.

use super::check::TypeCheck;
use super::inference::Inference;
use super::reason::{TypeReason, what};
use super::types::{Type, Types};
use base::diag::Result;
use base::source::Span;
use syntax::ast::{Clause, DeclarationId, ExprId, Identifier, Pattern, PatternId};

/// The type of one clause of a function.
struct ClauseType {
    /// The types of the parameters, by group.
    groups: Vec<Vec<Type>>,
    result: Type,
}

impl Inference<'_> {
    /// Types `pattern = body`.
    pub(super) fn constant(
        &mut self,
        id: DeclarationId,
        pattern: PatternId,
        body: ExprId,
    ) -> Result<()> {
        let Some(&frame) = self.environment.chain().last() else {
            return Ok(());
        };
        let place = self.script.pattern_span(pattern);
        let expected = self.pattern(pattern, frame);
        let signatures = self.annotated.of_variables(self.script, id, pattern);
        for (signature, slot) in &signatures {
            let known = self.environment.frames.type_in(frame, *slot);
            let reason = TypeReason::Taken("this name");
            self.check().checked(signature.own, known, place, reason)?;
            self.annotated.enter(signature);
        }
        let actual = self.expression(body);
        self.annotated.leave(signatures.len());
        let (span, types) = (self.script.span(body), &mut self.types);
        let (unified, what) = match &signatures[..] {
            [(signature, _)] if matches!(self.script.ast.pattern(pattern), Pattern::Name(_)) => (
                types.unify_at(span, signature.own, actual),
                "by its annotation, what stands before `=`",
            ),
            _ => (
                types.unify_evaluated(span, expected, actual),
                "what stands before `=`",
            ),
        };
        let (types, reason) = ((expected, actual), TypeReason::Like(what, place));
        self.check().explained(unified, body, types, reason)
    }

    /// Types all clauses of `name(...) = ...`. Each is typed before any is compared with another or
    /// with the uses of the function, so that a mistake in one does not hide those in others.
    pub(super) fn function(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        clauses: &[Clause],
    ) -> Result<()> {
        let signature = self.annotated.signature(id, name.symbol).cloned();
        if let Some(signature) = &signature {
            self.annotated.enter(signature);
        }
        let before = self.problems.count();
        let mut typed = Vec::new();
        for clause in clauses {
            let depth = self.environment.chain().len();
            let ty = self.clause(clause, signature.as_ref().map(|s| s.own));
            self.environment.leave_to(depth);
            typed.push((clause, ty));
        }
        if signature.is_some() {
            self.annotated.leave(1);
        }
        // A mistake in a clause can make it differ from others.
        if self.problems.count() > before {
            return Ok(());
        }
        let slot = self.environment.slot_here(id, 0);
        let used = slot.map(|(frame, slot)| self.environment.frames.type_in(frame, slot));
        self.check().unify_clauses(name, used, &typed)
    }

    /// The type of one clause. Its dots are evaluated by the longest match; those in the patterns
    /// once more at the end, because the body decides more of them.
    fn clause(&mut self, clause: &Clause, wanted: Option<Type>) -> ClauseType {
        let (parameters, result) = match wanted {
            Some(wanted) => self.parameters_of(clause, wanted),
            None => (Vec::new(), None),
        };
        let mut groups = Vec::new();
        for (number, group) in clause.groups.iter().enumerate() {
            let types = self.enter_patterns(group);
            let types = self.evaluated_group(group, &types);
            for (index, &parameter) in parameters.get(number).into_iter().flatten().enumerate() {
                let (id, actual) = (group[index], types[index]);
                let fits = self.check().annotated_parameter(id, parameter, actual);
                self.problems.report(fits);
            }
            groups.push(types);
        }
        let body = self.expression(clause.body);
        let fits = match result {
            Some(result) => {
                let reason = TypeReason::Like("by its annotation, what this yields", clause.span);
                self.check().fitting(clause.body, (result, body), reason)
            }
            None => Ok(()),
        };
        let result = match fits {
            Ok(()) => self.evaluated(body, self.script.span(clause.body)),
            Err(_) => Types::UNKNOWN,
        };
        self.problems.report(fits);
        let groups = clause.groups.iter().zip(&groups);
        let groups = groups.map(|(group, types)| self.evaluated_group(group, types));
        ClauseType {
            groups: groups.collect(),
            result,
        }
    }

    /// The annotated type of each parameter of a clause, and of its result.
    fn parameters_of(&mut self, clause: &Clause, wanted: Type) -> (Vec<Vec<Type>>, Option<Type>) {
        let result = self.types.unknown_yet();
        let mut groups: Vec<Vec<Type>> = Vec::new();
        for group in &clause.groups {
            groups.push(group.iter().map(|_| self.types.unknown_yet()).collect());
        }
        let mut shape = result;
        for group in groups.iter().rev() {
            shape = self.types.function(group, shape);
        }
        let reason = TypeReason::Taken("this function, by its annotation,");
        let fits = self.check().checked(wanted, shape, clause.span, reason);
        self.problems.report(fits);
        (groups, Some(result))
    }

    /// The types of parameters with evaluated dots.
    fn evaluated_group(&mut self, group: &[PatternId], types: &[Type]) -> Vec<Type> {
        let each = group.iter().zip(types);
        each.map(|(&pattern, &ty)| self.evaluated(ty, self.script.pattern_span(pattern)))
            .collect()
    }

    /// The type `ty` with evaluated dots; after reporting a mistake, a type that fits everywhere.
    fn evaluated(&mut self, ty: Type, span: Span) -> Type {
        let evaluated = self.check().evaluated(ty, span);
        self.problems.typed(evaluated)
    }
}

impl ClauseType {
    /// The type of the function.
    fn whole(&self, types: &mut Types) -> Type {
        let groups = self.groups.iter().rev();
        groups.fold(self.result, |result, group| types.function(group, result))
    }
}

impl TypeCheck<'_, '_> {
    /// Unifies the types of the clauses of `name` with each other, and with the type `used` that
    /// the uses of the function have given it.
    fn unify_clauses(
        &mut self,
        name: Identifier,
        used: Option<Type>,
        typed: &[(&Clause, ClauseType)],
    ) -> Result<()> {
        let Some((first, ty)) = typed.first() else {
            return Ok(());
        };
        for (clause, other) in &typed[1..] {
            self.unify_with_first((first, ty), (clause, other))?;
        }
        let Some(used) = used else {
            return Ok(());
        };
        let ty = ty.whole(self.types);
        let reason = TypeReason::Taken("this function, as it is used,");
        self.checked(used, ty, name.span, reason)
    }

    /// Unifies the types of two clauses of one function, part by part. They have as many
    /// parameters.
    fn unify_with_first(
        &mut self,
        (first, first_type): (&Clause, &ClauseType),
        (clause, ty): (&Clause, &ClauseType),
    ) -> Result<()> {
        let script = self.script;
        let places = |clause: &Clause| -> Vec<Span> {
            let patterns = clause.groups.iter().flatten();
            patterns.map(|&id| script.pattern_span(id)).collect()
        };
        let types = first_type.groups.iter().flatten();
        let types = types.zip(ty.groups.iter().flatten());
        let places = places(first).into_iter().zip(places(clause));
        for ((&expected, &actual), (first, place)) in types.zip(places) {
            let reason = TypeReason::Like(what::PARAMETER, first);
            self.checked(expected, actual, place, reason)?;
        }
        let reason = TypeReason::Like("what the first clause yields", self.script.span(first.body));
        let place = self.script.span(clause.body);
        self.checked(first_type.result, ty.result, place, reason)
    }

    fn annotated_parameter(&mut self, id: PatternId, wanted: Type, actual: Type) -> Result<()> {
        let span = self.script.pattern_span(id);
        // The pattern stands on the left, where nothing dotted may meet something whole: a dotted
        // pattern would take apart values that have no such parts.
        let Err(mismatch) = self.types.unify_evaluated(span, actual, wanted) else {
            return Ok(());
        };
        let reason = TypeReason::Taken("by the annotation, this parameter");
        self.mismatch(span, (wanted, actual), mismatch, reason)
            .into()
    }
}
