//! How a check is asked for, what it says while it searches, and what comes of it.

use super::external::Spill;
use super::path::Path;
use crate::base::threads::Threads;
use crate::cancel::Cancellation;

/// What a check found.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The answer.
    pub outcome: Outcome,
    /// What it took.
    pub statistics: Statistics,
}

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The refinement holds.
    Holds,
    /// It does not; the path is as short as any, τ counted, and the same on every run.
    Violated(Path),
    /// The search ended early.
    Stopped(StopReason),
}

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// There are more states than the caller allows.
    StateLimit,
    /// There are more states than can be numbered.
    Numbers,
    /// The observer said so.
    Observer,
}

/// What a search took. States and transitions are those of the reachable product of
/// specification and machine, as far as it was explored; with symmetry, of representatives only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Product states found.
    pub states: u64,
    /// Transitions followed.
    pub transitions: u64,
    /// Breadth-first levels, the initial state's included.
    pub levels: u64,
    /// States of the specification in normal form.
    pub specification_states: u64,
    /// Bytes that the visited states took.
    pub memory_bytes: u64,
    /// How many states more than orbits were found, if that is known: none where representatives are unique.
    pub extra_states: Option<u64>,
    /// What it took on disk, if states were kept there.
    pub spilled: Option<Spilled>,
}

/// What a search took on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spilled {
    /// Bytes of all states.
    pub disk_bytes: u64,
    /// How many levels were there before, if it went on with what was there.
    pub resumed: Option<u64>,
    /// How many states they had.
    pub resumed_states: u64,
    /// Bytes of memory taken by what the last state leads to that was followed along τ: that is not kept on disk.
    pub divergence_bytes: u64,
}

/// What the observer of a search is told now and then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchProgress {
    /// What the search took so far.
    pub statistics: Statistics,
    /// States found but not yet expanded.
    pub waiting: u64,
    /// States that it has expanded, those not counted that were expanded before it was resumed.
    pub expanded: u64,
    /// Bytes that the search is about to take at once, to go on.
    pub growth: u64,
    /// Bytes that it would do without if it were told to hold less.
    pub spare: u64,
    /// States from which it has looked for divergence, those beyond the level included.
    pub followed: u64,
}

/// What the observer answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Go on, and hold less memory: said only to a search that has some to spare. One on disk holds half of what it may from then on.
    Less,
    /// Stop.
    Stop,
}

/// How to search, and how far.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// How many states may be found.
    pub max_states: Option<u64>,
    /// What the search runs on. Apart from time and memory the result does not depend on how many threads these are.
    pub threads: Threads,
    /// Where states are kept on disk, if they are to be.
    pub spill: Option<Spill>,
    /// Ends the search.
    pub cancellation: Cancellation,
}
