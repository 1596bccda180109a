//! Counterexamples: from a path of the search to behaviours, replayed before they are believed.
//!
//! What is believed is the operational semantics of the two processes as terms alone, so that a mistake in compiling or
//! searching cannot become a verdict. Where components were compressed, machines suggest which run to try.

mod after;
pub mod components;
mod lasso;
pub mod observations;
mod replay;
mod rest;

use crate::diag::{Diagnostic, Result};
use crate::lts::explore::LeafLimits;
use crate::lts::model::Model;
use crate::machine::expand::{End, expand};
use crate::machine::{CompileOptions, Taus};
use crate::process::acceptance::is_subset;
use crate::process::event::{EventId, TAU};
use crate::process::semantics::Semantics;
use crate::process::term::{Definitions, TermId};
use crate::refine::path::{Path, PathStep, Violation};

use self::after::After;
use self::lasso::lasso;
use self::replay::{EndsWell, near, reach, run};
use self::rest::rests_with;

/// What a process is claimed to do, and what a counterexample refutes.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// It refines this process in this model.
    Refines(TermId, Model),
    /// It never comes to rest unable to do anything, unless it has terminated.
    DeadlockFree,
    /// It never does τ for ever.
    DivergenceFree,
    /// It does not have this trace; where divergences count, it does not diverge before its end either.
    Lacks(&'a [EventId]),
}

/// A behaviour of the implementation that refutes what is claimed. It has been replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The run that leads to it.
    pub steps: Vec<WitnessStep>,
    /// What is wrong then.
    pub wrong: Wrong,
}

/// What a counterexample ends with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A step that is not allowed.
    Event(WitnessStep),
    /// It comes to rest, able to do nothing but `offers`, of which every one of `acceptances` has too few.
    Refusal {
        /// What it offers, ascending; ✓ alone, if it can terminate.
        offers: Vec<EventId>,
        /// The minimal acceptances of the specification, each ascending.
        acceptances: Vec<Vec<EventId>>,
    },
    /// It comes to rest, able to do nothing but `offers`, and goes on with `event`.
    Revival {
        /// What it offers, ascending.
        offers: Vec<EventId>,
        /// One of them.
        event: EventId,
        /// The smallest sets with `event` among those with which the specification comes to rest, each ascending.
        acceptances: Vec<Vec<EventId>>,
    },
    /// It comes to rest, able to do nothing.
    Deadlock,
    /// It does these τ again and again.
    Divergence(Vec<WitnessStep>),
    /// It can refuse what it can also do.
    Nondeterminism {
        /// With what the run above comes to rest, ascending; ✓ alone, if it can terminate.
        offers: Vec<EventId>,
        /// The run with the same trace that ends with another event.
        other: Vec<WitnessStep>,
    },
}

/// One step of the implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WitnessStep {
    /// What the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming; that of a τ may be visible.
    pub origin: EventId,
}

impl From<PathStep> for WitnessStep {
    fn from(step: PathStep) -> Self {
        Self {
            label: step.label,
            origin: step.origin,
        }
    }
}

impl Counterexample {
    /// The events that the environment sees before what is wrong.
    pub fn trace(&self) -> Vec<EventId> {
        visible(&self.steps)
    }

    /// The event that is not allowed, if that is what is wrong.
    pub fn event(&self) -> Option<EventId> {
        match self.wrong {
            Wrong::Event(step) => Some(step.label),
            _ => None,
        }
    }
}

/// The labels of `steps` other than τ.
fn visible(steps: &[WitnessStep]) -> Vec<EventId> {
    let labels = steps.iter().map(|step| step.label);
    labels.filter(|&label| label != TAU).collect()
}

