//! Where a search keeps the states that it has found: in memory, on disk, or divided between
//! several processes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::halt::Halt;
use super::outcome::{SearchProgress, Spilled, Statistics, StopReason};
use super::states::States;
use super::stubborn::{ChosenSteps, Sampling};
use super::worker::{Round, Stretch};
use base::cancel::Cancellation;
use base::diag::Result;
use base::threads::Threads;
use machine::packing::PackedState;

/// The states of a search, level by level. The last level is the frontier itself: its states are
/// expanded, and what they lead to is entered, until the level is finished and what is new becomes
/// the next one.
///
/// The place of a state is its number in the order of levels, from 0. Only the states of one piece
/// can be loaded at a time.
///
/// A search holds its frontier as a trait object, so that it is compiled once for all kinds of
/// frontiers. Loading a state by way of the object takes about a nanosecond more, where a state
/// takes some hundred in all.
pub(super) trait Frontier<S: PackedState>: States<S> {
    /// Whether the states are divided between several processes that search together. Levels,
    /// places and numbers are those of the share of this one.
    fn is_divided(&self) -> bool {
        false
    }

    /// How many levels there are.
    fn level_count(&self) -> usize;

    /// Whether there are no states in the last level, of whichever process.
    fn is_over(&self) -> bool {
        self.level(self.level_count() - 1).is_empty()
    }

    /// The places of the states of this level.
    fn level(&self, level: usize) -> Range<u64>;

    /// How many states were found, also those that are in no level yet, if it is known by now that
    /// they are new.
    fn found(&self) -> u64;

    /// What was followed to them, where they were found by a search that this one goes on with.
    fn followed_before(&self) -> FollowedSteps {
        FollowedSteps::default()
    }

    /// Takes from the start of `places`, which are of one level, as many as are looked at together.
    /// Their states can be loaded until the next piece is taken.
    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt>;

    /// Prepares on the thread that expanded it what a stretch leads to.
    fn route(&self, _stretch: &mut Stretch) {}

    /// How many bytes of memory entering what these stretches lead to takes at once.
    fn growth(&self, _round: &[Stretch]) -> u64 {
        0
    }

    /// Enters what the stretches of a round lead to, in order. Nothing needs to be entered where
    /// the round has a wrong state, if it is not known by now which states are new. Returns what
    /// does not fit if it is known by now that there are more than `most` states, or more than can
    /// be numbered.
    fn enter(
        &mut self,
        round: &mut Round<'_>,
        most: u64,
        threads: &Threads,
    ) -> Result<Option<Excess>, Halt>;

    /// Whether it represents the pairs that come to it.
    fn represents(&self) -> bool {
        false
    }

    /// Whether each pair that it has represented got the only representative of its orbit.
    fn is_unique(&self) -> bool {
        true
    }

    /// Notes states of the present piece that can do τ and nothing that lets them rest, if the
    /// frontier is to find out which of them diverge.
    fn note_internal(&mut self, _numbers: &[u32]) {}

    /// Says what the last level led to, once it was expanded in this process. Returns what it led
    /// to in all. Where states are divided and none has anything else wrong, those that were noted
    /// as internal are looked at, by the `taus` of states.
    fn settle(&mut self, here: LevelSum<S>, _taus: EachTau<'_, S>) -> Result<LevelSum<S>, Halt> {
        Ok(here)
    }

    /// What every process says, by process, where this one says `here`.
    fn gather(&mut self, here: Vec<u64>) -> Result<Vec<Vec<u64>>, Halt> {
        Ok(vec![here])
    }

    /// What the search took in all processes, where it took `here` in this one: as far as that is
    /// settled.
    fn whole(&self, here: Statistics) -> Statistics {
        here
    }

    /// How far all processes are together, where this one is as far as `here`.
    fn progress(&self, here: SearchProgress) -> SearchProgress {
        here
    }

