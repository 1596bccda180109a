//! The verdict on a claim, and what is kept of it where a limit ends the work on it.

use base::cancel::Phase;
use base::diag::{Diagnostic, Result, Severity};
use process::event::{EventTable, TAU};
use process::term::Definitions;
use refine::nondeterminism::Nondeterminism;
use refine::path::{Path, PathStep, Violation};
use report::assertion::{Counterexample, CounterexampleKind, TraceStep};
use witness::Claim;

use super::compiled::Sides;
use super::counterexample::{seen, sorted_names};
use super::decision::Decision;

/// The verdict of a search on the claim that there is no violation.
pub(super) enum ClaimVerdict {
    /// There is none.
    Holds,
    /// There is one; `None` if a limit was reached before the steps to it were known.
    Fails(Option<Box<Counterexample>>),
}

impl ClaimVerdict {
    pub(super) fn of(counterexample: Counterexample) -> Self {
        Self::Fails(Some(Box::new(counterexample)))
    }
}

/// True if `problem` is a limit that was reached, and no mistake in the script or in the program.
pub(super) fn is_limit(problem: &Diagnostic) -> bool {
    problem.severity == Severity::Undecided && !problem.code.starts_with("internal-")
}

impl Decision<'_, '_> {
    /// The result of `replay`, which has a budget of steps of its own. Returns `None`, and says so
    /// in a remark, if the budget, the time or the memory ends before it is done. If the machine
    /// follows chases, that is an error: by the rules of terms these may follow other τ, so that
    /// without a replay there is no verdict.
    pub(super) fn replaying<T>(
        &mut self,
        sides: &Sides,
        replay: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.evaluator.work_under(self.task.replay_token());
        self.evaluator.enter(Phase::Replay, "");
        let replayed = replay(self);
        self.evaluator.work_under(self.task.token());
        if sides.follows_chases {
            return replayed.map(Some);
        }
        self.unless_limit(
            "these are the steps of the compiled machine, not replayed on the process as it is \
             written",
            replayed,
        )
    }

    /// The result of work after which the verdict is known. Returns `None` if a limit has ended the
    /// work: a remark says this, which begins with `lost`.
    pub(super) fn unless_limit<T>(&mut self, lost: &str, result: Result<T>) -> Result<Option<T>> {
        match result {
            Err(problem) if is_limit(&problem) => {
                self.report
                    .remarks
                    .push(format!("{lost}: {}", problem.message));
                self.was_cut_short = true;
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    /// The verdict of a search that knew of a violation, but was ended by `problem` before it
    /// knew the steps.
    pub(super) fn without_steps(&mut self, problem: &Diagnostic) -> ClaimVerdict {
        let remark = format!(
            "a run was found that decides this, but not its steps: {}",
            problem.message
        );
        self.report.remarks.push(remark);
        self.was_cut_short = true;
        ClaimVerdict::Fails(None)
    }
}

/// The report of `path`, which refutes `claim` and was not replayed. Its steps are those of the
/// machine.
pub(super) fn of_machine(path: &Path, claim: &Claim, events: &EventTable) -> Counterexample {
    let name = |step: &PathStep| Some(events.name(step.label).to_string());
    let visible = path.steps.iter().filter(|step| step.label != TAU);
    let found = Counterexample {
        replayed: Some(false),
        trace: visible.filter_map(name).collect(),
        trace_with_taus: path
            .steps
            .iter()
            .map(|step| seen(step.label, step.origin, events))
            .collect(),
        ..Counterexample::default()
    };
    match &path.violation {
        Violation::Event(step) => Counterexample {
            event: name(step),
            ..found
        },
        Violation::Refusal(_) if matches!(claim, Claim::DeadlockFree) => Counterexample {
            kind: CounterexampleKind::Deadlock,
            offers: Some(Vec::new()),
            terminated: Some(found.trace.last().is_some_and(|last| last == "✓")),
            ..found
        },
        Violation::Refusal(offers) => Counterexample {
            kind: CounterexampleKind::Refusal,
            offers: Some(sorted_names(offers, events)),
            ..found
        },
        Violation::Revival(offers, step) => Counterexample {
            kind: CounterexampleKind::Revival,
            event: name(step),
            offers: Some(sorted_names(offers, events)),
            ..found
        },
        Violation::Divergence => Counterexample {
            kind: CounterexampleKind::Divergence,
            ..found
        },
    }
}

/// The report of `found`, which was not replayed: only its trace is known.
pub(super) fn of_trace(found: &Nondeterminism, events: &EventTable) -> Counterexample {
    let trace = events.names(&found.trace);
    let steps = |trace: &[String]| trace.iter().cloned().map(TraceStep::Visible).collect();
    let event = found.event.map(|event| events.name(event).to_string());
    Counterexample {
        kind: match event {
            Some(_) => CounterexampleKind::Nondeterminism,
            None => CounterexampleKind::Divergence,
        },
        replayed: Some(false),
        trace_with_taus: steps(&trace),
        other_trace_with_taus: event.as_ref().map(|event| {
            let longer: Vec<String> = trace.iter().chain([event]).cloned().collect();
            steps(&longer)
        }),
        trace,
        event,
        ..Counterexample::default()
    }
}
