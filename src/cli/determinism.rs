//! `:[deterministic]:`: whether a process can refuse what it can also do.

use std::time::Instant;

use crate::base::number::plain;
use crate::diag::{Diagnostic, Result, Severity};
use crate::eval::Evaluator;
use crate::lts::model::Model;
use crate::lts::normal_form::NormalForm;
use crate::lts::resolution::resolution;
use crate::machine::explicit::{Unfolding, listed};
use crate::machine::{CompileOptions, Machine, compile};
use crate::process::term::{Definitions, TermId};
use crate::process::work::{Pace, Phase};
use crate::refine::check::{CheckOptions, Outcome, Statistics, check};
use crate::refine::determinism::{Determinism, check_determinism};
use crate::refine::nondeterminism::{Nondeterminism, nondeterminism};
use crate::report::assertion::{AssertionReport, SpecificationReport};
use crate::symmetry::choice::{Algorithm, algorithm_inapplicable, representative_inapplicable};
use crate::symmetry::find::Subject;
use crate::witness::{Counterexample, explain_divergence, explain_refusable};

use super::counterexample::counterexample;
use super::decide::{compile_options, machine_report, stopped, visible_results, watching};
use super::question::Question;
use super::reduce::{Claims, Reduction, reduction};
use super::request::Options;
use super::work::count;

/// Said of every such check: the process is compared with one resolution of its choices, which need not keep symmetries. It has a
/// state for each trace that differs from others, so symmetry would hardly make it cheaper even where it chose alike for all components.
const NO_SYMMETRY: &str = "determinism is decided without symmetry";

