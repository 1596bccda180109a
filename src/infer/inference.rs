//! The state of one inference, with the types expected of expressions.

use super::annotated::AnnotatedNames;
use super::check::TypeCheck;
use super::environment::Environment;
use super::problems::Problems;
use super::reason::TypeReason;
use super::scheme::Scheme;
use super::script::InputScript;
use super::single::SingleTypes;
use super::types::{Type, Types};
use base::diag::Result;
use base::index::IndexVec;
use syntax::ast::{Ast, ExprId, Identifier, PatternId};
use types::resolved::Resolved;

/// A name of the script with its type.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name at its definition.
    pub name: Identifier,
    /// The type of each use.
    pub scheme: Scheme,
}

/// The state of one inference: the parts that typing needs.
pub(super) struct Inference<'a> {
    pub(super) script: InputScript<'a>,
    pub(super) types: Types,
    pub(super) environment: Environment<'a>,
    pub(super) annotated: AnnotatedNames<'a>,
    pub(super) singles: SingleTypes,
    /// The type of each expression, as far as it was found.
    pub(super) expressions: IndexVec<ExprId, Option<Type>>,
    /// The type of each pattern that is a name.
    pub(super) patterns: IndexVec<PatternId, Option<Type>>,
    pub(super) declared: Vec<Declared>,
    pub(super) problems: Problems,
}

impl<'a> Inference<'a> {
    /// The state before anything is known.
    pub(super) fn new(ast: &'a Ast, resolved: &'a Resolved) -> Self {
        let script = InputScript { ast, resolved };
        let mut types = Types::new();
        Self {
            script,
            environment: Environment::new(script, &mut types),
            types,
            annotated: AnnotatedNames::default(),
            singles: SingleTypes::default(),
            expressions: ast.expressions.iter().map(|_| None).collect(),
            patterns: ast.patterns.iter().map(|_| None).collect(),
            declared: Vec::new(),
            problems: Problems::default(),
        }
    }

    /// The parts that compare types.
    pub(super) fn check(&mut self) -> TypeCheck<'_, 'a> {
        TypeCheck {
            script: self.script,
            types: &mut self.types,
            expressions: &self.expressions,
            singles: &self.singles,
        }
    }

    /// Types `id`, which for `reason` must have type `expected`.
    pub(super) fn expect(&mut self, id: ExprId, expected: Type, reason: TypeReason) -> Result<()> {
        let actual = self.expression(id);
        self.check().fitting(id, (expected, actual), reason)
    }

    /// Types all of `ids`, each of which must have type `expected`. Mistakes in several of them are
    /// all reported.
    pub(super) fn expect_all(&mut self, ids: &[ExprId], expected: Type, what: &'static str) {
        for &id in ids {
            let typed = self.expect(id, expected, TypeReason::Taken(what));
            self.problems.report(typed);
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
                    let reason = TypeReason::Like(what, self.script.span(first));
                    fits = self.check().fitting(id, (expected, ty), reason);
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
            None if ids.is_empty() => self.types.unknown_yet(),
            None => Types::UNKNOWN,
        })
    }
}
