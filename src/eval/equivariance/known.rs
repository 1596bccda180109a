//! What an expression certainly is, as far as that is cheap to know: constants and short sets of them.

use std::rc::Rc;

use crate::base::stack::deep;
use crate::eval::environment::Slot;
use crate::eval::evaluator::Evaluator;
use crate::eval::set::Set;
use crate::eval::value::{Lazy, Value};
use crate::syntax::ast::{BinaryOp, Expr, ExprId, Items};
use crate::types::resolved::Reference;

/// A set with more members is not looked through for each bijection.
const MOST_LISTED: usize = 1024;

impl Evaluator<'_> {
    /// The value of a closed expression, if it is known.
    pub(super) fn known_value(&self, expression: ExprId) -> Option<Value> {
        let value = match self.script.ast.expr(expression) {
            Expr::Int(number) => Value::Int(*number),
            Expr::Bool(is_true) => Value::Bool(*is_true),
            Expr::Char(character) => Value::Char(*character),
            Expr::Name(_) => match self.reference_of(expression) {
                Reference::Local { place, .. } => match self.frame.get(place.slot) {
                    Slot::Lazy(Lazy::Value(value)) => value,
                    Slot::Lazy(Lazy::Thunk(thunk)) => thunk.done()?,
                    _ => return None,
                },
                _ => return None,
            },
            Expr::Set(collection) => match &collection.items {
                Items::List(items) => {
                    let items = items.iter().map(|&item| self.known_value(item));
                    Value::set(Set::from_values(items.collect::<Option<_>>()?))
                }
                Items::Range(from, to) => {
                    let (from, to) = (self.known_integer(*from)?, self.known_integer(*to)?);
                    let is_short = to.checked_sub(from)? < MOST_LISTED as i64;
                    is_short.then(|| Value::set(Set::range(from, to)))?
                }
                Items::From(_) => return None,
            },
            _ => return None,
        };
        let is_simple = matches!(
            value,
            Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Head(_) | Value::Set(_)
        );
        is_simple.then_some(value)
    }

    fn known_integer(&self, expression: ExprId) -> Option<i64> {
        match self.script.ast.expr(expression) {
            Expr::Parenthesised(inner) => deep(|| self.known_integer(*inner)),
            Expr::Binary(op, left, right) => deep(|| {
                let (left, right) = (self.known_integer(*left)?, self.known_integer(*right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    _ => None,
                }
            }),
            _ => match self.known_value(expression)? {
                Value::Int(number) => Some(number),
                _ => None,
            },
        }
    }

    /// The set, in a form of which can be told cheaply whether it is kept.
    pub(super) fn comparable(&self, set: &Set) -> Option<Set> {
        Some(match set {
            Set::Finite(members) if members.len() <= MOST_LISTED => set.clone(),
            Set::Integers | Set::Characters => set.clone(),
            Set::Datatype(datatype) => {
                let constructors = &self.datatypes.0[*datatype].constructors;
                let constants = constructors
                    .iter()
                    .all(|&head| self.heads.is_constant(head));
                let values = constructors.iter().map(|&head| Value::Head(head));
                constants.then(|| Set::from_values(values.collect()))?
            }
            Set::Subsets(members) => Set::Subsets(Rc::new(self.comparable(members)?)),
            Set::Sequences(members) => Set::Sequences(Rc::new(self.comparable(members)?)),
            Set::Tuples(parts) => {
                let parts = parts.iter().map(|part| self.comparable(part));
                Set::Tuples(parts.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// Whether no member is dotted, for certain: a dotted value would be spread over several parts of a prefix.
    pub(super) fn is_undotted(&self, set: &Set) -> bool {
        match set {
            Set::Finite(members) => members.iter().all(|value| !matches!(value, Value::Dot(_))),
            Set::Datatype(datatype) => {
                let mut constructors = self.datatypes.0[*datatype].constructors.iter();
                constructors.all(|&head| self.heads.is_constant(head))
            }
            Set::Integers
            | Set::IntegersFrom(_)
            | Set::Characters
            | Set::Subsets(_)
            | Set::Sequences(_)
            | Set::Tuples(_)
            | Set::Maps(..) => true,
            Set::Union(parts) => parts.iter().all(|part| self.is_undotted(part)),
            Set::Processes | Set::Dots(_) => false,
        }
    }
}
