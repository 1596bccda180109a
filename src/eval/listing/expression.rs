//! Compiles expressions to formulas.

use std::sync::OnceLock;

use super::formula::Formula;
use super::scope::Scope;
use super::word::ValueWord;
use super::word_table::WordKind;
use crate::script::ResolvedScript;
use syntax::ast::{Collection, Declaration, Expr, ExprId, Items};
use types::builtin::Builtin;
use types::resolved::Reference;

/// The deepest nesting of formulas, over which walks recurse. Deeper expressions are evaluated.
const DEEPEST: u32 = 100;

/// The formula of the expression at `scope`. Returns `None` if a part of it has no formula.
pub(super) fn formula_of(
    script: &ResolvedScript,
    expression: ExprId,
    scope: &Scope,
) -> Option<Formula> {
    Reader { script, scope }.read(expression, DEEPEST)
}

/// Makes formulas of the expressions at one scope.
struct Reader<'r> {
    script: &'r ResolvedScript,
    scope: &'r Scope,
}

impl Reader<'_> {
    fn read(&self, expression: ExprId, depth: u32) -> Option<Formula> {
        let depth = depth.checked_sub(1)?;
        match self.script.ast.expr(expression) {
            Expr::Int(n) => ValueWord::of_int(*n).map(Formula::Constant),
            Expr::Bool(value) => Some(Formula::Constant(ValueWord::of_bool(*value))),
            Expr::Parenthesised(inner) => self.read(*inner, depth),
            Expr::Name(_) => self.name(expression),
            Expr::Unary(op, operand) => {
                let operand = self.read(*operand, depth)?;
                Some(Formula::Unary(*op, Box::new(operand)))
            }
            Expr::Binary(op, left, right) => {
                let operands = [self.read(*left, depth)?, self.read(*right, depth)?];
                Some(Formula::Binary(*op, Box::new(operands)))
            }
            Expr::Apply(function, arguments) => {
                let builtin = self.builtin(*function)?;
                Some(Formula::Builtin(builtin, self.all(arguments, depth)?))
            }
            Expr::Tuple(items) => Some(Formula::Display(WordKind::Tuple, self.all(items, depth)?)),
            Expr::Sequence(Collection { items, statements })
            | Expr::Set(Collection { items, statements })
                if statements.is_empty() =>
            {
                let Items::List(items) = items else {
                    return None;
                };
                let kind = match self.script.ast.expr(expression) {
                    Expr::Set(_) => WordKind::Set,
                    _ => WordKind::Sequence,
                };
                Some(Formula::Display(kind, self.all(items, depth)?))
            }
            _ => None,
        }
    }

    fn all(&self, expressions: &[ExprId], depth: u32) -> Option<Vec<Formula>> {
        let formulas = expressions.iter().map(|&item| self.read(item, depth));
        formulas.collect()
    }

    /// The built-in function with the name `name`, if formulas have it.
    fn builtin(&self, name: ExprId) -> Option<Builtin> {
        if !matches!(self.script.ast.expr(name), Expr::Name(_)) {
            return None;
        }
        let &Reference::Builtin(builtin) = self.script.reference_of(name) else {
            return None;
        };
        use Builtin::{
            Card, Diff, Elem, Empty, Head, Inter2, Length, MapDelete, MapLookup, MapMember,
            MapUpdate, Member, Null, Tail, Union2,
        };
        let ours = [
            Card, Diff, Elem, Empty, Head, Inter2, Length, MapDelete, MapLookup, MapMember,
            MapUpdate, Member, Null, Tail, Union2,
        ];
        ours.contains(&builtin).then_some(builtin)
    }

    fn name(&self, name: ExprId) -> Option<Formula> {
        let &Reference::Local { place, definition } = self.script.reference_of(name) else {
            return None;
        };
        if let Some(register) = self.scope.register(place) {
            return Some(Formula::Register(register));
        }
        // A constant of the script, or a constructor, has one value for all states.
        let is_constant = definition
            .is_none_or(|id| !matches!(self.script.ast.declaration(id), Declaration::Function(..)));
        if !is_constant || !self.scope.outwards(place.up)?.is_script() {
            return None;
        }
        Some(Formula::Definition(place.slot, OnceLock::new()))
    }
}
