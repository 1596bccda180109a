//! Digests of data, which show whether data has changed. They reveal damage, not malice.

use std::fmt::{self, Debug, Write};

use super::mix::mix;

/// A digest of 64-bit words in order. It is equal on every run and machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(u64);

const WORD: usize = size_of::<u64>();

impl Digest {
    /// The digest of no words. Digests with different seeds are independent of each other.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Adds a word. This is one multiplication: the words are read from a disk anyway.
    #[inline]
    pub fn add(&mut self, word: u64) {
        // Without the constant, words that are 0 would leave a digest that is 0 as it is.
        let mixed = self.0.rotate_left(29) ^ word ^ 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(mixed) * 0xa076_1d64_78bd_642f;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    /// Adds bytes and their number.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(WORD) {
            let mut word = [0; WORD];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        // The last word was filled up with zeros: the length tells them from zeros of the text.
        self.add(bytes.len() as u64);
    }

    /// The digest. It can be the seed of another digest.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// A digest of words in order whose parts can be digested separately, by several threads. It is a
/// polynomial whose coefficients are the mixed words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum {
    value: u64,
    /// The power of [`BASE`] by which the value of all words before is multiplied.
    factor: u64,
}

/// An odd number: no power of it is 0, so that each word counts.
const BASE: u64 = 0xa076_1d64_78bd_642f;

impl Default for Checksum {
    /// The checksum of no words.
    fn default() -> Self {
        Self::after(0)
    }
}

impl Checksum {
    /// The checksum of words that follow other words, whose value is `value`.
    pub fn after(value: u64) -> Self {
        Self { value, factor: 1 }
    }

    /// Adds a word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        // Mixed, because plain words that are 0 would add nothing at the beginning.
        self.value = self.value.wrapping_mul(BASE).wrapping_add(mix(word));
        self.factor = self.factor.wrapping_mul(BASE);
    }

    /// Adds the words of `other`, which must have begun with [`Checksum::default`].
    pub fn append(&mut self, other: Self) {
        // Adding the words of `other` one by one would multiply by `BASE` for each of them. Its
        // factor is this product.
        self.value = self
            .value
            .wrapping_mul(other.factor)
            .wrapping_add(other.value);
        self.factor = self.factor.wrapping_mul(other.factor);
    }

    /// The digest of all words.
    pub fn value(self) -> u64 {
        self.value
    }
}

/// A 128-bit digest of the debug output of `value`, in hexadecimal. Equal values have equal
/// fingerprints.
pub fn fingerprint(value: &impl Debug) -> String {
    let mut digests = Digests(Digest::new(1), Digest::new(2));
    // Digests take all that is written.
    let _ = write!(digests, "{value:?}");
    format!("{:016x}{:016x}", digests.0.value(), digests.1.value())
}

struct Digests(Digest, Digest);

impl Write for Digests {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.add_bytes(text.as_bytes());
        self.1.add_bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_bit_place_and_length_counts() {
        let mut seen = BTreeSet::new();
        let mut enter = |bytes: &[u8]| {
            let mut digest = Digest::new(0);
            digest.add_bytes(bytes);
            assert!(seen.insert(digest.value()), "{bytes:?}");
        };
        for length in 0..40 {
            enter(&vec![0; length]);
            for bit in 0..8 * length {
                let mut bytes = vec![0; length];
                bytes[bit / 8] |= 1 << (bit % 8);
                enter(&bytes);
            }
        }
    }

    #[test]
    fn parts_are_digested_apart() {
        let words: Vec<u64> = (0..9).map(|number| number / 2).collect();
        let of = |words: &[u64]| {
            let mut checksum = Checksum::default();
            words.iter().for_each(|&word| checksum.add(word));
            checksum
        };
        let mut seen = BTreeSet::new();
        for end in 0..=words.len() {
            assert!(seen.insert(of(&words[..end]).value()));
            for middle in 0..=end {
                let mut whole = Checksum::after(of(&words[..middle]).value());
                whole.append(of(&words[middle..end]));
                assert_eq!(whole.value(), of(&words[..end]).value());
            }
        }
        let mut others = words.clone();
        for place in 1..words.len() {
            others.swap(place - 1, place);
            let is_same = others == words;
            assert_eq!(of(&others) == of(&words), is_same, "{place}");
            others.swap(place - 1, place);
            for bit in 0..u64::BITS {
                others[place] ^= 1 << bit;
                assert!(seen.insert(of(&others).value()), "{place} {bit}");
                others[place] ^= 1 << bit;
            }
        }
    }

    #[test]
    fn what_prints_alike_has_one_fingerprint() {
        assert_eq!(fingerprint(&vec![1, 2]), fingerprint(&[1, 2]));
        assert_ne!(fingerprint(&"1, 2"), fingerprint(&[1, 2]));
        assert_eq!(fingerprint(&()).len(), 32);
    }
}
