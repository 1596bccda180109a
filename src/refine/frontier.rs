//! The states that a search has found, kept in memory or on disk.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::halt::Halt;
use super::outcome::{CheckOptions, Spilled};
use super::stretch::{Round, Stretch};
use super::stubborn::Sampling;
use base::cancel::Cancellation;
use base::diag::Result;
use base::threads::Threads;

/// The states of a search, level by level. The last level is the frontier itself: its states are
/// expanded, and their successors are entered, until the level is finished and the new states
/// become the next one.
///
/// The place of a state is its number in the order of levels, from 0. Only the states of one piece
/// can be loaded at a time.
///
/// A search holds its frontier as a trait object, so that it is compiled once for all kinds of
/// frontiers. Loading a state by way of the object takes about a nanosecond more, where a state
/// takes some hundred nanoseconds in all.
pub(super) trait Frontier: Sync {
    /// Copies the words of the state of this number into `words`.
    fn load(&self, number: u32, words: &mut [u64]);

    /// The ends of the levels: the place after each level's last state.
    fn ends(&self) -> &[u64];

    /// The number of states found, those included that are in no level yet, if it is known by now
    /// that they are new.
    fn found(&self) -> u64;

    /// The steps that were followed to the states by an earlier search that this one goes on with.
    fn followed_before(&self) -> FollowedSteps;

    /// Takes from the start of `places`, which are of one level, as many as are looked at together.
    /// The states at these places can be loaded until the next piece is taken.
    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt>;

    /// Prepares the candidates of a stretch for being entered, on the thread that expanded it.
    fn route(&self, stretch: &mut Stretch);

    /// Enters the candidates of a round's stretches, in order. Nothing needs to be entered where
    /// the round has a wrong state, if it is not known by now which states are new. Returns the
    /// first candidate that does not fit, if it is known by now that there are more states than
    /// there may be.
    fn enter(
        &mut self,
        round: &mut Round<'_>,
        limits: &EntryLimits,
    ) -> Result<Option<Excess>, Halt>;

    /// Finds out which of all candidates entered are new. Returns the number of states of the next
    /// level, unless there are more than there may be. The level counts only once it is finished.
    fn find_new(&mut self, expanded: &Expanded<'_>) -> Result<u64, Halt>;

    /// Makes the new states the next level.
    fn finish_level(&mut self, expanded: &Expanded<'_>) -> Result<(), Halt>;

    /// The memory and disk that the states take, where a search holds this `beside` them.
    fn taken(&self, beside: Beside) -> Taken;

    /// Takes less memory from now on. Returns false if it takes as little as it can already.
    fn hold_less(&mut self, wanted: Less) -> Result<bool, Halt>;

    /// Tidies up when the search is over.
    fn close(&mut self);
}

impl dyn Frontier + '_ {
    /// The places of the states of this level.
    pub(super) fn level(&self, level: usize) -> Range<u64> {
        places_of(self.ends(), level)
    }

    /// The places of the states of the last level.
    pub(super) fn last_level(&self) -> Range<u64> {
        self.level(self.ends().len() - 1)
    }
}

/// The places of the states of this level, where levels end at the places `ends`.
pub(super) fn places_of(ends: &[u64], level: usize) -> Range<u64> {
    let start = level.checked_sub(1).map_or(0, |before| ends[before]);
    start..ends[level]
}

/// States that are looked at together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// The numbers by which the states are loaded.
    pub(super) numbers: Range<u32>,
    /// The place of the first state.
    pub(super) start: u64,
}

impl Piece {
    /// The place of one of the states.
    pub(super) fn place(&self, number: u32) -> u64 {
        self.start + u64::from(number - self.numbers.start)
    }

    /// The place after the last state.
    pub(super) fn end(&self) -> u64 {
        self.start + self.numbers.len() as u64
    }
}

/// The limits of entering states, and the threads that enter.
#[derive(Clone, Debug)]
pub(super) struct EntryLimits {
    /// The most states that there may be.
    pub(super) most_states: u64,
    pub(super) threads: Threads,
    /// Looks at memory before much is taken at once.
    pub(super) token: Cancellation,
}

impl EntryLimits {
    /// The limits of a search by these options.
    pub(super) fn of(options: &CheckOptions) -> Self {
        Self {
            most_states: options.max_states.unwrap_or(u64::MAX),
            threads: options.threads.clone(),
            token: options.cancellation.clone(),
        }
    }
}

/// The first successor for which there is no room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    /// The stretch of the round that leads to it.
    pub(super) stretch: usize,
    /// The number of the candidate in the batch of the stretch.
    pub(super) candidate: usize,
}

/// The steps that a search has followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct FollowedSteps {
    /// The number of transitions.
    pub(super) transitions: u64,
    /// The pairs of the next level at which stubborn sets are chosen.
    #[serde(default, skip_serializing_if = "Sampling::is_everywhere")]
    pub(super) sampling: Sampling,
}

/// A level that was expanded to its end.
pub(super) struct Expanded<'e> {
    /// The steps that the search has followed.
    pub(super) followed: FollowedSteps,
    pub(super) beside: Beside,
    pub(super) limits: &'e EntryLimits,
}

/// Bytes of memory that a search holds beside its states.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    /// For the candidates of a round.
    pub(super) round: usize,
    /// For findings about divergence.
    pub(super) divergence: usize,
}

/// The memory and disk that the states of a search take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// Bytes of memory; the most that were taken so far, where the states and what is beside them
    /// share a budget.
    pub(super) memory_bytes: usize,
    /// The division of the budget, if there is one.
    pub(super) shared: Option<Shared>,
    /// The use of the disk, if the states are there.
    pub(super) spilled: Option<Spilled>,
}

/// The division of the memory of a search with a budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shared {
    /// Bytes that the candidates of a round may take.
    pub(super) round: usize,
    /// Bytes that findings about divergence may take.
    pub(super) divergence: usize,
    /// Bytes that the states could do without.
    pub(super) spare: usize,
}

/// The level to which memory is to be reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Less {
    /// Half of the budget.
    Half,
    /// As little as a search can do with.
    Least,
}
