//! The exact set of visited states, in order of discovery.
//!
//! A random access to a large table costs a cache miss, and nearly every candidate costs one. So
//! candidates come in batches: the table lines of many are touched first, by loads that do not
//! depend on each other and therefore overlap, and only then is each looked up.

use std::hint::black_box;

use crate::machine::packing::PackedState;

/// Visited states, numbered in order of discovery from 0, each with its parent.
#[derive(Debug)]
pub struct Store<S: StoredState> {
    states: Arena,
    parents: Segments<u32>,
    index: S::Index,
    hashes: Vec<u64>,
}

/// States to be inserted in order.
#[derive(Debug)]
pub struct Batch {
    words: usize,
    states: Vec<u64>,
    parents: Vec<u32>,
}

/// More states than this cannot be numbered.
pub const MOST_STATES: usize = u32::MAX as usize - 1;

/// How many candidates are looked up at a time: their lines fit the first-level cache.
const GROUP: usize = 64;

impl Batch {
    /// No candidates; states have this many words.
    pub fn new(words: usize) -> Self {
        Self {
            words,
            states: Vec::new(),
            parents: Vec::new(),
        }
    }

    /// Appends a candidate that was reached from the stored state `parent`.
    #[inline]
    pub fn push<S: PackedState>(&mut self, state: &S, parent: u32) {
        self.states.extend_from_slice(state.words());
        self.parents.push(parent);
    }

    /// Flips bits of the candidate that was appended last.
    #[inline]
    pub fn flip_last(&mut self, word: u32, bits: u64) {
        let start = self.states.len() - self.words;
        self.states[start + word as usize] ^= bits;
    }

    /// How many candidates there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    fn clear(&mut self) {
        self.states.clear();
        self.parents.clear();
    }
}

impl<S: StoredState> Store<S> {
    /// No states; each will have this many words.
    pub fn new(words: usize) -> Self {
        Self {
            states: Arena::new(words),
            parents: Segments::new(SEGMENT_STATES),
            index: S::Index::default(),
            hashes: Vec::new(),
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.parents.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies the words of state `number` into `state`.
    #[inline]
    pub fn load(&self, number: u32, state: &mut S) {
        state.load(self.states.get(number));
    }

    /// From which state `number` was first reached; of a first state, itself.
    pub fn parent(&self, number: u32) -> u32 {
        *self.parents.get(number as usize)
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.states.segments.bytes() + self.parents.bytes() + self.index.lines().len() * LINE_BYTES
    }

    /// Bytes of memory that are taken at once before `more` candidates are inserted.
    pub fn growth(&self, more: usize) -> usize {
        let present = self.index.lines().len();
        let lines = lines_for(self.len() + more, present);
        lines.map_or(0, |lines| (lines - present) * LINE_BYTES)
    }

    /// Inserts the candidates that are not there yet, in order, and empties the batch.
    pub fn insert(&mut self, batch: &mut Batch) {
        self.index.reserve(&self.states, batch.len());
        let words = self.states.words;
        let groups = batch
            .states
            .chunks(GROUP * words)
            .zip(batch.parents.chunks(GROUP));
        for (states, parents) in groups {
            self.hashes.clear();
            self.hashes.extend(states.chunks_exact(words).map(hash));
            self.index.touch(&self.states, &self.hashes);
            for ((state, &hash), &parent) in
                states.chunks_exact(words).zip(&self.hashes).zip(parents)
            {
                if self.index.insert(&self.states, state, hash) {
                    self.states.push(state);
                    self.parents.push(&[parent]);
                }
            }
        }
        batch.clear();
    }
}

/// Mixes all bits of the state into all bits of the hash.
#[inline]
fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash: u64, &word| {
        let mixed = hash.rotate_left(29) ^ word ^ 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(mixed) * 0xa076_1d64_78bd_642f;
        (product >> 64) as u64 ^ product as u64
    })
}

/// States one after the other, never moved.
#[derive(Debug)]
pub struct Arena {
    words: usize,
    segments: Segments<u64>,
}

impl Arena {
    fn new(words: usize) -> Self {
        Self {
            words,
            segments: Segments::new(SEGMENT_STATES * words),
        }
    }

    #[inline]
    fn get(&self, number: u32) -> &[u64] {
        let number = number as usize;
        let segment = &self.segments.segments[number / SEGMENT_STATES];
        &segment[number % SEGMENT_STATES * self.words..][..self.words]
    }

    #[inline]
    fn push(&mut self, state: &[u64]) {
        self.segments.push(state);
    }

