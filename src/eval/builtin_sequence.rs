//! The built-in functions on sequences and maps.

use std::rc::Rc;

use super::builtin::Map;
use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::value::{Computation, Lazy, Thunk, Value};
use base::diag::{Diagnostic, Result};
use types::builtin::Builtin;

impl Evaluator<'_> {
    /// Applies a function on sequences; `None` if `builtin` is no such function.
    pub(super) fn sequence_function(
        &mut self,
        builtin: Builtin,
        arguments: &[Lazy],
    ) -> Result<Option<Value>> {
        Ok(Some(match (builtin, arguments) {
            (Builtin::Elem, [value, sequence]) => {
                let (value, sequence) = (self.force(value)?, self.sequence_argument(sequence)?);
                Value::Bool(self.is_item(&value, sequence)?)
            }
            (Builtin::Length, [sequence]) => {
                let sequence = self.sequence_argument(sequence)?;
                Value::Int(self.sequence_items(&sequence)?.len() as i64)
            }
            (Builtin::Null, [sequence]) => {
                Value::Bool(self.sequence_argument(sequence)?.is_empty())
            }
            (Builtin::Head, [sequence]) => {
                let (head, _) = self.split_argument("head", sequence)?;
                self.force(&head)?
            }
            (Builtin::Tail, [sequence]) => {
                Value::Sequence(self.split_argument("tail", sequence)?.1)
            }
            (Builtin::Concat, [sequences]) => {
                let sequences = self.sequence_argument(sequences)?;
                self.flatten(sequences)?
            }
            _ => return Ok(None),
        }))
    }

    fn is_item(&mut self, value: &Value, sequence: Sequence) -> Result<bool> {
        // The items are asked for one by one: in an infinite sequence the search ends where it
        // finds one.
        let mut rest = sequence;
        while let Some((head, tail)) = self.uncons(&rest)? {
            self.work.tick()?;
            let head = self.force(&head)?;
            if self.equal(value, &head)? {
                return Ok(true);
            }
            rest = tail;
        }
        Ok(false)
    }

    /// The value of `concat(s)`, evaluated by need.
    pub(super) fn flatten(&mut self, sequences: Sequence) -> Result<Value> {
        let mut rest = sequences;
        while let Some((head, tail)) = self.uncons(&rest)? {
            self.work.tick()?;
            let first = self.sequence_argument(&head)?;
            // Empty sequences are passed over in this loop. To leave them to the thunk of the rest
            // would nest one evaluation inside another for each of them.
            if first.is_empty() {
                rest = tail;
                continue;
            }
            let later = Thunk::of_computation(Computation::Flattening(tail));
            return self.concatenate(&first, Lazy::Thunk(later));
        }
        Ok(Value::Sequence(Sequence::empty()))
    }

    /// The head and the tail of the sequence that `function` is applied to.
    fn split_argument(&mut self, function: &str, argument: &Lazy) -> Result<(Lazy, Sequence)> {
        let sequence = self.sequence_argument(argument)?;
        match self.uncons(&sequence)? {
            Some(parts) => Ok(parts),
            None => self
                .work
                .error(
                    "empty-sequence",
                    format!("`{function}` of an empty sequence"),
                )
                .hint("test with null(s) first, or match on <x>^rest")
                .into(),
        }
    }

    /// Applies a function on maps; `None` if `builtin` is no such function.
    pub(super) fn map_function(
        &mut self,
        builtin: Builtin,
        arguments: &[Lazy],
    ) -> Result<Option<Value>> {
        Ok(Some(match (builtin, arguments) {
            (Builtin::MapFromList, [entries]) => self.updated(Map::new(), entries)?,
            (Builtin::MapToList, [map]) => {
                let map = self.map_argument(map)?;
                self.unordered(&Value::Map(Rc::clone(&map)), "`mapToList`")?;
                let entries = map.iter();
                let entries =
                    entries.map(|(key, value)| Value::tuple(vec![key.clone(), value.clone()]));
                Value::Sequence(Sequence::from_values(entries))
            }
            (Builtin::MapLookup, [map, key]) => {
                let (map, key) = (self.map_argument(map)?, self.force_part(key)?);
                match map.get(&key) {
                    Some(value) => value.clone(),
                    None => return self.missing_key(&key, map).into(),
                }
            }
            (Builtin::MapMember, [map, key]) => {
                let (map, key) = (self.map_argument(map)?, self.force_part(key)?);
                Value::Bool(map.contains_key(&key))
            }
            (Builtin::MapDelete, [map, key]) => {
                let (map, key) = (self.map_argument(map)?, self.force_part(key)?);
                Value::Map(Rc::new(map.without(&key)))
            }
            (Builtin::MapUpdate, [map, key, value]) => {
                let (map, key) = (self.map_argument(map)?, self.force_part(key)?);
                Value::Map(Rc::new(map.update(key, self.force_part(value)?)))
            }
            (Builtin::MapUpdateMultiple, [map, entries]) => {
                let map = self.map_argument(map)?;
                self.updated((*map).clone(), entries)?
            }
            _ => return Ok(None),
        }))
    }

    fn missing_key(&self, key: &Value, map: Rc<Map>) -> Diagnostic {
        let (key, map) = (self.show(key), self.show(&Value::Map(map)));
        self.work
            .error("missing-key", format!("the map has no key {key}"))
            .note(format!("the map is {map}"))
            .hint("test with mapMember(m, k) first")
    }

    /// `map` with the entries of a sequence of pairs. A later entry replaces an earlier one.
    fn updated(&mut self, mut map: Map, entries: &Lazy) -> Result<Value> {
        let sequence = self.sequence_argument(entries)?;
        for entry in self.sequence_values(&sequence)? {
            let Value::Tuple(parts) = &entry else {
                return self.mismatch("a pair", &entry).into();
            };
            let [key, value] = &parts[..] else {
                return self.mismatch("a pair", &entry).into();
            };
            let (key, value) = (self.force_part(key)?, self.force_part(value)?);
            map.insert(key, value);
        }
        Ok(Value::Map(Rc::new(map)))
    }
}
