//! Replays counterexamples to refinement in the models that see behaviour after a rest.
//!
//! The implementation is followed along the history by its operational rules. Where it was seen at
//! rest it must be at rest, and offer no more: this shows the history or a stronger one. Machines
//! suggest a run, as for other counterexamples. The specification is followed as the set of all
//! terms that show the history, at rest those that offer no more.

mod history;

use self::history::{History, Missing};
use super::counterexample::{Refutation, WitnessStep, Wrong};
use super::followed::Followed;
use super::found::FoundPath;
use super::lasso::Lasso;
use super::lassos::Lassos;
use super::replay::{along, not_reproduced, reach_by, run, witness_steps};
use base::diag::Result;
use lts::model::Model;
use machine::expand::RunStep;
use machine::{CompileOptions, ProcessView, Taus, compile_observed};
use process::acceptance::{is_subset, minimal};
use process::event::TAU;
use process::observation::ObservedStep;
use process::runs::rests_with;
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};

/// Replays the history of the path `found` in `model` on the terms of `sides`, the specification
/// and the implementation. The run is that of the path if possible, with other τ if its machine has
/// other τ. A history that the implementation does not show, or that the specification does,
/// is an `internal-replay` diagnostic.
pub(super) fn explain_observations(
    definitions: &mut dyn Definitions,
    sides: (TermId, TermId),
    model: Model,
    found: FoundPath<'_>,
    options: &CompileOptions,
) -> Result<Refutation> {
    let history = History::of(found.path, model);
    explain_history(definitions, sides, model, &history, found, options)
}

/// Replays `history`, if possible as the run of the path `guide`, which shows it and then does the
/// missing event, if there is one.
fn explain_history(
    definitions: &mut dyn Definitions,
    (specification, implementation): (TermId, TermId),
    model: Model,
    history: &History,
    guide: FoundPath<'_>,
    options: &CompileOptions,
) -> Result<Refutation> {
    let guided = guided(definitions, implementation, history, guide, options)?;
    let run = match guided {
        Some(run) => Some(run),
        None => shown(definitions, implementation, history)?,
    };
    let Some(run) = run else {
        return not_reproduced("the implementation cannot do what was found").into();
    };
    let Some(after) = allowed(definitions, specification, model, &run.shown.steps, options)? else {
        return not_reproduced("the specification diverges earlier, and so allows everything")
            .into();
    };
    let Some(wrong) = refuted(definitions, after, model, &run)? else {
        return not_reproduced("the specification allows what was found to be wrong").into();
    };
    let mut rests = Vec::new();
    let is_visible = |(_, step): &(usize, &WitnessStep)| step.label != TAU;
    let places = run.steps.iter().enumerate().filter(is_visible);
    // A missing event is the last visible one and no step of the history, so it is left out here.
    for ((place, _), step) in places.zip(&run.shown.steps) {
        rests.extend(step.rest.clone().map(|rest| (place, rest)));
    }
    let mut steps = run.steps;
    match &wrong {
        // The violation holds the last step, so it is taken off the run.
        Wrong::Event(_) => drop(steps.pop()),
        Wrong::Divergence(_) => steps.extend(run.lasso.map(|lasso| lasso.stem).unwrap_or_default()),
        _ => {}
    }
    Ok(Refutation {
        steps,
        rests: model.remembers_refusals().then_some(rests),
        wrong,
    })
}

/// A run, and a lasso at its end if one was looked for.
struct Run {
    steps: Vec<WitnessStep>,
    /// The history that the run shows, or a stronger one: the run may offer less at rest.
    shown: History,
    lasso: Option<Lasso>,
}

/// A run of `term` like `guide` that shows `history`, if one is found at once: if much is hidden,
/// all runs together may be too many.
fn guided(
    definitions: &mut dyn Definitions,
    term: TermId,
    history: &History,
    guide: FoundPath<'_>,
    options: &CompileOptions,
) -> Result<Option<Run>> {
    let (mut lassos, mut end) = (Lassos::default(), None);
    let mut ends_well = |semantics: &mut Semantics,
                         definitions: &mut dyn Definitions,
                         term: TermId|
     -> Result<bool> {
        end = ends(semantics, definitions, term, &history.missing, &mut lassos)?;
        Ok(end.is_some())
    };
    let steps = match guide.taus() {
        Taus::Exact => {
            let is_revival = matches!(history.missing, Missing::Revival { .. });
            // The guide also does the event of a revival, but the run that is looked for ends at
            // the rest before it.
            let mut steps = guide.steps();
            steps.truncate(steps.len() - usize::from(is_revival && !steps.is_empty()));
            run(definitions, term, &steps, guide.moves, &mut ends_well)?
        }
        Taus::Free => {
            let steps = suggested(definitions, history, guide, options);
            along(definitions, term, steps, &mut ends_well)?
        }
    };
    let (Some(steps), Some((missing, lasso))) = (steps, end) else {
        return Ok(None);
    };
    let shown = seen_along(definitions, term, &steps, history)?;
    Ok(shown.map(|shown| Run {
        steps: witness_steps(&steps),
        shown: History {
            steps: shown,
            missing,
        },
        lasso,
    }))
}

