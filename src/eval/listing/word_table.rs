//! The table of words: values by their kind and their items.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet, FxHasher};

use super::word::ValueWord;
use base::stack::deep;

/// The kind of value that a number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordKind {
    /// A value without parts; the one item is its number.
    Single,
    /// A sequence of the items.
    Sequence,
    /// A finite set; the items ascend, as words.
    Set,
    /// A tuple of the items.
    Tuple,
    /// A map: each key with its value after it; the keys ascend, as words. Maps that hold sets in
    /// symbols are values without parts.
    Map,
}

const KINDS: [WordKind; 5] = [
    WordKind::Single,
    WordKind::Sequence,
    WordKind::Set,
    WordKind::Tuple,
    WordKind::Map,
];

/// The number of lowest bits of a header that hold the kind.
const KIND_BITS: u32 = 3;

/// The contents of words that are no small integers. Threads may read it side by side.
#[derive(Default)]
pub(super) struct WordTable {
    /// The position of the header in `items`, for each number.
    starts: Vec<u32>,
    /// Headers, each followed by the items of its value. A header has the kind in the [`KIND_BITS`]
    /// lowest bits, and the number of items above them.
    items: Vec<ValueWord>,
    table: HashTable<u32>,
    /// The words of values without parts that are sets or maps in symbols.
    symbols: FxHashSet<ValueWord>,
}

/// A table of words that finds words for new values.
pub(super) trait WordSource {
    /// The contents of words.
    fn table(&self) -> &WordTable;
    /// The word of a value with these items. The items of a set ascend, without repetition. Returns
    /// `None` if the value has no word and cannot be given one.
    fn number(&mut self, kind: WordKind, items: &[ValueWord]) -> Option<ValueWord>;
    /// The word of the constant of the script with this slot, if it is ready.
    fn constant(&mut self, slot: u32) -> Option<ValueWord>;
}

impl WordSource for &WordTable {
    fn table(&self) -> &WordTable {
        self
    }

    fn number(&mut self, kind: WordKind, items: &[ValueWord]) -> Option<ValueWord> {
        let header = header(kind, items)?;
        self.find(hash(header, items), header, items)
    }

    fn constant(&mut self, _slot: u32) -> Option<ValueWord> {
        None
    }
}

impl WordTable {
    /// The word of a value with these items, which may be new. Returns `None` if there are too many
    /// values.
    pub(super) fn number(&mut self, kind: WordKind, items: &[ValueWord]) -> Option<ValueWord> {
        let header = header(kind, items)?;
        let hash = hash(header, items);
        if let Some(word) = self.find(hash, header, items) {
            return Some(word);
        }
        let number = self.starts.len() as u32;
        if number >= 1 << 31 {
            return None;
        }
        self.starts.push(u32::try_from(self.items.len()).ok()?);
        self.items.push(ValueWord(header));
        self.items.extend_from_slice(items);
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(hash, number, |&number| {
            let (header, items) = self.raw(number);
            self::hash(header, items)
        });
        self.table = table;
        Some(ValueWord::of_number(number))
    }

    fn find(&self, hash: u64, header: u32, items: &[ValueWord]) -> Option<ValueWord> {
        let is_it = |&number: &u32| {
            let (other, own) = self.raw(number);
            other == header && own == items
        };
        let found = self.table.find(hash, is_it);
        found.map(|&number| ValueWord::of_number(number))
    }

    fn raw(&self, number: u32) -> (u32, &[ValueWord]) {
        let start = self.starts[number as usize] as usize;
        let header = self.items[start].0;
        (
            header,
            &self.items[start + 1..][..header as usize >> KIND_BITS],
        )
    }

    /// The items of a word that is no small integer, with its kind.
    pub(super) fn items(&self, word: ValueWord) -> Option<(WordKind, &[ValueWord])> {
        let (header, items) = self.raw(word.number()?);
        Some((KINDS[header as usize & ((1 << KIND_BITS) - 1)], items))
    }

    /// The items of a word of this kind.
    pub(super) fn of_kind(&self, kind: WordKind, word: ValueWord) -> Option<&[ValueWord]> {
        let (own, items) = self.items(word)?;
        (own == kind).then_some(items)
    }

    /// Notes that the word stands for a set or map in symbols.
    pub(super) fn note_symbols(&mut self, word: ValueWord) {
        self.symbols.insert(word);
    }

    /// True if other words are certain to be other values: no set in symbols stands in the value.
    pub(super) fn is_plain(&self, word: ValueWord) -> bool {
        match self.items(word) {
            None => true,
            Some((WordKind::Single, _)) => !self.symbols.contains(&word),
            Some((_, items)) => items.iter().all(|&item| deep(|| self.is_plain(item))),
        }
    }
}

/// The header for these items. Returns `None` for too many items.
fn header(kind: WordKind, items: &[ValueWord]) -> Option<u32> {
    (items.len() < 1 << 29).then_some((items.len() as u32) << KIND_BITS | kind as u32)
}

fn hash(header: u32, items: &[ValueWord]) -> u64 {
    let mut hasher = FxHasher::default();
    header.hash(&mut hasher);
    for item in items {
        item.0.hash(&mut hasher);
    }
    FxBuildHasher.hash_one(hasher.finish())
}
