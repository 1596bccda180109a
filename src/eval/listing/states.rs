//! The states that were met: which calls and terms are the same state.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::answers::{Questions, UnfoldedTargets};
use super::head::{CALL, HeadToken};
use super::lists::TokenLists;
use crate::process::event::EventId;

/// The states of one process, by number.
///
/// A state is a term that is no call. Where a call led to it first, its tokens are not kept: those
/// of the call are fewer, and it can be unfolded again where two states are compared.
#[derive(Default)]
pub(super) struct ListedStates {
    targets: Targets,
    /// By target, its state; those of the last targets are not known yet.
    states: Vec<u32>,
    /// By state, the hash of its tokens, and the first target that is this state.
    hashes: Vec<u64>,
    sources: Vec<u32>,
    table: HashTable<u32>,
    /// As in [`Questions`]; not asked yet.
    doubts: TokenLists,
    /// The transitions of the states whose rows were not taken, from state to target.
    rows: WaitingRows,
}

/// Calls and terms that steps lead to, by number.
#[derive(Default)]
struct Targets {
    tokens: TokenLists,
    table: HashTable<u32>,
}

impl Targets {
    /// The number of a target; a new one if it was not met before. Returns `None` if there are too
    /// many.
    fn number(&mut self, tokens: &[HeadToken]) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(tokens);
        let Self {
            tokens: known,
            table,
        } = self;
        let is_it = |&other: &u32| known.get(other as usize) == tokens;
        if let Some(&number) = table.find(hash, is_it) {
            return Some(number);
        }
        let number = known.len() as u32;
        known.push(tokens)?;
        table.insert_unique(hash, number, |&other| {
            FxBuildHasher.hash_one(known.get(other as usize))
        });
        Some(number)
    }
}

/// Rows that wait for the states of their targets.
#[derive(Default)]
struct WaitingRows {
    steps: VecDeque<(EventId, u32)>,
    /// Of each row, how many steps it has, and its greatest target.
    lengths: VecDeque<(u32, u32)>,
}

impl ListedStates {
    /// How many states were met.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Has the initial state be asked for, which is this call or term.
    pub(super) fn begin(&mut self, tokens: &[HeadToken]) -> Option<()> {
        self.targets.number(tokens).map(|_| ())
    }

    /// What is to be asked next: at most so many targets, and all that is believed of calls.
    pub(super) fn questions(&mut self, most: usize) -> Option<Questions> {
        let known = &self.targets.tokens;
        let start = self.states.len();
        let mut targets = TokenLists::default();
        for target in start..known.len().min(start + most) {
            targets.push(known.get(target))?;
        }
        Some(Questions {
            targets,
            doubts: std::mem::take(&mut self.doubts),
        })
    }

    /// Enters answers to the last questions, or to the first of them: the others are asked again.
    pub(super) fn enter(&mut self, answers: &UnfoldedTargets) -> Option<()> {
        let mut step = 0;
        for (number, &count) in answers.counts.iter().enumerate() {
            let end = step + count as usize;
            if self.enter_head(answers.heads.get(number))? {
                let mut last = 0;
                for step in step..end {
                    let target = self.targets.number(answers.targets.get(step))?;
                    last = last.max(target);
                    self.rows.steps.push_back((answers.events[step], target));
                }
                self.rows.lengths.push_back((count, last));
            }
            step = end;
        }
        Some(())
    }

    /// Notes that the next target is the term with these tokens. Returns whether that is a state
    /// which was not met before.
    fn enter_head(&mut self, head: &[HeadToken]) -> Option<bool> {
        let target = self.states.len() as u32;
        let hash = FxBuildHasher.hash_one(head);
        let Self {
            table,
            hashes,
            sources,
            targets,
            doubts,
            ..
        } = &mut *self;
        let source = |state: u32| targets.tokens.get(sources[state as usize] as usize);
        // A call cannot be unfolded here: that it stands for this term too is asked.
        let is_it = |&state: &u32| {
            hashes[state as usize] == hash && (source(state)[0] >= CALL || source(state) == head)
        };
        if let Some(&state) = table.find(hash, is_it) {
            let source = source(state);
            if source[0] >= CALL {
                doubts.push(source)?;
                doubts.push(head)?;
            }
            self.states.push(state);
            return Some(false);
        }
        let state = u32::try_from(hashes.len()).ok()?;
        hashes.push(hash);
        sources.push(target);
        table.insert_unique(hash, state, |&other| hashes[other as usize]);
        self.states.push(state);
        Some(true)
    }

    /// Puts the transitions of the next state into `row`, if they are known. Rows come in the order
    /// of their states.
    pub(super) fn next_row(&mut self, row: &mut Vec<(EventId, u32)>) -> bool {
        let WaitingRows { steps, lengths } = &mut self.rows;
        row.clear();
        match lengths.front() {
            Some(&(count, last)) if count == 0 || (last as usize) < self.states.len() => {
                let taken = steps.drain(..count as usize);
                row.extend(taken.map(|(event, target)| (event, self.states[target as usize])));
                lengths.pop_front();
                true
            }
            _ => false,
        }
    }
}
