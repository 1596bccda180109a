//! Types in assertions.

use super::constraint::{Constraint, Constraints};
use super::inference::Inference;
use super::reason::TypeReason;
use super::text::{TypeNames, elided};
use super::types::{Type, Types};
use base::diag::{Diagnostic, Result};
use base::source::Span;
use syntax::ast::{
    Assertion, AssertionKind, AssertionOption, Collection, Expr, ExprId, Items, SymmetricType,
};
use syntax::print::expression_text;
use types::resolved::Reference;

impl Inference<'_> {
    /// Types the expressions in an assertion.
    pub(super) fn assertion(&mut self, assertion: &Assertion) -> Result<()> {
        let what = "what an assertion is about";
        match &assertion.kind {
            AssertionKind::Refinement {
                specification,
                implementation,
                ..
            } => self.expect_all(&[*specification, *implementation], Types::PROCESS, what),
            AssertionKind::Property { process, .. } => {
                self.expect_all(&[*process], Types::PROCESS, what);
            }
            AssertionKind::HasTrace { process, trace, .. } => {
                self.expect_all(&[*process], Types::PROCESS, what);
                self.trace(*trace);
            }
            AssertionKind::Symmetric { subject, types, .. } => {
                self.expression(*subject);
                self.symmetric_types(types)?;
            }
            AssertionKind::Unread(_) => {}
        }
        for option in &assertion.options {
            match option {
                AssertionOption::TauPriority(events) => {
                    let expected = self.types.set(Types::EVENT);
                    self.expect_all(&[*events], expected, "a set of events");
                }
                AssertionOption::PartialOrderReduce(_) => {}
                AssertionOption::SymmetryReduce(types) => self.symmetric_types(types)?,
                AssertionOption::ForAll(constant) => self.number_of_all(*constant),
            }
        }
        Ok(())
    }

    /// Types the name of a constant of the top level that is a number or a set.
    fn number_of_all(&mut self, constant: ExprId) {
        // `N >= 2` says from which number on. The constant may be a set that has so many members.
        let constant = match self.script.ast.expr(constant) {
            Expr::Binary(_, constant, least) => {
                self.expression(*least);
                *constant
            }
            _ => constant,
        };
        let ty = self.expression(constant);
        // If the name means nothing, name resolution has said so.
        let Some(reference) = &self.script.resolved.names[constant] else {
            return;
        };
        let ast = self.script.ast;
        let (span, text) = (self.script.span(constant), expression_text(ast, constant));
        let is_constant = match reference {
            Reference::Local { definition, .. } => {
                definition.is_some() && *definition == ast.constant(&text)
            }
            Reference::Member { .. } | Reference::Builtin(_) => false,
        };
        let message = if !is_constant {
            format!("`{text}` is not a constant of the top level")
        } else if !is_number_or_set(&mut self.types, span, ty) {
            let ty = TypeNames::new(ast).ty(&mut self.types, ty);
            format!(
                "`{text}` is neither a number nor a set, but has type {}",
                elided(ty)
            )
        } else {
            return;
        };
        self.problems.add(
            Diagnostic::error("not-a-constant", message)
                .at(span, "")
                .hint("write a name that the top level defines as a number, as in `N = 3`, or as a set"),
        );
    }

    /// Types a sequence of events. The items are expected to be events: otherwise the first item
    /// would decide the type of the others.
    fn trace(&mut self, trace: ExprId) {
        let events = self.types.sequence(Types::EVENT);
        match self.script.ast.expr(trace) {
            Expr::Sequence(Collection {
                items: Items::List(items),
                statements,
            }) if statements.is_empty() => {
                self.expect_all(items, Types::EVENT, "an item of a trace");
                self.expressions[trace] = Some(events);
            }
            _ => self.expect_all(&[trace], events, "a trace"),
        }
    }

    /// Types a symmetry claim. Each type names a set of values, and some of these values.
    fn symmetric_types(&mut self, types: &[SymmetricType]) -> Result<()> {
        for SymmetricType {
            expression, fixed, ..
        } in types
        {
            let reference = self.script.resolved.names[*expression].as_ref();
            let values = self.environment.reference(&mut self.types, reference);
            self.expressions[*expression] = Some(values);
            let element = self.types.unknown_yet();
            let set = self.types.set(element);
            let span = self.script.span(*expression);
            self.check()
                .checked(set, values, span, TypeReason::Taken("a type"))?;
            // A constructor may stand without its fields, as between `{|` and `|}`.
            let whole = self.types.extendable(element);
            self.expect_all(fixed, whole, "a value that stays fixed");
        }
        Ok(())
    }
}

fn is_number_or_set(types: &mut Types, span: Span, ty: Type) -> bool {
    let member = types.variable(Constraints::of(Constraint::Set));
    let set = types.set(member);
    types.unify_at(span, Types::INT, ty).is_ok() || types.unify_at(span, set, ty).is_ok()
}
