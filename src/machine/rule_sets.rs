//! Sets of rules as bits: 64 rules are added, taken away or counted at once.
//!
//! A set that is stored lists the words that have any bit, because a leaf lets few of many rules.
//! A set that grows has all its words.

use super::structure::RuleId;
use base::define_index;
use base::index::TypedIndex;
use base::interner::Interner;

define_index! {
    /// A set of rules of a leaf, by number. Different numbers mean different sets.
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    RuleSetId,
}

/// A set that is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// The words with any bit, ascending.
    words: Vec<RuleWord>,
    /// The number of rules.
    len: u32,
}

/// The rules 64 `place` to 64 `place` + 63, the least one in the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RuleWord {
    place: u32,
    bits: u64,
}

/// A set that grows.
#[derive(Clone, Debug)]
pub struct RuleBits {
    words: Vec<u64>,
}

/// A set for each state of a leaf. Equal sets are stored once.
#[derive(Debug)]
pub struct RuleRows {
    /// The set of each state.
    rows: Vec<RuleSetId>,
    sets: Interner<RuleSetId, RuleSet>,
}

impl RuleSet {
    /// The set of these rules, which come in ascending order.
    pub fn of(rules: impl IntoIterator<Item = RuleId>) -> Self {
        let mut set = Self::default();
        for rule in rules {
            let (place, bits) = (place(rule) as u32, bit(rule));
            match set.words.last_mut() {
                Some(word) if word.place == place => word.bits |= bits,
                _ => set.words.push(RuleWord { place, bits }),
            }
        }
        debug_assert!(set.words.is_sorted_by_key(|word| word.place));
        set.len = set.words.iter().map(|word| word.bits.count_ones()).sum();
        set
    }

    /// This set without the rules of `other`.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut set = Self::default();
        let mut others = other.words.iter().peekable();
        for &RuleWord { place, bits } in &self.words {
            while others.next_if(|word| word.place < place).is_some() {}
            let taken = others.next_if(|word| word.place == place);
            let bits = bits & !taken.map_or(0, |word| word.bits);
            if bits != 0 {
                set.words.push(RuleWord { place, bits });
                set.len += bits.count_ones();
            }
        }
        set
    }

    /// The number of rules in the set.
    #[inline]
    pub fn count(&self) -> usize {
        self.len as usize
    }

    /// True if `rule` is in the set.
    pub fn contains(&self, rule: RuleId) -> bool {
        let place = place(rule) as u32;
        let found = self.words.binary_search_by_key(&place, |word| word.place);
        found.is_ok_and(|at| self.words[at].bits & bit(rule) != 0)
    }
}

impl RuleBits {
    /// The empty set, with room for `rules` rules.
    pub fn new(rules: usize) -> Self {
        Self {
            words: vec![0; rules.div_ceil(64)],
        }
    }

    /// Takes all rules out.
    #[inline]
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Becomes a copy of `other`, which has room for as many rules.
    #[inline]
    pub fn copy(&mut self, other: &Self) {
        self.words.copy_from_slice(&other.words);
    }

    /// True if `rule` is in the set.
    #[inline]
    pub fn contains(&self, rule: RuleId) -> bool {
        self.words[place(rule)] & bit(rule) != 0
    }

    /// True if all rules of `set` are in this one.
    #[inline]
    pub fn contains_all(&self, set: &RuleSet) -> bool {
        let mut words = set.words.iter();
        words.all(|word| word.bits & !self.words[word.place as usize] == 0)
    }

    /// Adds `rule`.
    #[inline]
    pub fn insert(&mut self, rule: RuleId) {
        self.words[place(rule)] |= bit(rule);
    }

    /// Adds the rules of `set`, and calls `add` with each of its words: the number of the word and
    /// the bits that were not there before.
    #[inline]
    pub fn union(&mut self, set: &RuleSet, mut add: impl FnMut(usize, u64)) {
        for &RuleWord { place, bits } in &set.words {
            let word = &mut self.words[place as usize];
            let new = bits & !*word;
            *word |= bits;
            add(place as usize, new);
        }
    }

    /// The bits of the word at `place`.
    #[inline]
    pub fn word(&self, place: usize) -> u64 {
        self.words[place]
    }

    /// The rules that `self` and `other` have, ascending.
    #[inline]
    pub fn common<'b>(&'b self, other: &'b Self) -> impl Iterator<Item = RuleId> + 'b {
        let words = self.words.iter().zip(&other.words).enumerate();
        words.flat_map(|(place, (one, other))| ones(place, one & other))
    }
}

impl RuleRows {
    /// The rows of `sets`, the first for state 0. Takes the words of the different sets from
    /// `words_left`; returns `None` if these are too few.
    pub fn new(sets: &mut dyn Iterator<Item = RuleSet>, words_left: &mut usize) -> Option<Self> {
        let mut stored = Self {
            rows: Vec::new(),
            sets: Interner::new(),
        };
        for set in sets {
            let (words, known) = (set.words.len(), stored.sets.len());
            stored.rows.push(stored.sets.intern(set));
            if stored.sets.len() > known {
                *words_left = words_left.checked_sub(words)?;
            }
        }
        Some(stored)
    }

    /// The set of the given state.
    #[inline]
    pub fn of(&self, state: u32) -> &RuleSet {
        &self.sets[self.rows[state as usize]]
    }
}

/// The rules of `bits` in the word at `place`, ascending.
#[inline]
pub fn ones(place: usize, mut bits: u64) -> impl Iterator<Item = RuleId> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(RuleId::from_usize(64 * place + bit))
    })
}

/// The place of the word that has the rule.
#[inline]
pub fn place(rule: RuleId) -> usize {
    rule.index() / 64
}

#[inline]
fn bit(rule: RuleId) -> u64 {
    1 << (rule.index() % 64)
}
