//! The states that were met, and the calls and terms that lead to each.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxBuildHasher;

use super::head::{CALL, HeadToken};
use super::lists::TokenLists;
use super::number_table::{MOST_NUMBERS, NumberReference, NumberTable, table_of};
use super::rows::WaitingRows;
use super::unfolded::UnfoldedTargets;
use base::threads::Threads;

/// The states of one process, by number.
///
/// A state is a term that is no call. If a call led to it first, its tokens are not kept: the call
/// has fewer tokens, and can be unfolded again to compare two states.
pub(super) struct ListedStates {
    /// The tokens of the calls and terms that steps lead to, by number.
    targets: TokenLists,
    /// The state of each target; those of the last targets are not known yet.
    states: Vec<u32>,
    /// For each state, the hash of its tokens, and the first target that is this state.
    hashes: Vec<u64>,
    sources: Vec<u32>,
    shares: Vec<Share>,
    /// The references of the heads and steps of the present round, by position, packed.
    heads: Vec<AtomicU32>,
    steps: Vec<AtomicU32>,
}

/// Targets and states with certain hashes, which one thread looks after.
#[derive(Default)]
struct Share {
    targets: NumberTable,
    states: NumberTable,
    /// Calls, each followed by the tokens of the term that it is believed to stand for. This is
    /// still to be checked.
    doubts: TokenLists,
    /// True if there were too many numbers.
    is_full: bool,
}

/// The largest number of shares. Each share goes through all hashes of a round; with more shares,
/// that would take longer than the work on the hashes of the share.
const MOST_SHARES: usize = 8;

/// The number of targets below which one thread does a round: waking others takes longer.
pub(super) const FEW: usize = if cfg!(test) { 2 } else { 256 };

impl ListedStates {
    /// No states yet. `initial` is the call or term of the initial state, and at most `shares`
    /// threads look after states. Returns `None` if the term has too many tokens.
    pub(super) fn new(initial: &[HeadToken], shares: usize) -> Option<Self> {
        let count = shares.min(MOST_SHARES);
        let mut targets = TokenLists::default();
        targets.push(initial)?;
        let hash = FxBuildHasher.hash_one(initial);
        let mut shares: Vec<Share> = (0..count).map(|_| Share::default()).collect();
        let table = &mut shares[table_of(hash, count)].targets;
        table.refer(hash, 0, |_| false);
        table.give(0);
        Some(Self {
            targets,
            states: Vec::new(),
            hashes: Vec::new(),
            sources: Vec::new(),
            shares,
            heads: Vec::new(),
            steps: Vec::new(),
        })
    }

    /// The number of states that were met.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The tokens of all targets.
    pub(super) fn targets(&self) -> &TokenLists {
        &self.targets
    }

    /// The state of each target; those of the last targets are not known yet.
    pub(super) fn of_targets(&self) -> &[u32] {
        &self.states
    }

    /// The targets to unfold next, at most `most` of them.
    pub(super) fn next_targets(&self, most: usize) -> Range<usize> {
        let start = self.states.len();
        start..self.targets.len().min(start.saturating_add(most))
    }

    /// The calls taken for states since the last time this was called, each followed by the tokens
    /// of the term it should stand for. If one does not, the process cannot be listed from code.
    pub(super) fn doubts(&mut self) -> impl Iterator<Item = TokenLists> {
        let doubts = |share: &mut Share| std::mem::take(&mut share.doubts);
        self.shares.iter_mut().map(doubts)
    }

    /// Enters the next targets as unfolded in `round`, in order, and adds the rows of new states to
    /// `rows`. Returns `None` if there are too many targets.
    pub(super) fn enter(
        &mut self,
        round: &[UnfoldedTargets],
        rows: &mut WaitingRows,
        threads: &Threads,
    ) -> Option<()> {
        let unfolded: usize = round.iter().map(UnfoldedTargets::len).sum();
        let steps: usize = round.iter().map(|found| found.events.len()).sum();
        if self.targets.len() + steps >= MOST_NUMBERS {
            return None;
        }
        let threads = match unfolded.max(steps) < FEW {
            true => &Threads::one(),
            false => threads,
        };
        self.heads.resize_with(unfolded, AtomicU32::default);
        self.steps.resize_with(steps, AtomicU32::default);
        let mut shares = std::mem::take(&mut self.shares);
        let count = shares.len();
        // Each of the two parts needs the whole of the one before.
        threads.each(&mut shares, |number, share| {
            share.is_full = self.refer_heads(share, (number, count), round).is_none();
        });
        threads.each(&mut shares, |number, share| {
            self.refer_steps(share, (number, count), round);
        });
        self.shares = shares;
        let is_full = self.shares.iter().any(|share| share.is_full);
        if is_full {
            None
        } else {
            self.number(round, rows)
        }
    }

