//! Determinism, decided on the normal form of the whole process.

use std::time::Instant;

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::lts::model::Model;
use crate::lts::normal_form::NormalForm;
use crate::machine::compile;
use crate::machine::explicit::explicit;
use crate::process::term::TermId;
use crate::refine::determinism::nondeterminism;
use crate::report::assertion::AssertionReport;
use crate::witness::{explain_divergence, explain_refusable};

use super::counterexample::counterexample;
use super::decide::{compile_options, machine_report};
use super::request::Options;

/// Said of every such check: representatives of different states are no one state that a trace leads to.
const NO_SYMMETRY: &str =
    "determinism is decided on all states that one trace leads to, so symmetry is not used";

/// Whether `process` is deterministic in `model`; fills `report` in.
pub(super) fn decide_determinism(
    evaluator: &mut Evaluator<'_>,
    process: TermId,
    model: Model,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<bool> {
    let started = Instant::now();
    let compile_options = compile_options(options);
    let machine = compile(evaluator, process, &compile_options)?;
    report.machine = Some(machine_report(&machine));
    report.remarks.push(NO_SYMMETRY.to_string());
    report.seconds.compile = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let limit = compile_options.limits.states;
    let states = explicit(&machine, limit)?;
    report.states = Some(states.state_count() as u64);
    report.transitions = Some(states.transition_count() as u64);
    let found = nondeterminism(&NormalForm::of(&states, model, limit)?);
    let Some(found) = found else {
        report.seconds.explore = started.elapsed().as_secs_f64();
        return Ok(true);
    };
    let witness = match found.event {
        Some(event) => explain_refusable(evaluator, process, &found.trace, event)?,
        None => explain_divergence(evaluator, process, &found.trace)?,
    };
    let explained = options.explains;
    report.counterexample = Some(counterexample(evaluator, process, &witness, explained)?);
    report.seconds.explore = started.elapsed().as_secs_f64();
    Ok(false)
}
