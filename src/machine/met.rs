//! Packed states by number, in the order in which they were met.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The packed states that were met, by number. Costs the words of each state and five bytes.
pub(crate) struct MetStates {
    words: usize,
    /// The words of all states, one state after the other.
    states: Vec<u64>,
    numbers: HashTable<u32>,
}

impl MetStates {
    /// No states, each of which has so many words.
    pub(crate) fn new(words: usize) -> Self {
        Self {
            words,
            states: Vec::new(),
            numbers: HashTable::new(),
        }
    }

    /// The number of states that were met.
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The words of state `number`.
    pub(crate) fn state(&self, number: u32) -> &[u64] {
        let start = number as usize * self.words;
        &self.states[start..start + self.words]
    }

    /// The number of the state with these words. It is a new number if the state was not met
    /// before.
    pub(crate) fn number(&mut self, words: &[u64]) -> u32 {
        let hash = |words: &[u64]| FxBuildHasher.hash_one(words);
        let same = |&number: &u32| self.state(number) == words;
        if let Some(&number) = self.numbers.find(hash(words), same) {
            return number;
        }
        let number = self.count() as u32;
        self.states.extend_from_slice(words);
        let (states, length) = (&self.states, self.words);
        let rehash = |&number: &u32| {
            let start = number as usize * length;
            hash(&states[start..start + length])
        };
        self.numbers.insert_unique(hash(words), number, rehash);
        number
    }

    /// The number of bytes of the states.
    pub(crate) fn bytes(&self) -> usize {
        // A number and a control byte of the hash table.
        const SLOT: usize = 5;
        self.states.capacity() * size_of::<u64>() + self.numbers.capacity() * SLOT
    }
}
