//! Refinement in the models that see what is done after a process was seen at rest: V, VD, R and
//! RD.

use crate::cancel::Phase;
use crate::diag::Result;
use crate::lts::graph::{Lts, StateId};
use crate::lts::model::FinerModel;
use crate::machine::Machine;
use crate::machine::explicit::LazyLts;
use crate::process::event::{EventId, EventTable};
use crate::process::term::{Definitions, TermId};
use crate::refine::check::CheckOptions;
use crate::refine::observations::{History, Missing, Observed, check_observations};
use crate::report::assertion::{Counterexample, Rest};
use crate::witness::WitnessStep;
use crate::witness::observations::{Guide, ObservedCounterexample, explain_observations};

use super::compiled::Compiled;
use super::counterexample::sorted_names;
use super::decision::Decision;
use super::several::Several;

/// An observation of the process in `model` that the specification, which has these states, does
/// not allow, replayed. In the models of refusal testing it says where the process was seen at
/// rest. Returns `None` if there is no such observation.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    (states, specification, model): (&Lts, TermId, FinerModel),
) -> Result<Option<Counterexample>> {
    let mut unfolding = run.unfolding(&compiled.machine)?;
    let options = CheckOptions {
        further: run.further(),
        ..run.check_options()
    };
    let most_sets = run.parts.options.limits.states;
    let (outcome, statistics) =
        check_observations(states, &mut unfolding, model, most_sets, &options)?;
    run.count_all(statistics);
    let shown = match outcome {
        Observed::Holds => return Ok(None),
        Observed::Stopped(reason) => return run.task.stopped(reason, statistics).into(),
        Observed::Violated(shown) => shown,
    };
    run.evaluator.enter(Phase::Replay, "");
    let mut several = Several::default();
    for (history, path) in &shown {
        // Without such steps the replay looks for a run that shows the history by itself.
        let steps = steps(&mut unfolding, history, path);
        let found = replayed(
            run,
            compiled,
            (specification, model),
            history,
            steps.as_deref(),
        )?;
        several.add_whole(found);
    }
    Ok(several.reported(run))
}

/// The counterexample that shows `history`, at best by `steps` of the machine.
fn replayed(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    (specification, model): (TermId, FinerModel),
    history: &History,
    steps: Option<&[WitnessStep]>,
) -> Result<Counterexample> {
    let guide = steps.map(|steps| Guide {
        steps,
        taus: compiled.machine.taus(),
    });
    let witness = explain_observations(
        run.evaluator,
        specification,
        compiled.implementation,
        model,
        history,
        guide,
        &run.parts.options,
    )?;
    let counted: &[_] = match model.remembers_refusals() {
        true => &witness.rests,
        false => &[],
    };
    let found = run.reported(compiled, &witness.found, counted)?;
    let events = &run.evaluator.terms().events;
    let rests = model.remembers_refusals().then(|| rests(&witness, events));
    Ok(Counterexample { rests, ..found })
}

/// The `path` of a machine, followed by the event that the specification lacks, if it lacks an
/// event.
fn steps(
    unfolding: &mut LazyLts<&Machine>,
    history: &History,
    path: &[(EventId, StateId)],
) -> Option<Vec<WitnessStep>> {
    let path = path.iter().map(|&(label, state)| (label, Some(state)));
    let missing = match history.missing {
        // The event that is not allowed ends the run; it does not matter to which state it leads.
        Missing::Event(event) | Missing::Revival { event, .. } => Some((event, None)),
        Missing::Refusal(_) | Missing::Divergence => None,
    };
    let path: Vec<_> = path.chain(missing).collect();
    let origins = unfolding.origins(&path)?;
    let step = |(label, origin)| WitnessStep { label, origin };
    Some(origins.into_iter().map(step).collect())
}

/// Where the process was seen at rest.
fn rests(witness: &ObservedCounterexample, events: &EventTable) -> Vec<Rest> {
    let rests = witness.rests.iter();
    let rest = |(before, offers): &(usize, Vec<_>)| Rest {
        // Reports count steps from 1, a witness from 0.
        before: *before as u64 + 1,
        offers: sorted_names(offers, events),
    };
    rests.map(rest).collect()
}