/// Replays `path` on the terms, with other τ than it has if it was found in a machine that does others. A path that is no run of `implementation`, or one that does not refute the claim, is an
/// `internal-replay` diagnostic.
pub fn explain(
    definitions: &mut dyn Definitions,
    claim: Claim<'_>,
    implementation: TermId,
    path: &Path,
    taus: Taus,
) -> Result<Counterexample> {
    let Some(found) = replayed(definitions, claim, implementation, path, taus)? else {
        return not_reproduced("the implementation cannot do what was found").into();
    };
    refutes(definitions, claim, found)
}

/// Replays that `process` can refuse `event` after `trace`, and do it as well.
pub fn explain_refusable(
    definitions: &mut dyn Definitions,
    process: TermId,
    trace: &[EventId],
    event: EventId,
) -> Result<Counterexample> {
    let mut offers = Vec::new();
    let refusing = reach(
        definitions,
        process,
        trace,
        &mut |semantics, definitions, term| {
            let rest = rests_with(semantics, definitions, term)?;
            offers = rest.unwrap_or_else(|| vec![event]);
            Ok(!offers.contains(&event))
        },
    )?;
    let longer: Vec<EventId> = trace.iter().copied().chain([event]).collect();
    let other = reach(definitions, process, &longer, &mut |_, _, _| Ok(true))?;
    match (refusing, other) {
        (Some(steps), Some(other)) => Ok(Counterexample {
            steps,
            wrong: Wrong::Nondeterminism { offers, other },
        }),
        _ => not_reproduced("the process cannot do both of what was found").into(),
    }
}

/// Replays that `process` can diverge after `trace`.
pub fn explain_divergence(
    definitions: &mut dyn Definitions,
    process: TermId,
    trace: &[EventId],
) -> Result<Counterexample> {
    let mut found = None;
    let steps = reach(
        definitions,
        process,
        trace,
        &mut |semantics, definitions, term| {
            found = lasso(semantics, definitions, term)?;
            Ok(found.is_some())
        },
    )?;
    match (steps, found) {
        (Some(mut steps), Some(lasso)) => {
            steps.extend(lasso.stem);
            Ok(Counterexample {
                steps,
                wrong: Wrong::Divergence(lasso.cycle),
            })
        }
        _ => not_reproduced("the process cannot diverge where that was found").into(),
    }
}

/// What the implementation does, without comparing it with what is claimed; nothing if it cannot do that.
fn replayed(
    definitions: &mut dyn Definitions,
    claim: Claim<'_>,
    implementation: TermId,
    path: &Path,
    taus: Taus,
) -> Result<Option<Counterexample>> {
    let mut wanted: Vec<WitnessStep> = path.steps.iter().copied().map(Into::into).collect();
    if let Violation::Event(step) = path.violation {
        wanted.push(step.into());
    }
    let (mut diverging, mut resting) = (None, None);
    let mut ends_well = |semantics: &mut Semantics,
                         definitions: &mut dyn Definitions,
                         term: TermId|
     -> Result<bool> {
        Ok(match &path.violation {
            Violation::Event(_) => true,
            Violation::Refusal(offers) => {
                // A component that is compressed may come to rest with less than it looks like.
                resting = rests_with(semantics, definitions, term)?;
                resting.as_ref().is_some_and(|rest| is_subset(rest, offers))
            }
            Violation::Divergence => {
                diverging = lasso(semantics, definitions, term)?;
                diverging.is_some()
            }
        })
    };
    let steps = match taus {
        Taus::Exact => run(definitions, implementation, &wanted, &mut ends_well)?,
        Taus::Free => reproduced(
            definitions,
            implementation,
            &wanted,
            &path.violation,
            &mut ends_well,
        )?,
    };
    let Some(mut steps) = steps else {
        return Ok(None);
    };
    let wrong = match (&path.violation, diverging) {
        (Violation::Event(_), _) => match steps.pop() {
            Some(step) => Wrong::Event(step),
            None => return Ok(None),
        },
        (Violation::Refusal(_), _) if matches!(claim, Claim::DeadlockFree) => Wrong::Deadlock,
        (Violation::Refusal(_), _) => Wrong::Refusal {
            offers: resting.unwrap_or_default(),
            acceptances: Vec::new(),
        },
        (Violation::Divergence, Some(lasso)) => {
            steps.extend(lasso.stem);
            Wrong::Divergence(lasso.cycle)
        }
        (Violation::Divergence, None) => return Ok(None),
    };
    Ok(Some(Counterexample { steps, wrong }))
}

