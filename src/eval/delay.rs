//! Expressions that will be evaluated when needed.

use std::rc::Rc;

use super::environment::{Frame, Slot};
use super::script::ResolvedScript;
use super::value::{Computation, Lazy, Thunk, Value};
use syntax::ast::{BinaryOp, Expr, ExprId};
use types::resolved::Reference;

impl ResolvedScript {
    /// An expression that will be evaluated when needed. A trivial expression is evaluated now,
    /// which keeps accumulating arguments such as `f(n - 1, sum + n)` from building long chains.
    pub(super) fn delay(&self, expression: ExprId, environment: &Rc<Frame>) -> Lazy {
        match self.immediate(expression, environment) {
            Some(lazy) => lazy,
            None => Lazy::Thunk(Thunk::of_expression(expression, environment)),
        }
    }

    /// Each of `expressions` as an expression that will be evaluated when needed.
    pub(super) fn delay_each(&self, expressions: &[ExprId], environment: &Rc<Frame>) -> Vec<Lazy> {
        let each = expressions.iter();
        each.map(|&expression| self.delay(expression, environment))
            .collect()
    }

    pub(super) fn immediate(&self, expression: ExprId, environment: &Rc<Frame>) -> Option<Lazy> {
        match self.ast.expr(expression) {
            // An operand that is not known yet is not evaluated here, and neither is a sum that
            // overflows: it is a mistake only if somebody needs the value.
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) => {
                let Value::Int(a) = self.atom(*a, environment)?.ready()? else {
                    return None;
                };
                let Value::Int(b) = self.atom(*b, environment)?.ready()? else {
                    return None;
                };
                let result = match op {
                    BinaryOp::Add => a.checked_add(b),
                    _ => a.checked_sub(b),
                };
                Some(Value::Int(result?).into())
            }
            _ => self.atom(expression, environment),
        }
    }

    /// The value of a literal or variable; `None` for any other expression.
    pub(super) fn atom(&self, expression: ExprId, environment: &Rc<Frame>) -> Option<Lazy> {
        Some(match self.ast.expr(expression) {
            Expr::Int(n) => Value::Int(*n).into(),
            Expr::Bool(b) => Value::Bool(*b).into(),
            Expr::Char(c) => Value::Char(*c).into(),
            Expr::Name(_) => match self.reference_of(expression) {
                // Its name is looked at where it is evaluated: it may be an atom.
                reference if self.names_constructor(reference) => return None,
                Reference::Local { place, .. } => {
                    match environment.ancestor(place.up).get(place.slot) {
                        // The variable's own part is shared, evaluated or not: a thunk around it
                        // would lengthen the chain with every call that passes the variable on.
                        Slot::Lazy(lazy) => lazy,
                        _ => return None,
                    }
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The unevaluated expression that a name stands for, and the frame to evaluate it in.
    pub(super) fn waiting_argument(
        &self,
        name: ExprId,
        environment: &Rc<Frame>,
    ) -> Option<(ExprId, Rc<Frame>)> {
        let &Reference::Local { place, .. } = self.reference_of(name) else {
            return None;
        };
        match environment.ancestor(place.up).get(place.slot) {
            Slot::Lazy(Lazy::Thunk(thunk)) => thunk.expression(),
            _ => None,
        }
    }

    /// The value of `operand ^ rest`. The operand is evaluated when it is reached, not before. The
    /// last operand is passed on as it is: a sequence defined by `s = <x> ^ s` would gain a layer
    /// with every item.
    pub(super) fn concatenate_later(
        &self,
        operand: ExprId,
        environment: &Rc<Frame>,
        rest: Option<Lazy>,
    ) -> Lazy {
        let part = self.delay(operand, environment);
        let later = Computation::Operand(operand, part, rest);
        Lazy::Thunk(Thunk::of_computation(later))
    }
}
