//! Numbers by hash. Each thread looks after the numbers of some hashes.
//!
//! New items of a round have no number yet: numbers are given in the order of positions in the
//! round, but the threads do not meet the items in that order. Until then an item is referred to by
//! its position.

use hashbrown::HashTable;

/// A number, or the position at which a new item was met first in this round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberReference {
    Known(u32),
    New(u32),
}

/// The highest bit of a packed [`NumberReference`] says that it is new.
const NEW: u32 = 1 << 31;

/// The largest number of numbers, and of positions in a round.
pub(super) const MOST_NUMBERS: usize = NEW as usize;

impl NumberReference {
    pub(super) fn packed(self) -> u32 {
        match self {
            Self::Known(number) => number,
            Self::New(position) => NEW | position,
        }
    }

    pub(super) fn from_packed(packed: u32) -> Self {
        match packed & NEW {
            0 => Self::Known(packed),
            _ => Self::New(packed & !NEW),
        }
    }
}

/// The numbers of the items with certain hashes.
#[derive(Default)]
pub(super) struct NumberTable {
    entries: HashTable<Entry>,
    /// The new items of this round: hash and position.
    new: Vec<(u32, u32)>,
    /// The numbers of the new items, in the order of `new`.
    numbers: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    reference: u32,
}

/// The part of a hash that is kept.
fn kept(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

/// The index of the one of `count` tables that has this hash. The place of an entry inside a table
/// depends on the lower bits.
pub(super) fn table_of(hash: u64, count: usize) -> usize {
    (kept(hash) >> 24) as usize % count
}

/// The hash by which an entry is found: its lowest and its highest bits count.
fn spread(kept: u32) -> u64 {
    u64::from(kept).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl NumberTable {
    /// Gives the new items of the last round their numbers.
    pub(super) fn settle(&mut self) {
        for ((hash, position), number) in self.new.drain(..).zip(self.numbers.drain(..)) {
            let new = NumberReference::New(position).packed();
            let is_it = |entry: &Entry| entry.reference == new;
            if let Some(entry) = self.entries.find_mut(spread(hash), is_it) {
                entry.reference = number;
            }
        }
    }

    /// The item with this hash for which `is_it` is true, or else a new one at `position`.
    pub(super) fn refer(
        &mut self,
        hash: u64,
        position: u32,
        is_it: impl Fn(NumberReference) -> bool,
    ) -> NumberReference {
        let hash = kept(hash);
        let is_it = |entry: &Entry| {
            entry.hash == hash && is_it(NumberReference::from_packed(entry.reference))
        };
        if let Some(entry) = self.entries.find(spread(hash), is_it) {
            return NumberReference::from_packed(entry.reference);
        }
        let reference = NumberReference::New(position);
        self.new.push((hash, position));
        let entry = Entry {
            hash,
            reference: reference.packed(),
        };
        let rehash = |entry: &Entry| spread(entry.hash);
        self.entries.insert_unique(spread(hash), entry, rehash);
        reference
    }

    /// Gives a number to the next new item.
    pub(super) fn give(&mut self, number: u32) {
        self.numbers.push(number);
    }
}
