//! The built-in functions.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Lazy, Value};
use base::diag::Result;
use process::term::TermId;
use types::builtin::Builtin;

pub(super) type Map = im::OrdMap<Value, Value>;

impl Evaluator<'_> {
    /// `builtin` applied to one more group of arguments.
    pub(super) fn apply_builtin(
        &mut self,
        builtin: Builtin,
        given: &[Value],
        arguments: Vec<Lazy>,
    ) -> Result<Value> {
        // Only three kinds of built-ins hold something before their last group: relational images
        // hold their relation, `WAIT` and `timed_priority` their `tock`. Each then takes one
        // argument.
        let wanted = if given.is_empty() { builtin.arity() } else { 1 };
        if arguments.len() != wanted || builtin.arity() == 0 {
            let what = format!("wrong number of arguments of `{}`", builtin.name());
            return self.work.ill_typed(&what).into();
        }
        if builtin.is_process() {
            return Ok(Value::Process(
                self.apply_process(builtin, given, &arguments)?,
            ));
        }
        if let Some(value) = self.set_function(builtin, &arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.sequence_function(builtin, &arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.map_function(builtin, &arguments)? {
            return Ok(value);
        }
        match (builtin, &arguments[..]) {
            (Builtin::Show, [value]) => {
                let value = self.force_part(value)?;
                self.unordered(&value, "`show`")?;
                let text = self.show(&value);
                Ok(Value::Sequence(Sequence::from_values(
                    text.chars().map(Value::Char),
                )))
            }
            (Builtin::Error, [value]) => {
                let value = self.force_part(value)?;
                self.unordered(&value, "`error`")?;
                let text = self.show(&value);
                // A string is shown in quotes, which the message leaves out. Each quote in it then
                // needs no backslash; what breaks lines keeps its own.
                let inner = text.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
                let text = inner.map_or(text.clone(), |inner| inner.replace("\\\"", "\""));
                self.work
                    .error("script-error", format!("the script says: {text}"))
                    .into()
            }
            _ => self.relation_function(builtin, given, &arguments),
        }
    }

    /// The members of a set of pairs.
    pub(super) fn pairs(&mut self, relation: &Value) -> Result<Vec<(Value, Value)>> {
        let Value::Set(set) = relation else {
            return self.mismatch("a set of pairs", relation).into();
        };
        let mut pairs = Vec::new();
        for member in self.members(set)?.iter() {
            match member {
                Value::Tuple(parts) if parts.len() == 2 => {
                    // Members of sets are evaluated in full, so their parts are known.
                    pairs.push((parts[0].known(), parts[1].known()))
                }
                other => return self.mismatch("a pair", other).into(),
            }
        }
        Ok(pairs)
    }

    pub(super) fn set_argument(&mut self, argument: &Lazy) -> Result<Set> {
        match self.force(argument)? {
            Value::Set(set) => Ok((*set).clone()),
            other => self.mismatch("a set", &other).into(),
        }
    }

    pub(super) fn sets_argument(&mut self, argument: &Lazy) -> Result<Vec<Rc<Set>>> {
        let set = self.set_argument(argument)?;
        let mut sets = Vec::new();
        for member in self.members(&set)?.iter() {
            match member {
                Value::Set(set) => sets.push(Rc::clone(set)),
                other => return self.mismatch("a set", other).into(),
            }
        }
        Ok(sets)
    }

    pub(super) fn sequence_argument(&mut self, argument: &Lazy) -> Result<Sequence> {
        match self.force(argument)? {
            Value::Sequence(sequence) => Ok(sequence),
            other => self.mismatch("a sequence", &other).into(),
        }
    }

    pub(super) fn map_argument(&mut self, argument: &Lazy) -> Result<Rc<Map>> {
        match self.force(argument)? {
            Value::Map(map) => Ok(map),
            other => self.mismatch("a map", &other).into(),
        }
    }

    pub(super) fn process_argument(&mut self, argument: &Lazy) -> Result<TermId> {
        match self.force(argument)? {
            Value::Process(term) => Ok(term),
            other => self.mismatch("a process", &other).into(),
        }
    }
}