/// Whether the process that `question` is about is deterministic in `model`; fills `report` in.
pub(super) fn decide_determinism(
    evaluator: &mut Evaluator<'_>,
    question: &Question<'_>,
    model: Model,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<bool> {
    let started = Instant::now();
    let monitor = &options.limits.monitor;
    let compile_options = compile_options(options);
    let process =
        evaluator.process_with_tau_priority(question.implementation, question.tau_priority)?;
    let machine = compile(evaluator, process, &compile_options)?;
    report.machine = Some(machine_report(&machine));
    report.remarks.push(NO_SYMMETRY.to_string());
    report.seconds.compile = started.elapsed().as_secs_f64();
    monitor.publish(report);

    let started = Instant::now();
    without_symmetry(
        NO_SYMMETRY,
        evaluator,
        (process, &machine),
        &question.claims,
        options,
    )?;
    report.algorithm = Some(Algorithm::Check.name());
    report.seconds.symmetry = started.elapsed().as_secs_f64();
    monitor.publish(report);

    let started = Instant::now();
    let found = violation(evaluator, &machine, model, options, report);
    report.seconds.explore = started.elapsed().as_secs_f64();
    let Some(found) = found? else {
        return Ok(true);
    };
    // Replayed on the terms themselves before anything is said.
    evaluator.enter(Phase::Replay, "");
    let witness = explain(evaluator, process, &found, &compile_options)?;
    report.seconds.explore = started.elapsed().as_secs_f64();
    let explained = options.explains;
    report.counterexample = Some(counterexample(evaluator, process, &witness, explained)?);
    Ok(false)
}

/// Where `machine` is not deterministic in `model`, if it is not.
fn violation(
    evaluator: &mut Evaluator<'_>,
    machine: &Machine,
    model: Model,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<Option<Nondeterminism>> {
    let check_options = CheckOptions {
        max_states: options.limits.states,
        threads: options.threads.clone(),
        spill: None,
    };
    let mut proceed = || evaluator.proceed();
    let mut unfolding = Unfolding::new_while(machine, &mut Pace::new(&mut proceed))?;
    let mut observer = watching(options);
    let (outcome, statistics) =
        check_determinism(&mut unfolding, model, &check_options, &mut observer)?;
    count_all(statistics, report);
    let found = match outcome {
        Determinism::Holds => return Ok(None),
        Determinism::Stopped(reason) => return stopped(reason, statistics, options).into(),
        Determinism::Violated {
            found,
            is_shortest: true,
        } => return Ok(Some(found)),
        Determinism::Violated { found, .. } => Some(found),
        Determinism::Undecided => None,
    };
    drop((observer, unfolding));
    let whole = by_normal_form(evaluator, machine, model, options, report);
    match (whole, found) {
        // One that need not be shortest is better than none.
        (Err(error), Some(found)) if error.severity == Severity::Undecided => Ok(Some(found)),
        (whole, _) => whole,
    }
}

/// The same, compared with the normal form of the whole process, because in the failures model a part of it never comes to rest.
fn by_normal_form(
    evaluator: &mut Evaluator<'_>,
    machine: &Machine,
    model: Model,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<Option<Nondeterminism>> {
    let check_options = CheckOptions {
        max_states: options.limits.states,
        threads: options.threads.clone(),
        spill: None,
    };
    let resolution = resolution_of(evaluator, machine, model, &compile_options(options))?;
    let mut observer = watching(options);
    let result = check(&resolution, machine, &check_options, &mut observer)?;
    count_all(result.statistics, report);
    match result.outcome {
        Outcome::Holds => Ok(None),
        Outcome::Violated(path) => Ok(Some(nondeterminism(&resolution, &path))),
        Outcome::Stopped(reason) => stopped(reason, result.statistics, options).into(),
    }
}

/// Puts what a search took into `report`, with what it met of a specification that was not listed before.
pub(super) fn count_all(statistics: Statistics, report: &mut AssertionReport) {
    count(statistics, report);
    report.specification = Some(SpecificationReport {
        states: statistics.specification_states,
    });
}

/// What `machine` refines exactly if it is deterministic in `model`.
fn resolution_of(
    evaluator: &mut Evaluator<'_>,
    machine: &Machine,
    model: Model,
    options: &CompileOptions,
) -> Result<NormalForm> {
    let limit = options.limits.states;
    evaluator.enter(Phase::Listing, &machine.nodes[machine.root()].expression);
    let mut proceed = || evaluator.proceed();
    match listed(machine, limit, &mut proceed)? {
        Some(states) => resolution(&states, model, limit, &mut proceed),
        None => too_large(limit).into(),
    }
}

/// Plain search of a process and its machine, for this `reason`: what is asked for besides does not apply. What is claimed about
/// symmetries of the process is looked at all the same, beside a specification that none of them can move.
pub(super) fn without_symmetry(
    reason: &str,
    evaluator: &mut Evaluator<'_>,
    (term, machine): (TermId, &Machine),
    claims: &Claims<'_>,
    options: &Options,
) -> Result<Reduction> {
    match (options.algorithm, options.representative) {
        (Some(Algorithm::Check), _) | (None, None) => {}
        (Some(algorithm), _) => return algorithm_inapplicable(algorithm, reason).into(),
        (None, Some(kind)) => return representative_inapplicable(kind, reason).into(),
    }
    let plain = Options {
        algorithm: Some(Algorithm::Check),
        representative: None,
        ..options.clone()
    };
    let subject = Subject {
        term,
        machine,
        specification: &NormalForm::divergence_free(&visible_results(machine)),
        options: &compile_options(options),
    };
    reduction(evaluator, &subject, claims, &plain, false)
}

/// What is `found` of `process`: both behaviours, or its divergence, replayed.
fn explain(
    evaluator: &mut Evaluator<'_>,
    process: TermId,
    found: &Nondeterminism,
    options: &CompileOptions,
) -> Result<Counterexample> {
    match found.event {
        Some(event) => explain_refusable(evaluator, process, &found.trace, event, options),
        None => explain_divergence(evaluator, process, &found.trace, options),
    }
}

fn too_large(limit: usize) -> Diagnostic {
    let message = format!("the process has more than {}", plain(limit, "state"));
    Diagnostic::undecided("large-process", message)
        .note("where a process never comes to rest, determinism in failures is decided on a list of all states")
        .hint("ask for `:[deterministic [FD]]`, which needs none, check a smaller instance with -D, or allow more with --max-leaf-states")
}
