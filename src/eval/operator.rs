//! Infix operators on values: arithmetic, equality, order, concatenation.

use std::cmp::Ordering;
use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::quantify::all;
use super::sequence::Sequence;
use super::value::Value;
use super::work::EvaluationWork;
use base::diag::Result;
use base::source::Span;
use base::stack::deep;
use syntax::ast::{BinaryOp, Expr, ExprId};

impl Evaluator<'_> {
    /// The value of `a op b`, for every operator but `and` and `or`.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        environment: &Rc<Frame>,
        place: Span,
    ) -> Result<Value> {
        match op {
            BinaryOp::Concat => self.concatenation(a, b, environment),
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo => {
                let (x, y) = (
                    self.evaluate_int(a, environment)?,
                    self.evaluate_int(b, environment)?,
                );
                self.work.go_to(place);
                arithmetic(&self.work, op, x, y)
            }
            _ => {
                let (x, y) = (
                    self.evaluate(a, environment)?,
                    self.evaluate(b, environment)?,
                );
                self.work.go_to(place);
                Ok(Value::Bool(self.comparison(op, &x, &y)?))
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, x: &Value, y: &Value) -> Result<bool> {
        Ok(match op {
            BinaryOp::Equal => self.equal(x, y)?,
            BinaryOp::NotEqual => !self.equal(x, y)?,
            BinaryOp::Less => self.compare(x, y)? == Some(Ordering::Less),
            BinaryOp::LessEqual => self.compare(x, y)?.is_some_and(Ordering::is_le),
            BinaryOp::Greater => self.compare(x, y)? == Some(Ordering::Greater),
            _ => self.compare(x, y)?.is_some_and(Ordering::is_ge),
        })
    }

    /// The value of `a ^ b`, where `a` may itself be a long chain of them. The operands are joined
    /// from the right, so that an item is reached in constant time however many operands there are.
    fn concatenation(&mut self, a: ExprId, b: ExprId, environment: &Rc<Frame>) -> Result<Value> {
        let mut operands = vec![b];
        let mut first = a;
        while let Expr::Binary(BinaryOp::Concat, left, right) = self.script.ast.expr(first) {
            operands.push(*right);
            first = *left;
        }
        let first = self.evaluate_sequence(first, environment)?;
        let mut rest = None;
        for operand in operands {
            rest = Some(self.script.concatenate_later(operand, environment, rest));
        }
        match rest {
            Some(rest) => self.concatenate(&first, rest),
            None => Ok(Value::Sequence(first)),
        }
    }

    /// True if `a == b`. Type checking excludes processes and functions, which cannot be compared.
    pub(super) fn equal(&mut self, a: &Value, b: &Value) -> Result<bool> {
        deep(|| self.equal_here(a, b))
    }

    fn equal_here(&mut self, a: &Value, b: &Value) -> Result<bool> {
        match (a, b) {
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                all(x.iter().zip(y.iter()), |(x, y)| {
                    let (x, y) = (self.force(x)?, self.force(y)?);
                    self.equal(&x, &y)
                })
            }
            (Value::Sequence(x), Value::Sequence(y)) => {
                let common = self.common_prefix(x, y)?;
                Ok(common.is_some_and(|(x, y)| x.is_empty() && y.is_empty()))
            }
            (Value::Set(x), Value::Set(y)) => self.sets_equal(x, y),
            (Value::Process(_) | Value::Function(_) | Value::Builtin(..), _) => {
                self.mismatch("a value that can be compared", a).into()
            }
            // Dotted values are always evaluated in full, so their order decides.
            (Value::Head(_) | Value::Dot(_), Value::Head(_) | Value::Dot(_)) => Ok(a == b),
            (Value::Atom(atom), Value::Int(_)) | (Value::Int(_), Value::Atom(atom)) => {
                let what = "a comparison with a number";
                self.looked_into(atom.id, what).into()
            }
            (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => Ok(a == b),
            (a, b) => {
                let expected = format!("{} to compare with", a.kind());
                self.mismatch(&expected, b).into()
            }
        }
    }

    /// The rest of two sequences after their equal items; `None` if an item of both differs.
    fn common_prefix(
        &mut self,
        x: &Sequence,
        y: &Sequence,
    ) -> Result<Option<(Sequence, Sequence)>> {
        let (mut x, mut y) = (x.clone(), y.clone());
        while !x.is_empty() && !y.is_empty() {
            self.work.tick()?;
            let (Some((a, rest_x)), Some((b, rest_y))) = (self.uncons(&x)?, self.uncons(&y)?)
            else {
                break;
            };
            let (a, b) = (self.force(&a)?, self.force(&b)?);
            if !self.equal(&a, &b)? {
                return Ok(None);
            }
            (x, y) = (rest_x, rest_y);
        }
        Ok(Some((x, y)))
    }

    /// Compares two values in the order of CSPm: integers and characters by value, sequences by
    /// prefix, sets by inclusion, maps by inclusion with values compared, tuples lexicographically.
    /// `None` if neither is less.
    fn compare(&mut self, a: &Value, b: &Value) -> Result<Option<Ordering>> {
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => Ok(Some(x.cmp(y))),
            (Value::Char(x), Value::Char(y)) => Ok(Some(x.cmp(y))),
            (Value::Sequence(x), Value::Sequence(y)) => {
                let rest = self.common_prefix(x, y)?;
                // The sequence of which nothing is left is a prefix of the other. Where both go on,
                // `common_prefix` has returned `None`.
                Ok(rest.map(|(x, y)| y.is_empty().cmp(&x.is_empty())))
            }
            (Value::Set(x), Value::Set(y)) => {
                let below = self.is_subset(x, y)?;
                let above = self.is_subset(y, x)?;
                Ok(from_both(below, above))
            }
            (Value::Map(x), Value::Map(y)) => {
                let below = self.is_submap(x, y)?;
                let above = self.is_submap(y, x)?;
                Ok(from_both(below, above))
            }
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                for (x, y) in x.iter().zip(y.iter()) {
                    let (x, y) = (self.force(x)?, self.force(y)?);
                    match deep(|| self.compare(&x, &y))? {
                        Some(Ordering::Equal) => {}
                        decided => return Ok(decided),
                    }
                }
                Ok(Some(Ordering::Equal))
            }
            (a, _) => self.mismatch("a value that has an order", a).into(),
        }
    }

    fn is_submap(
        &mut self,
        small: &im::OrdMap<Value, Value>,
        large: &im::OrdMap<Value, Value>,
    ) -> Result<bool> {
        all(small, |(key, value)| match large.get(key) {
            Some(other) => Ok(self.compare(value, other)?.is_some_and(Ordering::is_le)),
            None => Ok(false),
        })
    }
}