/// The part of `history` that the run `steps` of `term` shows: its events, and the offers of the
/// process at the required rests. Returns `None` if it does not show `history`.
fn seen_along(
    definitions: &mut dyn Definitions,
    term: TermId,
    steps: &[Step],
    history: &History,
) -> Result<Option<Vec<ObservedStep>>> {
    let missing = match history.missing {
        Missing::Event(event) => Some(event),
        _ => None,
    };
    let wanted = history.steps.iter().map(|step| step.event).chain(missing);
    let events = steps.iter().map(|step| step.label);
    if !events.filter(|&event| event != TAU).eq(wanted) {
        return Ok(None);
    }
    let mut semantics = Semantics::new();
    let mut shown = Vec::new();
    let mut current = term;
    for step in steps {
        if step.label != TAU
            && let Some(wanted) = history.steps.get(shown.len())
        {
            let mut rest = None;
            if let Some(most) = &wanted.rest {
                rest = rests_with(&mut semantics, definitions, current)?;
                if !rest.as_ref().is_some_and(|rest| is_subset(rest, most)) {
                    return Ok(None);
                }
            }
            let event = wanted.event;
            shown.push(ObservedStep { rest, event });
        }
        current = step.target;
    }
    Ok(Some(shown))
}

/// A run like `guide`, whose machine has compressed parts, that the machines of these parts suggest
/// for the process without compressions.
fn suggested(
    definitions: &mut dyn Definitions,
    history: &History,
    guide: FoundPath<'_>,
    options: &CompileOptions,
) -> Result<Option<Vec<RunStep>>> {
    let is_revival = matches!(history.missing, Missing::Revival { .. });
    let rests = history.steps.iter().map(|step| step.rest.is_some());
    let mut rests = rests.chain([is_revival]);
    let guided = guide.steps();
    let is_rest = |step: &WitnessStep| step.label != TAU && rests.next() == Some(true);
    let rests: Vec<bool> = guided.iter().map(is_rest).collect();
    let found = guide.expanded(
        definitions,
        ProcessView::AfterRests,
        |place| rests[place],
        options,
    )?;
    Ok(found.map(|mut steps| {
        if is_revival {
            // The run ends with this event.
            let visible = steps.iter().rposition(|step| step.0 != TAU);
            steps.truncate(visible.unwrap_or(0));
        }
        steps
    }))
}

/// A shortest run of `term` that shows `history`, including the missing event or divergence.
/// Returns `None` if there is none.
fn shown(
    definitions: &mut dyn Definitions,
    term: TermId,
    history: &History,
) -> Result<Option<Run>> {
    let mut wanted = history.steps.clone();
    if let Missing::Event(event) = history.missing {
        wanted.push(ObservedStep { rest: None, event });
    }
    let next =
        &mut |semantics: &mut Semantics, definitions: &mut dyn Definitions, term, done: usize| {
            let Some(step) = wanted.get(done) else {
                return Ok(None);
            };
            let is_seen = match &step.rest {
                Some(rest) => rests_with(semantics, definitions, term)?.as_ref() == Some(rest),
                None => true,
            };
            Ok(is_seen.then_some(step.event))
        };
    let mut lassos = Lassos::default();
    let mut end = None;
    let ends_well = &mut |semantics: &mut Semantics, definitions: &mut dyn Definitions, term| {
        end = ends(semantics, definitions, term, &history.missing, &mut lassos)?;
        Ok(end.is_some())
    };
    let steps = reach_by(definitions, term, wanted.len(), next, ends_well)?;
    Ok(steps.zip(end).map(|(steps, (missing, lasso))| Run {
        steps: witness_steps(&steps),
        shown: History {
            steps: history.steps.clone(),
            missing,
        },
        lasso,
    }))
}

/// The missing end, as `term` shows it: with the actual offers if `term` rests with fewer, and with
/// the lasso of a divergence. Returns `None` if `term` does not show it.
fn ends(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
    missing: &Missing,
    lassos: &mut Lassos,
) -> Result<Option<(Missing, Option<Lasso>)>> {
    Ok(match missing {
        Missing::Event(_) => Some((missing.clone(), None)),
        Missing::Refusal(most) => {
            let rest = rests_with(semantics, definitions, term)?;
            let rest = rest.filter(|rest| is_subset(rest, most));
            rest.map(|offers| (Missing::Refusal(offers), None))
        }
        &Missing::Revival {
            offers: ref most,
            event,
        } => {
            let rest = rests_with(semantics, definitions, term)?;
            let rest = rest.filter(|rest| is_subset(rest, most) && rest.contains(&event));
            rest.map(|offers| (Missing::Revival { offers, event }, None))
        }
        Missing::Divergence => {
            let lasso = lassos.find(semantics, definitions, term)?;
            lasso.map(|lasso| (Missing::Divergence, Some(lasso)))
        }
    })
}

/// The states of `specification` after `history`. Returns `None` if it then allows everything.
fn allowed<'a>(
    definitions: &mut dyn Definitions,
    specification: TermId,
    model: Model,
    history: &[ObservedStep],
    options: &'a CompileOptions,
) -> Result<Option<Followed<'a>>> {
    let mut after = Followed::start(definitions, specification, compile_observed, options)?;
    for step in history {
        if model.has_divergences() && after.diverges(definitions)? {
            return Ok(None);
        }
        after.step(definitions, step)?;
    }
    let allows_all = model.has_divergences() && after.diverges(definitions)?;
    Ok((!allows_all).then_some(after))
}

/// The violation, if a specification in the states `after` does not show the end of `run`.
fn refuted(
    definitions: &mut dyn Definitions,
    mut after: Followed<'_>,
    model: Model,
    run: &Run,
) -> Result<Option<Wrong>> {
    // The specification does not even show the history, so it is not the end that is missing.
    if after.is_empty() {
        return Ok(None);
    }
    Ok(match &run.shown.missing {
        Missing::Event(event) => {
            after.step(definitions, &ObservedStep::unseen(*event))?;
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
            let token = &definitions.cancellation().clone();
            let acceptances = minimal(acceptances, token)?;
            (!is_allowed).then(|| Wrong::Revival {
                offers: offers.clone(),
                event: *event,
                acceptances,
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
