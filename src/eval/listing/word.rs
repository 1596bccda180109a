//! Values as words, in which the arguments of calls are packed.

use std::rc::Rc;

use super::word_table::{WordKind, WordTable};
use crate::sequence::Sequence;
use crate::set::Set;
use crate::value::Value;
use base::define_index;
use base::interner::Interner;
use base::stack::deep;

define_index! {
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    /// A value that has no parts.
    ValueId,
}

/// A value in 32 bits: a small integer, or the number of any other value. Equal values are equal
/// words, if they were evaluated in full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ValueWord(pub(super) u32);

/// The largest integer that is a word by itself; the least is `-LARGEST - 1`.
const LARGEST: i64 = (1 << 30) - 1;

impl ValueWord {
    /// The word of `false`, which `ValueWords` numbers first.
    pub(super) const FALSE: Self = Self(1);
    /// The word of `true`.
    pub(super) const TRUE: Self = Self(3);

    /// The word of a truth value.
    pub(super) fn of_bool(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The word of a small integer. Returns `None` for any other integer.
    pub(super) fn of_int(value: i64) -> Option<Self> {
        let is_small = (-LARGEST - 1..=LARGEST).contains(&value);
        // The lowest bit is 0 for an integer, and 1 for the number of a value.
        is_small.then_some(Self((value as i32 as u32) << 1))
    }

    /// The integer, if the word is a small integer.
    pub(super) fn int(self) -> Option<i64> {
        (self.0 & 1 == 0).then_some(i64::from(self.0 as i32 >> 1))
    }

    /// The word of the value with this number, which is below 2^31.
    pub(super) fn of_number(number: u32) -> Self {
        Self(number << 1 | 1)
    }

    /// The number of the value, if the word is no small integer.
    pub(super) fn number(self) -> Option<u32> {
        (self.0 & 1 == 1).then_some(self.0 >> 1)
    }

    /// The truth value, if the word is one.
    pub(super) fn truth(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }
}

/// The values that have numbers.
pub(super) struct ValueWords {
    pub(super) table: WordTable,
    singles: Interner<ValueId, Value>,
}

impl Default for ValueWords {
    fn default() -> Self {
        let mut words = Self {
            table: WordTable::default(),
            singles: Interner::new(),
        };
        // `ValueWord::FALSE` and `ValueWord::TRUE` rely on this order.
        for value in [false, true] {
            words.word(&Value::Bool(value));
        }
        words
    }
}

impl ValueWords {
    /// The word of `value`, which was evaluated in full. Returns `None` if there are too many
    /// values, or if `value` is or holds a process or a function.
    pub(super) fn word(&mut self, value: &Value) -> Option<ValueWord> {
        if let Value::Int(n) = value
            && let Some(word) = ValueWord::of_int(*n)
        {
            return Some(word);
        }
        match value {
            Value::Process(_)
            | Value::Function(_)
            | Value::Builtin(..)
            | Value::Instance(..)
            | Value::Module(..)
            | Value::Code(_) => None,
            Value::Sequence(sequence) => {
                let items = self.each(sequence.known_items())?;
                self.table.number(WordKind::Sequence, &items)
            }
            Value::Tuple(parts) => {
                let items = self.each(parts.iter().map(|part| part.known()))?;
                self.table.number(WordKind::Tuple, &items)
            }
            Value::Set(set) => match &**set {
                Set::Finite(members) => {
                    let mut items = self.each(members.iter().cloned())?;
                    items.sort_unstable();
                    self.table.number(WordKind::Set, &items)
                }
                _ => self.single(value),
            },
            Value::Map(map) => match self.entries(map) {
                Some(items) => self.table.number(WordKind::Map, &items),
                None => self.single(value),
            },
            _ => self.single(value),
        }
    }

    /// The word of a value that is not taken apart.
    fn single(&mut self, value: &Value) -> Option<ValueWord> {
        let single = self.singles.intern_with(value, Value::clone);
        let single = [ValueWord(single.0)];
        let word = self.table.number(WordKind::Single, &single)?;
        if matches!(value, Value::Set(_) | Value::Map(_)) {
            self.table.note_symbols(word);
        }
        Some(word)
    }

    /// The items of a map. Returns `None` if a word among them does not decide equality.
    fn entries(&mut self, map: &im::OrdMap<Value, Value>) -> Option<Vec<ValueWord>> {
        let mut entries = Vec::new();
        for (key, value) in map {
            let entry = [deep(|| self.word(key))?, deep(|| self.word(value))?];
            if !entry.iter().all(|&word| self.table.is_plain(word)) {
                return None;
            }
            entries.push(entry);
        }
        entries.sort_unstable();
        Some(entries.into_flattened())
    }

    fn each(&mut self, values: impl Iterator<Item = Value>) -> Option<Vec<ValueWord>> {
        let mut values = values;
        values.try_fold(Vec::new(), |mut found, value| {
            found.push(deep(|| self.word(&value))?);
            Some(found)
        })
    }

    /// The value of `word`.
    pub(super) fn value(&self, word: ValueWord) -> Value {
        let Some((kind, items)) = self.table.items(word) else {
            // The low bit is 0.
            return Value::Int(i64::from(word.0 as i32 >> 1));
        };
        let values = items.iter().map(|&item| deep(|| self.value(item)));
        match kind {
            WordKind::Single => self.singles[ValueId(items[0].0)].clone(),
            WordKind::Sequence => Value::Sequence(Sequence::from_values(values)),
            WordKind::Set => Value::set(Set::from_values(values.collect())),
            WordKind::Tuple => Value::tuple(values.collect()),
            WordKind::Map => {
                let values: Vec<Value> = values.collect();
                let (entries, _) = values.as_chunks::<2>();
                let entries = entries.iter().cloned().map(|[key, value]| (key, value));
                Value::Map(Rc::new(entries.collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_values_and_back() {
        let mut words = ValueWords::default();
        let integers = [
            0,
            1,
            -1,
            LARGEST,
            -LARGEST - 1,
            LARGEST + 1,
            i64::MIN,
            i64::MAX,
        ];
        let mut values: Vec<Value> = integers.map(Value::Int).into();
        values.extend([Value::Bool(true), Value::Char('a')]);
        let some = values[..3].to_vec();
        values.push(Value::Sequence(Sequence::empty()));
        values.push(Value::Sequence(Sequence::from_values(some.clone())));
        values.push(Value::set(Set::from_values(some.clone())));
        values.push(Value::tuple(some.clone()));
        let entries = some.iter().cloned().zip(values.clone());
        values.push(Value::Map(Rc::new(entries.collect())));
        values.push(Value::Map(Rc::default()));
        values.push(Value::tuple(values.clone()));
        let numbers: Vec<ValueWord> = values.iter().map(|v| words.word(v).unwrap()).collect();
        for (i, word) in numbers.iter().enumerate() {
            assert_eq!(words.value(*word), values[i]);
            assert_eq!(numbers.iter().filter(|other| *other == word).count(), 1);
        }
        assert_eq!(words.word(&Value::Bool(true)), Some(ValueWord::TRUE));
        assert_eq!(words.value(ValueWord::FALSE), Value::Bool(false));
        let reversed = Set::from_values([2, 1, 0].map(Value::Int).into());
        let ordered = Set::from_values([0, 1, 2].map(Value::Int).into());
        assert_eq!(
            words.word(&Value::set(reversed)),
            words.word(&Value::set(ordered))
        );
    }
}
