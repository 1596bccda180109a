//! Types of functions and constants.

use super::annotation::Signature;
use super::inference::Inference;
use super::mismatch::Unified;
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
        let place = self.ast.patterns[pattern].span;
        let expected = self.pattern(pattern, frame);
        let signatures = self.variable_signatures(id, pattern);
        for (signature, slot) in &signatures {
            let known = self.type_in(frame, *slot);
            self.checked(signature.own, known, place, TypeReason::Taken("this name"))?;
            self.type_variables.push(signature.variables.clone());
        }
        let actual = self.expression(body);
        let depth = self.type_variables.len() - signatures.len();
        self.type_variables.truncate(depth);
        let (unified, what) = match &signatures[..] {
            [(signature, _)] if self.is_variable(pattern) => (
                self.unify_at(self.span(body), signature.own, actual),
                "by its annotation, what stands before `=`",
            ),
            _ => (
                self.unify_evaluated(self.span(body), expected, actual),
                "what stands before `=`",
            ),
        };
        self.explained(
            unified,
            body,
            (expected, actual),
            TypeReason::Like(what, place),
        )
    }

    /// The annotated types of the variables of `pattern`, with their slots.
    fn variable_signatures(&self, id: DeclarationId, pattern: PatternId) -> Vec<(Signature, u32)> {
        let variables = self.pattern_variables(pattern).into_iter();
        let found = variables.filter_map(|(symbol, slot)| {
            let signature = self.signatures.get(&(id, symbol))?;
            Some((signature.clone(), slot))
        });
        found.collect()
    }

    fn is_variable(&self, pattern: PatternId) -> bool {
        matches!(self.ast.pattern(pattern), Pattern::Name(_))
    }

    /// Unifies two types where patterns are bound: both have evaluated dots, and a dotted type must
    /// not meet a complete one.
    pub(super) fn unify_evaluated(&mut self, span: Span, expected: Type, actual: Type) -> Unified {
        self.types.cause = Some(span);
        let expected = self.types.with_evaluated_dots(expected)?;
        let actual = self.types.with_evaluated_dots(actual)?;
        let around = std::mem::replace(&mut self.types.is_symmetric, false);
        let unified = self.types.unify(expected, actual);
        self.types.is_symmetric = around;
        unified
    }

    /// Types all clauses of `name(...) = ...`. Each is typed before any is compared with another or
    /// with the uses of the function, so that a mistake in one does not hide those in others.
    pub(super) fn function(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        clauses: &[Clause],
    ) -> Result<()> {
        let signature = self.signatures.get(&(id, name.symbol)).cloned();
        if let Some(signature) = &signature {
            self.type_variables.push(signature.variables.clone());
        }
        let before = self.diagnostics.len();
        let mut typed = Vec::new();
        for clause in clauses {
            let depth = self.environment.chain().len();
            let ty = self.clause(clause, signature.as_ref().map(|s| s.own));
            self.environment.leave_to(depth);
            typed.push((clause, ty));
        }
        if signature.is_some() {
            self.type_variables.pop();
        }
        // A mistake in a clause can make it differ from others.
        if self.diagnostics.len() > before {
            return Ok(());
        }
        self.unify_clauses(id, name, &typed)
    }

    fn unify_clauses(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        typed: &[(&Clause, ClauseType)],
    ) -> Result<()> {
        let Some((first, ty)) = typed.first() else {
            return Ok(());
        };
        for (clause, other) in &typed[1..] {
            self.unify_with_first((first, ty), (clause, other))?;
        }
        let Some((frame, slot)) = self.slot_here(id, 0) else {
            return Ok(());
        };
        let used = self.type_in(frame, slot);
        let ty = self.function_type(ty);
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
        let ast = self.ast;
        let span = |pattern: PatternId| ast.patterns[pattern].span;
        let places = |clause: &Clause| -> Vec<Span> {
            let patterns = clause.groups.iter().flatten();
            patterns.map(|&pattern| span(pattern)).collect()
        };
        let types = first_type.groups.iter().flatten();
        let types = types.zip(ty.groups.iter().flatten());
        let places = places(first).into_iter().zip(places(clause));
        for ((&expected, &actual), (first, place)) in types.zip(places) {
            let reason = TypeReason::Like(what::PARAMETER, first);
            self.checked(expected, actual, place, reason)?;
        }
        let reason = TypeReason::Like("what the first clause yields", self.span(first.body));
        let place = self.span(clause.body);
        self.checked(first_type.result, ty.result, place, reason)
    }

    fn function_type(&mut self, clause: &ClauseType) -> Type {
        let groups = clause.groups.iter().rev();
        groups.fold(clause.result, |result, group| {
            self.types.function(group, result)
        })
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
                let fits = self.annotated_parameter(group[index], parameter, types[index]);
                self.report(fits);
            }
            groups.push(types);
        }
        let body = self.expression(clause.body);
        let fits = match result {
            Some(result) => {
                let reason = TypeReason::Like("by its annotation, what this yields", clause.span);
                self.fitting(clause.body, (result, body), reason)
            }
            None => Ok(()),
        };
        let result = match fits {
            Ok(()) => self.evaluated_or_unknown(body, self.span(clause.body)),
            Err(_) => Types::UNKNOWN,
        };
        self.report(fits);
        let groups = clause.groups.iter().zip(&groups);
        let groups = groups.map(|(group, types)| self.evaluated_group(group, types));
        ClauseType {
            groups: groups.collect(),
            result,
        }
    }

    /// The annotated type of each parameter of a clause, and of its result.
    fn parameters_of(&mut self, clause: &Clause, wanted: Type) -> (Vec<Vec<Type>>, Option<Type>) {
        let result = self.unknown_yet();
        let mut groups: Vec<Vec<Type>> = Vec::new();
        for group in &clause.groups {
            groups.push(group.iter().map(|_| self.unknown_yet()).collect());
        }
        let mut shape = result;
        for group in groups.iter().rev() {
            shape = self.types.function(group, shape);
        }
        let reason = TypeReason::Taken("this function, by its annotation,");
        let fits = self.checked(wanted, shape, clause.span, reason);
        self.report(fits);
        (groups, Some(result))
    }

    fn annotated_parameter(&mut self, id: PatternId, wanted: Type, actual: Type) -> Result<()> {
        let span = self.ast.patterns[id].span;
        // The pattern stands on the left, where nothing dotted may meet something whole: a dotted
        // pattern would take apart values that have no such parts.
        let Err(mismatch) = self.unify_evaluated(span, actual, wanted) else {
            return Ok(());
        };
        let reason = TypeReason::Taken("by the annotation, this parameter");
        self.mismatch(span, (wanted, actual), mismatch, reason)
            .into()
    }

    /// The types of parameters with evaluated dots.
    fn evaluated_group(&mut self, group: &[PatternId], types: &[Type]) -> Vec<Type> {
        let each = group.iter().zip(types);
        each.map(|(&pattern, &ty)| self.evaluated_or_unknown(ty, self.ast.patterns[pattern].span))
            .collect()
    }

    /// The type `ty` with evaluated dots; after reporting a mistake, a type that fits everywhere.
    fn evaluated_or_unknown(&mut self, ty: Type, span: Span) -> Type {
        self.evaluated(ty, span).unwrap_or_else(|problem| {
            self.diagnostics.push(*problem);
            Types::UNKNOWN
        })
    }

    /// The type `ty` of the expression at `span` with evaluated dots.
    pub(super) fn evaluated(&mut self, ty: Type, span: Span) -> Result<Type> {
        self.types.cause = Some(span);
        self.types.with_evaluated_dots(ty).map_err(|mismatch| {
            Box::new(self.mismatch(
                span,
                (Types::UNKNOWN, ty),
                mismatch,
                TypeReason::Taken("this"),
            ))
        })
    }
}
