//! States that were followed along τ: by number and by their words, with a mark on those that were
//! left for good.
//!
//! One hash table would take twice its memory at once when it grows. Here there are many small
//! ones, by linear hashing (Litwin, *Linear Hashing: A New Tool for File and Table Addressing*,
//! VLDB 1980): with each few thousand states one table is divided in two. All memory can be used
//! again after states were forgotten.

use hashbrown::HashTable;

use super::segments::Segments;
use crate::store::hash;

/// States, numbered in the order in which they were entered.
pub(super) struct FollowedStates {
    states: Segments<u64>,
    is_left: Segments<bool>,
    /// Numbers of states: a table for each value of some bits of the hash, and of one more bit for
    /// the first tables.
    tables: Vec<HashTable<Number>>,
    /// The numbers that are moved from one table to another.
    moved: Vec<Number>,
}

/// The number of a state in five bytes: 2⁴⁰ states take more memory than any machine has.
#[derive(Clone, Copy)]
struct Number([u8; 5]);

impl Number {
    #[inline]
    fn of(number: usize) -> Self {
        let [a, b, c, d, e, ..] = (number as u64).to_le_bytes();
        Self([a, b, c, d, e])
    }

    #[inline]
    fn get(self) -> usize {
        let Self([a, b, c, d, e]) = self;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

/// The number of states per table. The table that is divided last has twice as many, and still room
/// for them.
const TABLE: usize = 3500;

/// Bytes that a table takes.
const TABLE_BYTES: usize = 6 << 13;

impl FollowedStates {
    /// No states yet; states will have `words` words.
    pub(super) fn new(words: usize) -> Self {
        Self {
            states: Segments::new(words),
            is_left: Segments::new(1),
            tables: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let tables = self.tables.len() * TABLE_BYTES;
        self.states.memory_bytes() + self.is_left.memory_bytes() + tables
    }

    /// Bytes of memory that this many states would need.
    pub(super) fn bytes_of(&self, states: usize) -> usize {
        let tables = states.div_ceil(TABLE) * TABLE_BYTES;
        self.states.bytes_of(states) + self.is_left.bytes_of(states) + tables
    }

    /// True if the next state takes memory.
    pub(super) fn is_full(&self) -> bool {
        self.states.is_full() || self.is_left.is_full() || self.is_crowded()
    }

    /// True if the tables are full, so that there should be one more for the next state.
    fn is_crowded(&self) -> bool {
        self.len() >= self.tables.len() * TABLE
    }

    /// True if a state was left for good.
    #[inline]
    pub(super) fn is_left(&self, number: usize) -> bool {
        self.is_left.get(number)[0]
    }

    /// The words of a state.
    #[inline]
    pub(super) fn state(&self, number: usize) -> &[u64] {
        self.states.get(number)
    }

    /// Notes that a state was left for good.
    pub(super) fn leave(&mut self, number: usize) {
        self.is_left.get_mut(number)[0] = true;
    }

    /// True if the state with these words is known.
    pub(super) fn has(&self, words: &[u64]) -> bool {
        self.find(words, hash(words)).is_some()
    }

    #[inline]
    fn find(&self, words: &[u64], hash: u64) -> Option<usize> {
        if self.tables.is_empty() {
            return None;
        }
        let table = &self.tables[table(hash, self.tables.len())];
        let same = |number: &Number| match (self.states.get(number.get()), words) {
            // The smallest states are compared without a call.
            ([one], [other]) => one == other,
            (one, _) => one == words,
        };
        table.find(hash, same).map(|number| number.get())
    }

    /// The number of the state with these words, and true if it is new.
    #[inline]
    pub(super) fn enter(&mut self, words: &[u64]) -> (usize, bool) {
        let hash = hash(words);
        if let Some(number) = self.find(words, hash) {
            return (number, false);
        }
        if self.is_crowded() {
            self.divide();
        }
        let number = self.states.len();
        self.states.push(words);
        self.is_left.push(&[false]);
        self.insert(hash, Number::of(number));
        (number, true)
    }

    #[inline]
    fn insert(&mut self, hash: u64, number: Number) {
        let table = table(hash, self.tables.len());
        let states = &self.states;
        self.tables[table].insert_unique(hash, number, |&number| hash_of(states, number));
    }

    /// Makes one more table, of the states in another table that belong there.
    fn divide(&mut self) {
        self.tables.push(HashTable::new());
        let last = self.tables.len() - 1;
        let Some(bit) = last.checked_ilog2() else {
            return;
        };
        let Self {
            states,
            tables,
            moved,
            ..
        } = self;
        let count = tables.len();
        moved.clear();
        // The table whose number lacks only the highest bit has held the states of the new one.
        tables[last ^ (1 << bit)].retain(|&mut number| {
            let stays = table(hash_of(states, number), count) != last;
            moved.extend((!stays).then_some(number));
            stays
        });
        let last = &mut tables[last];
        last.reserve(moved.len(), |&number| hash_of(states, number));
        for &number in &*moved {
            let of = |&number: &Number| hash_of(states, number);
            last.insert_unique(hash_of(states, number), number, of);
        }
    }

    /// Forgets the first `count` states. The others get lower numbers. The memory is kept for later
    /// states.
    pub(super) fn forget(&mut self, count: usize) {
        self.states.remove_first(count);
        self.is_left.remove_first(count);
        self.tables.iter_mut().for_each(HashTable::clear);
        self.insert_all();
    }

    /// Gives back the memory that is not used.
    pub(super) fn release(&mut self) {
        self.states.release();
        self.is_left.release();
        self.tables.clear();
        self.tables.shrink_to_fit();
        let tables = self.len().div_ceil(TABLE);
        self.tables.resize_with(tables, HashTable::new);
        self.insert_all();
    }

    fn insert_all(&mut self) {
        for number in (0..self.states.len()).map(Number::of) {
            self.insert(hash_of(&self.states, number), number);
        }
    }
}

/// The number of the table, of `count`, that has a state with this hash. The tables themselves use
/// other bits.
#[inline]
fn table(hash: u64, count: usize) -> usize {
    let last = count - 1;
    let mask = count.next_power_of_two() - 1;
    let table = (hash >> 24) as usize & mask;
    if table <= last {
        table
    } else {
        table & (mask >> 1)
    }
}

#[inline]
fn hash_of(states: &Segments<u64>, number: Number) -> u64 {
    hash(states.get(number.get()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use base::mix::mix;

    #[test]
    fn states_are_known_until_they_are_forgotten() {
        for words in [1, 2, 5] {
            let mut known = FollowedStates::new(words);
            let mut expected: HashMap<Vec<u64>, usize> = HashMap::new();
            for round in 0..12 {
                for step in 0..30_000 {
                    let value = mix(step * 13 + round) % 20_000;
                    let state = vec![value; words];
                    let next = expected.len();
                    let number = *expected.entry(state.clone()).or_insert(next);
                    assert_eq!(known.enter(&state), (number, number == next));
                    if value.is_multiple_of(3) {
                        known.leave(number);
                    }
                }
                assert_eq!(known.len(), expected.len());
                for (state, &number) in &expected {
                    assert_eq!(known.is_left(number), state[0].is_multiple_of(3));
                }
                let held = known.memory_bytes();
                let count = [0, 1, known.len() / 3, known.len()][round as usize % 4];
                known.forget(count);
                assert_eq!(known.memory_bytes(), held);
                if round > 8 {
                    known.release();
                    let needed = known.bytes_of(known.len());
                    assert!(known.memory_bytes() <= needed, "{needed}");
                }
                expected.retain(|_, number| *number >= count);
                expected.values_mut().for_each(|number| *number -= count);
            }
            assert_eq!(known.memory_bytes(), 0);
        }
    }

    #[test]
    fn memory_is_taken_a_little_at_a_time() {
        let mut known = FollowedStates::new(1);
        let mut held = 0;
        for number in 0..100_000 {
            let is_full = known.is_full();
            known.enter(&[mix(number)]);
            let now = known.memory_bytes();
            assert!(is_full || now == held, "{now} after {held}");
            assert!(now <= held + 200_000, "{now} after {held}");
            assert!(now < 300_000 + 30 * known.len(), "{now} of {}", known.len());
            let slots = known.tables.iter().map(HashTable::capacity);
            assert!(slots.max() <= Some(7168));
            held = now;
        }
    }
}
