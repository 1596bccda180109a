//! Types in assertions.

use super::inference::Inference;
use super::reason::TypeReason;
use super::types::Types;
use crate::diag::Result;
use crate::syntax::ast::{
    Assertion, AssertionKind, AssertionOption, Collection, Expr, ExprId, Items, SymmetricType,
};

impl Inference<'_> {
    /// Types what stands in an assertion.
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
            AssertionKind::Symmetric { subject, types } => {
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
            }
        }
        Ok(())
    }

    /// A sequence of events. That is known of its items beforehand: otherwise the first of them
    /// would be what the others must be.
    fn trace(&mut self, trace: ExprId) {
        let events = self.types.sequence(Types::EVENT);
        match self.ast.expr(trace) {
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

    /// Each names a set of values, and some of them.
    fn symmetric_types(&mut self, types: &[SymmetricType]) -> Result<()> {
        for SymmetricType {
            expression, fixed, ..
        } in types
        {
            let values = self.reference(self.resolved.names[*expression].as_ref());
            self.expressions[*expression] = Some(values);
            let element = self.unknown_yet();
            let set = self.types.set(element);
            let span = self.span(*expression);
            self.checked(set, values, span, TypeReason::Taken("a type"))?;
            // As between `{|` and `|}`, a constructor may stand without its fields.
            let whole = self.types.extendable(element);
            self.expect_all(fixed, whole, "a value that stays fixed");
        }
        Ok(())
    }
}