/// A run with the visible labels of `wanted` to a term that `ends_well`. The machines of what is compressed say where to look
/// for it, because all runs together may be too many; if that does not help, all are tried.
fn reproduced(
    definitions: &mut dyn Definitions,
    implementation: TermId,
    wanted: &[WitnessStep],
    violation: &Violation,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<WitnessStep>>> {
    let options = CompileOptions {
        limits: LeafLimits::default(),
        minimise: true,
    };
    let steps: Vec<(EventId, EventId)> = wanted.iter().map(|s| (s.label, s.origin)).collect();
    let end = match violation {
        Violation::Refusal(offers) => End::Rest(offers.clone()),
        Violation::Event(_) | Violation::Divergence => End::Anyhow,
    };
    if let Some(steps) = expand(definitions, implementation, &steps, &end, &options)? {
        let step = |(label, origin)| WitnessStep { label, origin };
        let expanded: Vec<WitnessStep> = steps.into_iter().map(step).collect();
        let mut tail = None;
        let run = run(
            definitions,
            implementation,
            &expanded,
            &mut |_, definitions, term| {
                tail = near(definitions, term, ends_well)?;
                Ok(tail.is_some())
            },
        )?;
        if let (Some(run), Some(tail)) = (run, tail) {
            return Ok(Some([run, tail].concat()));
        }
    }
    reach(definitions, implementation, &visible(wanted), ends_well)
}

/// `found`, completed by what the specification says, if it refutes the claim.
fn refutes(
    definitions: &mut dyn Definitions,
    claim: Claim<'_>,
    mut found: Counterexample,
) -> Result<Counterexample> {
    let trace = found.trace();
    let (specification, model) = match (claim, &found.wrong) {
        (Claim::Refines(specification, model), _) => (specification, model),
        (Claim::DeadlockFree | Claim::DivergenceFree, Wrong::Divergence(_)) => return Ok(found),
        (Claim::DeadlockFree, Wrong::Deadlock) => return Ok(found),
        (Claim::Lacks(asked), Wrong::Event(step))
            if [&trace[..], &[step.label]].concat() == asked =>
        {
            return Ok(found);
        }
        (Claim::Lacks(asked), Wrong::Divergence(_))
            if trace.len() < asked.len() && asked.starts_with(&trace) =>
        {
            return Ok(found);
        }
        _ => return not_reproduced("what was found is nothing that was asked for").into(),
    };
    let mut after = After::start(definitions, specification)?;
    for &event in &trace {
        if model.has_divergences() && after.diverges(definitions)? {
            return not_reproduced("the specification diverges earlier, and so allows everything")
                .into();
        }
        after.step(definitions, event)?;
    }
    if after.is_empty() {
        return not_reproduced("the specification refuses an earlier event than was found").into();
    }
    if model.has_divergences() && after.diverges(definitions)? {
        return not_reproduced("the specification diverges, and so allows everything").into();
    }
    let is_refuted = match &mut found.wrong {
        Wrong::Event(step) => {
            after.step(definitions, step.label)?;
            step.label != TAU && after.is_empty()
        }
        Wrong::Refusal {
            offers,
            acceptances,
        } if model.has_failures() => {
            *acceptances = after.minimal_acceptances(definitions)?;
            !acceptances.iter().any(|set| is_subset(set, offers))
        }
        Wrong::Divergence(_) => model.has_divergences(),
        _ => false,
    };
    if is_refuted {
        Ok(found)
    } else {
        not_reproduced("the specification allows what was found to be wrong").into()
    }
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
