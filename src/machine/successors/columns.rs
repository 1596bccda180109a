//! Dense columns: for each state of a leaf, its step for one of its actions. So asking a leaf is
//! one look-up.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::leaf::Action;
use crate::packing::{PackedState, Packing};
use crate::rules::Rule;
use crate::{LeafId, Machine};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;

/// The columns of a machine. Equal columns are kept once, so that they stay in the cache. Many are
/// equal: those of different actions of one leaf, and those of leaves that behave alike, because
/// entries do not depend on the place of the leaf.
#[derive(Clone, Default, Debug)]
pub(super) struct Columns {
    /// The bits to flip by column and leaf state, before shifting, or a value from [`SPECIAL`] up.
    entries: Vec<u32>,
    /// The alternatives of nondeterministic entries, each list with its length in front.
    alternatives: Vec<u32>,
}

/// A leaf, and its action in a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Participant {
    place: BitPlace,
    mask: u32,
    column: u32,
}

/// A bit of the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitPlace(u32);

/// The entry of a state in which the action is impossible.
pub(super) const DISABLED: u32 = u32::MAX;
/// The first value of nondeterministic entries: from here to [`DISABLED`], the entry `SPECIAL + i`
/// has its list at `alternatives[i]`.
pub(super) const SPECIAL: u32 = 1 << 30;

impl BitPlace {
    pub(super) fn new(word: u32, shift: u32) -> Self {
        Self(word * u64::BITS + shift)
    }

    #[inline]
    pub(super) fn word(self) -> u32 {
        self.0 / u64::BITS
    }

    #[inline]
    fn shift(self) -> u32 {
        self.0 % u64::BITS
    }

    /// The bits of `state` from this place on.
    #[inline]
    pub(super) fn get<S: PackedState>(self, state: &S, mask: u32) -> u32 {
        (state.word(self.word()) >> self.shift()) as u32 & mask
    }

    /// `bits` as they stand in the word.
    #[inline]
    pub(super) fn shifted(self, bits: u32) -> u64 {
        u64::from(bits) << self.shift()
    }

    #[inline]
    pub(super) fn flip<S: PackedState>(self, state: &mut S, bits: u32) {
        state.flip(self.word(), self.shifted(bits));
    }
}

impl Participant {
    /// A participant that is always possible and changes nothing: its column is the one entry 0.
    pub(super) const NOTHING: Self = Self {
        place: BitPlace(0),
        mask: 0,
        column: 0,
    };

    #[inline]
    pub(super) fn flip<S: PackedState>(&self, state: &mut S, bits: u32) {
        self.place.flip(state, bits);
    }
}

impl Columns {
    /// The entry of the column of `part` for `state`.
    #[inline]
    pub(super) fn entry<S: PackedState>(&self, part: &Participant, state: &S) -> u32 {
        self.entries[(part.column + part.place.get(state, part.mask)) as usize]
    }

    /// The first bits to flip of a nondeterministic entry.
    pub(super) fn first_alternative(&self, entry: u32) -> u32 {
        self.alternatives[(entry - SPECIAL) as usize + 1]
    }

    /// Calls `emit` for all combinations of the steps of `parts` in `state`. `scratch` is `state`
    /// with the changes of the other participants.
    pub(super) fn follow_each<S: PackedState>(
        &self,
        parts: &[Participant],
        state: &S,
        scratch: &mut S,
        emit: &mut dyn FnMut(&S),
    ) {
        let Some((part, rest)) = parts.split_first() else {
            return emit(scratch);
        };
        let entry = self.entry(part, state);
        if entry == DISABLED {
            return;
        }
        let flips = if entry >= SPECIAL {
            let list = (entry - SPECIAL) as usize;
            &self.alternatives[list + 1..][..self.alternatives[list] as usize]
        } else {
            std::slice::from_ref(&entry)
        };
        for &flip in flips {
            part.flip(scratch, flip);
            self.follow_each(rest, state, scratch, emit);
            // Flipping the bits again takes the change back before the next alternative.
            part.flip(scratch, flip);
        }
    }
}

/// The steps of the leaves of a machine, and the columns made for them so far.
pub(super) struct Actions<'a> {
    machine: &'a Machine,
    packing: &'a Packing,
    pub(super) token: &'a Cancellation,
    known: FxHashMap<(LeafId, Action), Known>,
    /// The places of columns by a hash of their entries and their number.
    columns_by_hash: FxHashMap<(u64, usize), u32>,
    lists: FxHashMap<Vec<u32>, u32>,
    columns: Columns,
}

struct Known {
    pairs: Vec<(u32, u32)>,
    /// The share of the leaf's states in which the action is possible.
    share: f64,
    column: Option<u32>,
}

/// The largest number of entries of all columns together: they take two gigabytes.
const MOST_ENTRIES: usize = 1 << 29;

impl<'a> Actions<'a> {
    pub(super) fn new(machine: &'a Machine, packing: &'a Packing, token: &'a Cancellation) -> Self {
        Self {
            machine,
            packing,
            token,
            known: FxHashMap::default(),
            columns_by_hash: FxHashMap::default(),
            lists: FxHashMap::default(),
            columns: Columns {
                // The column of `Participant::NOTHING`.
                entries: vec![0],
                alternatives: Vec::new(),
            },
        }
    }

