//! The messages, which are the same whether they come from the text or from what was compiled.

use base::diag::Diagnostic;
use lts::model::Model;
use syntax::ast::{Ast, Declaration, Expr, ExprId, Pattern};
use types::builtin::Builtin;
use types::resolved::{Reference, Resolved};

/// A script as it is written, names resolved.
#[derive(Clone, Copy)]
pub(super) struct WrittenScript<'a> {
    pub(super) ast: &'a Ast,
    pub(super) resolved: &'a Resolved,
}

/// The largest number of definitions that are followed from name to name.
const MOST_NAMES: usize = 100;

impl WrittenScript<'_> {
    /// The process that `expression` is by its text, directly or by the definitions of names:
    /// `STOP`, `DIV`, or `RUN` or `CHAOS` of `Events`.
    pub(super) fn plain(self, expression: ExprId) -> Option<Builtin> {
        let mut at = expression;
        for _ in 0..MOST_NAMES {
            match &self.ast.expressions[at].kind {
                Expr::Parenthesised(inner) => at = *inner,
                Expr::Name(_) => match self.resolved.names[at].as_ref()? {
                    Reference::Local { definition, .. } | Reference::Member { definition, .. } => {
                        at = self.constant((*definition)?)?
                    }
                    Reference::Builtin(builtin) => {
                        let is_plain = matches!(builtin, Builtin::Stop | Builtin::Div);
                        return is_plain.then_some(*builtin);
                    }
                },
                Expr::Apply(function, arguments) => {
                    let [argument] = arguments[..] else {
                        return None;
                    };
                    let process = self.builtin(*function)?;
                    let is_plain = matches!(process, Builtin::Run | Builtin::Chaos)
                        && self.builtin(argument)? == Builtin::Events;
                    return is_plain.then_some(process);
                }
                _ => return None,
            }
        }
        None
    }

    /// True if `expression` is `RUN(A)` itself, which is how a search of all states is asked for.
    pub(super) fn explores_all(self, expression: ExprId) -> bool {
        let expression = self.ast.unbracketed(expression);
        match &self.ast.expressions[expression].kind {
            Expr::Apply(function, _) => self.builtin(*function) == Some(Builtin::Run),
            _ => false,
        }
    }

    /// The expression for which a definition without parameters stands.
    fn constant(self, definition: syntax::ast::DeclarationId) -> Option<ExprId> {
        match self.ast.declaration(definition) {
            Declaration::Pattern(pattern, body) => {
                let is_name = matches!(self.ast.pattern(*pattern), Pattern::Name(_));
                is_name.then_some(*body)
            }
            _ => None,
        }
    }

    /// The built-in that `expression` names.
    fn builtin(self, expression: ExprId) -> Option<Builtin> {
        match self.resolved.names[expression].as_ref()? {
            Reference::Builtin(builtin) => Some(*builtin),
            _ => None,
        }
    }
}

/// The warning that the process in question does nothing. `is_refinement` is true for a refinement
/// in the traces model.
pub(super) fn does_nothing(
    written: WrittenScript<'_>,
    process: ExprId,
    is_refinement: bool,
) -> Diagnostic {
    let span = written.ast.expressions[process].span;
    let (message, hint) = match written.plain(process) {
        Some(Builtin::Stop) => (
            "this assertion is about `STOP`, which never does an event",
            "put the process in its place that you want to know about",
        ),
        _ => (
            "this process never does an event, so the assertion says nothing of what it does",
            "is it stuck from the start? `cspsym step` shows which component waits for which event",
        ),
    };
    let warning = Diagnostic::warning("does-nothing", message).at(span, "");
    match is_refinement {
        true => warning.note("in the traces model such a process refines every specification"),
        false => warning,
    }
    .hint(hint)
}

/// The warning that the specification of a refinement in `model` allows every event of the script
/// at any time.
pub(super) fn allows_everything(
    written: WrittenScript<'_>,
    specification: ExprId,
    model: Model,
) -> Diagnostic {
    let span = written.ast.expressions[specification].span;
    let message = match model.has_failures() {
        true => {
            "this specification allows every event of the script at any time, and to refuse any, so no order and no refusal of events refutes it"
        }
        false => {
            "this specification allows every event of the script at any time, so no order of events refutes it"
        }
    };
    Diagnostic::warning("allows-everything", message)
        .at(span, "")
        .hint("write a process that does exactly what you allow, and nothing that you forbid")
}

/// The warning that the specification diverges at once, in a model that sees it.
pub(super) fn divergent_specification(
    written: WrittenScript<'_>,
    specification: ExprId,
) -> Diagnostic {
    let span = written.ast.expressions[specification].span;
    let message = "this specification diverges at once, so every process refines it";
    Diagnostic::warning("divergent-specification", message)
        .at(span, "")
        .note("in models with divergences nothing counts that comes after one")
        .hint("`:[divergence free]` shows its internal steps; in the traces model it is compared by what it does")
}
