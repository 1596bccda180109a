//! Several counterexamples of one assertion.

use base::diag::{Diagnostic, Result};
use process::event::EventId;
use process::semantics::Step;
use report::assertion::Counterexample;
use witness::components::{LastParty, LastStep, last_steps};
use witness::{Refutation, Wrong};

use super::claim_verdict::ClaimVerdict;
use super::compiled::Sides;
use super::counterexample::unique_names;
use super::decision::Decision;

/// The different counterexamples that were found so far.
#[derive(Default)]
pub(super) struct Several {
    found: Vec<Counterexample>,
    /// The events that are not allowed, each with the components that do it.
    events: Vec<(EventId, Vec<LastParty>)>,
}

impl Several {
    /// Adds the counterexample of `witness`, unless an equal one was found before.
    pub(super) fn add(
        &mut self,
        run: &mut Decision<'_, '_>,
        sides: &Sides,
        witness: Refutation,
    ) -> Result<()> {
        let last = self.last_step(run, sides, &witness)?;
        let steps: Option<&[Step]> = last.as_ref().map(|last| &last.run[..]);
        let found = run.reported_along(sides, &witness, steps)?;
        let found = Counterexample {
            last_step_by: last.as_ref().map(|last| names(&last.by)),
            ..found
        };
        self.add_report(found);
        Ok(())
    }

    /// Adds a counterexample, unless an equal one was found before.
    pub(super) fn add_report(&mut self, found: Counterexample) {
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }

    /// The components that do the event with which `witness` ends, if it ends with one: if there
    /// are several ways, one that was not reported yet.
    fn last_step(
        &mut self,
        run: &mut Decision<'_, '_>,
        sides: &Sides,
        witness: &Refutation,
    ) -> Result<Option<LastStep>> {
        let Wrong::Event(event) = witness.wrong else {
            return Ok(None);
        };
        let steps = [&witness.steps[..], &[event]].concat();
        let limit = run.parts.options.limits.states;
        let ways = last_steps(run.evaluator, sides.implementation, &steps, limit);
        let ways = run.unless_limit("which components do the last event is not told", ways)?;
        let ways = ways.unwrap_or_default();
        let is_new = |way: &LastStep| {
            let mut before = self.events.iter();
            !before.any(|(label, by)| *label == event.label && *by == way.by)
        };
        let new = ways.iter().position(is_new);
        let way = ways.into_iter().nth(new.unwrap_or(0));
        if let Some(way) = &way {
            self.events.push((event.label, way.by.clone()));
        }
        Ok(way)
    }

    /// Returns the first counterexample; all go to the report if several are wanted.
    pub(super) fn reported(self, run: &mut Decision<'_, '_>) -> ClaimVerdict {
        let first = self.found.first().cloned().map(Box::new);
        let is_wanted = first.is_some() && run.further() > 0;
        let report = &mut run.report;
        let all = self.found.into_iter().map(|found| report.in_words(found));
        report.counterexamples = is_wanted.then_some(all.collect());
        ClaimVerdict::Fails(first)
    }
}

fn names(parties: &[LastParty]) -> Vec<String> {
    let names: Vec<&str> = parties.iter().map(|party| party.name.as_str()).collect();
    unique_names(&names)
}

/// The remark where the search for more counterexamples was ended by `problem`.
pub(super) fn cut_short(problem: Diagnostic) -> String {
    format!("there may be more counterexamples: {}", problem.message)
}
