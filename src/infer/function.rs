//! Types of functions and constants.

use super::annotation::Signature;
use super::inference::Inference;
use super::reason::Reason;
use super::types::{Type, Types};
use super::unify::Unified;
use crate::diag::Result;
use crate::source::Span;
use crate::syntax::ast::{Clause, DeclarationId, ExprId, Identifier, Pattern, PatternId};

impl Inference<'_> {
    /// `pattern = body`
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
        let expected = self.pattern(pattern, frame)?;
        let signatures = self.variable_signatures(id, pattern);
        for (signature, slot) in &signatures {
            let known = self.type_in(frame, *slot);
            self.checked(signature.own, known, place, Reason::Taken("this name"))?;
            self.type_variables.push(signature.variables.clone());
        }
        let typed = self.expression(body);
        let depth = self.type_variables.len() - signatures.len();
        self.type_variables.truncate(depth);
        let actual = typed?;
        let (unified, what) = match &signatures[..] {
            [(signature, _)] if self.is_variable(pattern) => (
                self.types.unify(signature.own, actual),
                "by its annotation, what stands before `=`",
            ),
            _ => (
                self.unify_evaluated(actual, expected),
                "what stands before `=`",
            ),
        };
        match unified {
            Ok(()) => Ok(()),
            Err(mismatch) => {
                let reason = Reason::Like(what, place);
                self.mismatch_of(body, (expected, actual), &mismatch, reason)
                    .into()
            }
        }
    }

    /// What annotations say of the variables of `pattern`, with their slots.
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

    /// Unifies two types where patterns are bound: both evaluated, and nothing dotted made of something whole.
    pub(super) fn unify_evaluated(&mut self, expected: Type, actual: Type) -> Unified {
        let expected = self.types.with_evaluated_dots(expected)?;
        let actual = self.types.with_evaluated_dots(actual)?;
        let around = std::mem::replace(&mut self.types.is_symmetric, false);
        let unified = self.types.unify(expected, actual);
        self.types.is_symmetric = around;
        unified
    }

    /// `name(...) = ...`, all its clauses. Each is typed before any is compared with another or with how the function is used,
    /// and a mistake in one does not hide those in others.
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
        let mut typed = Vec::new();
        let mut fails = None;
        for clause in clauses {
            let depth = self.environment.chain().len();
            let ty = self.clause(clause, signature.as_ref().map(|s| s.own));
            while self.environment.chain().len() > depth {
                self.environment.leave();
            }
            match ty {
                Ok(ty) => typed.push((clause, ty)),
                // The last one is the result.
                Err(problem) => {
                    if let Some(before) = fails.replace(problem) {
                        self.diagnostics.push(*before);
                    }
                }
            }
        }
        if signature.is_some() {
            self.type_variables.pop();
        }
        if let Some(problem) = fails {
            return Err(problem);
        }
        self.unify_clauses(id, &typed)
    }

    fn unify_clauses(&mut self, id: DeclarationId, typed: &[(&Clause, Type)]) -> Result<()> {
        let Some(&(first, ty)) = typed.first() else {
            return Ok(());
        };
        for &(clause, other) in &typed[1..] {
            let reason = Reason::Like("the first clause", first.span);
            self.checked(ty, other, clause.span, reason)?;
        }
        let slot = self.resolved.slots.get(&id).and_then(|slots| slots.first());
        let frame = self.environment.chain().last().copied();
        let (Some(&slot), Some(frame)) = (slot, frame) else {
            return Ok(());
        };
        let used = self.type_in(frame, slot);
        let reason = Reason::Taken("this function, as it is used,");
        self.checked(used, ty, first.span, reason)
    }

    /// The type of one clause. What is dotted in it is evaluated by the longest match; in the patterns once more at the end,
    /// because the body says more of them.
    fn clause(&mut self, clause: &Clause, wanted: Option<Type>) -> Result<Type> {
        let (parameters, result) = match wanted {
            Some(wanted) => self.parameters_of(clause, wanted)?,
            None => (Vec::new(), None),
        };
        let mut groups = Vec::new();
        for (number, group) in clause.groups.iter().enumerate() {
            let types = self.enter_patterns(group)?;
            let types = self.evaluated(&types, clause.span)?;
            for (index, &parameter) in parameters.get(number).into_iter().flatten().enumerate() {
                self.annotated_parameter(group[index], parameter, types[index])?;
            }
            groups.push(types);
        }
        let body = self.expression(clause.body)?;
        if let Some(result) = result
            && let Err(mismatch) = self.types.unify(result, body)
        {
            let reason = Reason::Like("by its annotation, what this yields", clause.span);
            return self
                .mismatch_of(clause.body, (result, body), &mismatch, reason)
                .into();
        }
        let mut result = self.evaluated(&[body], self.span(clause.body))?[0];
        for group in groups.iter().rev() {
            let group = self.evaluated(group, clause.span)?;
            result = self.types.function(&group, result);
        }
        Ok(result)
    }

    /// What an annotation says of each parameter of a clause, and of its result.
    fn parameters_of(
        &mut self,
        clause: &Clause,
        wanted: Type,
    ) -> Result<(Vec<Vec<Type>>, Option<Type>)> {
        let result = self.unknown_yet();
        let mut groups: Vec<Vec<Type>> = Vec::new();
        for group in &clause.groups {
            groups.push(group.iter().map(|_| self.unknown_yet()).collect());
        }
        let mut shape = result;
        for group in groups.iter().rev() {
            shape = self.types.function(group, shape);
        }
        let reason = Reason::Taken("this function, by its annotation,");
        self.checked(wanted, shape, clause.span, reason)?;
        Ok((groups, Some(result)))
    }

    fn annotated_parameter(&mut self, id: PatternId, wanted: Type, actual: Type) -> Result<()> {
        let Err(mismatch) = self.unify_evaluated(actual, wanted) else {
            return Ok(());
        };
        let span = self.ast.patterns[id].span;
        let reason = Reason::Taken("by the annotation, this parameter");
        self.mismatch(span, (wanted, actual), &mismatch, reason)
            .into()
    }

    fn evaluated(&mut self, types: &[Type], span: Span) -> Result<Vec<Type>> {
        let mut evaluated = Vec::new();
        for &ty in types {
            match self.types.with_evaluated_dots(ty) {
                Ok(ty) => evaluated.push(ty),
                Err(mismatch) => {
                    let reason = Reason::Taken("a field");
                    return self
                        .mismatch(span, (Types::UNKNOWN, ty), &mismatch, reason)
                        .into();
                }
            }
        }
        Ok(evaluated)
    }
}