    /// Finds the states of the heads that are of this share.
    fn refer_heads(
        &self,
        share: &mut Share,
        (number, count): (usize, usize),
        round: &[UnfoldedTargets],
    ) -> Option<()> {
        let Share { states, doubts, .. } = share;
        states.settle();
        let first = self.states.len();
        let starts = starts(round, UnfoldedTargets::len);
        let hash_of = |reference| match reference {
            NumberReference::Known(state) => self.hashes[state as usize],
            NumberReference::New(position) => {
                let (found, at) = place(round, &starts, position);
                found.head_hashes[at]
            }
        };
        let source = |reference| match reference {
            NumberReference::Known(state) => self.sources[state as usize] as usize,
            NumberReference::New(position) => first + position as usize,
        };
        let mut position = 0;
        for found in round {
            for (at, &hash) in found.head_hashes.iter().enumerate() {
                if table_of(hash, count) == number {
                    let head = found.heads.get(at);
                    // A call cannot be unfolded here: whether it stands for this is checked later.
                    let is_it = |reference| {
                        let source = self.targets.get(source(reference));
                        hash_of(reference) == hash && (source[0] >= CALL || source == head)
                    };
                    let reference = states.refer(hash, position, is_it);
                    self.heads[position as usize].store(reference.packed(), Ordering::Relaxed);
                    let source = self.targets.get(source(reference));
                    if reference != NumberReference::New(position) && source[0] >= CALL {
                        doubts.push(source)?;
                        doubts.push(head)?;
                    }
                }
                position += 1;
            }
        }
        Some(())
    }

    /// Finds the targets of the steps of new states, as far as the targets are of this share.
    fn refer_steps(
        &self,
        share: &mut Share,
        (number, count): (usize, usize),
        round: &[UnfoldedTargets],
    ) {
        let table = &mut share.targets;
        table.settle();
        let starts = starts(round, |found| found.events.len());
        let tokens = |reference| match reference {
            NumberReference::Known(target) => self.targets.get(target as usize),
            NumberReference::New(position) => {
                let (found, at) = place(round, &starts, position);
                found.targets.get(at)
            }
        };
        let mut head = 0;
        for (found, start) in round.iter().zip(&starts) {
            let mut step = 0;
            for &steps in &found.counts {
                let end = step + steps as usize;
                if self.is_new(head) {
                    for step in step..end {
                        let hash = found.target_hashes[step];
                        if table_of(hash, count) == number {
                            let position = start + step;
                            let target = found.targets.get(step);
                            let is_it = |reference| tokens(reference) == target;
                            let reference = table.refer(hash, position as u32, is_it);
                            self.steps[position].store(reference.packed(), Ordering::Relaxed);
                        }
                    }
                }
                step = end;
                head += 1;
            }
        }
    }

    fn head(&self, position: usize) -> NumberReference {
        NumberReference::from_packed(self.heads[position].load(Ordering::Relaxed))
    }

    /// True if the head at this position is a new state.
    fn is_new(&self, position: usize) -> bool {
        self.head(position) == NumberReference::New(position as u32)
    }

    /// Gives numbers to new states and targets, in the order of the round, and adds the rows.
    fn number(&mut self, round: &[UnfoldedTargets], rows: &mut WaitingRows) -> Option<()> {
        let (first, count) = (self.states.len(), self.shares.len());
        let (mut head, mut position) = (0, 0);
        for found in round {
            let mut step = 0;
            for (at, &steps) in found.counts.iter().enumerate() {
                let end = step + steps as usize;
                let state = match self.head(head) {
                    NumberReference::Known(state) => state,
                    NumberReference::New(other) if other as usize != head => {
                        self.states[first + other as usize]
                    }
                    NumberReference::New(_) => {
                        let state = self.hashes.len() as u32;
                        let hash = found.head_hashes[at];
                        self.sources.push((first + head) as u32);
                        self.hashes.push(hash);
                        self.shares[table_of(hash, count)].states.give(state);
                        self.number_steps(found, step..end, position, rows)?;
                        state
                    }
                };
                self.states.push(state);
                (position, step) = (position + steps as usize, end);
                head += 1;
            }
        }
        Some(())
    }

    /// Gives numbers to the targets of a new state, whose steps begin at `position` of the round.
    fn number_steps(
        &mut self,
        found: &UnfoldedTargets,
        steps: Range<usize>,
        position: usize,
        rows: &mut WaitingRows,
    ) -> Option<()> {
        let count = self.shares.len();
        rows.begin_row();
        for (step, position) in steps.zip(position..) {
            let reference = &self.steps[position];
            let target = match NumberReference::from_packed(reference.load(Ordering::Relaxed)) {
                NumberReference::Known(target) => target,
                NumberReference::New(other) if other as usize != position => {
                    // The target has its number by now.
                    self.steps[other as usize].load(Ordering::Relaxed)
                }
                NumberReference::New(_) => {
                    let target = self.targets.len() as u32;
                    self.targets.push(found.targets.get(step))?;
                    let hash = found.target_hashes[step];
                    self.shares[table_of(hash, count)].targets.give(target);
                    reference.store(target, Ordering::Relaxed);
                    target
                }
            };
            rows.add(found.events[step], target);
        }
        Some(())
    }
}

/// The position of the round at which each part begins; `length` gives the length of a part.
fn starts(round: &[UnfoldedTargets], length: impl Fn(&UnfoldedTargets) -> usize) -> Vec<usize> {
    let start = |end: &mut usize, found| {
        *end += length(found);
        Some(*end - length(found))
    };
    round.iter().scan(0, start).collect()
}

/// The part of the round that holds `position`, and the position inside that part.
fn place<'r>(
    round: &'r [UnfoldedTargets],
    starts: &[usize],
    position: u32,
) -> (&'r UnfoldedTargets, usize) {
    let position = position as usize;
    // The last part that begins there or before: parts may be empty.
    let part = starts.partition_point(|&start| start <= position) - 1;
    (&round[part], position - starts[part])
}
