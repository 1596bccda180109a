//! The state of one inference, with names and the types expected of expressions.

use rustc_hash::FxHashMap;

use super::annotation::{Signature, TypeVariables};
use super::builtin::Builtins;
use super::constraint::Constraint;
use super::environment::{Environment, SlotContent};
use super::mismatch::Unified;
use super::reason::TypeReason;
use super::scheme::Scheme;
use super::single::{DefinitionPlace, SingleTyped};
use super::types::{Type, Types};
use base::diag::{Diagnostic, Result};
use base::index::IndexVec;
use base::source::Span;
use syntax::ast::{
    Ast, Declaration, DeclarationId, Expr, ExprId, Identifier, PatternId, Symbol, TypeScheme,
};
use types::resolved::{Reference, Resolved};

/// A name of the script with its type.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name at its definition.
    pub name: Identifier,
    /// The type of each use.
    pub scheme: Scheme,
}

/// The state of one inference.
pub(super) struct Inference<'a> {
    pub(super) ast: &'a Ast,
    pub(super) resolved: &'a Resolved,
    pub(super) types: Types,
    pub(super) builtins: Builtins,
    pub(super) environment: Environment,
    /// The annotation of each name as written, by definition and name.
    pub(super) annotations: FxHashMap<(DeclarationId, Symbol), &'a TypeScheme>,
    /// The annotation of each name as it was read, by definition and name.
    pub(super) signatures: FxHashMap<(DeclarationId, Symbol), Signature>,
    /// The type variables of the annotated definitions around, the innermost last.
    pub(super) type_variables: Vec<TypeVariables>,
    /// The types of the parameters of the modules around, which are not generalised.
    pub(super) parameters: Vec<Type>,
    /// The instances and modules around, as a prefix of the names in them.
    pub(super) qualifier: String,
    /// The names that a `let` defines without an annotation.
    pub(super) single_typed: FxHashMap<DefinitionPlace, SingleTyped>,
    /// The name used at each place, for the names in `single_typed`.
    pub(super) single_uses: FxHashMap<Span, DefinitionPlace>,
    /// The type of each expression, as far as it was found.
    pub(super) expressions: IndexVec<ExprId, Option<Type>>,
    /// The type of each pattern that is a name.
    pub(super) patterns: IndexVec<PatternId, Option<Type>>,
    pub(super) declared: Vec<Declared>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Inference<'a> {
    /// The state before anything is known.
    pub(super) fn new(ast: &'a Ast, resolved: &'a Resolved) -> Self {
        let mut types = Types::new();
        Self {
            builtins: Builtins::new(&mut types),
            types,
            environment: Environment::default(),
            annotations: FxHashMap::default(),
            signatures: FxHashMap::default(),
            type_variables: Vec::new(),
            parameters: Vec::new(),
            qualifier: String::new(),
            single_typed: FxHashMap::default(),
            single_uses: FxHashMap::default(),
            expressions: ast.expressions.iter().map(|_| None).collect(),
            patterns: ast.patterns.iter().map(|_| None).collect(),
            declared: Vec::new(),
            diagnostics: Vec::new(),
            ast,
            resolved,
        }
    }

    /// The type of one use of a name. A name that could not be resolved or typed was reported, and
    /// its type fits everywhere.
    pub(super) fn reference(&mut self, reference: Option<&Reference>) -> Type {
        let slot = match reference {
            None => return Types::UNKNOWN,
            Some(Reference::Builtin(builtin)) => {
                let scheme = self.builtins.scheme(*builtin);
                return self.types.instance(&scheme);
            }
            Some(reference) => self.slot_of(reference),
        };
        match slot {
            SlotContent::Value(scheme) => self.types.instance(&scheme),
            // A module or an instance is no value, which name resolution has reported.
            SlotContent::Empty | SlotContent::Module(_) | SlotContent::Instance(_) => {
                Types::UNKNOWN
            }
        }
    }

    /// The content of the slot that `reference` refers to.
    pub(super) fn slot_of(&self, reference: &Reference) -> SlotContent {
        match reference {
            Reference::Local { place, .. } => self.environment.at(*place).clone(),
            Reference::Member { place, members, .. } => {
                let mut slot = self.environment.at(*place).clone();
                for &member in members {
                    slot = match slot {
                        SlotContent::Instance(frame) => {
                            self.environment.slot(frame, member).clone()
                        }
                        _ => return SlotContent::Empty,
                    };
                }
                slot
            }
            Reference::Builtin(_) => SlotContent::Empty,
        }
    }

    /// The place of `id`.
    pub(super) fn span(&self, id: ExprId) -> Span {
        self.ast.expressions[id].span
    }

    /// Types `id`, which for `reason` must have type `expected`.
    pub(super) fn expect(&mut self, id: ExprId, expected: Type, reason: TypeReason) -> Result<()> {
        let actual = self.expression(id);
        self.fitting(id, (expected, actual), reason)
    }

    /// The value of `unified`. If the types did not fit, the message about it, with a hint: the
    /// expression `culprit` should have type `expected` for `reason`, but has type `actual`.
    pub(super) fn explained(
        &mut self,
        unified: Unified,
        culprit: ExprId,
        types: (Type, Type),
        reason: TypeReason,
    ) -> Result<()> {
        unified.map_err(|mismatch| Box::new(self.mismatch_of(culprit, types, mismatch, reason)))
    }

    /// Unifies the type of `id` with the type it must have for `reason`.
    pub(super) fn fitting(
        &mut self,
        id: ExprId,
        (expected, actual): (Type, Type),
        reason: TypeReason,
    ) -> Result<()> {
        let unified = self.unify_at(self.span(id), expected, actual);
        self.explained(unified, id, (expected, actual), reason)
    }

    /// Types all of `ids`, each of which must have type `expected`. Mistakes in several of them are
    /// all reported.
    pub(super) fn expect_all(&mut self, ids: &[ExprId], expected: Type, what: &'static str) {
        for &id in ids {
            let typed = self.expect(id, expected, TypeReason::Taken(what));
            self.report(typed);
        }
    }

    /// Reports a mistake that hides no other: the rest is typed as well.
    pub(super) fn report(&mut self, outcome: Result<()>) {
        if let Err(problem) = outcome {
            self.diagnostics.push(*problem);
        }
    }

    /// Types all of `ids`, which must have one type, and returns that type. Only the first one with
    /// another type is reported, because the mistake may be in the one that they are compared with.
    pub(super) fn alike(&mut self, ids: &[ExprId], what: &'static str) -> Result<Type> {
        let mut like: Option<(ExprId, Type)> = None;
        let mut fits = Ok(());
        for &id in ids {
            let ty = self.expression(id);
            match like {
                Some((first, expected)) if fits.is_ok() => {
                    let reason = TypeReason::Like(what, self.span(first));
                    fits = self.fitting(id, (expected, ty), reason);
                }
                Some(_) => {}
                // A type that is unknown because of a mistake is no model for others.
                None if self.types.head(ty) == Types::UNKNOWN => {}
                None => like = Some((id, ty)),
            }
        }
        fits?;
        Ok(match like {
            Some((_, ty)) => ty,
            None if ids.is_empty() => self.unknown_yet(),
            None => Types::UNKNOWN,
        })
    }

    /// Requires `ty`, the type of the expression at `span`, to satisfy `constraint`.
    pub(super) fn require(&mut self, constraint: Constraint, ty: Type, span: Span) -> Result<()> {
        self.types.cause = Some(span);
        let required = self.types.require_one(constraint, ty);
        required.map_err(|mismatch| {
            Box::new(self.mismatch(span, (ty, ty), mismatch, TypeReason::Taken("")))
        })
    }

    /// Unifies two types because of the text at `span`.
    pub(super) fn unify_at(&mut self, span: Span, expected: Type, actual: Type) -> Unified {
        self.types.cause = Some(span);
        self.types.unify(expected, actual)
    }

    /// A type of which nothing is known.
    pub(super) fn unknown_yet(&mut self) -> Type {
        self.types.variable(super::constraint::Constraints::NONE)
    }

    /// The definition of the function that is applied, if it has a name in the script.
    pub(super) fn defined_at(&self, function: ExprId) -> Option<Span> {
        let mut function = function;
        while let Expr::Parenthesised(inner) | Expr::Apply(inner, _) = self.ast.expr(function) {
            function = *inner;
        }
        match self.definition_of(function)? {
            Declaration::Function(name, _) => Some(name.span),
            _ => None,
        }
    }

    /// The declaration of the name `name`; `None` if the expression is no name of the script.
    pub(super) fn definition_of(&self, name: ExprId) -> Option<&Declaration> {
        let definition = definition(self.resolved.names[name].as_ref()?)?;
        Some(self.ast.declaration(definition))
    }
}

/// The declaration of the name that `reference` refers to; `None` for parameters and built-ins.
pub(super) fn definition(reference: &Reference) -> Option<DeclarationId> {
    match reference {
        Reference::Local { definition, .. } | Reference::Member { definition, .. } => *definition,
        Reference::Builtin(_) => None,
    }
}
