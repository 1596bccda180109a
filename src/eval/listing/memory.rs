//! Remembers the results of parts.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::code::PartId;
use super::word::ValueWord;
use base::index::TypedIndex;

/// Results by part and by the words that it depends on. It is emptied when it is full: results that
/// are needed again are found again.
#[derive(Default)]
pub(super) struct Remembered {
    table: HashTable<Entry>,
    /// The keys and results of all entries.
    words: Vec<ValueWord>,
}

/// A result: `words[start..]` has the key, then the result.
#[derive(Clone, Copy)]
struct Entry {
    part: PartId,
    start: u32,
    key: u16,
    result: u32,
}

/// The largest number of words that it holds: some tens of megabytes.
const MOST_WORDS: usize = 1 << 22;

fn hash(part: PartId, key: impl Iterator<Item = ValueWord>) -> u64 {
    // A simple mix, because keys have few words; `FxBuildHasher` finishes it.
    let mixed = key.fold(part.index() as u64, |mixed, word| {
        (mixed.rotate_left(23) ^ u64::from(word.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    FxBuildHasher.hash_one(mixed)
}

impl Remembered {
    /// The place of the result of `part` for `key`, if it is remembered.
    pub(super) fn find(
        &self,
        part: PartId,
        key: impl Iterator<Item = ValueWord> + Clone,
    ) -> Option<std::ops::Range<usize>> {
        let is_it = |entry: &Entry| {
            let start = entry.start as usize;
            let own = self.words[start..start + entry.key as usize]
                .iter()
                .copied();
            entry.part == part && own.eq(key.clone())
        };
        let entry = self.table.find(hash(part, key.clone()), is_it)?;
        let start = entry.start as usize + entry.key as usize;
        Some(start..start + entry.result as usize)
    }

    /// Remembers a result that was not remembered before.
    pub(super) fn insert(
        &mut self,
        part: PartId,
        key: impl Iterator<Item = ValueWord> + Clone,
        result: &[ValueWord],
    ) {
        if self.words.len() > MOST_WORDS {
            self.table.clear();
            self.words.clear();
        }
        let start = self.words.len();
        self.words.extend(key.clone());
        let entry = Entry {
            part,
            start: start as u32,
            key: (self.words.len() - start) as u16,
            result: result.len() as u32,
        };
        self.words.extend_from_slice(result);
        let words = &self.words;
        self.table.insert_unique(hash(part, key), entry, |entry| {
            let start = entry.start as usize;
            let key = words[start..start + entry.key as usize].iter().copied();
            hash(entry.part, key)
        });
    }

    /// The words of a result.
    pub(super) fn words(&self, range: std::ops::Range<usize>) -> &[ValueWord] {
        &self.words[range]
    }
}
