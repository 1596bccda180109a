//! Named calls as plain data, for comparison with calls found in other ways.

use std::rc::Rc;

use super::call_table::CalledCode;
use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::value::{Closure, Code, Value};
use base::diag::Result;
use process::event::EventSetId;
use process::term::{CallId, Term, TermId};
use syntax::ast::{DeclarationId, ExprId};
use types::builtin::Builtin;

/// A named call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlainCall {
    /// The code that is called.
    pub code: PlainCode,
    /// The values of its free variables, then its arguments.
    pub values: Vec<PlainValue>,
}

/// The piece of the script that is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlainCode {
    /// A definition.
    Definition(DeclarationId),
    /// The continuation of a prefix, or an argument.
    Expression(ExprId),
}

/// A value, evaluated in full.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PlainValue {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// A channel or constructor, by name.
    Head(String),
    /// Parts joined by dots.
    Dot(Vec<PlainValue>),
    /// A tuple.
    Tuple(Vec<PlainValue>),
    /// A sequence.
    Sequence(Vec<PlainValue>),
    /// A finite set, ascending by the order of the evaluator's values.
    Set(Vec<PlainValue>),
    /// A function that the script declares, with the groups of arguments given so far.
    Function(DeclarationId, Vec<Vec<PlainValue>>),
    /// A built-in function, with the groups given so far.
    Builtin(Builtin, Vec<PlainValue>),
    /// A process: the call that it is; `None` if it is no call.
    Process(Option<Box<PlainCall>>),
    /// A value without data here: a lambda, an infinite set, a map, code that has no value.
    Opaque,
}

/// A component of a parallel composition `|| x:S @ [A] P`.
#[derive(Clone, Debug)]
pub struct PlainMember {
    /// The values that the generators bind.
    pub values: Vec<PlainValue>,
    /// The alphabet.
    pub alphabet: EventSetId,
    /// The component.
    pub process: TermId,
}

impl Evaluator<'_> {
    /// Runs `f`. Returns its result, and the members of the parallel composition `replicated` as
    /// found when `f` last evaluated it.
    pub fn watching<R>(
        &mut self,
        replicated: ExprId,
        f: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<(R, Vec<PlainMember>)> {
        self.watched = Some((replicated, Vec::new()));
        let result = f(self);
        let members = self
            .watched
            .take()
            .map_or(Vec::new(), |(_, members)| members);
        Ok((result?, members))
    }

    /// Notes the operands of the parallel composition `replicated`, if somebody asked for them.
    /// Each operand belongs to one of the environments, which stand in `environment`.
    pub(super) fn note_members(
        &mut self,
        replicated: ExprId,
        operands: &[(EventSetId, TermId)],
        environments: &[Rc<Frame>],
        environment: &Rc<Frame>,
    ) -> Result<()> {
        if self
            .watched
            .as_ref()
            .is_none_or(|(asked, _)| *asked != replicated)
        {
            return Ok(());
        }
        let mut members = Vec::new();
        for (&(alphabet, process), frame) in operands.iter().zip(environments) {
            members.push(PlainMember {
                values: self.bound_between(frame, environment)?,
                alphabet,
                process,
            });
        }
        self.watched = Some((replicated, members));
        Ok(())
    }

    /// The values bound by the frames from `environment` to `frame`, which is inside it.
    fn bound_between(
        &mut self,
        frame: &Rc<Frame>,
        environment: &Rc<Frame>,
    ) -> Result<Vec<PlainValue>> {
        let mut frames = Vec::new();
        let mut at = frame;
        while !Rc::ptr_eq(at, environment) {
            frames.push(at);
            at = at.ancestor(1);
        }
        let mut values = Vec::new();
        for frame in frames.into_iter().rev() {
            for slot in 0..frame.size() {
                if let Slot::Lazy(lazy) = frame.get(slot) {
                    let value = self.force(&lazy)?;
                    values.push(self.plain(&value)?);
                }
            }
        }
        Ok(values)
    }

    /// The value of an expression at the top level of the script, as plain data.
    pub fn plain_value(&mut self, expression: ExprId) -> Result<PlainValue> {
        let value = self.value_of(expression)?;
        self.plain(&value)
    }

    /// `call` as plain data. Returns `None` for calls that no text of the script makes.
    pub fn plain_call(&mut self, call: CallId) -> Result<Option<PlainCall>> {
        let key = self.names.calls.key(call).clone();
        let code = match key.callee {
            CalledCode::Constant(id) | CalledCode::Function(id) => PlainCode::Definition(id),
            CalledCode::Continuation(id) | CalledCode::Argument(id) => PlainCode::Expression(id),
            CalledCode::Waiting(..) | CalledCode::Loop(_) => return Ok(None),
        };
        let values = key.values.iter().map(|value| self.plain(value));
        let values = values.collect::<Result<_>>()?;
        Ok(Some(PlainCall { code, values }))
    }

    fn plain(&mut self, value: &Value) -> Result<PlainValue> {
        let value = match value {
            Value::Code(_) => return Ok(PlainValue::Opaque),
            value => self.force_deep(value)?,
        };
        Ok(match value {
            Value::Int(number) => PlainValue::Int(number),
            Value::Bool(truth) => PlainValue::Bool(truth),
            Value::Char(character) => PlainValue::Char(character),
            Value::Head(head) => PlainValue::Head(self.declared.heads[head].name.to_string()),
            Value::Dot(parts) => PlainValue::Dot(self.all_plain(&parts)?),
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.force(part));
                let parts: Vec<Value> = parts.collect::<Result<_>>()?;
                PlainValue::Tuple(self.all_plain(&parts)?)
            }
            Value::Sequence(sequence) => {
                let items = self.sequence_values(&sequence)?;
                PlainValue::Sequence(self.all_plain(&items)?)
            }
            Value::Set(set) if self.is_finite(&set)? => {
                let members: Rc<[Value]> = self.members(&set)?;
                PlainValue::Set(self.all_plain(&members)?)
            }
            Value::Function(closure) => match closure.code {
                Code::Function(id) => PlainValue::Function(id, self.plain_groups(&closure)?),
                Code::Lambda(_) => PlainValue::Opaque,
            },
            Value::Builtin(builtin, given) => PlainValue::Builtin(builtin, self.all_plain(&given)?),
            Value::Process(term) => {
                let call = match *self.terms.get(term) {
                    Term::Call(call) => self.plain_call(call)?,
                    _ => None,
                };
                PlainValue::Process(call.map(Box::new))
            }
            _ => PlainValue::Opaque,
        })
    }

    /// The groups of arguments that a function was given so far.
    fn plain_groups(&mut self, closure: &Closure) -> Result<Vec<Vec<PlainValue>>> {
        let groups = closure.groups.iter().map(|group| {
            let given = group.iter().map(|argument| {
                let value = self.force(argument)?;
                self.plain(&value)
            });
            given.collect()
        });
        groups.collect()
    }

    fn all_plain(&mut self, values: &[Value]) -> Result<Vec<PlainValue>> {
        values.iter().map(|value| self.plain(value)).collect()
    }
}
