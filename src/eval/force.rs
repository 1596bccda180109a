//! Evaluates parts that wait.

use std::rc::Rc;

use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::item::SEQUENCE_LIMIT;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Lazy, Thunk, ThunkFailure, ThunkState, Value};
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use syntax::ast::DeclarationId;

impl Evaluator<'_> {
    /// The value of a part.
    pub(super) fn force(&mut self, lazy: &Lazy) -> Result<Value> {
        match lazy {
            Lazy::Value(value) => Ok(value.clone()),
            Lazy::Thunk(thunk) => self.force_thunk(thunk),
        }
    }

    pub(super) fn force_thunk(&mut self, thunk: &Thunk) -> Result<Value> {
        if let Some(value) = thunk.done() {
            return Ok(value);
        }
        match thunk.start() {
            ThunkState::Expression(expression, environment) => {
                let result = self.deeper(|e| e.evaluate(expression, &environment));
                thunk.finish(match &result {
                    Ok(value) => ThunkState::Done(value.clone()),
                    // An error may be met again, by another assertion: it must say the same then.
                    Err(problem) if self.work.is_lasting(problem) => {
                        ThunkState::Failed(Box::new(ThunkFailure {
                            problem: problem.clone(),
                            expression: Some((expression, environment)),
                            code: None,
                        }))
                    }
                    // A limit, or a cycle through what is being evaluated at present, says nothing
                    // of another time: the work is put back.
                    Err(_) => ThunkState::Expression(expression, environment),
                });
                result
            }
            ThunkState::Computation(computation) => {
                let result = self.deeper(|e| e.compute(&computation));
                thunk.finish(match &result {
                    Ok(value) => ThunkState::Done(value.clone()),
                    Err(problem) if self.work.is_lasting(problem) => {
                        ThunkState::Failed(Box::new(ThunkFailure {
                            problem: problem.clone(),
                            expression: None,
                            code: None,
                        }))
                    }
                    Err(_) => ThunkState::Computation(computation),
                });
                result
            }
            ThunkState::Running(_) => self
                .work
                .error(
                    "cyclic-definition",
                    "the value of this expression depends on itself",
                )
                .into(),
            ThunkState::Failed(failure) => Err(failure.problem),
            ThunkState::Done(value) => Ok(value),
            ThunkState::Named(named) => Ok(named.0),
        }
    }

    /// The content of a slot of `frame`, evaluated.
    pub(super) fn slot(&mut self, frame: &Rc<Frame>, slot: u32) -> Result<Value> {
        match frame.get(slot) {
            Slot::Lazy(lazy) => self.force(&lazy),
            Slot::Definition(declaration) => self.definition(frame, slot, declaration),
            Slot::Running(declaration) => self.cyclic(declaration).into(),
            Slot::Empty => unreachable!("slots are filled before they are in scope"),
        }
    }

    fn cyclic(&self, declaration: DeclarationId) -> Diagnostic {
        let span = self.script.ast.declarations[declaration].span;
        Diagnostic::error(
            "cyclic-definition",
            "this constant is defined in terms of itself",
        )
        .at(span, "its value is needed to find its value")
        .hint("a recursive process must do an event before it repeats, as in `P = a -> P`")
    }

    /// `value` with no part left to evaluate, in a form that can be compared and hashed.
    pub(super) fn force_deep(&mut self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::Int(_)
            | Value::Atom(_)
            | Value::Bool(_)
            | Value::Char(_)
            | Value::Head(_)
            | Value::Process(_) => value.clone(),
            Value::Tuple(parts) => {
                let parts: Result<Vec<Value>> =
                    parts.iter().map(|part| self.force_part(part)).collect();
                Value::tuple(parts?)
            }
            Value::Sequence(sequence) => {
                let mut values = Vec::new();
                let mut rest = sequence.clone();
                // A loop over the cells: recursion would need stack for every item.
                while let Some((head, tail)) = self.uncons(&rest)? {
                    self.work.tick()?;
                    if values.len() >= SEQUENCE_LIMIT {
                        return self.work.endless_sequence().into();
                    }
                    values.push(self.force_part(&head)?);
                    rest = tail;
                }
                Value::Sequence(Sequence::from_values(values))
            }
            Value::Set(set) => match &**set {
                Set::Finite(_) => value.clone(),
                symbolic => Value::set(self.canonical_set(&symbolic.clone())?),
            },
            // The parts of dots, and the entries of maps, were evaluated when they were put there.
            Value::Dot(_) | Value::Map(_) | Value::Builtin(..) => value.clone(),
            Value::Function(closure) => {
                self.identify(closure)?;
                value.clone()
            }
            Value::Instance(..) | Value::Module(..) | Value::Code(_) => value.clone(),
        })
    }

    /// The value of a part, in full.
    pub(super) fn force_part(&mut self, part: &Lazy) -> Result<Value> {
        let value = self.force(part)?;
        deep(|| self.force_deep(&value))
    }
}
