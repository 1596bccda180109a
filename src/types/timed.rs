//! Timed sections: their `tock`, their duration function, and the constructs they forbid.

use super::processes::is_process_operator;
use super::resolved::{Place, Reference, TimedUse};
use super::resolver::{Duration, Resolver, Section};
use super::scope::Binding;
use base::diag::Diagnostic;
use base::source::Span;
use syntax::ast::{Declaration, DeclarationId, Expr, ExprId, Field, ReplicatedOp};

impl Resolver<'_> {
    /// Resolves `Timed (duration) { declarations }`.
    pub(super) fn timed_section(
        &mut self,
        id: DeclarationId,
        duration: Option<ExprId>,
        declarations: &[DeclarationId],
    ) {
        let depth = self.scopes.depth();
        if let Some(duration) = duration {
            let around = self.free.enter_definition(id, depth);
            self.expression(duration);
            self.free.leave(around);
        }
        let tock = self.tock(self.declaration_span(id));
        let slot = self
            .out
            .slots
            .get(&id)
            .and_then(|slots| slots.first().copied());
        let duration = slot.map(|slot| Duration {
            declaration: id,
            depth,
            slot,
        });
        // The duration function was resolved before: it stands outside of the section.
        let around = self.timed.replace(Section { tock, duration });
        self.declarations(declarations);
        self.timed = around;
    }

    /// The channel `tock`, in scope and without fields; `None` after reporting a mistake.
    fn tock(&mut self, section: Span) -> Option<Binding> {
        let symbol = self.ast.symbols.find("tock");
        let Some(binding) = symbol.and_then(|symbol| self.scopes.lookup(symbol)) else {
            let error = Diagnostic::error(
                "timed-tock",
                "a Timed section needs a channel `tock` in scope",
            )
            .at(section, "")
            .hint("declare it: `channel tock`");
            self.diagnostics.push(error);
            return None;
        };
        let declaration = binding.entry.declaration.map(|id| self.ast.declaration(id));
        let (message, hint) = match declaration {
            Some(Declaration::Channel(_, None)) => return Some(binding),
            Some(Declaration::Channel(..)) => (
                "`tock` must be a channel that carries nothing".to_string(),
                "declare it without fields, on a line of its own: `channel tock`",
            ),
            _ => (
                format!(
                    "`tock` is {}, but a Timed section needs it to be a channel",
                    binding.entry.kind.noun()
                ),
                "give that another name, and declare `channel tock`",
            ),
        };
        let error = Diagnostic::error("timed-tock", message)
            .at(section, "this section needs `tock`")
            .at(binding.entry.span, "introduced here")
            .hint(hint);
        self.diagnostics.push(error);
        None
    }

    /// Notes the section around `id`. A process at `id` depends on its `tock` and durations.
    pub(super) fn note_timed(&mut self, id: ExprId) {
        let Some(Section {
            tock: Some(tock),
            duration,
        }) = self.timed
        else {
            return;
        };
        let here = self.scopes.depth();
        let place = duration.map(|d| Place {
            up: here - d.depth,
            slot: d.slot,
        });
        let used = TimedUse {
            tock: self.reference(&tock, here),
            duration: place,
        };
        self.out.timed.insert(id, used);
        let passes_time = is_process_operator(self.ast.expr(id))
            || matches!(&self.out.names[id], Some(Reference::Builtin(builtin)) if builtin.is_process());
        if passes_time {
            // If `tock` is declared in a module, what passes time depends on the instance.
            self.note_use(&tock);
            if let Some(duration) = duration {
                self.free
                    .definition_used(duration.declaration, duration.depth);
            }
        }
    }

    /// Reports linked parallel and `$` fields in a Timed section.
    pub(super) fn check_timed(&mut self, id: ExprId) {
        if self.timed.is_none() {
            return;
        }
        let ast = self.ast;
        let (what, span) = match ast.expr(id) {
            Expr::LinkedParallel { .. } | Expr::Replicated(ReplicatedOp::LinkedParallel(_), ..) => {
                ("linked parallel", ast.expressions[id].span)
            }
            Expr::Prefix(_, fields, _) => {
                let choice = fields.iter().find_map(|field| match field {
                    Field::Nondeterministic(pattern, _) => Some(ast.patterns[*pattern].span),
                    _ => None,
                });
                let Some(span) = choice else { return };
                ("a `$` field", span)
            }
            _ => return,
        };
        let message = format!("{what} cannot stand in a Timed section");
        self.diagnostics
            .push(Diagnostic::error("not-in-timed", message).at(span, ""));
    }
}
