//! The built-in functions on sets.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Lazy, Value};
use crate::diag::Result;
use crate::types::builtin::Builtin;

impl Evaluator<'_> {
    pub(super) fn set_function(&mut self, builtin: Builtin, arguments: &[Lazy]) -> Result<Value> {
        let a = &arguments[0];
        Ok(match builtin {
            Builtin::Union2 => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(self.union(&x, &y)?)
            }
            Builtin::Inter2 => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(self.intersection(&x, &y)?)
            }
            Builtin::Diff => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(self.difference(&x, &y)?)
            }
            Builtin::UnionAll => {
                let mut all = Vec::new();
                let mut symbolic = Set::empty();
                for set in self.sets_argument(a)? {
                    match &*set {
                        Set::Finite(members) => all.extend_from_slice(members),
                        other => symbolic = self.union(&symbolic, &other.clone())?,
                    }
                }
                Value::set(self.union(&Set::from_values(all), &symbolic)?)
            }
            Builtin::InterAll => {
                let mut sets = self.sets_argument(a)?.into_iter();
                let Some(first) = sets.next() else {
                    return Ok(Value::set(Set::empty()));
                };
                let mut common = (*first).clone();
                for set in sets {
                    common = self.intersection(&common, &set)?;
                }
                Value::set(common)
            }
            Builtin::SetOf => {
                let sequence = self.sequence_argument(a)?;
                let items = self.sequence_items(&sequence)?;
                Value::set(self.set_of(&items)?)
            }
            Builtin::PowerSet => {
                let set = self.set_argument(a)?;
                Value::set(Set::Subsets(Rc::new(set)))
            }
            Builtin::Sequences => Value::set(Set::Sequences(Rc::new(self.set_argument(a)?))),
            Builtin::Member => {
                let (value, set) = (self.deep_argument(a)?, self.set_argument(&arguments[1])?);
                Value::Bool(self.contains(&set, &value)?)
            }
            Builtin::Card => {
                let set = self.set_argument(a)?;
                Value::Int(self.members(&set)?.len() as i64)
            }
            Builtin::Empty => {
                let set = self.set_argument(a)?;
                Value::Bool(self.is_empty_set(&set)?)
            }
            Builtin::SeqOf => {
                let set = self.set_argument(a)?;
                Value::Sequence(Sequence::from_values(self.members(&set)?.iter().cloned()))
            }
            Builtin::Maps => {
                let (keys, values) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(Set::Maps(Rc::new(keys), Rc::new(values)))
            }
            Builtin::Extensions => {
                let value = self.force(a)?;
                Value::set(self.extensions_of(&value)?)
            }
            _ => {
                let value = self.force(a)?;
                let productions = self.productions_of(&value)?;
                Value::set(productions)
            }
        })
    }
}