    /// Finds out what of all that was entered is new. Returns how many states the next level has in
    /// this process, unless there are more than there may be. Until the level is finished, nothing
    /// of it counts.
    fn find_new(&mut self, expanded: &Expanded<'_>) -> Result<u64, Halt>;

    /// Makes the next level of what is new.
    fn finish_level(&mut self, expanded: &Expanded<'_>) -> Result<(), Halt>;

    /// Bytes of memory that the states take, or have taken at most, where they and what is `beside`
    /// them share a budget.
    fn memory_bytes(&self, beside: Beside) -> usize;

    /// How the memory of the search is divided, if it has a budget.
    fn shared(&self) -> Option<Shared> {
        None
    }

    /// Takes less memory from now on. Returns false if it takes as little as it can already.
    fn hold_less(&mut self, _wanted: Less) -> Result<bool, Halt> {
        Ok(false)
    }

    /// What the search took on disk, if its states are there.
    fn spilled(&self) -> Option<Spilled> {
        None
    }

    /// Writes all of a share to where it lasts, so that it can be published. A share in memory has
    /// nothing to write.
    fn prepare(&mut self) -> Result<(), Halt> {
        Ok(())
    }

    /// Makes a share the one that counts, because all processes have prepared theirs. `resumed` is
    /// how many levels there were before, if an earlier search is gone on with.
    fn publish(&mut self, _resumed: Option<u64>) -> Result<(), Halt> {
        Ok(())
    }

    /// The search is over.
    fn close(&mut self) {}
}

/// States that are looked at together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// What they are loaded by.
    pub(super) numbers: Range<u32>,
    /// The place of the first one.
    pub(super) start: u64,
}

impl Piece {
    /// The place of one of the states.
    pub(super) fn place(&self, number: u32) -> u64 {
        self.start + u64::from(number - self.numbers.start)
    }

    /// The place after the last one.
    pub(super) fn end(&self) -> u64 {
        self.start + self.numbers.len() as u64
    }
}

/// The first successor for which there is no room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    /// The stretch of the round that leads to it.
    pub(super) stretch: usize,
    /// Which candidate of the stretch's batch it is.
    pub(super) candidate: usize,
    pub(super) reason: StopReason,
}

/// What a search has followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct FollowedSteps {
    /// How many transitions.
    pub(super) transitions: u64,
    /// At which pairs of the next level stubborn sets are chosen.
    #[serde(default, skip_serializing_if = "Sampling::is_everywhere")]
    pub(super) sampling: Sampling,
}

/// What the states of a level led to.
#[derive(Clone, Debug)]
pub(super) struct LevelSum<S> {
    /// Transitions followed in the whole search up to this level.
    pub(super) transitions: u64,
    /// Transitions at the pairs at which stubborn sets were chosen.
    pub(super) chosen: ChosenSteps,
    /// The least of the states with something wrong.
    pub(super) wrong: Option<S>,
    /// Whether what is wrong with it is that it diverges.
    pub(super) diverges: bool,
}

/// Does something to the words of the representative of each pair that a τ of a state leads to.
pub(super) type EachTau<'t, S> = &'t mut dyn FnMut(&S, &mut dyn FnMut(&[u64]));

/// A level that was expanded to its end.
pub(super) struct Expanded<'e> {
    /// What the search has followed.
    pub(super) followed: FollowedSteps,
    /// How many states there may be.
    pub(super) most_states: u64,
    pub(super) beside: Beside,
    pub(super) threads: &'e Threads,
    pub(super) token: &'e Cancellation,
}

/// Bytes of memory that a search holds beside its states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    /// For what a round leads to.
    pub(super) round: usize,
    /// For what is known about divergence.
    pub(super) divergence: usize,
}

/// How the memory of a search with a budget is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shared {
    /// Bytes that what a round leads to may take.
    pub(super) round: usize,
    /// Bytes that what is known about divergence may take.
    pub(super) divergence: usize,
    /// Bytes that the states would do without.
    pub(super) spare: usize,
}

/// How much less memory is to be held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Less {
    /// Half of the budget.
    Half,
    /// As little as a search can do with.
    Least,
}