    fn len(&self) -> usize {
        self.segments.len / self.words
    }
}

const SEGMENT_STATES: usize = 1 << 16;

/// A growing array whose items never move.
#[derive(Debug)]
struct Segments<T> {
    size: usize,
    segments: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Segments<T> {
    fn new(size: usize) -> Self {
        Self {
            size,
            segments: Vec::new(),
            len: 0,
        }
    }

    /// Appends items that do not straddle two segments.
    #[inline]
    fn push(&mut self, items: &[T]) {
        if self.len.is_multiple_of(self.size) {
            self.segments.push(Vec::with_capacity(self.size));
        }
        if let Some(last) = self.segments.last_mut() {
            last.extend_from_slice(items);
        }
        self.len += items.len();
    }

    fn get(&self, index: usize) -> &T {
        &self.segments[index / self.size][index % self.size]
    }

    fn bytes(&self) -> usize {
        self.segments.len() * self.size * size_of::<T>()
    }
}

/// A state together with the index that suits it.
pub trait StoredState: PackedState {
    /// The index.
    type Index: Index;
}

impl StoredState for u64 {
    type Index = KeyIndex;
}

impl StoredState for Vec<u64> {
    type Index = NumberIndex;
}

const SLOTS: usize = 8;
const LINE_BYTES: usize = SLOTS * size_of::<u64>();

/// One cache line of slots; 0 is a free slot. Slots fill from the first, so that a free one ends a search.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Line([u64; SLOTS]);

/// An open-addressing table that says which states are stored.
pub trait Index: Default {
    /// The table.
    fn lines(&self) -> &[Line];
    /// Makes the table `lines` long and empty.
    fn reset(&mut self, lines: usize);
    /// Loads what looking up these hashes will need.
    fn touch(&self, states: &Arena, hashes: &[u64]);
    /// Adds `state` as the next one of the arena; false if it is there already.
    fn insert(&mut self, states: &Arena, state: &[u64], hash: u64) -> bool;
    /// Adds a stored state that is not in the table.
    fn refill(&mut self, state: &[u64], number: u32, hash: u64);

    /// Grows the table so that `more` states fit. It is filled again from the arena, so that the
    /// old table is gone before the new one is there.
    fn reserve(&mut self, states: &Arena, more: usize) {
        let Some(lines) = lines_for(states.len() + more, self.lines().len()) else {
            return;
        };
        self.reset(lines);
        let mut hashes = Vec::with_capacity(GROUP);
        let mut number = 0;
        for segment in &states.segments.segments {
            for group in segment.chunks(GROUP * states.words) {
                hashes.clear();
                hashes.extend(group.chunks_exact(states.words).map(hash));
                touch_lines(self.lines(), &hashes);
                for (state, &hash) in group.chunks_exact(states.words).zip(&hashes) {
                    self.refill(state, number, hash);
                    number += 1;
                }
            }
        }
    }
}

/// How many lines a table of `present` lines has to grow to, so that `wanted` states fit; nothing if they fit already.
fn lines_for(wanted: usize, present: usize) -> Option<usize> {
    if wanted * 100 <= present * SLOTS * MOST_FULL {
        return None;
    }
    // A small table may grow faster: filling it again and again is what a short search would mostly do.
    let next = if present < SMALL_LINES {
        present * 4
    } else {
        present * 3 / 2
    };
    Some((wanted * 100 / MOST_FULL / SLOTS + 1).max(next).max(64))
}

/// The table grows before it is fuller than this, in percent.
const MOST_FULL: usize = 85;

/// A table of fewer lines is small: half a megabyte.
const SMALL_LINES: usize = 1 << 13;

#[inline]
fn line_of(hash: u64, lines: usize) -> usize {
    ((u128::from(hash) * lines as u128) >> 64) as usize
}

#[inline]
fn touch_lines(lines: &[Line], hashes: &[u64]) {
    let mut sum = 0u64;
    for &hash in hashes {
        sum = sum.wrapping_add(lines[line_of(hash, lines.len())].0[0]);
    }
    black_box(sum);
}

/// One-word states stand in the table themselves, inverted, because 0 is a free slot.
#[derive(Debug, Default)]
pub struct KeyIndex {
    lines: Vec<Line>,
}

impl Index for KeyIndex {
    fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn reset(&mut self, lines: usize) {
        self.lines = Vec::new();
        self.lines = vec![Line([0; SLOTS]); lines];
    }

    #[inline]
    fn touch(&self, _: &Arena, hashes: &[u64]) {
        touch_lines(&self.lines, hashes);
    }

