//! Counterexamples: from a path of the search to traces, replayed before they are believed.
//!
//! The replay knows neither machines nor packed states: it follows the operational semantics of
//! the two processes as terms, so that a mistake in compiling or searching cannot become a verdict.

mod replay;
mod unseen;

use crate::diag::{Diagnostic, Result};
use crate::lts::explore::LeafLimits;
use crate::machine::CompileOptions;
use crate::machine::expand::expand;
use crate::machine::skeleton::compresses;
use crate::process::event::{EventId, TAU};
use crate::process::term::{Definitions, TermId};
use crate::refine::path::Path;

/// A run of the implementation that the specification does not allow. It has been replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The steps that the specification allows.
    pub steps: Vec<WitnessStep>,
    /// The step that it does not allow.
    pub violation: WitnessStep,
}

/// One step of the implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WitnessStep {
    /// What the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming; that of a τ may be visible.
    pub origin: EventId,
}

impl Counterexample {
    /// The events that the environment sees before the violation.
    pub fn trace(&self) -> Vec<EventId> {
        self.steps
            .iter()
            .map(|step| step.label)
            .filter(|&label| label != TAU)
            .collect()
    }
}

/// Replays `path` on the terms. A path that is no run of `implementation`, or one that
/// `specification` allows, is an `internal-replay` diagnostic.
pub fn explain(
    definitions: &mut dyn Definitions,
    specification: TermId,
    implementation: TermId,
    path: &Path,
) -> Result<Counterexample> {
    let wanted: Vec<WitnessStep> = path
        .steps
        .iter()
        .chain([&path.violation])
        .map(|step| WitnessStep {
            label: step.label,
            origin: step.origin,
        })
        .collect();
    let Some(mut steps) = reproduced(definitions, implementation, &wanted)? else {
        return not_reproduced("the implementation cannot do the trace that was found").into();
    };
    let Some(violation) = steps.pop() else {
        return not_reproduced("the path that was found is empty").into();
    };
    let counterexample = Counterexample { steps, violation };
    let trace = counterexample.trace();
    if !replay::can_do(definitions, specification, &trace)? {
        return not_reproduced("the specification refuses an earlier event than was found").into();
    }
    let longer: Vec<EventId> = trace.into_iter().chain([violation.label]).collect();
    if violation.label == TAU || replay::can_do(definitions, specification, &longer)? {
        return not_reproduced("the specification allows the event that was found to be wrong")
            .into();
    }
    Ok(counterexample)
}

/// A run of `implementation` with the steps `wanted`. Where components are compressed, which changes their internal
/// steps, one with the same visible events: the machines inside say where to look for it, and it is replayed too.
fn reproduced(
    definitions: &mut dyn Definitions,
    implementation: TermId,
    wanted: &[WitnessStep],
) -> Result<Option<Vec<WitnessStep>>> {
    if !compresses(definitions, implementation, &LeafLimits::default())? {
        return replay::run(definitions, implementation, wanted);
    }
    let options = CompileOptions {
        limits: LeafLimits::default(),
        minimise: true,
    };
    let steps: Vec<(EventId, EventId)> = wanted.iter().map(|s| (s.label, s.origin)).collect();
    if let Some(steps) = expand(definitions, implementation, &steps, &options)? {
        let step = |(label, origin)| WitnessStep { label, origin };
        let expanded: Vec<WitnessStep> = steps.into_iter().map(step).collect();
        if let Some(run) = replay::run(definitions, implementation, &expanded)? {
            return Ok(Some(run));
        }
    }
    let labels = wanted.iter().map(|step| step.label);
    let trace: Vec<EventId> = labels.filter(|&label| label != TAU).collect();
    unseen::run(definitions, implementation, &trace)
}

fn not_reproduced(note: &str) -> Diagnostic {
    Diagnostic::undecided(
        "internal-replay",
        "a counterexample was found, but replaying it failed",
    )
    .note(note)
    .note("this is a mistake in the checker, not in the script; there is no verdict")
    .hint("please report it together with the script")
}

#[cfg(test)]
mod tests;
