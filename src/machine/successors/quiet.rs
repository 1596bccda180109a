//! A search for the few leaves, out of many, that may do something.
//!
//! Most leaves of a machine with hundreds of them wait in a state that triggers nothing, their
//! quiet state. Each word of the state is compared with the word in which all its leaves are quiet;
//! only leaves that differ are looked at. They are found in the order of their places in the state,
//! and marked first, so that they are visited in the order of leaves.

use crate::packing::{BitField, PackedState};

/// The places of the triggers that have a quiet state.
#[derive(Clone, Debug)]
pub(super) struct Quiet {
    words: Vec<Word>,
    /// The number of the trigger that each bit of the state belongs to.
    owners: Vec<u32>,
    /// The masks of the triggers, as in the state.
    masks: Vec<u64>,
    /// One bit for each trigger: set if the trigger has no quiet state.
    restless: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    /// The word with all triggers in their quiet states.
    pattern: u64,
    /// The bits of the triggers that have a quiet state.
    mask: u64,
}

/// The number of triggers with a quiet state below which it costs less to look at all triggers.
pub(super) const LEAST: usize = 48;

const BITS: usize = u64::BITS as usize;

impl Quiet {
    /// The tables for triggers with these fields and quiet states; `None` if they are not worth it.
    pub(super) fn new(words: usize, triggers: &[(BitField, Option<u32>)]) -> Option<Self> {
        if triggers.iter().filter(|(_, state)| state.is_some()).count() < LEAST {
            return None;
        }
        let nothing = Word {
            pattern: 0,
            mask: 0,
        };
        let mut quiet = Self {
            words: vec![nothing; words],
            owners: vec![0; words * BITS],
            masks: Vec::new(),
            restless: vec![0; triggers.len().div_ceil(BITS)],
        };
        for (number, &(field, state)) in triggers.iter().enumerate() {
            let mask = field.mask << field.shift;
            quiet.masks.push(mask);
            // A leaf of one state has no bits that could differ, so it is always looked at.
            let Some(state) = state.filter(|_| mask != 0) else {
                quiet.restless[number / BITS] |= 1 << (number % BITS);
                continue;
            };
            let word = &mut quiet.words[field.word as usize];
            word.mask |= mask;
            word.pattern |= u64::from(state) << field.shift;
            let first = field.word as usize * BITS + field.shift as usize;
            quiet.owners[first..first + mask.count_ones() as usize].fill(number as u32);
        }
        Some(quiet)
    }

    /// Calls `visit` with the triggers that are not in their quiet state, ascending.
    #[inline]
    pub(super) fn for_each_awake<S: PackedState>(
        &self,
        state: &S,
        marks: &mut Vec<u64>,
        mut visit: impl FnMut(usize),
    ) {
        marks.clear();
        marks.extend_from_slice(&self.restless);
        for (number, word) in self.words.iter().enumerate() {
            let mut differs = (state.word(number as u32) ^ word.pattern) & word.mask;
            while differs != 0 {
                let bit = differs.trailing_zeros() as usize;
                let owner = self.owners[number * BITS + bit] as usize;
                marks[owner / BITS] |= 1 << (owner % BITS);
                // One differing bit is enough: the other bits of this trigger are skipped.
                differs &= !self.masks[owner];
            }
        }
        for (number, &mark) in marks.iter().enumerate() {
            let mut left = mark;
            while left != 0 {
                visit(number * BITS + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}
