//! Packed states one after the other, in as few bytes as their bits need.

use machine::packing::Packing;

/// States by number. A state never moves, so that growing costs no more than the states that are
/// added.
#[derive(Debug)]
pub(super) struct Arena {
    /// Bytes of a stored state.
    width: usize,
    /// The bits of the last word that are stored.
    last: u64,
    /// All but the last are full. A state is read and written by whole words, so there is room for
    /// one after the last.
    segments: Vec<Vec<u8>>,
    /// The binary logarithm of the number of states that a segment has room for.
    bits: u32,
    len: usize,
}

/// The bytes that a segment takes, about, unless a single state takes more.
const SEGMENT_BYTES: usize = 1 << 20;

/// The bytes that the first segment takes at first: most searches are short.
const FIRST_BYTES: usize = 1 << 12;

const WORD: usize = size_of::<u64>();

impl Arena {
    /// An empty arena, for states that are packed by `packing`.
    pub(super) fn new(packing: &Packing) -> Self {
        let (words, width) = (packing.words(), packing.bytes());
        let unused = words * WORD - width;
        Self {
            width,
            last: u64::MAX >> (8 * unused),
            segments: Vec::new(),
            bits: (SEGMENT_BYTES / width).max(1).ilog2(),
            len: 0,
        }
    }

    /// An empty arena for states of the same kind.
    pub(super) fn another(&self) -> Self {
        Self {
            segments: Vec::new(),
            len: 0,
            ..*self
        }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.segments.iter().map(Vec::capacity).sum()
    }

    /// Appends a state.
    #[inline]
    pub(super) fn push(&mut self, state: &[u64]) {
        let place = self.len & ((1 << self.bits) - 1);
        if place == 0 {
            self.segments.push(Vec::new());
        }
        let needed = (place + 1) * self.width + WORD;
        if self.segments.last().is_none_or(|last| last.len() < needed) {
            self.lengthen(needed);
        }
        if let Some(segment) = self.segments.last_mut() {
            let places = segment[place * self.width..].chunks_exact_mut(WORD);
            for (bytes, word) in places.zip(state) {
                // The last word may reach into the place of the next state, which is written later.
                bytes.copy_from_slice(&word.to_le_bytes());
            }
        }
        self.len += 1;
    }

    /// Makes room in the last segment: in the first one little by little.
    fn lengthen(&mut self, needed: usize) {
        let full = (self.width << self.bits) + WORD;
        let is_first = self.segments.len() == 1;
        if let Some(last) = self.segments.last_mut() {
            let wanted = match is_first {
                true => (2 * last.len()).max(FIRST_BYTES).max(needed).min(full),
                false => full,
            };
            // `resize` alone might take twice as much.
            last.reserve_exact(wanted - last.len());
            last.resize(wanted, 0);
        }
    }

    /// Copies the words of state `number` into `words`.
    #[inline]
    pub(super) fn load(&self, number: u32, words: &mut [u64]) {
        let stored = self.stored(number);
        for (word, bytes) in words.iter_mut().zip(stored.chunks_exact(WORD)) {
            *word = word_of(bytes);
        }
        if let Some(last) = words.last_mut() {
            // The bytes above are those of the next state.
            *last &= self.last;
        }
    }

    /// True if state `number` is `state`.
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
        let segment = &self.segments[number >> self.bits];
        &segment[(number & ((1 << self.bits) - 1)) * self.width..]
    }
}

#[inline]
fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    word.copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::packing::PackedState;

    /// Appends states that have bits everywhere, and reads them again.
    fn check(counts: &[u32], states: u32) {
        let packing = Packing::new(counts);
        let mut arena = Arena::new(&packing);
        let state = |number: u32| {
            let mut state = Vec::<u64>::zero(packing.words());
            for (field, at) in packing.fields().iter().zip(number..) {
                let value = u64::from(at.wrapping_mul(0x9e37_79b9)) & field.mask;
                state.flip(field.word, field.flip(0, value as u32));
            }
            state
        };
        for number in 0..states {
            arena.push(&state(number));
        }
        assert_eq!(arena.len(), states as usize);
        assert!(arena.segments.len() > 2, "{}", arena.width);
        let mut loaded = Vec::<u64>::zero(packing.words());
        for number in 0..states {
            let state = state(number);
            arena.load(number, &mut loaded);
            assert_eq!(loaded, state);
            assert!(arena.is(number, &state));
            let at = number as usize % state.len();
            loaded[at] ^= 1 << (number % 8);
            assert!(!arena.is(number, &loaded));
        }
    }

    #[test]
    fn states_of_any_width_go_on_in_the_next_segment() {
        check(&[200], 3_000_000);
        check(&[1 << 31, u32::MAX], 300_000);
        check(&[1 << 30; 3], 200_000);
        check(&[u32::MAX; 4], 200_000);
        check(&[1 << 30; 101], 10_000);
        // Each takes more than a segment should.
        check(&[u32::MAX; 300_000], 3);
    }
}
