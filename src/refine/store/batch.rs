//! Candidates on their way into the store.

use machine::packing::PackedState;

/// States to be inserted in order.
#[derive(Debug)]
pub struct Batch {
    words: usize,
    states: Vec<u64>,
    /// By shard, the candidates that belong to it, in order.
    routed: Vec<Vec<Routed>>,
    /// By candidate one bit, which is set if it is new.
    fresh: Vec<u64>,
    /// By word of `fresh`, the number of new candidates before it.
    ranks: Vec<u32>,
    /// The number that the first new candidate gets.
    first: u32,
    /// The number of full stores that were asked for the candidates that are routed.
    pub(super) asked: usize,
}

/// A candidate on its way to a shard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routed {
    /// The position where it belongs in the shard's table.
    pub(super) position: u32,
    /// The number of the candidate in the batch.
    pub(super) candidate: u32,
}

const BITS: usize = u64::BITS as usize;

impl Batch {
    /// An empty batch, for states of `words` words.
    pub fn new(words: usize) -> Self {
        Self {
            words,
            states: Vec::new(),
            routed: Vec::new(),
            fresh: Vec::new(),
            ranks: Vec::new(),
            first: 0,
            asked: 0,
        }
    }

    /// The candidates of `width` words each that consist of these `words`.
    pub(crate) fn of(width: usize, words: &[u64]) -> Self {
        let mut batch = Self::new(width);
        batch.extend(words);
        batch
    }

    /// Appends a candidate.
    #[inline]
    pub fn push<S: PackedState>(&mut self, state: &S) {
        self.states.extend_from_slice(state.words());
    }

    /// Appends the candidates that consist of these words, one behind the other.
    pub(crate) fn extend(&mut self, words: &[u64]) {
        self.states.extend_from_slice(words);
    }

    /// Keeps the candidates for whose words `keeps` is true, in order.
    pub(crate) fn divide(&mut self, mut keeps: impl FnMut(&[u64]) -> bool) {
        let mut end = 0;
        for start in (0..self.states.len()).step_by(self.words) {
            if keeps(&self.states[start..start + self.words]) {
                self.states.copy_within(start..start + self.words, end);
                end += self.words;
            }
        }
        self.states.truncate(end);
    }

    /// The number of words of a candidate.
    pub(crate) fn word_count(&self) -> usize {
        self.words
    }

    /// The number of candidates.
    #[inline]
    pub fn len(&self) -> usize {
        self.states.len() / self.words
    }

    /// True if there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Bytes of memory held for candidates.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.states.capacity() * size_of::<u64>()
    }

    /// Keeps the first `count` candidates only.
    pub fn truncate(&mut self, count: usize) {
        self.states.truncate(count * self.words);
    }

    /// Drops all candidates.
    pub fn clear(&mut self) {
        self.states.clear();
    }

    /// Becomes a copy of `other`, whose candidates have no numbers yet, in the memory that this
    /// batch has.
    pub(crate) fn copy(&mut self, other: &Self) {
        let Self {
            words,
            states,
            routed,
            fresh,
            asked,
            ..
        } = self;
        *asked = other.asked;
        *words = other.words;
        states.clone_from(&other.states);
        routed.resize_with(other.routed.len(), Vec::new);
        for (shard, other) in routed.iter_mut().zip(&other.routed) {
            shard.clone_from(other);
        }
        fresh.clone_from(&other.fresh);
    }

    /// The words of all candidates.
    pub(crate) fn words(&self) -> &[u64] {
        &self.states
    }

    /// The words of a candidate.
    #[inline]
    pub(super) fn state(&self, candidate: u32) -> &[u64] {
        &self.states[candidate as usize * self.words..][..self.words]
    }

    /// Finds out where each candidate belongs in a store that has this many shards.
    pub fn route(&mut self, shards: usize) {
        self.routed.resize_with(shards, Vec::new);
        self.routed.iter_mut().for_each(Vec::clear);
        // A loop for one word alone is twice as fast.
        match self.words {
            1 => route(self.states.chunks_exact(1), &mut self.routed),
            words => route(self.states.chunks_exact(words), &mut self.routed),
        }
        let bits = self.len().div_ceil(BITS);
        // Nothing counts as new until the shards have been asked.
        self.fresh.clear();
        self.fresh.resize(bits, 0);
        self.asked = 0;
    }

    /// Takes out the candidates that belong to one shard.
    pub(super) fn take_routed(&mut self, shard: usize) -> Vec<Routed> {
        self.routed
            .get_mut(shard)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Puts back the candidates of one shard that are left, in order.
    pub(super) fn put_routed(&mut self, shard: usize, left: Vec<Routed>) {
        if let Some(routed) = self.routed.get_mut(shard) {
            *routed = left;
        }
    }

    /// The candidates that belong to one shard, in order.
    pub(super) fn routed(&self, shard: usize) -> &[Routed] {
        self.routed.get(shard).map_or(&[], Vec::as_slice)
    }

    /// Marks a candidate as new.
    #[inline]
    pub(super) fn mark(&mut self, candidate: u32) {
        self.fresh[candidate as usize / BITS] |= 1 << (candidate as usize % BITS);
    }

    /// Numbers the new candidates from `first` on, and calls `visit` with each.
    pub(super) fn number(&mut self, first: u32, mut visit: impl FnMut(u32, &[u64])) {
        self.first = first;
        self.ranks.clear();
        let mut rank = 0;
        for (number, &word) in self.fresh.iter().enumerate() {
            self.ranks.push(rank);
            let mut bits = word;
            rank += bits.count_ones();
            while bits != 0 {
                let candidate = number * BITS + bits.trailing_zeros() as usize;
                visit(
                    candidate as u32,
                    &self.states[candidate * self.words..][..self.words],
                );
                bits &= bits - 1;
            }
        }
    }

    /// The number that a new candidate got.
    pub(super) fn number_of(&self, candidate: u32) -> u32 {
        let (word, bit) = (candidate as usize / BITS, candidate as usize % BITS);
        let before = self.fresh[word] & ((1 << bit) - 1);
        self.first + self.ranks[word] + before.count_ones()
    }
}

#[inline]
fn route<'s>(states: impl Iterator<Item = &'s [u64]>, shards: &mut [Vec<Routed>]) {
    let count = shards.len();
    let routed = states.enumerate().map(|(candidate, state)| {
        let (shard, position) = place(hash(state), count);
        let candidate = candidate as u32;
        let routed = Routed {
            position,
            candidate,
        };
        (shard, routed)
    });
    match shards {
        [only] => only.extend(routed.map(|(_, routed)| routed)),
        _ => routed.for_each(|(shard, routed)| shards[shard].push(routed)),
    }
}

/// Mixes all bits of the state into all bits of the hash.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash: u64, &word| {
        let mixed = hash.rotate_left(29) ^ word ^ 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(mixed) * 0xa076_1d64_78bd_642f;
        (product >> 64) as u64 ^ product as u64
    })
}

/// The shard, of `shards`, that a hash belongs to, and the position in the shard's table: what is
/// left of the hash.
#[inline]
pub(super) fn place(hash: u64, shards: usize) -> (usize, u32) {
    let spread = u128::from(hash) * shards as u128;
    // The upper word chooses the shard; the lower one is spread evenly within each shard.
    ((spread >> 64) as usize, (spread as u64 >> 32) as u32)
}