/// The value of an arithmetic operator. Division and modulus round towards minus infinity.
fn arithmetic(work: &EvaluationWork, op: BinaryOp, x: i64, y: i64) -> Result<Value> {
    if y == 0 && matches!(op, BinaryOp::Divide | BinaryOp::Modulo) {
        let (what, sign) = match op {
            BinaryOp::Divide => ("division", "/"),
            _ => ("modulus", "%"),
        };
        return work
            .error("division-by-zero", format!("{what} by zero: {x} {sign} 0"))
            .into();
    }
    let result = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Subtract => x.checked_sub(y),
        BinaryOp::Multiply => x.checked_mul(y),
        // The instructions of the machine round towards zero: one less where something is left
        // over and the signs differ. `checked_div` has ruled out the one remainder that
        // overflows.
        BinaryOp::Divide => x
            .checked_div(y)
            .map(|q| q - i64::from(x % y != 0 && (x < 0) != (y < 0))),
        // This wraps only where -1 divides the least integer. The remainder is then 0, which is
        // right.
        BinaryOp::Modulo => Some(match x.wrapping_rem(y) {
            r if r != 0 && (r < 0) != (y < 0) => r + y,
            r => r,
        }),
        _ => unreachable!("the other operators were taken before"),
    };
    match result {
        Some(n) => Ok(Value::Int(n)),
        None => work.overflow().into(),
    }
}

fn from_both(below: bool, above: bool) -> Option<Ordering> {
    match (below, above) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}
