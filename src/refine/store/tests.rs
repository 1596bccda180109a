//! The store against a plain map: numbers, candidates that do not fit, growth of tables, and more
//! states than one segment of the arena holds.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use super::*;
use machine::packing::PackedState;

/// Components of states in one word, in two that are not full, and in more.
const ONE_WORD: &[u32] = &[1 << 31, u32::MAX];
const TWO_WORDS: &[u32] = &[1 << 30; 3];
const MORE_WORDS: &[u32] = &[1 << 31, u32::MAX, 1 << 9, u32::MAX, 1 << 12];

/// A store, and the numbers that its states must have.
struct Checked {
    packing: Packing,
    threads: Threads,
    store: Store,
    expected: HashMap<Vec<u64>, u32>,
    seed: u64,
}

impl Checked {
    fn new(counts: &[u32], shards: usize) -> Self {
        let packing = Packing::new(counts);
        Self {
            store: Store::new(&packing, shards),
            threads: Threads::new(NonZeroUsize::new(shards).unwrap()),
            packing,
            expected: HashMap::new(),
            seed: 1,
        }
    }

    fn random(&mut self) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.seed >> 33
    }

    /// A pseudo-random state of `spread` values for each component.
    fn any<S: PackedState>(&mut self, spread: u64) -> S {
        let mut state = S::zero(self.packing.words());
        for at in 0..self.packing.fields().len() {
            let field = self.packing.fields()[at];
            let value = (self.random() % spread) & field.mask;
            state.flip(field.word, field.flip(0, value as u32));
        }
        state
    }

    /// Pseudo-random states in batches of these sizes.
    fn batches<S: PackedState>(&mut self, sizes: &[usize], spread: u64) -> Vec<Batch> {
        let batch = |&size: &usize| {
            let states: Vec<S> = (0..size).map(|_| self.any(spread)).collect();
            self.batch(states)
        };
        sizes.iter().map(batch).collect()
    }

    fn batch<S: PackedState>(&self, states: impl IntoIterator<Item = S>) -> Batch {
        let mut batch = Batch::new(self.packing.words());
        for state in states {
            batch.push(&state);
        }
        batch
    }

    /// Bytes of the table of each shard.
    fn tables(&self) -> Vec<usize> {
        let shards = self.store.shards.iter();
        shards.map(|shard| shard.table.memory_bytes()).collect()
    }

    /// Inserts the candidates up to `most` states, and compares the numbers and the growth of the
    /// tables. Returns true if tables grew.
    fn insert(&mut self, batches: &mut [Batch], most: usize) -> bool {
        let mut excess = None;
        for (number, batch) in batches.iter().enumerate() {
            for candidate in 0..batch.len() {
                let next = self.expected.len();
                let state = batch.state(candidate as u32);
                if next < most {
                    self.expected.entry(state.to_vec()).or_insert(next as u32);
                } else if !self.expected.contains_key(state) {
                    excess = excess.or(Some((number, candidate)));
                }
            }
        }
        let shards = self.store.shards();
        batches.iter_mut().for_each(|batch| batch.route(shards));
        let said = self.store.growth(batches.iter());
        let before: usize = self.tables().iter().sum();
        let mut all: Vec<&mut Batch> = batches.iter_mut().collect();
        assert_eq!(self.store.insert(&mut all, most, &self.threads), excess);
        assert_eq!(self.store.len(), self.expected.len());
        let tables = self.tables();
        assert!(tables.iter().all(|&bytes| bytes == tables[0]), "{tables:?}");
        // Growth that is not there must not be reported either: a search would end for nothing.
        assert_eq!(said, tables.iter().sum::<usize>() - before);
        said > 0
    }

    /// Compares all states that there are.
    fn check_states<S: PackedState>(&self) {
        let mut state = S::zero(self.packing.words());
        for (words, &number) in &self.expected {
            self.store.load(number, state.words_mut());
            assert_eq!(state.words(), words);
        }
    }
}

