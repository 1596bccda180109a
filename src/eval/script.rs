//! The script that is evaluated, and what its syntax and the meanings of its names tell.

use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::{SourceMap, Span};
use syntax::ast::{Ast, Clause, Declaration, DeclarationId, Expr, ExprId, Pattern, PatternId};
use types::builtin::Builtin;
use types::resolved::{Place, Reference, Resolved};

/// A script that has been parsed and resolved.
#[derive(Clone, Debug)]
pub struct ResolvedScript {
    /// The files; shared with the messages about them.
    pub sources: Arc<SourceMap>,
    /// The syntax.
    pub ast: Ast,
    /// The meanings of its names.
    pub resolved: Resolved,
}

impl ResolvedScript {
    /// True if the script declares functions of the checker, such as compressions.
    pub fn declares_functions(&self) -> bool {
        let mut declarations = self.ast.declarations.indices();
        declarations.any(|id| {
            let declaration = self.ast.declaration(id);
            matches!(
                declaration,
                Declaration::Transparent(_) | Declaration::External(_)
            )
        })
    }

    /// True if the script makes instances of modules. Evaluators make them by need, and may number
    /// their channels and constructors differently.
    pub fn makes_instances(&self) -> bool {
        let mut declarations = self.ast.declarations.indices();
        declarations.any(|id| matches!(self.ast.declaration(id), Declaration::Instance { .. }))
    }

    /// True if the script names a function that follows one τ of several: which one depends on the
    /// order in which terms are met.
    pub fn chases(&self) -> bool {
        let mut names = self.resolved.names.iter().flatten();
        names.any(|name| {
            matches!(
                name,
                Reference::Builtin(Builtin::Chase | Builtin::ChaseNoCache | Builtin::Deter)
            )
        })
    }

    /// The place of an expression.
    pub(super) fn span(&self, expression: ExprId) -> Span {
        self.ast.expressions[expression].span
    }

    /// An error at an expression.
    pub(super) fn error_at(
        &self,
        expression: ExprId,
        code: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.span(expression), "")
    }

    pub(super) fn clauses(&self, id: DeclarationId) -> &[Clause] {
        match self.ast.declaration(id) {
            Declaration::Function(_, clauses) => clauses,
            _ => unreachable!("functions are declared by clauses"),
        }
    }

    pub(super) fn lambda(&self, id: ExprId) -> (&[PatternId], ExprId) {
        match self.ast.expr(id) {
            Expr::Lambda(parameters, body) => (parameters, *body),
            _ => unreachable!("closures of lambdas point to them"),
        }
    }

    pub(super) fn function_name(&self, id: DeclarationId) -> &str {
        match self.ast.declaration(id) {
            Declaration::Function(name, _) => self.ast.name(name.symbol),
            _ => unreachable!("functions are declared by clauses"),
        }
    }

    pub(super) fn reference_of(&self, name: ExprId) -> &Reference {
        let reference = &self.resolved.names[name];
        reference.as_ref().expect("every name was resolved")
    }

    /// The free variables of a lambda, or of the continuation of a prefix.
    pub(super) fn free_of(&self, expression: ExprId) -> &[Place] {
        let free = self.resolved.free.get(&expression);
        free.map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_named_process(&self, expression: ExprId) -> bool {
        let expression = self.ast.unbracketed(expression);
        match self.ast.expr(expression) {
            Expr::Apply(function, _) => {
                matches!(self.ast.expr(*function), Expr::Name(_)) && self.names_process(*function)
            }
            Expr::Name(_) => self.names_process(expression),
            _ => false,
        }
    }

    pub(super) fn names_process(&self, name: ExprId) -> bool {
        match self.reference_of(name) {
            Reference::Builtin(builtin) => builtin.is_process() && builtin.arity() == 0,
            Reference::Local {
                definition: Some(id),
                ..
            }
            | Reference::Member {
                definition: Some(id),
                ..
            } => self.resolved.processes.contains(id),
            _ => false,
        }
    }

    /// True if `reference` is the name of a constructor of a datatype.
    pub(super) fn names_constructor(&self, reference: &Reference) -> bool {
        let (Reference::Local { definition, .. } | Reference::Member { definition, .. }) =
            reference
        else {
            return false;
        };
        let declaration = definition.map(|id| self.ast.declaration(id));
        matches!(declaration, Some(Declaration::Datatype(..)))
    }

    pub(super) fn pattern_text(&self, pattern: PatternId) -> String {
        match self.ast.pattern(pattern) {
            Pattern::Name(path) => self.ast.name(path.last().symbol).to_string(),
            _ => self.excerpt(self.ast.patterns[pattern].span),
        }
    }

    /// The source text at `span` in one short line.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let mut text = String::new();
        for word in self.sources.text(span).split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
            // The rest is not looked at: a definition may be as long as its file.
            if text.chars().count() > 40 {
                break;
            }
        }
        if text.chars().count() <= 40 {
            return text;
        }
        text.chars().take(37).chain("...".chars()).collect()
    }
}
