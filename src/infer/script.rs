//! The script that is typed: its places, and the definitions of its names.

use base::source::Span;
use syntax::ast::{
    Ast, Declaration, DeclarationId, Expr, ExprId, Field, Identifier, Pattern, PatternId, Symbol,
};
use syntax::children::{Child, descendants};
use types::resolved::{PatternName, Reference, Resolved};

/// The script that is typed, with the meanings of its names.
#[derive(Clone, Copy)]
pub(super) struct InputScript<'a> {
    pub(super) ast: &'a Ast,
    pub(super) resolved: &'a Resolved,
}

impl<'a> InputScript<'a> {
    /// The place of `id`.
    pub(super) fn span(self, id: ExprId) -> Span {
        self.ast.expressions[id].span
    }

    /// The place of the pattern `id`.
    pub(super) fn pattern_span(self, id: PatternId) -> Span {
        self.ast.patterns[id].span
    }

    /// The place of `field`, or of the set that it is restricted to.
    pub(super) fn field_span(self, field: &Field) -> Span {
        match field {
            Field::Output(value) => self.span(*value),
            Field::Input(_, Some(set)) | Field::Nondeterministic(_, Some(set)) => self.span(*set),
            Field::Input(pattern, None) | Field::Nondeterministic(pattern, None) => {
                self.pattern_span(*pattern)
            }
        }
    }

    /// The definition of the function that is applied, if it has a name in the script.
    pub(super) fn defined_at(self, function: ExprId) -> Option<Span> {
        let mut function = function;
        while let Expr::Parenthesised(inner) | Expr::Apply(inner, _) = self.ast.expr(function) {
            function = *inner;
        }
        match self.definition_of(function)? {
            Declaration::Function(name, _) => Some(name.span),
            _ => None,
        }
    }

    /// The declaration of the channel that `expression` begins with.
    pub(super) fn declared_at(self, expression: ExprId) -> Option<Span> {
        let mut expression = expression;
        while let Expr::Dot(items) = self.ast.expr(expression) {
            expression = *items.first()?;
        }
        let Expr::Name(path) = self.ast.expr(expression) else {
            return None;
        };
        let symbol = path.last().symbol;
        match self.definition_of(expression)? {
            Declaration::Channel(names, _) => {
                let found = names.iter().find(|name| name.symbol == symbol);
                found.map(|name| name.span)
            }
            _ => None,
        }
    }

    /// The declaration of the name `name`; `None` if the expression is no name of the script.
    pub(super) fn definition_of(self, name: ExprId) -> Option<&'a Declaration> {
        let definition = definition(self.resolved.names[name].as_ref()?)?;
        Some(self.ast.declaration(definition))
    }

    /// True if the declaration `id` is `c = e` with a constructor or channel c.
    pub(super) fn defines_nothing(self, id: DeclarationId) -> bool {
        let Declaration::Pattern(pattern, _) = self.ast.declaration(id) else {
            return false;
        };
        let meaning = &self.resolved.patterns[*pattern];
        matches!(self.ast.pattern(*pattern), Pattern::Name(_))
            && matches!(meaning, Some(PatternName::Constant(_)))
    }

    /// The variables of a pattern, with their slots.
    pub(super) fn pattern_variables(self, pattern: PatternId) -> Vec<(Symbol, u32)> {
        let nodes = descendants(self.ast, Child::Pattern(pattern)).into_iter();
        let variables = nodes.filter_map(|node| match node {
            Child::Pattern(id) => match (self.ast.pattern(id), &self.resolved.patterns[id]) {
                (Pattern::Name(path), Some(PatternName::Variable(slot))) => {
                    Some((path.last().symbol, *slot))
                }
                _ => None,
            },
            _ => None,
        });
        variables.collect()
    }

    /// True if the declaration `id` mentions a name that is not defined.
    pub(super) fn mentions_unknown(self, id: DeclarationId) -> bool {
        let nodes = descendants(self.ast, Child::Declaration(id)).into_iter();
        let mut names = nodes.filter_map(|node| match node {
            Child::Expression(id) => {
                Some(id).filter(|&id| matches!(self.ast.expr(id), Expr::Name(_)))
            }
            _ => None,
        });
        names.any(|id| self.resolved.names[id].is_none())
    }

    /// The names that `id` introduces, with their slots, and true if they are channels or
    /// constructors.
    pub(super) fn names_of(self, id: DeclarationId) -> (Vec<(Identifier, u32)>, bool) {
        let slots = self.resolved.slots.get(&id).map_or(&[][..], Vec::as_slice);
        let with_slots = |names: &[Identifier], slots: &[u32]| -> Vec<(Identifier, u32)> {
            names.iter().copied().zip(slots.iter().copied()).collect()
        };
        match self.ast.declaration(id) {
            Declaration::Function(name, _)
            | Declaration::Nametype(name, _)
            | Declaration::Subtype(name, _) => (with_slots(&[*name], slots), false),
            Declaration::Channel(names, _) => (with_slots(names, slots), true),
            Declaration::Datatype(_, constructors) => {
                let names: Vec<Identifier> = constructors.iter().map(|c| c.name).collect();
                // The first slot is that of the datatype's own name, which `announce` has filled.
                (with_slots(&names, slots.get(1..).unwrap_or_default()), true)
            }
            Declaration::Pattern(pattern, _) => {
                let span = self.pattern_span(*pattern);
                let variables = self.pattern_variables(*pattern).into_iter();
                let names = variables.map(|(symbol, slot)| (Identifier { symbol, span }, slot));
                (names.collect(), false)
            }
            _ => (Vec::new(), false),
        }
    }
}

/// The declaration of the name that `reference` refers to; `None` for parameters and built-ins.
pub(super) fn definition(reference: &Reference) -> Option<DeclarationId> {
    match reference {
        Reference::Local { definition, .. } | Reference::Member { definition, .. } => *definition,
        Reference::Builtin(_) => None,
    }
}
