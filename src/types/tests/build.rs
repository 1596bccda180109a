//! Builds syntax trees directly: for trees deeper and wider than is convenient to write down.

use base::source::{FileId, Span};
use syntax::ast::*;

/// A script in the making. Names are written as text, `M::x`.
#[derive(Default)]
pub(super) struct Build {
    pub(super) ast: Ast,
    position: usize,
}

impl Build {
    fn span(&mut self) -> Span {
        self.position += 1;
        Span::new(FileId(0), self.position, self.position)
    }

    fn node<T>(&mut self, kind: T) -> Node<T> {
        Node {
            kind,
            span: self.span(),
        }
    }

    fn identifier(&mut self, name: &str) -> Identifier {
        let symbol = self.ast.symbols.intern_with(name, str::to_string);
        Identifier {
            symbol,
            span: self.span(),
        }
    }

    fn path(&mut self, path: &str) -> QualifiedName {
        QualifiedName {
            segments: path.split("::").map(|name| self.identifier(name)).collect(),
        }
    }

    pub(super) fn expr(&mut self, kind: Expr) -> ExprId {
        let node = self.node(kind);
        self.ast.expressions.push(node)
    }

    pub(super) fn declare(&mut self, kind: Declaration) -> DeclarationId {
        let node = self.node(kind);
        self.ast.declarations.push(node)
    }

    /// Adds a declaration to the top level.
    pub(super) fn top(&mut self, declaration: DeclarationId) {
        self.ast.script.push(declaration);
    }

    pub(super) fn name(&mut self, path: &str) -> ExprId {
        let path = self.path(path);
        self.expr(Expr::Name(path))
    }

    pub(super) fn pattern(&mut self, path: &str) -> PatternId {
        let path = self.path(path);
        let node = self.node(Pattern::Name(path));
        self.ast.patterns.push(node)
    }

    /// `c?x -> body`
    pub(super) fn input(&mut self, channel: &str, variable: &str, body: ExprId) -> ExprId {
        let channel = self.name(channel);
        let variable = self.pattern(variable);
        self.expr(Expr::Prefix(
            channel,
            vec![Field::Input(variable, None)],
            body,
        ))
    }

    /// `name = body`
    pub(super) fn constant(&mut self, name: &str, body: ExprId) -> DeclarationId {
        let pattern = self.pattern(name);
        self.declare(Declaration::Pattern(pattern, body))
    }

    /// `name(parameters) = body`
    pub(super) fn function(
        &mut self,
        name: &str,
        parameters: &[&str],
        body: ExprId,
    ) -> DeclarationId {
        let name = self.identifier(name);
        let group = parameters
            .iter()
            .map(|parameter| self.pattern(parameter))
            .collect();
        let clause = Clause {
            groups: vec![group],
            body,
            span: name.span,
        };
        self.declare(Declaration::Function(name, vec![clause]))
    }

    /// `channel name`
    pub(super) fn channel(&mut self, name: &str) -> DeclarationId {
        let name = self.identifier(name);
        self.declare(Declaration::Channel(vec![name], None))
    }
}
