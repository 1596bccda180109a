//! Runs of a leaf on its term, where the events are known that its τ were before they were hidden.

use super::{RunEnd, RunStep};
use base::diag::Result;
use process::observation::ObservedStep;
use process::runs::{Reached, rests_with, rests_within, shortest_run};
use process::semantics::Semantics;
use process::term::{Definitions, TermId};

/// A search in one leaf is given up when it has looked at more steps than this.
const MOST_STEPS: usize = 1_000_000;

/// A shortest run of `term` with the events of `trace` and any τ, at rest where that says so, which
/// ends as `end` says. Returns `None` if there is none, if finding it would take too long, and for
/// a run that has to diverge: the cycle in which it ends is known to the machine alone.
pub(super) fn run_of_term(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[ObservedStep],
    end: &RunEnd,
) -> Result<Option<Vec<RunStep>>> {
    if *end == RunEnd::Diverging {
        return Ok(None);
    }
    let next =
        &mut |semantics: &mut Semantics, definitions: &mut dyn Definitions, term, done: usize| {
            let Some(step) = trace.get(done) else {
                return Ok(None);
            };
            let may_go_on = match &step.rest {
                Some(most) => rests_within(semantics, definitions, term, most)?,
                None => true,
            };
            Ok(may_go_on.then_some(step.event))
        };
    let ends_well =
        &mut |semantics: &mut Semantics, definitions: &mut dyn Definitions, term| match end {
            RunEnd::Anyhow | RunEnd::Diverging => Ok(true),
            RunEnd::Rest(most) => rests_within(semantics, definitions, term, most),
            RunEnd::Refusing(event) => {
                let rest = rests_with(semantics, definitions, term)?;
                Ok(rest.is_some_and(|offers| !offers.contains(event)))
            }
        };
    let run = shortest_run(definitions, term, trace.len(), next, ends_well, MOST_STEPS)?;
    Ok(match run {
        Reached::Run(steps) => Some(steps.iter().map(|step| (step.label, step.origin)).collect()),
        Reached::Nothing | Reached::TooMuch => None,
    })
}
