//! Counterexamples to refinement in the models that see what is done after the process was seen at rest, replayed.
//!
//! The implementation is followed along the history by its operational rules: where it was seen at rest it must be so, with
//! exactly the same offers. The specification is followed as the set of all terms that show as much, at rest those that offer no more.

use rustc_hash::FxHashSet;

use super::after::After;
use super::lasso::{Lasso, Lassos};
use super::replay::{retrace, run, too_many_dead_ends};
use super::rest::rests_with;
use super::{Counterexample, WitnessStep, Wrong, not_reproduced};
use crate::diag::Result;
use crate::lts::model::FinerModel;
use crate::process::acceptance::{is_subset, minimal};
use crate::process::event::{EventId, TAU};
use crate::process::semantics::Semantics;
use crate::process::term::{Definitions, TermId};
use crate::refine::observations::{History, Missing, ObservedStep};

/// A search for a run that looks at more steps than this is given up: some minutes.
const MOST_STEPS: usize = 30_000_000;

/// A replayed counterexample with what was seen on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedCounterexample {
    /// The run and what is wrong then.
    pub found: Counterexample,
    /// Before which of its steps the process was seen at rest, and with what it offered there, ascending.
    pub rests: Vec<(usize, Vec<EventId>)>,
}

/// Replays `history` on the terms, at best as the run `guide`, if there is one, which ends with the missing event. A history that `implementation` does not show, or that `specification` does, is an
/// `internal-replay` diagnostic.
pub fn explain_observations(
    definitions: &mut dyn Definitions,
    specification: TermId,
    implementation: TermId,
    model: FinerModel,
    history: &History,
    guide: Option<&[WitnessStep]>,
) -> Result<ObservedCounterexample> {
    let guided = match guide {
        Some(guide) => guided(definitions, implementation, history, guide)?,
        None => None,
    };
    let run = match guided {
        Some(run) => Some(run),
        None => shown(definitions, implementation, history)?,
    };
    let Some(run) = run else {
        return not_reproduced("the implementation cannot do what was found").into();
    };
    let Some(after) = allowed(definitions, specification, model, &history.steps)? else {
        return not_reproduced("the specification diverges earlier, and so allows everything")
            .into();
    };
    let Some(wrong) = refuted(definitions, after, model, &history.missing, &run)? else {
        return not_reproduced("the specification allows what was found to be wrong").into();
    };
    let mut rests = Vec::new();
    let is_visible = |(_, step): &(usize, &WitnessStep)| step.label != TAU;
    let places = run.steps.iter().enumerate().filter(is_visible);
    for ((place, _), step) in places.zip(&history.steps) {
        rests.extend(step.rest.clone().map(|rest| (place, rest)));
    }
    let mut steps = run.steps;
    match &wrong {
        Wrong::Event(_) => drop(steps.pop()),
        Wrong::Divergence(_) => steps.extend(run.lasso.map(|lasso| lasso.stem).unwrap_or_default()),
        _ => {}
    }
    Ok(ObservedCounterexample {
        found: Counterexample { steps, wrong },
        rests,
    })
}

/// A run, and a lasso at its end if one was looked for.
struct Run {
    steps: Vec<WitnessStep>,
    lasso: Option<Lasso>,
}

/// A run of `term` with the labels of `guide` that shows `history`, if one is found at once: where much is hidden, all runs
/// together may be too many.
fn guided(
    definitions: &mut dyn Definitions,
    term: TermId,
    history: &History,
    guide: &[WitnessStep],
) -> Result<Option<Run>> {
    let (mut lassos, mut lasso) = (Lassos::default(), None);
    let mut ends_well = |semantics: &mut Semantics,
                         definitions: &mut dyn Definitions,
                         term: TermId|
     -> Result<bool> {
        let (ends, found) = ends(semantics, definitions, term, &history.missing, &mut lassos)?;
        lasso = found;
        Ok(ends)
    };
    let Some(steps) = run(definitions, term, guide, &mut ends_well)? else {
        return Ok(None);
    };
    let Some(walked) = retrace(definitions, term, &steps, &mut ends_well)? else {
        return Ok(None);
    };
    let mut semantics = Semantics::new();
    let mut observed = history.steps.iter();
    let mut current = term;
    for step in walked {
        let observed = (step.label != TAU).then(|| observed.next()).flatten();
        if let Some(rest) = observed.and_then(|observed| observed.rest.as_ref())
            && rests_with(&mut semantics, definitions, current)?.as_ref() != Some(rest)
        {
            return Ok(None);
        }
        current = step.target;
    }
    Ok(Some(Run { steps, lasso }))
}

