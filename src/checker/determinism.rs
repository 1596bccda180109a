//! `:[deterministic]`: searches of a machine together with one resolution of its own choices.

use crate::cancel::Phase;
use crate::diag::{Diagnostic, Result, Severity};
use crate::lts::model::Model;
use crate::lts::normal_form::NormalForm;
use crate::lts::resolution::resolution;
use crate::machine::Machine;
use crate::machine::explicit::{large_process, listed};
use crate::process::term::Definitions;
use crate::refine::check::{Outcome, check};
use crate::refine::determinism::{Determinism, check_determinism};
use crate::refine::nondeterminism::{Nondeterminism, nondeterminism};
use crate::report::assertion::Counterexample;
use crate::witness::{explain_divergence, explain_refusable};

use super::compiled::{Compiled, name};
use super::decision::Decision;

/// Two behaviours that show that the process can both do and refuse an event, or a divergence,
/// replayed; `None` if the process is deterministic in `model`.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    model: Model,
) -> Result<Option<Counterexample>> {
    let Some(found) = violation(run, &compiled.machine, model)? else {
        return Ok(None);
    };
    run.evaluator.enter(Phase::Replay, "");
    let (process, options) = (compiled.implementation, &compiled.options);
    let witness = match found.event {
        Some(event) => explain_refusable(run.evaluator, process, &found.trace, event, options)?,
        None => explain_divergence(run.evaluator, process, &found.trace, options)?,
    };
    run.reported(compiled.implementation, &witness).map(Some)
}

/// A place in which `machine` is not deterministic in `model`; `None` if it is deterministic.
fn violation(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    model: Model,
) -> Result<Option<Nondeterminism>> {
    let mut unfolding = run.unfolding(machine)?;
    let options = run.check_options();
    let (outcome, statistics) = check_determinism(&mut unfolding, model, &options)?;
    // Noted before the outcome is looked at: a search that was stopped has numbers too.
    run.count_all(statistics);
    let found = match outcome {
        Determinism::Holds => return Ok(None),
        Determinism::Stopped(reason) => return run.task.stopped(reason, statistics).into(),
        Determinism::Violated {
            found,
            is_shortest: true,
        } => return Ok(Some(found)),
        // The comparison with the normal form may find a shorter trace.
        Determinism::Violated { found, .. } => Some(found),
        Determinism::Undecided => None,
    };
    // The normal form needs memory of its own: that of the states met so far is given back first.
    drop(unfolding);
    let whole = by_normal_form(run, machine, model);
    match (whole, found) {
        // A counterexample that need not be a shortest one is better than none.
        (Err(error), Some(found)) if error.severity == Severity::Undecided => Ok(Some(found)),
        (whole, _) => whole,
    }
}

/// A place in which `machine` is not deterministic, found by comparing it with the normal form of
/// the whole process. That is needed in the failures model where a part never comes to rest.
fn by_normal_form(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    model: Model,
) -> Result<Option<Nondeterminism>> {
    let resolution = resolution_of(run, machine, model)?;
    let result = check(&resolution, machine, &run.check_options())?;
    run.count_all(result.statistics);
    match result.outcome {
        Outcome::Holds => Ok(None),
        Outcome::Violated(path) => Ok(Some(nondeterminism(&resolution, &path))),
        Outcome::Stopped(reason) => run.task.stopped(reason, result.statistics).into(),
    }
}

/// What `machine` refines exactly if it is deterministic in `model`.
fn resolution_of(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    model: Model,
) -> Result<NormalForm> {
    let limit = run.options.compile_options().limits.states;
    run.evaluator.enter(Phase::Listing, name(machine));
    let token = &run.evaluator.cancellation().clone();
    // `explicit` would speak of a large specification, but what is too large here is the process.
    match listed(machine, limit, token)? {
        Some(states) => resolution(&states, model, limit, token),
        None => too_large(limit).into(),
    }
}

fn too_large(limit: usize) -> Diagnostic {
    large_process(limit)
        .note("where a process never comes to rest, determinism in failures is decided on a list of all states")
        .hint("ask for `:[deterministic [FD]]`, which needs none, check a smaller instance with -D, or allow more with --max-leaf-states")
}
