//! Refinement in the models that see what is done after a process was seen at rest: V, VD, R and RD.

use std::time::Instant;

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::lts::graph::StateId;
use crate::lts::model::FinerModel;
use crate::machine::compile_observed;
use crate::machine::explicit::{Unfolding, explicit_while};
use crate::process::event::{EventId, EventTable};
use crate::process::term::Definitions;
use crate::process::work::{Pace, Phase};
use crate::refine::check::CheckOptions;
use crate::refine::observations::{History, Missing, Observed, check_observations};
use crate::report::assertion::{AssertionReport, Counterexample, Rest};
use crate::syntax::ast::ExprId;
use crate::witness::WitnessStep;
use crate::witness::observations::{Guide, ObservedCounterexample, explain_observations};

use super::counterexample::{counterexample, sorted_names};
use super::decide::{compile_options, machine_report, stopped, watching};
use super::determinism::{count_all, without_symmetry};
use super::question::Question;
use super::request::Options;

/// Said of every such check: symmetries would have to keep the sets of states that show the same as well.
const NO_SYMMETRY: &str = "this model is decided without symmetry";

/// Whether the process that `question` is about refines another in a model; fills `report` in.
pub(super) fn decide_observations(
    evaluator: &mut Evaluator<'_>,
    question: &Question<'_>,
    (specification, model): (ExprId, FinerModel),
    options: &Options,
    report: &mut AssertionReport,
) -> Result<bool> {
    let started = Instant::now();
    report.remarks.push(NO_SYMMETRY.to_string());
    let compile_options = compile_options(options);
    let monitor = &options.limits.monitor;
    let over = question.tau_priority;
    let specification = evaluator.process_with_tau_priority(specification, over)?;
    let implementation = evaluator.process_with_tau_priority(question.implementation, over)?;
    let machine = compile_observed(evaluator, implementation, &compile_options)?;
    report.machine = Some(machine_report(&machine));
    let limit = compile_options.limits.states;
    let allowed = compile_observed(evaluator, specification, &compile_options)?;
    evaluator.enter(Phase::Listing, &allowed.nodes[allowed.root()].expression);
    let allowed = explicit_while(&allowed, limit, &mut || evaluator.proceed())?;
    let mut proceed = || evaluator.proceed();
    let mut unfolding = Unfolding::new_while(&machine, &mut Pace::new(&mut proceed))?;
    report.seconds.compile = started.elapsed().as_secs_f64();
    monitor.publish(report);

    let started = Instant::now();
    let claims = &question.claims;
    without_symmetry(
        NO_SYMMETRY,
        evaluator,
        (implementation, &machine),
        claims,
        options,
    )?;
    report.seconds.symmetry = started.elapsed().as_secs_f64();
    monitor.publish(report);

    let started = Instant::now();
    let check_options = CheckOptions {
        max_states: options.limits.states,
        threads: options.threads.clone(),
        spill: None,
    };
    let mut observer = watching(options);
    let result = check_observations(
        &allowed,
        &mut unfolding,
        model,
        limit,
        &check_options,
        &mut observer,
        &mut || evaluator.proceed(),
    );
    report.seconds.explore = started.elapsed().as_secs_f64();
    let (outcome, statistics) = result?;
    report.algorithm = Some("Check");
    count_all(statistics, report);
    let (history, run) = match outcome {
        Observed::Holds => return Ok(true),
        Observed::Stopped(reason) => return stopped(reason, statistics, options).into(),
        Observed::Violated(history, run) => (history, run),
    };
    // Replayed on the terms themselves before anything is said.
    evaluator.enter(Phase::Replay, "");
    let guide = guide(&mut unfolding, &history, &run);
    let witness = explain_observations(
        evaluator,
        specification,
        implementation,
        model,
        &history,
        guide.as_deref().map(|steps| Guide {
            steps,
            taus: machine.taus(),
        }),
        &compile_options,
    )?;
    report.seconds.explore = started.elapsed().as_secs_f64();
    let explained = options.explains;
    let found = counterexample(evaluator, implementation, &witness.found, explained)?;
    report.counterexample = Some(Counterexample {
        rests: model
            .remembers_refusals()
            .then(|| rests(&witness, &evaluator.terms().events)),
        ..found
    });
    Ok(false)
}

/// The run with the event that is missing, if one is.
fn guide(
    unfolding: &mut Unfolding<'_>,
    history: &History,
    run: &[(EventId, StateId)],
) -> Option<Vec<WitnessStep>> {
    let run = run.iter().map(|&(label, state)| (label, Some(state)));
    let missing = match history.missing {
        Missing::Event(event) | Missing::Revival { event, .. } => Some((event, None)),
        Missing::Refusal(_) | Missing::Divergence => None,
    };
    let run: Vec<_> = run.chain(missing).collect();
    let origins = unfolding.origins(&run)?;
    let step = |(label, origin)| WitnessStep { label, origin };
    Some(origins.into_iter().map(step).collect())
}

/// Where the process was seen at rest.
fn rests(witness: &ObservedCounterexample, events: &EventTable) -> Vec<Rest> {
    let rests = witness.rests.iter();
    let rest = |(before, offers): &(usize, Vec<_>)| Rest {
        before: *before as u64 + 1,
        offers: sorted_names(offers, events),
    };
    rests.map(rest).collect()
}