    #[inline]
    fn insert(&mut self, _: &Arena, state: &[u64], hash: u64) -> bool {
        let key = !state[0];
        let mut line = line_of(hash, self.lines.len());
        loop {
            let slots = &mut self.lines[line].0;
            // Most candidates are there already, at any slot: no branch depends on which.
            if slots
                .iter()
                .fold(false, |found, &slot| found | (slot == key))
            {
                return false;
            }
            if let Some(free) = slots.iter_mut().find(|slot| **slot == 0) {
                *free = key;
                return true;
            }
            line = if line + 1 == self.lines.len() {
                0
            } else {
                line + 1
            };
        }
    }

    fn refill(&mut self, state: &[u64], _: u32, hash: u64) {
        let free = free_slot(&mut self.lines, hash);
        *free = !state[0];
    }
}

fn free_slot(lines: &mut [Line], hash: u64) -> &mut u64 {
    let mut line = line_of(hash, lines.len());
    let slot = loop {
        if let Some(slot) = lines[line].0.iter().position(|&slot| slot == 0) {
            break slot;
        }
        line = if line + 1 == lines.len() { 0 } else { line + 1 };
    };
    &mut lines[line].0[slot]
}

/// Longer states stand in the arena only; a slot has half of the hash, and the number plus one.
#[derive(Debug, Default)]
pub struct NumberIndex {
    lines: Vec<Line>,
}

impl NumberIndex {
    fn slot(hash: u64, number: u32) -> u64 {
        // The upper half of the hash chose the line, so the lower one tells more.
        hash << 32 | (u64::from(number) + 1)
    }
}

const NUMBER: u64 = u32::MAX as u64;

impl Index for NumberIndex {
    fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn reset(&mut self, lines: usize) {
        self.lines = Vec::new();
        self.lines = vec![Line([0; SLOTS]); lines];
    }

    fn touch(&self, states: &Arena, hashes: &[u64]) {
        touch_lines(&self.lines, hashes);
        let mut sum = 0u64;
        for &hash in hashes {
            let line = &self.lines[line_of(hash, self.lines.len())].0;
            let same = |slot: &&u64| **slot & !NUMBER == hash << 32 && **slot != 0;
            if let Some(slot) = line.iter().find(same) {
                sum = sum.wrapping_add(states.get((slot & NUMBER) as u32 - 1)[0]);
            }
        }
        black_box(sum);
    }

    fn insert(&mut self, states: &Arena, state: &[u64], hash: u64) -> bool {
        let mut line = line_of(hash, self.lines.len());
        loop {
            for slot in &mut self.lines[line].0 {
                if *slot == 0 {
                    *slot = Self::slot(hash, states.len() as u32);
                    return true;
                }
                if *slot & !NUMBER == hash << 32 && states.get((*slot & NUMBER) as u32 - 1) == state
                {
                    return false;
                }
            }
            line = if line + 1 == self.lines.len() {
                0
            } else {
                line + 1
            };
        }
    }

    fn refill(&mut self, _: &[u64], number: u32, hash: u64) {
        let free = free_slot(&mut self.lines, hash);
        *free = Self::slot(hash, number);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Inserts pseudo-random states in batches and compares with a plain map.
    fn check<S: StoredState>(words: usize, spread: u64) {
        let mut store = Store::<S>::new(words);
        let mut batch = Batch::new(words);
        let mut expected: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut parents = Vec::new();
        let mut seed = 1u64;
        for round in 0..200u32 {
            for _ in 0..1000 {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let mut words = vec![0; words];
                let last = words.len() - 1;
                words[last] = (seed >> 33) % spread;
                words[0] ^= (seed >> 20) % 3;
                let mut state = S::zero(words.len());
                state.load(&words);
                batch.push(&state, round);
                let next = expected.len() as u32;
                expected.entry(words).or_insert_with(|| {
                    parents.push(round);
                    next
                });
            }
            store.insert(&mut batch);
            assert!(batch.is_empty());
            assert_eq!(store.len(), expected.len());
        }
        let mut state = S::zero(words);
        for (words, number) in expected {
            store.load(number, &mut state);
            assert_eq!(state.words(), words);
            assert_eq!(store.parent(number), parents[number as usize]);
        }
    }

    #[test]
    fn store_is_a_set_in_order_of_discovery() {
        check::<u64>(1, 1000);
        check::<u64>(1, 1 << 30);
        check::<Vec<u64>>(2, 1000);
        check::<Vec<u64>>(3, 1 << 30);
    }
}
