//! The parameter of a script, and the set of identities that it determines.

use std::cell::Cell;
use std::rc::Rc;

use super::value::PartialValue;
use eval::ResolvedScript;
use syntax::ast::{BinaryOp, Declaration, DeclarationId, Expr, ExprId, Pattern};
use types::resolved::Reference;

/// A constant that is the set of all identities.
#[derive(Clone, Copy, Debug)]
pub struct IndexSet {
    /// The constant.
    pub constant: DeclarationId,
    /// The kind of its members.
    pub members: IndexSetMembers,
}

/// The identities, if the set of them is not a range whose end is the parameter.
#[derive(Clone, Copy, Debug)]
pub enum IndexSetMembers {
    /// Numbers from this one on.
    Numbers(i64),
    /// The first constants of this datatype.
    Constants(DeclarationId),
}

/// The range that is the index set, once it was met: its first number, and the number added to the
/// parameter for its last.
pub(super) type MetRange = Rc<Cell<Option<(i64, i64)>>>;

/// The constant that is the number of identities, or the set of them.
pub(super) struct Parameter<'s> {
    pub(super) script: &'s ResolvedScript,
    pub(super) constant: DeclarationId,
    /// A constant that is known to be the index set, though it is not a range.
    pub(super) index_set: Option<IndexSet>,
    range: MetRange,
}

impl<'s> Parameter<'s> {
    /// The parameter `constant` of `script`. `index_set` is a constant that is the set of all
    /// identities, unless the set is written as a range.
    pub(super) fn new(
        script: &'s ResolvedScript,
        constant: DeclarationId,
        index_set: Option<IndexSet>,
        range: &MetRange,
    ) -> Self {
        if let Some(IndexSetMembers::Numbers(first)) = index_set.map(|set| set.members) {
            range.set(Some((first, first - 1)));
        }
        Self {
            script,
            constant,
            index_set,
            range: Rc::clone(range),
        }
    }

    /// The name of the parameter.
    pub(super) fn name(&self) -> &'s str {
        let ast = &self.script.ast;
        match ast.declaration(self.constant) {
            Declaration::Pattern(pattern, _) => match ast.pattern(*pattern) {
                Pattern::Name(path) => ast.name(path.last().symbol),
                _ => "",
            },
            _ => "",
        }
    }

    /// True if an expression is the name of the parameter.
    pub(super) fn is_named(&self, expression: ExprId) -> bool {
        is_name_of(self.script, expression, self.constant)
    }

    /// The number added to the parameter in `N`, `N - 1`, `N + 1` and the like; `None` for others.
    pub(super) fn offset(&self, expression: ExprId) -> Option<i64> {
        let ast = &self.script.ast;
        let expression = ast.unbracketed(expression);
        match ast.expr(expression) {
            Expr::Name(_) if self.is_named(expression) => Some(0),
            Expr::Binary(op, left, right) if self.is_named(*left) => match (op, ast.expr(*right)) {
                (BinaryOp::Add, Expr::Int(n)) => Some(*n),
                (BinaryOp::Subtract, Expr::Int(n)) => Some(-*n),
                _ => None,
            },
            _ => None,
        }
    }

    /// Notes that this range was met. Returns true if it is the index set.
    pub(super) fn meet(&self, range: (i64, i64)) -> bool {
        let first = self.range.get().unwrap_or(range);
        self.range.set(Some(first));
        first == range && self.index_set.is_none()
    }

    /// The first number of the range that is the index set, once it was met.
    pub(super) fn first_number(&self) -> Option<i64> {
        self.range.get().map(|(least, _)| least)
    }

    /// The number added to the parameter for the last number of the range.
    pub(super) fn last_offset(&self) -> Option<i64> {
        self.range.get().map(|(_, offset)| offset)
    }

    /// True if the identities are the numbers from 0 to the parameter less 1.
    pub(super) fn counts_from_0(&self) -> bool {
        self.range.get() == Some((0, -1))
    }

    /// The parameter less the size of the index set: 0 for `{1..N}` and `{0..N - 1}`. `None` if no
    /// such set was met.
    pub(super) fn missing(&self) -> Option<i64> {
        match (self.range.get(), self.index_set) {
            (Some((first, offset)), _) => Some(first - offset - 1),
            (None, Some(_)) => Some(0),
            (None, None) => None,
        }
    }

    /// True if the constants of this datatype are the identities.
    pub(super) fn is_of_identities(&self, datatype: DeclarationId) -> bool {
        self.index_set.is_some_and(
            |set| matches!(set.members, IndexSetMembers::Constants(of) if of == datatype),
        )
    }

    /// True if some part of `value` is a constant of the datatype of the identities.
    pub(super) fn has_constant_in(&self, value: &PartialValue) -> bool {
        match value {
            PartialValue::Head(id, _) => self.is_of_identities(*id),
            value => value.parts().iter().any(|part| self.has_constant_in(part)),
        }
    }

    /// True if a value that is no identity here may be one in an instance: a number, or a constant
    /// of the datatype of the identities.
    pub(super) fn may_be_identity(&self, value: &PartialValue) -> bool {
        match value {
            PartialValue::Int(_) => true,
            PartialValue::Head(id, _) => self.is_of_identities(*id),
            _ => false,
        }
    }
}

/// True if `expression` is a name of the constant.
fn is_name_of(script: &ResolvedScript, expression: ExprId, constant: DeclarationId) -> bool {
    match &script.resolved.names[script.ast.unbracketed(expression)] {
        Some(Reference::Local { definition, .. }) => *definition == Some(constant),
        _ => false,
    }
}

/// True if the script computes modulo the constant: its identities then stand in a ring.
pub(super) fn has_ring(script: &ResolvedScript, parameter: DeclarationId) -> bool {
    script
        .ast
        .expressions
        .indices()
        .any(|id| match script.ast.expr(id) {
            Expr::Binary(BinaryOp::Modulo, _, modulus) => is_name_of(script, *modulus, parameter),
            _ => false,
        })
}
