//! What ends work before it is done, and what is said then: one kind of message for all limits.

use std::sync::Arc;

use crate::base::number::bytes;
use crate::diag::Diagnostic;
use crate::process::work::Phase;

use super::memory::Bound;
use super::monitor::Monitor;
use super::work::Work;

/// How much one call may take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Knows the time and the memory of the whole call, and who wants it to end.
    pub(crate) monitor: Arc<Monitor>,
    /// How many product states a search may store.
    pub(crate) states: Option<u64>,
    /// How many states a leaf may have.
    pub(crate) leaf_states: u64,
}

/// What was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    /// `--timeout`
    Time,
    /// `--timeout-each`
    Turn,
    /// The same, and the work went on without asking.
    Stuck,
    /// `--memory-limit`, or what there is.
    Memory(Bound),
    /// `--max-states`
    States,
    /// More states than can be numbered.
    Numbers,
    /// Ctrl-C, or another signal to end.
    Signal,
}

impl Limit {
    /// Whether nothing more is begun: else it is one assertion that was too large.
    pub(crate) fn ends_run(self) -> bool {
        matches!(self, Limit::Time | Limit::Stuck | Limit::Signal)
    }

    /// What to say about it.
    pub(crate) fn diagnostic(self) -> Diagnostic {
        match self {
            Limit::Time => Diagnostic::undecided("timeout", "the time given with --timeout is over")
                .hint("give it more seconds, or check a smaller instance with -D"),
            Limit::Turn => {
                Diagnostic::undecided("timeout", "the time given with --timeout-each is over")
                    .hint("give each assertion more seconds, or check a smaller instance with -D")
            }
            Limit::Stuck => Diagnostic::undecided(
                "timeout",
                "the time given with --timeout-each is over, and one step takes so long that the run ends with it",
            )
            .hint("decide the other assertions by a call of their own, with --assertion"),
            Limit::Memory(bound) => {
                let message = format!("more memory is needed than {}", bound.words());
                Diagnostic::undecided("memory-limit", message).hint(bound.hint())
            }
            Limit::States => {
                Diagnostic::undecided("state-limit", "more states than --max-states allows")
                    .hint("allow more states, or check a smaller instance with -D")
            }
            Limit::Numbers => {
                Diagnostic::undecided("state-limit", "more states than can be numbered")
                    .hint("check a smaller instance with -D")
            }
            Limit::Signal => Diagnostic::undecided("interrupted", "the run was told to end before it was done")
                .hint("what is decided by then counts; to decide less at a time, pick assertions with --assertion"),
        }
    }

    /// The same, with how far the work was, and what did not fit where something else is on disk.
    pub(crate) fn problem(self, work: &Work) -> Diagnostic {
        let problem = match work.phase {
            // There is a place that says more.
            Phase::Evaluation => return self.diagnostic(),
            _ => self.diagnostic().note(format!("it was {}", work.doing())),
        };
        let statistics = work.statistics.unwrap_or_default();
        let taken = statistics.spilled.unwrap_or_default().divergence_bytes;
        if !matches!(self, Limit::Memory(_)) || taken <= statistics.memory_bytes / MUCH {
            return problem;
        }
        problem.note(format!(
            "what did not fit is what one state leads to along τ, {} so far: to look for divergence it is kept in memory, also with --spill",
            bytes(taken)
        ))
    }
}

/// What takes one part in so many of the memory of a search is told when there is not enough.
const MUCH: u64 = 4;