    /// The columns of all participants that were used.
    pub(super) fn into_columns(self) -> Columns {
        self.columns
    }

    fn known(&mut self, participant: (LeafId, Action)) -> &mut Known {
        self.known.entry(participant).or_insert_with(|| {
            let leaf = &self.machine.leaves[participant.0];
            let pairs = leaf.transitions(participant.1);
            let enabled = pairs.chunk_by(|a, b| a.0 == b.0).count();
            let share = enabled as f64 / f64::from(leaf.state_count());
            Known {
                pairs,
                share,
                column: None,
            }
        })
    }

    /// Finds the transitions of the participants of `rule`.
    pub(super) fn look_at(&mut self, rule: &Rule) -> Result<()> {
        self.token.look(1)?;
        for &participant in &rule.participants {
            if !self.known.contains_key(&participant) {
                let transitions = self.known(participant).pairs.len();
                self.token.look(transitions)?;
            }
        }
        Ok(())
    }

    /// The (from, to) pairs of a participant, ascending.
    pub(super) fn pairs(&mut self, participant: (LeafId, Action)) -> &[(u32, u32)] {
        &self.known(participant).pairs
    }

    /// The share of its states in which each participant can take part.
    pub(super) fn shares(&mut self, rule: &Rule) -> Vec<f64> {
        let participants = rule.participants.iter();
        participants.map(|&p| self.known(p).share).collect()
    }

    /// The participant that enables `rule` in the smallest share of its states; the first of
    /// equals.
    pub(super) fn trigger(&mut self, rule: &Rule) -> usize {
        let shares = self.shares(rule);
        (1..shares.len()).fold(0, |best, i| if shares[i] < shares[best] { i } else { best })
    }

    /// The place of a leaf.
    pub(super) fn place(&self, leaf: LeafId) -> BitPlace {
        let field = self.packing.fields()[leaf.index()];
        BitPlace::new(field.word, field.shift)
    }

    /// The bits that a participant flips; `None` if they are not equal in all states in which it is
    /// possible.
    pub(super) fn constant_flip(&mut self, participant: (LeafId, Action)) -> Option<u32> {
        let pairs = self.pairs(participant);
        let flip = pairs.first().map_or(0, |&(from, to)| from ^ to);
        let is_constant = pairs.iter().all(|&(from, to)| from ^ to == flip);
        let is_deterministic = pairs.windows(2).all(|two| two[0].0 < two[1].0);
        (is_constant && is_deterministic).then_some(flip)
    }

    /// A participant with its column.
    pub(super) fn part(&mut self, participant: (LeafId, Action)) -> Result<Participant> {
        let field = self.packing.fields()[participant.0.index()];
        let column = match self.known(participant).column {
            Some(column) => column,
            None => self.add_column(participant)?,
        };
        Ok(Participant {
            place: self.place(participant.0),
            mask: field.mask as u32,
            column,
        })
    }

    fn add_column(&mut self, participant: (LeafId, Action)) -> Result<u32> {
        let states = self.machine.leaves[participant.0].state_count();
        // With at most `SPECIAL` states, which is a power of two, every flip is below `SPECIAL`.
        if states > SPECIAL || self.columns.entries.len() + states as usize > MOST_ENTRIES {
            return too_large().into();
        }
        self.token.look(states as usize)?;
        let mut entries = vec![DISABLED; states as usize];
        // The participant has to be known for the index below.
        self.known(participant);
        let Self {
            known,
            lists,
            columns,
            ..
        } = self;
        for group in known[&participant].pairs.chunk_by(|a, b| a.0 == b.0) {
            let flips = group.iter().map(|&(from, to)| from ^ to);
            entries[group[0].0 as usize] = if let [(from, to)] = group {
                from ^ to
            } else {
                let alternatives = &mut columns.alternatives;
                let list = *lists.entry(flips.collect()).or_insert_with_key(|flips| {
                    let start = alternatives.len() as u32;
                    alternatives.push(flips.len() as u32);
                    alternatives.extend(flips);
                    start
                });
                SPECIAL + list
            };
        }
        if columns.alternatives.len() >= SPECIAL as usize {
            return too_large().into();
        }
        let column = self.shared_column(&entries);
        self.known(participant).column = Some(column);
        Ok(column)
    }

    /// The place of these entries. They are added unless they are there already.
    fn shared_column(&mut self, entries: &[u32]) -> u32 {
        let all = &mut self.columns.entries;
        let fresh = all.len() as u32;
        let hash = FxBuildHasher.hash_one(entries);
        // Only the first of columns with equal hashes is found again, which costs only memory.
        let column = *self
            .columns_by_hash
            .entry((hash, entries.len()))
            .or_insert(fresh);
        if column != fresh && all[column as usize..][..entries.len()] == *entries {
            return column;
        }
        all.extend_from_slice(entries);
        fresh
    }
}

pub(super) fn too_large() -> Diagnostic {
    Diagnostic::undecided(
        "too-many-rules",
        "the tables of the machine take too much memory",
    )
    .hint("make the components smaller")
}
