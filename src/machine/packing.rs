//! Packs state vectors in few 64-bit words: the place of each component.

/// The place of one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The word.
    pub word: u32,
    /// The lowest bit of the component in that word.
    pub shift: u32,
    /// The bits of the component, before shifting.
    pub mask: u64,
}

impl BitField {
    /// The value of the component in `state`.
    #[inline]
    pub fn get<S: PackedState>(self, state: &S) -> u32 {
        ((state.word(self.word) >> self.shift) & self.mask) as u32
    }

    /// The bits to flip in the field's word to turn `from` into `to`.
    #[inline]
    pub fn flip(self, from: u32, to: u32) -> u64 {
        u64::from(from ^ to) << self.shift
    }
}

/// A state vector in the number of words of its [`Packing`]. One word is the common and fastest
/// case, two words the next; all code on states is compiled for each case separately.
pub trait PackedState: Clone + Send + Sync + 'static {
    /// True if copying a state costs less than finding out if the copy is needed.
    const IS_CHEAP: bool;
    /// A state of `words` words that are all zero.
    fn zero(words: usize) -> Self;
    /// All words.
    fn words(&self) -> &[u64];
    /// All words, mutable.
    fn words_mut(&mut self) -> &mut [u64];
    /// One word.
    #[inline]
    fn word(&self, index: u32) -> u64 {
        self.words()[index as usize]
    }
    /// Flips bits of one word.
    #[inline]
    fn flip(&mut self, index: u32, bits: u64) {
        self.words_mut()[index as usize] ^= bits;
    }
    /// Overwrites this state with the words of a stored one.
    #[inline]
    fn load(&mut self, words: &[u64]) {
        self.words_mut().copy_from_slice(words);
    }
}

impl PackedState for u64 {
    const IS_CHEAP: bool = true;
    fn zero(_: usize) -> Self {
        0
    }
    #[inline]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(self)
    }
    // There is only one word, so no bound is checked.
    #[inline]
    fn word(&self, _: u32) -> u64 {
        *self
    }
    #[inline]
    fn flip(&mut self, _: u32, bits: u64) {
        *self ^= bits;
    }
}

/// A fixed number of words, for states that are longer than one word and still short enough to be
/// copied rather than allocated.
impl<const WORDS: usize> PackedState for [u64; WORDS] {
    const IS_CHEAP: bool = true;
    fn zero(words: usize) -> Self {
        debug_assert_eq!(words, WORDS);
        [0; WORDS]
    }
    #[inline]
    fn words(&self) -> &[u64] {
        self
    }
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

impl PackedState for Vec<u64> {
    const IS_CHEAP: bool = false;
    fn zero(words: usize) -> Self {
        vec![0; words]
    }
    #[inline]
    fn words(&self) -> &[u64] {
        self
    }
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

/// The places of all components of a state. No component straddles two words.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<BitField>,
    words: usize,
}

const WORD_BITS: usize = u64::BITS as usize;

impl Packing {
    /// The packing of components that have `counts` values each. A component of one value takes no
    /// room.
    pub fn new(counts: &[u32]) -> Self {
        let width = |i: usize| (u32::BITS - counts[i].saturating_sub(1).leading_zeros()) as usize;
        let mut widest_first: Vec<usize> = (0..counts.len()).collect();
        widest_first.sort_by_key(|&i| std::cmp::Reverse(width(i)));
        // Best fit: `open[n]` are the words with `n` bits left. The first word keeps one bit
        // free, so that no state of one word is all ones: the index of a search keeps the
        // complements of such states, and 0 marks a free slot.
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); WORD_BITS + 1];
        open[WORD_BITS - 1].push(0);
        let mut words = 1;
        let mut fields = vec![
            BitField {
                word: 0,
                shift: 0,
                mask: 0
            };
            counts.len()
        ];
        for component in widest_first {
            let width = width(component);
            // The components that are left have one value each. Their mask of no bits reads 0.
            if width == 0 {
                break;
            }
            let (word, left) = match (width..=WORD_BITS).find(|&n| !open[n].is_empty()) {
                Some(left) => (open[left].pop().unwrap_or_default(), left),
                None => {
                    words += 1;
                    (words as u32 - 1, WORD_BITS)
                }
            };
            open[left - width].push(word);
            let shift = if word == 0 {
                WORD_BITS - 1 - left
            } else {
                WORD_BITS - left
            };
            fields[component] = BitField {
                word,
                shift: shift as u32,
                mask: (1u64 << width) - 1,
            };
        }
        Self { fields, words }
    }

    /// The packing of pairs of states of this packing: the fields of the first state, and then, in
    /// words of its own, those of the second.
    pub fn twice(&self) -> Self {
        let behind = |field: &BitField| BitField {
            word: field.word + self.words as u32,
            ..*field
        };
        let second: Vec<BitField> = self.fields.iter().map(behind).collect();
        Self {
            fields: [&self.fields[..], &second].concat(),
            words: 2 * self.words,
        }
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of bytes of a state. All bytes after them are zero.
    pub fn bytes(&self) -> usize {
        let last = self.words - 1;
        let fields = self
            .fields
            .iter()
            .filter(|field| field.word as usize == last);
        let bits = fields.map(|field| field.shift + field.mask.count_ones());
        let bytes = bits.max().unwrap_or(0).div_ceil(u8::BITS) as usize;
        last * size_of::<u64>() + bytes.max(1)
    }

    /// The places of the components, in their order.
    pub fn fields(&self) -> &[BitField] {
        &self.fields
    }

    /// Puts `values`, one for each of the first fields, into `state`.
    pub fn put<S: PackedState>(&self, state: &mut S, values: &[u32]) {
        for (&field, &value) in self.fields.iter().zip(values) {
            let flip = field.flip(field.get(state), value);
            state.flip(field.word, flip);
        }
    }

    /// The values of all components in `state`.
    pub fn unpack<S: PackedState>(&self, state: &S) -> Vec<u32> {
        self.fields.iter().map(|field| field.get(state)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: &[u32], words: usize) {
        let packing = Packing::new(counts);
        assert_eq!(packing.words(), words, "{counts:?}");
        let mut state = Vec::<u64>::zero(words);
        let highest: Vec<u32> = counts.iter().map(|&n| n - 1).collect();
        for (field, &value) in packing.fields().iter().zip(&highest) {
            state.flip(field.word, field.flip(0, value));
        }
        assert_eq!(packing.unpack(&state), highest, "{counts:?}");
        assert!(words > 1 || state[0] != u64::MAX);
    }

    #[test]
    fn fields_do_not_overlap() {
        check(&[], 1);
        check(&[1, 1, 1], 1);
        check(&[2, 3, 1, 5], 1);
        check(&[2; 63], 1);
        check(&[2; 64], 2);
        check(&[u32::MAX, u32::MAX], 2);
        check(&[1 << 31, u32::MAX], 1);
        check(&[u32::MAX, u32::MAX, u32::MAX, 1 << 31], 2);
        check(&[5; 1000], 48);
    }
}