/// A shortest run of `term` that shows `history`, the missing event or the divergence included; nothing if there is none.
fn shown(
    definitions: &mut dyn Definitions,
    term: TermId,
    history: &History,
) -> Result<Option<Run>> {
    let mut wanted = history.steps.clone();
    if let Missing::Event(event) = history.missing {
        wanted.push(ObservedStep { rest: None, event });
    }
    let mut work = 0;
    let mut lassos = Lassos::default();
    let mut semantics = Semantics::new();
    let start = semantics.head(definitions, term)?;
    // (events done, term), each with where it was reached from and how.
    let mut found = vec![(0, start)];
    let mut from: Vec<Option<(usize, WitnessStep)>> = vec![None];
    let mut seen: FxHashSet<(usize, TermId)> = FxHashSet::from_iter([(0, start)]);
    let mut next = 0;
    while let Some(&(done, current)) = found.get(next) {
        if done == wanted.len() {
            let missing = &history.missing;
            let (ends, lasso) = ends(&mut semantics, definitions, current, missing, &mut lassos)?;
            if ends {
                let steps = run_to(&from, next);
                return Ok(Some(Run { steps, lasso }));
            }
        }
        let wanted = wanted.get(done);
        let is_seen = match wanted.and_then(|wanted| wanted.rest.as_ref()) {
            Some(rest) => rests_with(&mut semantics, definitions, current)?.as_ref() == Some(rest),
            None => true,
        };
        let steps = semantics.steps(definitions, current)?;
        work += steps.len();
        if work > MOST_STEPS {
            return too_many_dead_ends().into();
        }
        for step in steps {
            let after = match step.label {
                TAU => done,
                label if is_seen && wanted.is_some_and(|w| w.event == label) => done + 1,
                _ => continue,
            };
            let target = semantics.head(definitions, step.target)?;
            if seen.insert((after, target)) {
                found.push((after, target));
                let step = WitnessStep {
                    label: step.label,
                    origin: step.origin,
                };
                from.push(Some((next, step)));
            }
        }
        next += 1;
    }
    Ok(None)
}

/// Whether `term` shows what is missing at the end, with the lasso if that is a divergence.
fn ends(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
    missing: &Missing,
    lassos: &mut Lassos,
) -> Result<(bool, Option<Lasso>)> {
    Ok(match missing {
        Missing::Event(_) => (true, None),
        Missing::Refusal(offers) | Missing::Revival { offers, .. } => {
            let rest = rests_with(semantics, definitions, term)?;
            (rest.as_ref() == Some(offers), None)
        }
        Missing::Divergence => {
            let lasso = lassos.find(semantics, definitions, term)?;
            (lasso.is_some(), lasso)
        }
    })
}

/// The steps that lead to the entry `last`.
fn run_to(from: &[Option<(usize, WitnessStep)>], last: usize) -> Vec<WitnessStep> {
    let mut steps = Vec::new();
    let mut at = last;
    while let Some((before, step)) = from[at] {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

/// What `specification` can be after `history`; nothing if it allows everything by then.
fn allowed(
    definitions: &mut dyn Definitions,
    specification: TermId,
    model: FinerModel,
    history: &[ObservedStep],
) -> Result<Option<After>> {
    let mut after = After::start(definitions, specification)?;
    for step in history {
        if model.has_divergences() && after.diverges(definitions)? {
            return Ok(None);
        }
        match &step.rest {
            Some(rest) => after.step_from_rest(definitions, step.event, rest)?,
            None => after.step(definitions, step.event)?,
        }
    }
    let allows_all = model.has_divergences() && after.diverges(definitions)?;
    Ok((!allows_all).then_some(after))
}

/// What is wrong, if a specification that is as `after` says does not show what is `missing`.
fn refuted(
    definitions: &mut dyn Definitions,
    mut after: After,
    model: FinerModel,
    missing: &Missing,
    run: &Run,
) -> Result<Option<Wrong>> {
    if after.is_empty() {
        return Ok(None);
    }
    Ok(match missing {
        Missing::Event(event) => {
            after.step(definitions, *event)?;
            let last = run.steps.last().filter(|_| after.is_empty());
            last.map(|&step| Wrong::Event(step))
        }
        Missing::Refusal(offers) => {
            let acceptances = after.minimal_acceptances(definitions)?;
            let is_allowed = acceptances.iter().any(|set| is_subset(set, offers));
            (!is_allowed).then(|| Wrong::Refusal {
                offers: offers.clone(),
                acceptances,
            })
        }
        Missing::Revival { offers, event } => {
            let mut acceptances = after.acceptances(definitions)?;
            acceptances.retain(|set| set.contains(event));
            let is_allowed = acceptances.iter().any(|set| is_subset(set, offers));
            (!is_allowed).then(|| Wrong::Revival {
                offers: offers.clone(),
                event: *event,
                acceptances: minimal(acceptances),
            })
        }
        Missing::Divergence => {
            let lasso = run.lasso.as_ref().filter(|_| model.has_divergences());
            lasso.map(|lasso| Wrong::Divergence(lasso.cycle.clone()))
        }
    })
}

#[cfg(test)]
mod tests;
