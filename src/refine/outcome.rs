//! The options of a check, its progress and its result.

use std::fmt;
use std::sync::Arc;

use super::path::Path;
use super::shared_search::SharedSearch;
use super::spill::Spill;
use super::stubborn::StubbornSets;
use base::cancel::Cancellation;
use base::threads::Threads;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The answer.
    pub outcome: Outcome,
    /// The cost of the search.
    pub statistics: Statistics,
    /// The other different violations, if more than one was asked for: each by a shortest path of
    /// its kind, the shortest first.
    pub further: Vec<Path>,
    /// The reason why the search for further violations ended before all states were met or enough
    /// were found, if it did.
    pub cut: Option<StopReason>,
    /// True if the machine does something that the specification does not allow. A search that was
    /// stopped may know this before it knows a path to it.
    pub is_violated: bool,
}

impl CheckResult {
    /// The result where nothing is wrong, and no states had to be met to know it.
    pub fn holding() -> Self {
        Self {
            outcome: Outcome::Holds,
            statistics: Statistics::default(),
            further: Vec::new(),
            cut: None,
            is_violated: false,
        }
    }

    /// The result of a search for one violation that has found `path`.
    pub fn violated(path: Path, statistics: Statistics) -> Self {
        Self {
            outcome: Outcome::Violated(path),
            statistics,
            further: Vec::new(),
            cut: None,
            is_violated: true,
        }
    }

    /// The result of a search that `reason` ended before it began.
    pub(super) fn not_begun(reason: StopReason) -> Self {
        Self {
            outcome: Outcome::Stopped(reason),
            statistics: Statistics::default(),
            further: Vec::new(),
            cut: None,
            is_violated: false,
        }
    }
}

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The refinement holds.
    Holds,
    /// The refinement does not hold; the path of the machine is as short as any, τ counted, and the
    /// same on every run.
    Violated(Path),
    /// The search ended early.
    Stopped(StopReason),
}

/// The answer of a search for a proof that a process is deterministic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The process is deterministic.
    Deterministic,
    /// Nothing is proved: the question has to be decided in another way.
    Unknown,
    /// The search ended early.
    Stopped(StopReason),
}

/// The reason why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// There are more states than the caller allows.
    StateLimit,
    /// There are more states than can be numbered.
    Numbers,
    /// The search was cancelled by its token.
    Cancelled,
    /// The search was not wanted any more after a pause.
    Sooner,
}

/// The cost of a search. States and transitions are those of the reachable product of specification
/// and machine, as far as it was explored; with symmetry, of representatives only.
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
    /// The number of states found beyond one for each orbit, if it is known; 0 where
    /// representatives are unique.
    pub extra_states: Option<u64>,
    /// The use of the disk, if states were kept there.
    pub spilled: Option<Spilled>,
}

/// The use of the disk by a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spilled {
    /// Bytes of all states.
    pub disk_bytes: u64,
    /// The number of levels that were on disk before, if the search went on with them.
    pub resumed: Option<u64>,
    /// The number of states in those levels.
    pub resumed_states: u64,
    /// Bytes of memory taken by all that the state last followed along τ leads to, which is not
    /// kept on disk.
    pub divergence_bytes: u64,
}

/// The states that a search goes through, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchWay {
    /// Those of a machine beside a normal form, level by level.
    #[default]
    Machine,
    /// Those of a machine beside a normal form, along one order of the steps after the other.
    Dive,
    /// Those of a machine beside sets of the specification's states, as they are met.
    Subsets,
    /// Terms, as they are met.
    Terms,
    /// Terms, as they are met, one of each orbit.
    Orbits,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchProgress {
    /// The way of the search.
    pub way: SearchWay,
    /// The cost of the search so far.
    pub statistics: Statistics,
    /// States found but not yet expanded.
    pub waiting: u64,
    /// States that the search has expanded, without those that were expanded before it was resumed.
    pub expanded: u64,
    /// States from which the search has looked for divergence, those beyond the level included.
    pub followed: u64,
}

/// The listener to the progress of a search, if there is one.
#[derive(Clone, Default)]
pub struct ProgressSink(Option<Arc<ProgressListener>>);

/// A function that hears how far a search is: often, on the thread that searches.
type ProgressListener = dyn Fn(&SearchProgress) + Send + Sync;

impl ProgressSink {
    /// Calls `listener` often, on the thread that searches.
    pub fn new(listener: impl Fn(&SearchProgress) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    /// Tells the listener that a search is as far as `now`.
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

/// The options of a search.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The most states that may be found.
    pub max_states: Option<u64>,
    /// True if a search with symmetries keeps what it saw on the way to a counterexample.
    pub keeps_twists: bool,
    /// The threads that the search runs on. Apart from time and memory the result does not depend
    /// on their number.
    pub threads: Threads,
    /// The number of violations that are looked for beyond the first. A search with its states on
    /// disk looks for none.
    pub further: usize,
    /// The stubborn sets by which a part of the transitions is followed; `None`: all are.
    pub stubborn: Option<Arc<StubbornSets>>,
    /// The folder on disk that keeps the states, if they are not to be in memory.
    pub spill: Option<Spill>,
    /// The search of all processes, if the states are to be divided between them.
    pub shared: Option<SharedSearch>,
    /// The token that ends the search.
    pub cancellation: Cancellation,
    /// The listener to the progress of the search.
    pub progress: ProgressSink,
}
