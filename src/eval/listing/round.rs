//! Lists states in rounds: in each, threads run code for the next calls and terms. Then they look
//! up the calls and terms that these lead to, each thread among those with certain hashes.
//!
//! The threads run code from known results only (`source.rs`), because the evaluator stays on its
//! own thread. That thread unfolds the rest.

use std::ops::Range;

use super::head::Runner;
use super::rows::WaitingRows;
use super::source::Evaluation;
use super::states::{FEW, ListedStates};
use super::unfolded::{UnfoldedTargets, stands_for};
use base::diag::Result;
use base::threads::Threads;
use process::listing::{EndedListing, ListingEnd, RowSink};

/// The most calls and terms that are unfolded in one round. They are equally many for any number of
/// threads, so that a limit ends listing at the same place: what was evaluated by then is known to
/// later work, and events have numbers by the time they are met.
const ROUND: usize = 4 * PIECE;

/// The most calls and terms that one thread unfolds at once: so few that the data about them stays
/// in the caches of the processor.
const PIECE: usize = if cfg!(test) { 2 } else { 512 };

/// The steps that take as long as evaluating a part.
const STEPS_OF_A_PART: usize = 16;

/// The number of pieces for each thread, if there are several threads.
const PIECES: usize = 2;

/// The states and rows of a listing so far.
pub(super) struct ListingSoFar {
    states: ListedStates,
    /// Rows that were not passed on.
    rows: WaitingRows,
    /// The number of steps that were found.
    steps: usize,
    /// The number of parts that were evaluated.
    evaluated: usize,
}

impl ListingSoFar {
    /// A listing that has met `states` only.
    pub(super) fn of(states: ListedStates) -> Self {
        Self {
            states,
            rows: WaitingRows::default(),
            steps: 0,
            evaluated: 0,
        }
    }
}

/// Passes the rows of all states on to `sink`, from where the listing is.
pub(super) fn list_all(
    so_far: ListingSoFar,
    runner: &mut Runner<Evaluation<'_, '_>>,
    threads: &Threads,
    sink: &mut dyn RowSink,
) -> Result<ListingEnd> {
    let mut rounds = ListingRounds {
        evaluated: runner.source.code_table.evaluated,
        so_far,
        runner,
        round: Vec::new(),
    };
    loop {
        match rounds.unfold(threads, sink)? {
            RoundEnd::Unfolded if rounds.round.is_empty() => return Ok(ListingEnd::Whole),
            RoundEnd::Unfolded if rounds.enter(threads) => {}
            RoundEnd::Unfolded | RoundEnd::Impossible => return Ok(ListingEnd::Impossible),
            // Nothing of this round was entered: it is done again.
            RoundEnd::Unwanted => {
                return Ok(ListingEnd::Ended(EndedListing::new(rounds.so_far)));
            }
        }
    }
}

/// The end of the first half of a round.
enum RoundEnd {
    Unfolded,
    /// No more rows are wanted.
    Unwanted,
    /// Code cannot unfold the targets.
    Impossible,
}

/// The rounds of a listing.
struct ListingRounds<'l, 'r, 's> {
    so_far: ListingSoFar,
    runner: &'l mut Runner<Evaluation<'r, 's>>,
    /// The calls and terms unfolded in this round, and then entered. Its memory is used again.
    round: Vec<UnfoldedTargets>,
    /// The number of parts that had been evaluated before what is not counted in `so_far`.
    evaluated: usize,
}

/// The targets that one thread unfolds.
struct TargetPiece {
    numbers: Range<usize>,
    found: UnfoldedTargets,
}

impl ListingRounds<'_, '_, '_> {
    /// Puts the next unfolded targets into `round`, in order: perhaps not all of them, and none if
    /// none is left. Meanwhile passes on the known rows.
    fn unfold(&mut self, threads: &Threads, sink: &mut dyn RowSink) -> Result<RoundEnd> {
        let mut pieces = self.pieces(threads);
        let Self {
            so_far,
            runner,
            round,
            evaluated,
        } = self;
        let ListingSoFar { states, rows, .. } = so_far;
        let targets = states.targets();
        let mut passed = Ok(());
        let mut known_rows = || passed = pass_on(states, rows, sink);
        if pieces.len() > 1 && threads.count() > 1 {
            let known = runner.source.known();
            let mut runners: Vec<_> = (0..threads.count()).map(|_| Runner::new(known)).collect();
            threads.share_beside(known_rows, &mut runners, &mut pieces, |runner, _, piece| {
                piece.found.add_all(runner, targets, piece.numbers.clone());
            });
        } else {
            known_rows();
        }
        passed?;
        let now = runner.source.code_table.evaluated;
        so_far.evaluated += now - std::mem::replace(evaluated, now);
        let work = so_far.steps + so_far.evaluated * STEPS_OF_A_PART;
        if !sink.wants_more(so_far.states.len(), work) {
            return Ok(RoundEnd::Unwanted);
        }
        let targets = so_far.states.targets();
        for TargetPiece { numbers, mut found } in pieces {
            let rest = numbers.start + found.len()..numbers.end;
            found.add_all(runner, targets, rest);
            let is_all = found.len() == numbers.len();
            let is_hopeless = !is_all && !found.are_enough();
            round.push(found);
            if is_hopeless {
                return Ok(RoundEnd::Impossible);
            }
            if !is_all {
                break;
            }
        }
        Ok(RoundEnd::Unfolded)
    }

    /// The next targets in pieces, with nothing unfolded yet.
    fn pieces(&mut self, threads: &Threads) -> Vec<TargetPiece> {
        let targets = self.so_far.states.next_targets(ROUND);
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
        let steps = self.round.iter().map(|found| found.events.len());
        let so_far = &mut self.so_far;
        so_far.steps += steps.sum::<usize>();
        let entered = so_far.states.enter(&self.round, &mut so_far.rows, threads);
        entered.is_some() && self.has_no_doubts()
    }

    /// True if all calls stand for the terms that they were taken to stand for.
    fn has_no_doubts(&mut self) -> bool {
        self.so_far.states.doubts().all(|doubts| {
            (0..doubts.len())
                .step_by(2)
                .all(|call| stands_for(self.runner, doubts.get(call), doubts.get(call + 1)))
        })
    }
}

/// Passes on the known rows.
fn pass_on(states: &ListedStates, rows: &mut WaitingRows, sink: &mut dyn RowSink) -> Result<()> {
    let mut row = Vec::new();
    while rows.next_row(states.of_targets(), &mut row) {
        sink.take(&row)?;
    }
    Ok(())
}
