//! Packed states one after the other, in as few bytes as their bits need.

use crate::machine::packing::{PackedState, Packing};

/// States by number. They never move, so that growing costs no more than what is added.
#[derive(Debug)]
pub(super) struct Arena {
    /// Bytes of a stored state.
    width: usize,
    /// What of the last word is stored.
    last: u64,
    segments: Vec<Vec<u8>>,
    len: usize,
}

/// States of a segment.
const SEGMENT_STATES: usize = 1 << 16;

const WORD: usize = size_of::<u64>();

impl Arena {
    /// No states; they will be packed by `packing`.
    pub(super) fn new(packing: &Packing) -> Self {
        let (words, width) = (packing.words(), packing.bytes());
        let unused = words * WORD - width;
        Self {
            width,
            last: u64::MAX >> (8 * unused),
            segments: Vec::new(),
            len: 0,
        }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.segments.len() * self.segment_bytes()
    }

    /// Bytes of a segment. A state is read and written by whole words, so there is room for one after the last.
    fn segment_bytes(&self) -> usize {
        SEGMENT_STATES * self.width + WORD
    }

    /// Appends a state.
    #[inline]
    pub(super) fn push(&mut self, state: &[u64]) {
        let place = self.len % SEGMENT_STATES;
        if place == 0 {
            self.segments.push(vec![0; self.segment_bytes()]);
        }
        if let Some(segment) = self.segments.last_mut() {
            let places = segment[place * self.width..].chunks_exact_mut(WORD);
            for (bytes, word) in places.zip(state) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
        }
        self.len += 1;
    }

    /// Copies state `number` into `state`.
    #[inline]
    pub(super) fn load<S: PackedState>(&self, number: u32, state: &mut S) {
        let stored = self.stored(number);
        let words = state.words_mut();
        for (word, bytes) in words.iter_mut().zip(stored.chunks_exact(WORD)) {
            *word = word_of(bytes);
        }
        if let Some(last) = words.last_mut() {
            *last &= self.last;
        }
    }

    /// Whether state `number` is `state`.
    #[inline]
    pub(super) fn is(&self, number: u32, state: &[u64]) -> bool {
        let Some((&last, first)) = state.split_last() else {
            return true;
        };
        let mut stored = self.stored(number).chunks_exact(WORD).map(word_of);
        let same = first.iter().all(|&word| stored.next() == Some(word));
        same && stored.next().map(|word| word & self.last) == Some(last)
    }

    /// The first byte of state `number`, to have its line in the cache.
    #[inline]
    pub(super) fn touch(&self, number: u32) -> u8 {
        self.stored(number)[0]
    }

    /// The bytes from state `number` on.
    #[inline]
    fn stored(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let segment = &self.segments[number / SEGMENT_STATES];
        &segment[number % SEGMENT_STATES * self.width..]
    }
}

#[inline]
fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    word.copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
