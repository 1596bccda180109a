//! Searches on disk: where they keep their states, and how much memory they may take.

use refine::check::StopReason;
use refine::spill::Spill;

use super::compiled::Compiled;
use super::decision::Decision;
use super::identity::identity;
use super::options::Storage;
use super::reduction::Reduction;
use super::task::Task;

/// The bytes of memory that a search on disk takes, beside the tables of its machine, if the user
/// asked for no bound.
const BUDGET: usize = 256 << 20;

/// The bytes that a search takes beside its budget, however large the budget is.
const BESIDE: usize = 2 << 20;

/// The smallest budget: with less, a search would make no progress.
const LEAST_BUDGET: usize = 1 << 20;

impl Storage {
    /// The place where the search of `compiled` keeps its states.
    pub(super) fn spill(
        &self,
        run: &Decision<'_, '_>,
        compiled: &Compiled,
        reduction: &Reduction,
    ) -> Spill {
        Spill {
            directory: self.directory.clone(),
            resumes: self.resumes,
            identity: identity(run, compiled, reduction),
            budget: self.budget(run.task),
        }
    }

    /// The bytes of memory that a search may take: most of what there is, because a little is kept
    /// beside its states.
    fn budget(&self, task: &Task) -> usize {
        let allowed = task.room().map(|room| {
            let room = usize::try_from(room).unwrap_or(usize::MAX);
            // Divided first: there may be `usize::MAX` bytes of room.
            (room.saturating_sub(BESIDE) / 4 * 3).max(LEAST_BUDGET)
        });
        let is_wanted = task.cancellation.memory().is_some_and(|m| m.is_wanted());
        // The bounds of a machine are shared with other programs, so they are no reason to take
        // more than `BUDGET`.
        let allowed = match is_wanted {
            true => allowed,
            false => allowed.map(|bytes| bytes.min(BUDGET)),
        };
        self.budget.or(allowed).unwrap_or(BUDGET)
    }

    /// The hint on how to go on with a search that was stopped.
    pub(super) fn hint(&self, reason: StopReason) -> String {
        let directory = self.directory.display();
        match reason {
            StopReason::StateLimit => {
                format!("allow more states, and go on with --resume {directory}")
            }
            StopReason::Numbers | StopReason::Cancelled | StopReason::Sooner => {
                format!("go on with --resume {directory}: all but the level under way is kept")
            }
        }
    }
}
