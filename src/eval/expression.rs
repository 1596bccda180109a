//! Evaluates expressions.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Code, Value};
use base::diag::Result;
use base::source::Span;
use syntax::ast::{BinaryOp, Expr, ExprId, UnaryOp};
use types::builtin::Builtin;
use types::resolved::{Place, Reference};

/// The result of one step of evaluation.
pub(super) enum EvaluationStep {
    Done(Value),
    /// The value is that of this expression: the caller's loop goes on, so that a
    /// function that ends in a call of itself runs in constant stack space.
    Continue(ExprId, Rc<Frame>),
}

impl Evaluator<'_> {
    /// The value of an expression, evaluated as far as its outermost constructor.
    pub(super) fn evaluate(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        self.deeper(|evaluator| {
            let (mut expression, mut environment) = (expression, Rc::clone(environment));
            loop {
                // A chain of tail calls never leaves this loop, so the loop itself asks whether
                // work is to end.
                evaluator.work.tick()?;
                match evaluator.step(expression, &environment)? {
                    EvaluationStep::Done(value) => return Ok(value),
                    EvaluationStep::Continue(next, frame) => {
                        (expression, environment) = (next, frame)
                    }
                }
            }
        })
    }

    fn step(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<EvaluationStep> {
        let node = &self.script.ast.expressions[expression];
        self.work.go_to(node.span);
        Ok(EvaluationStep::Done(match &node.kind {
            Expr::Int(n) => Value::Int(*n),
            Expr::Bool(b) => Value::Bool(*b),
            Expr::Char(c) => Value::Char(*c),
            Expr::String(text) => {
                Value::Sequence(Sequence::from_values(text.chars().map(Value::Char)))
            }
            Expr::Name(_) => self.name(expression, environment)?,
            Expr::Parenthesised(inner) => {
                return Ok(EvaluationStep::Continue(*inner, Rc::clone(environment)));
            }
            Expr::Tuple(items) => Value::Tuple(self.script.delay_each(items, environment).into()),
            Expr::Sequence(collection) => {
                Value::Sequence(self.sequence_display(expression, collection, environment)?)
            }
            Expr::Set(collection) => Value::set(self.set_display(collection, environment)?),
            Expr::Productions(items, statements) => {
                Value::set(self.productions_display(items, statements, environment)?)
            }
            Expr::Map(pairs) => self.map_display(pairs, environment)?,
            Expr::Dot(items) => self.dotted(items, environment, node.span)?,
            Expr::Unary(op, operand) => self.unary(*op, *operand, environment)?,
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                // The left side alone decides `false and _` and `true or _`.
                let left = self.evaluate_bool(*a, environment)?;
                Value::Bool(match left == (*op == BinaryOp::Or) {
                    true => left,
                    false => self.evaluate_bool(*b, environment)?,
                })
            }
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b, environment, node.span)?,
            Expr::If(condition, then, otherwise) => {
                let holds = self.evaluate_bool(*condition, environment)?;
                let next = if holds { *then } else { *otherwise };
                return Ok(EvaluationStep::Continue(next, Rc::clone(environment)));
            }
            Expr::Let(declarations, body) => {
                let frame =
                    self.declared
                        .let_frame(self.script, expression, declarations, environment);
                return Ok(EvaluationStep::Continue(*body, frame));
            }
            Expr::Lambda(..) => Value::function(Code::Lambda(expression), environment, Vec::new()),
            Expr::Apply(function, arguments) => {
                let function = self.evaluate(*function, environment)?;
                let arguments = self.script.delay_each(arguments, environment);
                self.work.go_to(node.span);
                return self.apply(function, arguments);
            }
            _ => Value::Process(self.process(expression, environment)?),
        }))
    }

    /// The value of an expression with dots, which stands at `span`.
    fn dotted(&mut self, items: &[ExprId], environment: &Rc<Frame>, span: Span) -> Result<Value> {
        let mut parts = Vec::with_capacity(items.len());
        for &item in items {
            parts.push(self.evaluate_part(item, environment)?);
        }
        self.work.go_to(span);
        self.dot_parts(parts)
    }

    /// The value of a name.
    fn name(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<Value> {
        let reference = self.script.reference_of(expression);
        if let Reference::Builtin(builtin) = reference {
            return self.builtin_constant(*builtin, expression, environment);
        }
        let value = self.reference(reference, environment)?;
        if !self.declared.atoms.types.is_empty() && self.script.names_constructor(reference) {
            self.not_by_name(&value)?;
        }
        Ok(value)
    }

    /// The value that a reference refers to.
    pub(super) fn reference(
        &mut self,
        reference: &Reference,
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        match reference {
            Reference::Local { place, .. } => {
                self.slot(&Rc::clone(environment.ancestor(place.up)), place.slot)
            }
            Reference::Member { place, members, .. } => {
                // All members but the last are instances on the way; the last one is the slot of
                // the name.
                let (last, around) = members.split_last().expect("a member has a name");
                let frame = self.instance_frame(*place, around, environment)?;
                self.slot(&frame, *last)
            }
            Reference::Builtin(builtin) => Ok(Value::Builtin(*builtin, Rc::new([]))),
        }
    }

    /// The frame of the instance at `place`, or of the instance inside it that `members` lead to.
    pub(super) fn instance_frame(
        &mut self,
        place: Place,
        members: &[u32],
        environment: &Rc<Frame>,
    ) -> Result<Rc<Frame>> {
        let mut frame = Rc::clone(environment.ancestor(place.up));
        for &slot in [place.slot].iter().chain(members) {
            frame = match self.slot(&frame, slot)? {
                Value::Instance(_, inner) => inner,
                other => return self.mismatch("an instance of a module", &other).into(),
            };
        }
        Ok(frame)
    }

    /// The value of an expression, in full.
    pub(super) fn evaluate_part(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        let value = self.evaluate(expression, environment)?;
        self.force_deep(&value)
    }

    /// The truth value of an expression that must be a Boolean.
    pub(super) fn evaluate_bool(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<bool> {
        match self.evaluate(expression, environment)? {
            Value::Bool(b) => Ok(b),
            other => self.mismatch_at(expression, "a Boolean", &other),
        }
    }

    /// The value of an expression that must be an integer.
    pub(super) fn evaluate_int(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<i64> {
        match self.evaluate(expression, environment)? {
            Value::Int(n) => Ok(n),
            other => self.mismatch_at(expression, "an integer", &other),
        }
    }

    /// The value of an expression that must be a set.
    pub(super) fn evaluate_set(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Set> {
        match self.evaluate(expression, environment)? {
            Value::Set(set) => Ok((*set).clone()),
            other => self.mismatch_at(expression, "a set", &other),
        }
    }

    /// The value of an expression that must be a sequence.
    pub(super) fn evaluate_sequence(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Sequence> {
        match self.evaluate(expression, environment)? {
            Value::Sequence(sequence) => Ok(sequence),
            other => self.mismatch_at(expression, "a sequence", &other),
        }
    }

    pub(super) fn mismatch_at<T>(
        &mut self,
        expression: ExprId,
        expected: &str,
        found: &Value,
    ) -> Result<T> {
        self.at(expression);
        self.mismatch(expected, found).into()
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, environment: &Rc<Frame>) -> Result<Value> {
        let place = self.work.place();
        Ok(match op {
            UnaryOp::Negate => match self.evaluate_int(operand, environment)?.checked_neg() {
                Some(n) => Value::Int(n),
                None => {
                    self.work.go_to(place);
                    return self.work.overflow().into();
                }
            },
            UnaryOp::Not => Value::Bool(!self.evaluate_bool(operand, environment)?),
            UnaryOp::Length => {
                let sequence = self.evaluate_sequence(operand, environment)?;
                Value::Int(self.sequence_items(&sequence)?.len() as i64)
            }
        })
    }

    /// The value of a built-in: a constant, or a function as itself.
    fn builtin_constant(
        &mut self,
        builtin: Builtin,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        Ok(match builtin {
            Builtin::True => Value::Bool(true),
            Builtin::False => Value::Bool(false),
            Builtin::Int => Value::set(Set::Integers),
            Builtin::Bool => Value::set(Set::from_values(vec![
                Value::Bool(false),
                Value::Bool(true),
            ])),
            Builtin::Char => Value::set(Set::Characters),
            Builtin::Proc => Value::set(Set::Processes),
            Builtin::Events => Value::Set(self.all_events()?),
            // These built-ins keep the `tock` of their section until they are applied.
            Builtin::Wait | Builtin::TimedPriority => {
                let section = self.script.resolved.timed.get(&expression);
                let Some(section) = section else {
                    let what = format!("`{}` outside of a Timed section", builtin.name());
                    return self.work.ill_typed(&what).into();
                };
                let tock = self.reference(&section.tock, environment)?;
                Value::Builtin(builtin, Rc::new([tock]))
            }
            Builtin::EmptyMap => Value::Map(Rc::new(im::OrdMap::new())),
            Builtin::Stop | Builtin::Skip | Builtin::Div => {
                Value::Process(self.constant_process(builtin, expression, environment)?)
            }
            function => Value::Builtin(function, Rc::new([])),
        })
    }
}