#[test]
fn store_is_a_set_in_order_of_discovery() {
    fn check<S: PackedState>(counts: &[u32], shards: usize, spread: u64) {
        let mut checked = Checked::new(counts, shards);
        let mut grown = 0;
        for round in 0..40 {
            let sizes = [if round % 7 == 3 { 10 } else { 1000 }; 5];
            let mut batches = checked.batches::<S>(&sizes, spread);
            grown += usize::from(checked.insert(&mut batches, MOST_STATES));
        }
        checked.check_states::<S>();
        assert!(spread < 1 << 30 || (3..20).contains(&grown), "{grown}");
    }
    for shards in 1..=3 {
        for spread in [5, 40, 1 << 30] {
            check::<u64>(&[1 << 10, 1 << 9], shards, spread.min(1 << 20));
            check::<u64>(ONE_WORD, shards, spread);
            check::<[u64; 2]>(TWO_WORDS, shards, spread);
            check::<Vec<u64>>(TWO_WORDS, shards, spread);
            check::<Vec<u64>>(MORE_WORDS, shards, spread);
        }
    }
}

#[test]
fn what_does_not_fit_is_said() {
    /// Inserts one batch for each of `sizes`, with many numbers of states as the most.
    fn check<S: PackedState>(counts: &[u32], shards: usize, sizes: &[usize], spread: u64) {
        let total = sizes.iter().sum::<usize>();
        for most in (1..=total).step_by((total / 40).max(1)) {
            let mut checked = Checked::new(counts, shards);
            let mut first = checked.batches::<S>(&[most.min(5)], spread);
            checked.insert(&mut first, most);
            let mut batches = checked.batches::<S>(sizes, spread);
            checked.insert(&mut batches, most);
            checked.check_states::<S>();
        }
    }
    for shards in 1..=3 {
        // More candidates are looked up by several threads, fewer by one.
        for (sizes, spread) in [(&[7, 0, 5, 12][..], 3), (&[2000, 900, 1], 30)] {
            check::<u64>(ONE_WORD, shards, sizes, spread);
            check::<[u64; 2]>(TWO_WORDS, shards, sizes, spread);
            check::<Vec<u64>>(MORE_WORDS, shards, sizes, spread);
        }
    }
}

#[test]
fn tables_grow_together() {
    fn check<S: PackedState>(counts: &[u32], shards: usize) {
        let mut checked = Checked::new(counts, shards);
        for round in 0..20 {
            // All of them belong to one shard, and the others must be ready for as many.
            let mut states = Vec::new();
            while states.len() < 500 {
                let state: S = checked.any(1 << 30);
                if place(hash(state.words()), shards).0 == round % shards {
                    states.push(state);
                }
            }
            let batch = checked.batch(states);
            checked.insert(&mut [batch], MOST_STATES);
        }
        checked.check_states::<S>();
    }
    for shards in 2..=3 {
        check::<u64>(ONE_WORD, shards);
        check::<[u64; 2]>(TWO_WORDS, shards);
        check::<Vec<u64>>(MORE_WORDS, shards);
    }
}

#[test]
fn many_states_are_stored() {
    /// Inserts enough states for the arena to need more than one segment.
    fn check<S: PackedState>(counts: &[u32], shards: usize) {
        let mut checked = Checked::new(counts, shards);
        for _ in 0..10 {
            let mut batches = checked.batches::<S>(&[5000, 10_000], 1 << 30);
            checked.insert(&mut batches, MOST_STATES);
            // Each is found again, wherever it is.
            checked.insert(&mut batches, MOST_STATES);
        }
        assert!(checked.store.arena.memory_bytes() > 1 << 20);
        checked.check_states::<S>();
    }
    for shards in 1..=3 {
        check::<u64>(ONE_WORD, shards);
        check::<[u64; 2]>(TWO_WORDS, shards);
        check::<Vec<u64>>(TWO_WORDS, shards);
        check::<Vec<u64>>(MORE_WORDS, shards);
    }
}
