//! A question's token and its progress: they say whether deciding may go on, and how far it is.

use std::sync::Arc;

use base::cancel::{Cancellation, Ends, Listener, Phase, StepBudget};
use base::diag::Diagnostic;
use refine::check::{ProgressSink, Statistics, StopReason};
use report::assertion::AssertionReport;
use report::profile::ProfileRow;

use super::progress::Progress;

/// The steps that a replay may take. That is some seconds, and a hundred times what the longest
/// replay of a shipped script takes. A step is a term that is looked at.
const REPLAY_STEPS: u64 = 2_000_000;

/// The token and the progress of some work. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// The token, which says whether the work may go on.
    pub cancellation: Cancellation,
    /// The progress, which says how far the work is.
    pub progress: Arc<Progress>,
}

impl Task {
    /// Publishes what is known of the assertion by now.
    pub(super) fn publish(&self, report: &AssertionReport) {
        self.progress.work().report = Some(report.clone());
    }

    /// Makes the progress note from now on where the time goes.
    pub(super) fn begin_profile(&self) {
        let memory = self.memory();
        self.progress.work().begin_profile(memory);
    }

    /// Returns where the time went since [`Self::begin_profile`]; `None` if that was not called.
    pub(super) fn end_profile(&self) -> Option<Vec<ProfileRow>> {
        let memory = self.memory();
        self.progress.work().end_profile(memory)
    }

    /// The bytes that the program has now, if they are counted.
    fn memory(&self) -> Option<u64> {
        let (_, now) = self.cancellation.memory()?.tightest()?;
        Some(now)
    }

    /// The token for work that is to be seen in the progress.
    pub(super) fn token(&self) -> Cancellation {
        self.cancellation.heard_by(self.clone())
    }

    /// The token for a replay, which may be cut short without the rest of the work.
    pub(super) fn replay_token(&self) -> Cancellation {
        let exceeded = Diagnostic::undecided("replay-limit", "it takes too long");
        let part = Cancellation::ending(Ends {
            whole: Some(self.cancellation.clone()),
            budget: Some(StepBudget {
                most: REPLAY_STEPS,
                exceeded,
            }),
            ..Ends::default()
        });
        part.heard_by(self.clone())
    }

    /// `problem`; if it is that the work had to end, with a note on how far the work was.
    pub(super) fn explained(&self, problem: Diagnostic) -> Diagnostic {
        let code = self.cancellation.message().map(|message| message.code);
        match code {
            // A mistake in the script may come up after the time is over; only the end of the work
            // itself is explained.
            Some(code) if code == problem.code => self.progress.work().cut_short(problem),
            _ => problem,
        }
    }

    /// A sink that hears how far a search is.
    pub(super) fn sink(&self) -> ProgressSink {
        let progress = self.progress.clone();
        ProgressSink::new(move |now| progress.note(|work| work.search(now)))
    }

    /// The message for a search that ended early for this `reason`.
    pub(super) fn stopped(&self, reason: StopReason, statistics: Statistics) -> Diagnostic {
        let mut work = self.progress.work();
        // The last report of the search may be older than its end.
        work.ended(statistics);
        let (message, hint) = match reason {
            StopReason::StateLimit => (
                "more states than --max-states allows",
                "allow more states, or check a smaller instance with -D",
            ),
            StopReason::Numbers => (
                "more states than can be numbered",
                "check a smaller instance with -D",
            ),
            StopReason::Cancelled | StopReason::Sooner => {
                // How far the work was is added by `explained`, as for any other work that the
                // token ends.
                let message = self.cancellation.message();
                return message.unwrap_or_else(|| {
                    Diagnostic::error("internal-error", "a search stopped without a reason")
                });
            }
        };
        work.cut_short(Diagnostic::undecided("state-limit", message).hint(hint))
    }

    /// The bytes that may still be taken, if they are bounded.
    pub(super) fn room(&self) -> Option<u64> {
        let (most, now) = self.cancellation.memory()?.tightest()?;
        Some(most.saturating_sub(now))
    }
}

impl Listener for Task {
    fn steps(&self, count: usize) {
        self.progress.note(|work| work.count(count));
    }

    fn enter(&self, phase: Phase, name: &str) {
        self.progress.note(|work| {
            work.note_profile(|| self.memory());
            work.enter(phase, name);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use base::source::SourceMap;

    #[test]
    fn what_takes_too_long_says_where_it_was() {
        let task = Task {
            cancellation: Cancellation::after(Duration::ZERO),
            ..Task::default()
        };
        let token = task.token();
        token.enter(Phase::Component, "P(0)");
        // The clock is looked at now and then.
        let outcome = (0..1024).try_for_each(|_| token.step());
        let problem = outcome.expect_err("the time is over");
        let problem = task.explained(*problem);
        assert_eq!(problem.code, "timeout");
        assert_eq!(problem.notes, ["it was compiling `P(0)`, 1,024 states"]);
    }

    #[test]
    fn the_profile_counts_every_state() {
        let task = Task::default();
        task.begin_profile();
        let token = task.token();
        for (name, states) in [("P(0)", 5), ("P(1)", 2000)] {
            token.enter(Phase::Component, name);
            (0..states)
                .try_for_each(|_| token.step())
                .expect("it may go on");
        }
        token.enter(Phase::Machine, "");
        let rows = task.end_profile().expect("it was begun");
        let found = rows.iter().find(|row| row.process == "P");
        let found = found.map(|row| (row.times, row.states));
        assert_eq!(found, Some((2, Some(2005))));
    }

    /// States without numbers take gigabytes, too many for a script among the tests.
    #[test]
    fn what_is_said_of_states_without_numbers() {
        let statistics = Statistics {
            levels: 7,
            states: 4_294_967_295,
            ..Statistics::default()
        };
        let problem = Task::default().stopped(StopReason::Numbers, statistics);
        assert_eq!(
            problem.render(&SourceMap::new()),
            "\
error[state-limit]: more states than can be numbered
 = note: it was searching level 7, 4,294,967,295 states
 = help: check a smaller instance with -D

"
        );
    }
}
