//! Follows the τ below chases.
//!
//! The state before a step is chased, so a rule that is possible after it needs a leaf that the
//! step has changed. Only rules of such leaves are tried. A rule that is followed changes leaves
//! itself.

use super::columns::{Actions, Columns, DISABLED, Participant, SPECIAL};
use crate::chase::ChaseLoss;
use crate::packing::{BitField, PackedState, Packing};
use crate::{LeafId, Machine};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;

/// The rules of τ below the chases of a machine, under one packing.
#[derive(Clone, Debug)]
pub(super) struct Chaser {
    /// The bits of leaves that take part in some rule, by word of the state.
    masks: Vec<u64>,
    /// The number of the leaf that each bit of the state belongs to.
    owners: Vec<u32>,
    leaves: Vec<ChasedLeaf>,
    /// `starts[r]..starts[r + 1]` are the rules of row `r`, a leaf in one of its states.
    starts: Vec<u32>,
    rules: Vec<u32>,
    /// The range of the participants of each rule.
    parts_of: Vec<(u32, u32)>,
    /// The participants, each with the number of its leaf.
    parts: Vec<(Participant, u32)>,
    columns: Columns,
    loss: ChaseLoss,
}

#[derive(Clone, Copy, Debug)]
struct ChasedLeaf {
    field: BitField,
    /// The row of state 0.
    rows: u32,
}

const BITS: usize = u64::BITS as usize;

/// The largest number of τ that are followed after one step. The rules of terms follow more, and
/// report the problem.
const LONGEST: usize = 100_000;

impl Chaser {
    /// The tables for `machine`, with states packed by `packing`; `None` if it has no chases.
    pub(super) fn new(
        machine: &Machine,
        packing: &Packing,
        token: &Cancellation,
    ) -> Result<Option<Self>> {
        if machine.chased.is_empty() {
            return Ok(None);
        }
        let mut actions = Actions::new(machine, packing, token);
        // By leaf and state, the rules in which the leaf can take part.
        let mut possible: Vec<Vec<Vec<u32>>> = vec![Vec::new(); machine.leaves.len()];
        let (mut parts, mut parts_of) = (Vec::new(), Vec::new());
        for (number, rule) in machine.chased.iter().enumerate() {
            actions.look_at(rule)?;
            let first = parts.len() as u32;
            for &participant in &rule.participants {
                let leaf = participant.0;
                let states = machine.leaves[leaf].state_count() as usize;
                possible[leaf.index()].resize(states, Vec::new());
                for pair in actions.pairs(participant).chunk_by(|a, b| a.0 == b.0) {
                    possible[leaf.index()][pair[0].0 as usize].push(number as u32);
                }
                parts.push((actions.part(participant)?, leaf.0));
            }
            parts_of.push((first, parts.len() as u32));
        }
        let mut chaser = Self {
            masks: vec![0; packing.words()],
            owners: vec![0; packing.words() * BITS],
            leaves: Vec::new(),
            starts: vec![0],
            rules: Vec::new(),
            parts_of,
            parts,
            columns: actions.into_columns(),
            loss: machine.chase_loss.clone(),
        };
        for (leaf, rows) in machine.leaves.indices().zip(possible) {
            chaser.add_leaf(leaf, packing, &rows, token)?;
        }
        Ok(Some(chaser))
    }

    fn add_leaf(
        &mut self,
        leaf: LeafId,
        packing: &Packing,
        rows: &[Vec<u32>],
        token: &Cancellation,
    ) -> Result<()> {
        let field = packing.fields()[leaf.index()];
        self.leaves.push(ChasedLeaf {
            field,
            rows: self.starts.len() as u32 - 1,
        });
        for row in rows {
            token.look(1 + row.len())?;
            self.rules.extend_from_slice(row);
            self.starts.push(self.rules.len() as u32);
        }
        let mask = field.mask << field.shift;
        if !rows.is_empty() && mask != 0 {
            self.masks[field.word as usize] |= mask;
            let first = field.word as usize * BITS + field.shift as usize;
            self.owners[first..first + mask.count_ones() as usize].fill(leaf.0);
        }
        Ok(())
    }

    /// True if some chase has found no end.
    #[inline]
    pub(super) fn is_lost(&self) -> bool {
        self.loss.is_noted()
    }

    /// Puts on `open` the leaves that take part in some rule and differ between the two states.
    #[inline]
    pub(super) fn changed<S: PackedState>(&self, before: &S, after: &S, open: &mut Vec<u32>) {
        open.clear();
        for (number, &mask) in self.masks.iter().enumerate() {
            let word = number as u32;
            let mut differs = (before.word(word) ^ after.word(word)) & mask;
            while differs != 0 {
                let bit = differs.trailing_zeros() as usize;
                let leaf = self.owners[number * BITS + bit];
                open.push(leaf);
                let field = self.leaves[leaf as usize].field;
                differs &= !(field.mask << field.shift);
            }
        }
    }

    /// Follows τ from the initial state.
    pub(super) fn begin<S: PackedState>(&self, state: &mut S) {
        let rows = |leaf: &u32| self.row_count(*leaf) > 0;
        let mut open = (0..self.leaves.len() as u32).rev().filter(rows).collect();
        self.follow(state, &mut open);
    }

    fn row_count(&self, leaf: u32) -> u32 {
        let next = self.leaves.get(leaf as usize + 1);
        let end = next.map_or(self.starts.len() as u32 - 1, |next| next.rows);
        end - self.leaves[leaf as usize].rows
    }

    /// Follows τ from `state` until there is none. Only rules of the leaves in `open` can be
    /// possible.
    pub(super) fn follow<S: PackedState>(&self, state: &mut S, open: &mut Vec<u32>) {
        let mut left = LONGEST;
        while let Some(leaf) = open.pop() {
            let at = self.leaves[leaf as usize];
            let row = (at.rows + at.field.get(state)) as usize;
            let rules = &self.rules[self.starts[row] as usize..self.starts[row + 1] as usize];
            let Some(&rule) = rules.iter().find(|&&rule| self.is_possible(rule, state)) else {
                continue;
            };
            left -= 1;
            if left == 0 {
                return self.loss.note();
            }
            // The leaf may be able to do more, even if it has not changed.
            open.push(leaf);
            self.apply(rule, state, open);
        }
    }

    fn parts(&self, rule: u32) -> &[(Participant, u32)] {
        let (first, end) = self.parts_of[rule as usize];
        &self.parts[first as usize..end as usize]
    }

    #[inline]
    fn is_possible<S: PackedState>(&self, rule: u32, state: &S) -> bool {
        let parts = self.parts(rule).iter();
        parts
            .rev()
            .all(|(part, _)| self.columns.entry(part, state) != DISABLED)
    }

    fn apply<S: PackedState>(&self, rule: u32, state: &mut S, open: &mut Vec<u32>) {
        for (part, leaf) in self.parts(rule) {
            // Each leaf takes part once, so the step of one changes no entry of another.
            let flip = match self.columns.entry(part, state) {
                entry if entry >= SPECIAL => self.columns.first_alternative(entry),
                entry => entry,
            };
            if flip != 0 {
                part.flip(state, flip);
                open.push(*leaf);
            }
        }
    }
}
