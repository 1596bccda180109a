//! Replays of the result that a process is not deterministic, when a search has found only the
//! trace.

use super::counterexample::{Refutation, Wrong};
use super::lassos::Lassos;
use super::replay::{along, not_reproduced, reach, reach_soon, unless_undecided, witness_steps};
use base::diag::Result;
use machine::CompileOptions;
use machine::expand::{RunEnd, expand_trace};
use process::event::EventId;
use process::runs::{EndsWell, rests_with};
use process::semantics::Step;
use process::term::{Definitions, TermId};

/// Replays that `process`, which was compiled with `options`, can refuse `event` after `trace`, and
/// can also do it.
pub fn explain_refusable(
    definitions: &mut dyn Definitions,
    process: TermId,
    trace: &[EventId],
    event: EventId,
    options: &CompileOptions,
) -> Result<Refutation> {
    let mut offers = Vec::new();
    let refusing = found_again(
        definitions,
        process,
        trace,
        &RunEnd::Refusing(event),
        &mut |semantics, definitions, term| {
            let rest = rests_with(semantics, definitions, term)?;
            // A term that is not at rest refuses nothing, as if it offered the event.
            offers = rest.unwrap_or_else(|| vec![event]);
            Ok(!offers.contains(&event))
        },
        options,
    )?;
    let longer: Vec<EventId> = trace.iter().copied().chain([event]).collect();
    let other = found_again(
        definitions,
        process,
        &longer,
        &RunEnd::Anyhow,
        &mut |_, _, _| Ok(true),
        options,
    )?;
    match (refusing, other) {
        (Some(steps), Some(other)) => {
            let other = witness_steps(&other);
            let wrong = Wrong::Nondeterminism { offers, other };
            Ok(Refutation::new(witness_steps(&steps), wrong))
        }
        _ => not_reproduced("the process cannot do both of what was found").into(),
    }
}

/// Replays that `process`, which was compiled with `options`, can diverge after `trace`.
pub fn explain_divergence(
    definitions: &mut dyn Definitions,
    process: TermId,
    trace: &[EventId],
    options: &CompileOptions,
) -> Result<Refutation> {
    let mut lassos = Lassos::default();
    let mut found = None;
    let steps = found_again(
        definitions,
        process,
        trace,
        &RunEnd::Diverging,
        &mut |semantics, definitions, term| {
            found = lassos.find(semantics, definitions, term)?;
            Ok(found.is_some())
        },
        options,
    )?;
    match (steps, found) {
        (Some(steps), Some(lasso)) => {
            let steps = [witness_steps(&steps), lasso.stem].concat();
            Ok(Refutation::new(steps, Wrong::Divergence(lasso.cycle)))
        }
        _ => not_reproduced("the process cannot diverge where that was found").into(),
    }
}

/// A run with this trace to a term that `ends_well`: a shortest one if that is near. Otherwise
/// machines, including those of compressed parts, suggest where to look for one. If that does not
/// help, all runs are tried.
fn found_again(
    definitions: &mut dyn Definitions,
    process: TermId,
    trace: &[EventId],
    end: &RunEnd,
    ends_well: &mut EndsWell<'_>,
    options: &CompileOptions,
) -> Result<Option<Vec<Step>>> {
    let shortest = reach_soon(definitions, process, trace, ends_well);
    if let Some(run) = unless_undecided(shortest)? {
        return Ok(Some(run));
    }
    let suggested = expand_trace(definitions, process, trace, end, options);
    match along(definitions, process, suggested, ends_well)? {
        Some(run) => Ok(Some(run)),
        None => reach(definitions, process, trace, ends_well),
    }
}
