//! Finds runs of a leaf on its term, which shows the events that τ were before they were hidden.

use super::{RunEnd, RunStep};
use base::diag::Result;
use process::observation::ObservedStep;
use process::runs::{Reached, rests_with, rests_within, shortest_run};
use process::semantics::Semantics;
use process::term::{Definitions, TermId};

/// The number of steps after which a search in one leaf is given up.
const MOST_STEPS: usize = 1_000_000;

/// A shortest run of `term` with the events of `trace`, at rest where `trace` requires it, and any
/// τ, which ends as `end` requires. Returns `None` if there is none, if finding it would take too
/// long, and for a run that has to diverge: only the machine knows the cycle in which that ends.
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
