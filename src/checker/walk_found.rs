//! Walking to the end of a counterexample, and its place on the walk.

use base::diag::{Diagnostic, Result};
use explore::walk::ProcessWalk;
use process::term::Definitions;
use report::assertion::{AssertionReport, Counterexample, CounterexampleKind};
use report::walk::WalkToCounterexample;

use super::walk_start::{other_run_of, run_of};
use super::walker::{MOST_CALLS, Walker, name_of};

impl Walker<'_> {
    /// Walks to the end of the counterexample that `report` tells of, if there is one.
    pub(super) fn follow_counterexample(&mut self, report: &AssertionReport) -> Result<()> {
        let Some(found) = &report.counterexample else {
            return Ok(());
        };
        if found.replayed == Some(false) {
            let message = "the counterexample was not replayed, so no walk leads to its end";
            return Diagnostic::undecided("replay-limit", message)
                .hint("begin the walk at the start of the process")
                .into();
        }
        let run = run_of(&mut self.evaluator, self.start.process, found)?;
        self.walk.take_run(&mut self.evaluator, &run)?;
        let is_event = found.kind == CounterexampleKind::Trace && found.event.is_some();
        let cycle = found.cycle.as_ref().map(Vec::len);
        self.found = Some(WalkToCounterexample {
            kind: found.kind,
            sentence: found.sentence.clone(),
            steps: run.len(),
            wrong_step: is_event.then_some(run.len()),
            cycle_from: cycle.map(|cycle| run.len() + 1 - cycle),
            other_path: self.other_path(found)?,
        });
        Ok(())
    }

    /// The names of the steps of the other run of nondeterminism.
    fn other_path(&mut self, found: &Counterexample) -> Result<Option<Vec<String>>> {
        let evaluator = &mut self.evaluator;
        let Some(run) = other_run_of(evaluator, self.start.process, found)? else {
            return Ok(None);
        };
        let mut other = ProcessWalk::start(evaluator, self.start.process, MOST_CALLS)?;
        other.take_run(evaluator, &run)?;
        let events = &evaluator.terms().events;
        let names = other.taken().map(|taken| name_of(taken, events));
        Ok(Some(names.collect()))
    }
}
