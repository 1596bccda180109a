//! What a question is decided under: whether that may go on, and who wants to know how far it is.

use std::sync::Arc;

use crate::cancel::Cancellation;
use crate::diag::{Diagnostic, Result};
use crate::process::work::{Listener, Phase};
use crate::refine::check::{Control, SearchProgress, Statistics, StopReason};
use crate::report::assertion::AssertionReport;

use super::progress::Progress;

/// Whether work may go on, and how far it is. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Says whether the work may go on.
    pub cancellation: Cancellation,
    /// Says how far it is.
    pub progress: Arc<Progress>,
}

/// Memory is short when less than one part in so many of the limit is left.
const SHORT: u64 = 16;

impl Task {
    /// What is known of the assertion by now.
    pub(super) fn publish(&self, report: &AssertionReport) {
        self.progress.work().report = Some(report.clone());
    }

    /// The token, for work whose steps count for the progress.
    pub(super) fn counted(&self) -> Cancellation {
        let progress = self.progress.clone();
        self.cancellation
            .heard_by(move |steps| progress.note(|work| work.count(steps)))
    }

    /// `problem` with how far the work was, if the problem is that it had to end.
    pub(super) fn explained(&self, problem: Diagnostic) -> Diagnostic {
        let code = self.cancellation.message().map(|message| message.code);
        match code {
            Some(code) if code == problem.code => self.progress.work().cut_short(problem),
            _ => problem,
        }
    }

    /// Fails if the work is to end.
    pub(super) fn check(&self) -> Result<()> {
        match self.cancellation.message() {
            Some(problem) => problem.into(),
            None => Ok(()),
        }
    }

    /// Answers a search that says how far it is: whether it may go on, and whether it has to hold less.
    pub(super) fn observer(&self) -> impl FnMut(&SearchProgress) -> Control + use<> {
        let task = self.clone();
        let mut told = 0;
        move |now| {
            let Self {
                cancellation,
                progress,
            } = &task;
            progress.note(|work| work.search(now));
            let may_go_on = cancellation.reason().is_none();
            if now.spare > 0 && may_go_on && task.is_short(&mut told) {
                return Control::Less;
            }
            if now.growth > 0 {
                cancellation.look_at_memory(now.growth);
            }
            match cancellation.reason() {
                Some(_) => Control::Stop,
                None => Control::Continue,
            }
        }
    }

    /// What to say of a search that ended early for this `reason`.
    pub(super) fn stopped(&self, reason: StopReason, statistics: Statistics) -> Diagnostic {
        let mut work = self.progress.work();
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
            StopReason::Observer => {
                let message = self.cancellation.message();
                return message.unwrap_or_else(|| {
                    Diagnostic::error("internal-error", "a search stopped without a reason")
                });
            }
        };
        work.cut_short(Diagnostic::undecided("state-limit", message).hint(hint))
    }

    /// How many bytes more may be taken, if that is bounded.
    pub(super) fn room(&self) -> Option<u64> {
        let (most, now) = self.cancellation.memory()?.tightest()?;
        Some(most.saturating_sub(now))
    }

    /// Whether hardly any memory is left, and less than when that was last said to whoever has `told`: it has the bytes that were
    /// taken then. What is given back may stay with the allocator, for what is taken next, so that as much taken as before is no
    /// news.
    fn is_short(&self, told: &mut u64) -> bool {
        let tightest = self
            .cancellation
            .memory()
            .and_then(|memory| memory.tightest());
        tightest.is_some_and(|(most, now)| is_short_of(most, now, told))
    }
}

/// Whether hardly any of `most` bytes is left where `now` are taken; see [`Task::is_short`].
fn is_short_of(most: u64, now: u64, told: &mut u64) -> bool {
    let part = most / SHORT;
    if now <= most - part {
        // Not where it goes up and down about that.
        if now <= most - 2 * part {
            *told = 0;
        }
        return false;
    }
    let is_news = now > (*told).min(most);
    *told = now.max(*told);
    is_news
}

impl Listener for Task {
    fn enter(&self, phase: Phase, name: &str) {
        self.progress.note(|work| work.enter(phase, name));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn shortage_is_said_once_until_it_is_worse() {
        let most = 1600;
        let mut told = 0;
        let mut said = |now: u64| is_short_of(most, now, &mut told);
        // What was taken before is given back now and then, and not always to the system.
        assert!(!said(1500) && said(1501) && !said(1501) && said(1510));
        assert!(!said(1490) && !said(1505) && said(1511));
        assert!(!said(1400) && said(1501));
        // Beyond the limit whoever has anything to spare is always asked for it.
        assert!(said(1700) && said(1650) && !said(1600));
    }

    #[test]
    fn what_takes_too_long_says_where_it_was() {
        let task = Task {
            cancellation: Cancellation::after(Duration::ZERO),
            ..Task::default()
        };
        task.enter(Phase::Component, "P(0)");
        let token = task.counted();
        // The clock is looked at now and then.
        let outcome = (0..1024).try_for_each(|_| token.step());
        let problem = outcome.expect_err("the time is over");
        let problem = task.explained(*problem);
        assert_eq!(problem.code, "timeout");
        assert_eq!(problem.notes, ["it was compiling `P(0)`, 1,024 states"]);
    }

    /// They take gigabytes, too many for a script among the tests.
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
