//! The limits that end work before it is done, with the message of each.

use base::cancel::Reason;
use base::diag::Diagnostic;

use super::memory::{Bound, Memory};

/// A limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// `--timeout`
    Time,
    /// `--timeout-each`
    Turn,
    /// `--timeout-each`, where the work went on without asking for its limits.
    Stuck,
    /// `--memory-limit`, or the memory that the machine, its container or the system gives.
    Memory(Bound),
    /// Ctrl-C, or another signal to end.
    Signal,
    /// The end of another process of the cluster, for the reason in its message.
    Others(&'static Diagnostic),
}

impl Limit {
    /// The message about it.
    pub fn diagnostic(self) -> Diagnostic {
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
            Limit::Signal => Diagnostic::undecided("interrupted", "the run was told to end before it was done")
                .hint("what is decided by then counts; to decide less at a time, pick assertions with --assertion"),
            Limit::Others(why) => why.clone(),
        }
    }

    /// The message about it for other processes, or `None` if it came from one of them.
    pub fn own(self) -> Option<Diagnostic> {
        match self {
            Limit::Others(_) => None,
            _ => Some(self.diagnostic()),
        }
    }

    /// The limit that ends the whole run, for this reason.
    pub(super) fn of_run(reason: Reason, memory: &Memory) -> Self {
        match reason {
            Reason::Cancelled => Limit::Signal,
            Reason::Time => Limit::Time,
            Reason::Memory(number) => Limit::Memory(memory.bound(number)),
            Reason::Told(why) => Limit::Others(why),
        }
    }

    /// The limit that ends one turn, for this reason.
    pub(super) fn of_turn(reason: Reason, memory: &Memory) -> Self {
        match reason {
            Reason::Time => Limit::Turn,
            _ => Self::of_run(reason, memory),
        }
    }
}
