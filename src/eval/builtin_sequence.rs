//! The built-in functions on sequences and maps.

use std::rc::Rc;

use super::builtin::Map;
use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::value::{Computation, Lazy, Thunk, Value};
use crate::diag::{Diagnostic, Result};
use crate::types::builtin::Builtin;

impl Evaluator<'_> {
    pub(super) fn sequence_function(
        &mut self,
        builtin: Builtin,
        arguments: &[Lazy],
    ) -> Result<Value> {
        if builtin == Builtin::Elem {
            let (value, sequence) = (
                self.force(&arguments[0])?,
                self.sequence_argument(&arguments[1])?,
            );
            let mut rest = sequence;
            while let Some((head, tail)) = self.uncons(&rest)? {
                self.tick()?;
                let head = self.force(&head)?;
                if self.equal(&value, &head)? {
                    return Ok(Value::Bool(true));
                }
                rest = tail;
            }
            return Ok(Value::Bool(false));
        }
        let sequence = self.sequence_argument(&arguments[0])?;
        match builtin {
            Builtin::Length => Ok(Value::Int(self.sequence_items(&sequence)?.len() as i64)),
            Builtin::Null => Ok(Value::Bool(sequence.is_empty())),
            Builtin::Head => match self.uncons(&sequence)? {
                Some((head, _)) => self.force(&head),
                None => self.empty_sequence("head").into(),
            },
            Builtin::Tail => match self.uncons(&sequence)? {
                Some((_, tail)) => Ok(Value::Sequence(tail)),
                None => self.empty_sequence("tail").into(),
            },
            _ => self.flatten(sequence),
        }
    }

    /// `concat(s)`, lazily.
    pub(super) fn flatten(&mut self, sequences: Sequence) -> Result<Value> {
        let mut rest = sequences;
        while let Some((head, tail)) = self.uncons(&rest)? {
            self.tick()?;
            let first = self.sequence_argument(&head)?;
            if first.is_empty() {
                rest = tail;
                continue;
            }
            let later = Thunk::of_computation(Computation::Flattening(tail));
            return self.concatenate(&first, Lazy::Thunk(later));
        }
        Ok(Value::Sequence(Sequence::empty()))
    }

    fn empty_sequence(&self, function: &str) -> Diagnostic {
        self.error(
            "empty-sequence",
            format!("`{function}` of an empty sequence"),
        )
        .hint("test with null(s) first, or match on <x>^rest")
    }

    pub(super) fn map_function(&mut self, builtin: Builtin, arguments: &[Lazy]) -> Result<Value> {
        if builtin == Builtin::MapFromList {
            return self.updated(Map::new(), &arguments[0]);
        }
        let map = self.map_argument(&arguments[0])?;
        Ok(match builtin {
            Builtin::MapToList => Value::Sequence(Sequence::from_values(
                map.iter()
                    .map(|(key, value)| Value::tuple(vec![key.clone(), value.clone()])),
            )),
            Builtin::MapUpdateMultiple => return self.updated((*map).clone(), &arguments[1]),
            _ => {
                let key = self.deep_argument(&arguments[1])?;
                match builtin {
                    Builtin::MapLookup => match map.get(&key) {
                        Some(value) => value.clone(),
                        None => {
                            let (key, map) = (self.show(&key), self.show(&Value::Map(map)));
                            return self
                                .error("missing-key", format!("the map has no key {key}"))
                                .note(format!("the map is {map}"))
                                .hint("test with mapMember(m, k) first")
                                .into();
                        }
                    },
                    Builtin::MapMember => Value::Bool(map.contains_key(&key)),
                    Builtin::MapDelete => Value::Map(Rc::new(map.without(&key))),
                    _ => {
                        let value = self.deep_argument(&arguments[2])?;
                        Value::Map(Rc::new(map.update(key, value)))
                    }
                }
            }
        })
    }

    /// `map` with the entries of a sequence of pairs, a later one before an earlier one.
    fn updated(&mut self, mut map: Map, entries: &Lazy) -> Result<Value> {
        let sequence = self.sequence_argument(entries)?;
        for entry in self.sequence_values(&sequence)? {
            let Value::Tuple(parts) = &entry else {
                return self.mismatch("a pair", &entry).into();
            };
            let [key, value] = &parts[..] else {
                return self.mismatch("a pair", &entry).into();
            };
            let (key, value) = (self.deep_argument(key)?, self.deep_argument(value)?);
            map.insert(key, value);
        }
        Ok(Value::Map(Rc::new(map)))
    }
}
