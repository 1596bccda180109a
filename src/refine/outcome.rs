//! How a check is asked for, what it says while it searches, and what comes of it.

use std::fmt;
use std::sync::Arc;

use super::path::Path;
use super::shared_search::SharedSearch;
use super::spill::Spill;
use super::stubborn::StubbornSets;
use base::cancel::Cancellation;
use base::threads::Threads;

/// What a check found.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The answer.
    pub outcome: Outcome,
    /// What the search took.
    pub statistics: Statistics,
    /// Where more than one violation was asked for: the others that are different, each by a
    /// shortest path of its kind, the shortest first.
    pub further: Vec<Path>,
    /// Why the search for them ended before all states were met or enough were found, if it did.
    pub cut: Option<StopReason>,
}

impl CheckResult {
    /// Of a search that `reason` ended before it began.
    pub(super) fn not_begun(reason: StopReason) -> Self {
        Self {
            outcome: Outcome::Stopped(reason),
            statistics: Statistics::default(),
            further: Vec::new(),
            cut: None,
        }
    }
}

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The refinement holds.
    Holds,
    /// It does not; the path of the machine is as short as any, τ counted, and the same on every
    /// run.
    Violated(Path),
    /// The search ended early.
    Stopped(StopReason),
}

/// The answer of a search for a proof that a process is deterministic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The process is deterministic.
    Deterministic,
    /// It has to be decided in another way.
    Unknown,
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
    /// Its token said so.
    Cancelled,
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
    /// How many states more than orbits were found, if that is known: none where representatives
    /// are unique.
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
    /// Bytes of memory taken by what the last state leads to that was followed along τ: that is not
    /// kept on disk.
    pub divergence_bytes: u64,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchProgress {
    /// What the search took so far.
    pub statistics: Statistics,
    /// States found but not yet expanded.
    pub waiting: u64,
    /// States that it has expanded, without those that were expanded before it was resumed.
    pub expanded: u64,
    /// States from which it has looked for divergence, those beyond the level included.
    pub followed: u64,
}

/// Who hears now and then how far a search is.
#[derive(Clone, Default)]
pub struct ProgressSink(Option<Arc<ProgressListener>>);

/// Hears how far a search is: often, on the thread that searches.
type ProgressListener = dyn Fn(&SearchProgress) + Send + Sync;

impl ProgressSink {
    /// Calls `listener` often, on the thread that searches.
    pub fn new(listener: impl Fn(&SearchProgress) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    /// Says that a search is as far as `now`.
    pub(super) fn hear(&self, now: &SearchProgress) {
        if let Some(listener) = &self.0 {
            listener(now);
        }
    }
}

impl fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "<heard>",
            None => "<not heard>",
        })
    }
}

/// How to search, and how far.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// How many states may be found.
    pub max_states: Option<u64>,
    /// Whether a search with symmetries keeps what it saw on the way to a counterexample.
    pub keeps_twists: bool,
    /// What the search runs on. Apart from time and memory the result does not depend on how many
    /// threads these are.
    pub threads: Threads,
    /// How many violations are looked for beyond the first. A search with its states on disk looks
    /// for none.
    pub further: usize,
    /// By what only a part of the transitions is followed; `None`: all are.
    pub stubborn: Option<Arc<StubbornSets>>,
    /// Where states are kept on disk, if they are to be.
    pub spill: Option<Spill>,
    /// With whom the states are divided, if they are to be.
    pub shared: Option<SharedSearch>,
    /// Ends the search.
    pub cancellation: Cancellation,
    /// Hears how far it is.
    pub progress: ProgressSink,
}
