//! Listing in rounds: in each, threads run code for the next calls and terms, and then look up what
//! these lead to, each among what has certain hashes.
//!
//! Code runs from what is known (`source.rs`), because the evaluator stays on the thread that it is
//! on. That thread unfolds what cannot be unfolded so.

use std::ops::Range;

use super::head::Runner;
use super::rows::WaitingRows;
use super::source::Evaluation;
use super::states::{FEW, ListedStates};
use super::unfolded::{UnfoldedTargets, stands_for};
use base::diag::Result;
use base::threads::Threads;
use process::term::RowSink;

/// How many calls and terms one thread unfolds at once at most: so few that what is known of them
/// stays in the caches of the processor.
const PIECE: usize = if cfg!(test) { 2 } else { 512 };

/// How many pieces there are for each thread, if there are several threads.
const PIECES: usize = 2;

/// Passes the rows of all states on to `sink`. Returns `false` if the process has to be listed from
/// its terms, or if no more is wanted.
pub(super) fn list_all(
    states: ListedStates,
    runner: &mut Runner<Evaluation<'_, '_>>,
    threads: &Threads,
    sink: RowSink<'_>,
) -> Result<bool> {
    let mut rounds = ListingRounds {
        states,
        rows: WaitingRows::default(),
        runner,
        round: Vec::new(),
    };
    loop {
        if !rounds.unfold(threads, sink)? {
            return Ok(false);
        }
        if rounds.round.is_empty() {
            return Ok(true);
        }
        if !rounds.enter(threads) {
            return Ok(false);
        }
    }
}

/// What was listed so far.
struct ListingRounds<'l, 'r, 's> {
    states: ListedStates,
    /// Rows that were not passed on.
    rows: WaitingRows,
    runner: &'l mut Runner<Evaluation<'r, 's>>,
    /// What was found in this round, and then entered; its memory is used again.
    round: Vec<UnfoldedTargets>,
}

/// What one thread unfolds.
struct TargetPiece {
    numbers: Range<usize>,
    found: UnfoldedTargets,
}

impl ListingRounds<'_, '_, '_> {
    /// Puts into `round` what the next targets are and can do, in order; perhaps not of all of
    /// them, and of none if none is left. Meanwhile passes on the rows that are known. Returns
    /// `false` if no more are wanted, or if code cannot unfold the targets.
    fn unfold(&mut self, threads: &Threads, sink: RowSink<'_>) -> Result<bool> {
        let mut pieces = self.pieces(threads);
        let Self {
            states,
            rows,
            runner,
            round,
        } = self;
        let targets = states.targets();
        let mut is_wanted = Ok(true);
        let mut known_rows = || is_wanted = pass_on(states, rows, sink);
        if pieces.len() > 1 {
            let known = runner.source.known();
            let mut runners: Vec<_> = (0..threads.count()).map(|_| Runner::new(known)).collect();
            threads.share_beside(known_rows, &mut runners, &mut pieces, |runner, _, piece| {
                piece.found.add_all(runner, targets, piece.numbers.clone());
            });
        } else {
            known_rows();
        }
        if !is_wanted? {
            return Ok(false);
        }
        for TargetPiece { numbers, mut found } in pieces {
            let rest = numbers.start + found.len()..numbers.end;
            found.add_all(runner, targets, rest);
            let is_all = found.len() == numbers.len();
            let is_hopeless = !is_all && !found.are_enough();
            round.push(found);
            if !is_all {
                return Ok(!is_hopeless);
            }
        }
        Ok(true)
    }

    /// The next targets, in pieces that are empty yet.
    fn pieces(&mut self, threads: &Threads) -> Vec<TargetPiece> {
        let most = match threads.count() {
            1 => PIECE,
            count => PIECE * PIECES * count,
        };
        let targets = self.states.next_targets(most);
        let length = match threads.count() {
            1 => PIECE,
            _ if targets.len() < FEW => PIECE,
            count => targets.len().div_ceil(count * PIECES).min(PIECE),
        };
        let mut spare = std::mem::take(&mut self.round);
        let piece = |start: usize| {
            let mut found = spare.pop().unwrap_or_default();
            found.clear();
            let numbers = start..targets.end.min(start + length);
            TargetPiece { numbers, found }
        };
        targets.clone().step_by(length).map(piece).collect()
    }

    /// Enters the round. Returns `false` if the process has to be listed from its terms.
    fn enter(&mut self, threads: &Threads) -> bool {
        let entered = self.states.enter(&self.round, &mut self.rows, threads);
        entered.is_some() && self.has_no_doubts()
    }

    /// Whether calls stand for the terms for which they were taken to stand.
    fn has_no_doubts(&mut self) -> bool {
        self.states.doubts().all(|doubts| {
            (0..doubts.len())
                .step_by(2)
                .all(|call| stands_for(self.runner, doubts.get(call), doubts.get(call + 1)))
        })
    }
}

/// Passes on the rows that are known. Returns whether more are wanted.
fn pass_on(states: &ListedStates, rows: &mut WaitingRows, sink: RowSink<'_>) -> Result<bool> {
    let mut row = Vec::new();
    while rows.next_row(states.of_targets(), &mut row) {
        if !sink(&row, states.len())? {
            return Ok(false);
        }
    }
    Ok(true)
}
