//! The states that were met: which calls and terms are the same state.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::answers::{Questions, UnfoldedTargets};
use super::head::{CALL, HeadToken};
use crate::process::event::EventId;

/// The states of one process, by number.
///
/// A state is a term that is no call. Its tokens are not kept, because a call that leads to it is
/// shorter, and can be unfolded again where two states are compared.
#[derive(Default)]
pub(super) struct ListedStates {
    targets: Targets,
    /// By target, its state; those of the last targets are not known yet.
    states: Vec<u32>,
    /// By state, the hash of its tokens, and the first target that is this state.
    hashes: Vec<u64>,
    sources: Vec<u32>,
    table: HashTable<u32>,
    /// That calls stand for certain terms, to be asked.
    questions: Questions,
    /// The transitions of the states whose rows were not taken, from state to target.
    rows: WaitingRows,
}

/// Calls and terms that steps lead to.
#[derive(Default)]
struct Targets {
    /// The tokens of all of them, and where those of each begin.
    tokens: Vec<HeadToken>,
    starts: Vec<u32>,
    table: HashTable<u32>,
}

impl Targets {
    fn tokens(&self, target: u32) -> &[HeadToken] {
        let end = self.starts.get(target as usize + 1);
        let end = end.map_or(self.tokens.len(), |&end| end as usize);
        &self.tokens[self.starts[target as usize] as usize..end]
    }

    /// The number of a target; a new one if it was not met before. Returns `None` if there are too
    /// many.
    fn number(&mut self, tokens: &[HeadToken]) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(tokens);
        let is_it = |&other: &u32| self.tokens(other) == tokens;
        if let Some(&known) = self.table.find(hash, is_it) {
            return Some(known);
        }
        let number = self.starts.len() as u32;
        self.starts.push(u32::try_from(self.tokens.len()).ok()?);
        self.tokens.extend_from_slice(tokens);
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(hash, number, |&other| {
            FxBuildHasher.hash_one(self.tokens(other))
        });
        self.table = table;
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
        let mut questions = std::mem::take(&mut self.questions);
        let start = self.states.len();
        for target in start..self.targets.starts.len().min(start + most) {
            questions.targets.push(self.targets.tokens(target as u32))?;
        }
        Some(questions)
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
            questions,
            ..
        } = &mut *self;
        // A call cannot be unfolded here: that it stands for this term too is asked.
        let is_it = |&state: &u32| {
            let source = targets.tokens(sources[state as usize]);
            hashes[state as usize] == hash && (source[0] >= CALL || source == head)
        };
        if let Some(&state) = table.find(hash, is_it) {
            let source = targets.tokens(sources[state as usize]);
            if source[0] >= CALL {
                questions.doubts.push(source)?;
                questions.doubts.push(head)?;
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
