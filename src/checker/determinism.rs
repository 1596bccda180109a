//! `:[deterministic]`: searches of a machine together with one resolution of its own choices, or of
//! pairs of its states. A search of pairs meets fewer with symmetry, and can be on disk or divided
//! among processes.

use base::cancel::Phase;
use base::diag::{Diagnostic, Result, Severity};
use lts::explore::PAIR_OF_TERMS;
use lts::model::Model;
use lts::normal_form::NormalForm;
use lts::resolution::resolution;
use machine::Machine;
use machine::explicit::{large_process, listed};
use process::term::Definitions;
use refine::check::{Outcome, Proof, Statistics, StopReason, check};
use refine::determinism::proof::prove_determinism;
use refine::determinism::{Determinism, check_determinism};
use refine::nondeterminism::{Nondeterminism, nondeterminism};
use refine::unlisted::UnlistedProcess;
use symmetry::choice::Algorithm;
use witness::{explain_divergence, explain_refusable};

use super::claim_verdict::{ClaimVerdict, of_trace};
use super::compiled::{Compiled, Sides};
use super::decision::Decision;
use super::options::Strategy;
use super::parts::name;
use super::portfolio::found_by::{PLAIN, spend};
use super::product::{placed, resumed, stopped};
use super::progress::count;
use super::reduction::Reduction;

/// The verdict on the claim that the process is deterministic in `model`. Two behaviours refute it
/// that show that the process can both do and refuse an event, or a divergence.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    model: Model,
    reduction: &Reduction,
) -> Result<ClaimVerdict> {
    run.report.remarks.extend(one_only(run));
    let is_reduced = reduction.choice.method.is_some();
    let is_kept_elsewhere = run.options.storage.is_some() || run.options.cluster.is_some();
    if is_reduced || is_kept_elsewhere {
        if is_proved(run, compiled, model, reduction)? {
            return Ok(ClaimVerdict::Holds);
        }
        if is_reduced {
            run.report.algorithm = Some(Algorithm::Check.name().into());
            run.report.representative = None;
            run.report.symmetry = None;
            run.report.remarks.push(LOOKED_FOR_AGAIN.to_string());
        }
        if is_kept_elsewhere {
            run.report.remarks.push(KEPT_IN_MEMORY.to_string());
        }
    }
    match violation(run, &compiled.machine, model)? {
        None => Ok(ClaimVerdict::Holds),
        Some(found) => replayed(run, &compiled.sides, &found),
    }
}

/// The remark where several counterexamples are asked for.
fn one_only(run: &Decision<'_, '_>) -> Option<String> {
    let text = "of determinism one counterexample is looked for";
    (run.further() > 0).then(|| text.to_string())
}

/// The remark where representatives do not show that the process is deterministic.
const LOOKED_FOR_AGAIN: &str = "determinism was decided without symmetry, which did not prove it";

/// The remark where a search on disk or in several processes does not show that either.
const KEPT_IN_MEMORY: &str =
    "its states were kept in memory: pairs of states did not prove that it is deterministic";

/// True if a search of pairs of states finds that the process is deterministic. Symmetries are
/// those of the machine beside the normal form that allows all but divergence.
fn is_proved(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    model: Model,
    reduction: &Reduction,
) -> Result<bool> {
    let options = placed(run, compiled, reduction, run.check_options());
    let beside = (compiled.form().as_ref(), reduction.choice.method.as_ref());
    let (proof, statistics) = prove_determinism(&compiled.machine, beside, model, &options)?;
    run.report.remarks.extend(resumed(statistics));
    if proof == Proof::Unknown {
        return Ok(false);
    }
    count(statistics, run.report);
    match proof {
        Proof::Stopped(reason) => stopped(run, reason, statistics).into(),
        _ => Ok(true),
    }
}

/// The verdict of a search without symmetry that meets at most `most` states; `None` if these do
/// not suffice.
pub(super) fn among(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    model: Model,
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let mut unfolding = run.unfolding(&compiled.machine)?;
    let options = run.check_options_within(most);
    let found = check_determinism(&mut unfolding, model, &options)?;
    concluded(run, &compiled.sides, (PLAIN, found))
}

/// The verdict of a search of the terms of the process, which takes as long as one of so many pairs
/// of states of machines; `None` if these do not suffice.
pub(super) fn unlisted(
    run: &mut Decision<'_, '_>,
    sides: &Sides,
    model: Model,
    pairs: u64,
) -> Result<Option<ClaimVerdict>> {
    let most = pairs / PAIR_OF_TERMS as u64;
    let most = run.options.max_states.map_or(most, |all| all.min(most));
    let options = run.check_options_within(most);
    let mut terms = UnlistedProcess::new(run.evaluator, sides.implementation, pairs)?;
    let found = check_determinism(&mut terms, model, &options)?;
    concluded(run, sides, (Strategy::Terms.word(), found))
}

/// The verdict of a search in this way that ended with this result; `None` if it has to be
/// continued.
fn concluded(
    run: &mut Decision<'_, '_>,
    sides: &Sides,
    (way, (outcome, statistics)): (&'static str, (Determinism, Statistics)),
) -> Result<Option<ClaimVerdict>> {
    let found = match outcome {
        Determinism::Holds => None,
        Determinism::Violated {
            found,
            is_shortest: true,
        } => Some(found),
        Determinism::Stopped(reason) if reason != StopReason::StateLimit => {
            run.count_all(statistics);
            return run.task.stopped(reason, statistics).into();
        }
        _ => {
            spend(run.report, way, statistics);
            return Ok(None);
        }
    };
    run.count_all(statistics);
    run.report.remarks.extend(one_only(run));
    match found {
        None => Ok(Some(ClaimVerdict::Holds)),
        Some(found) => replayed(run, sides, &found).map(Some),
    }
}

/// The verdict that the process is not deterministic where `found` says: two behaviours, replayed
/// unless a limit ends that.
fn replayed(
    run: &mut Decision<'_, '_>,
    sides: &Sides,
    found: &Nondeterminism,
) -> Result<ClaimVerdict> {
    let process = sides.implementation;
    let witness = run.replaying(sides, |run| {
        let options = &run.parts.options;
        match found.event {
            Some(event) => explain_refusable(run.evaluator, process, &found.trace, event, options),
            None => explain_divergence(run.evaluator, process, &found.trace, options),
        }
    })?;
    Ok(ClaimVerdict::of(match witness {
        Some(witness) => run.reported(sides, &witness)?,
        None => of_trace(found, &run.evaluator.terms().events),
    }))
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
/// the whole process. This comparison is needed in the failures model where a part never comes to
/// rest.
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

/// The normal form that `machine` refines exactly if it is deterministic in `model`.
fn resolution_of(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    model: Model,
) -> Result<NormalForm> {
    let limits = run.parts.options.limits;
    run.evaluator.enter(Phase::Listing, name(machine));
    let token = &run.evaluator.cancellation().clone();
    // `explicit` would speak of a large specification, but what is too large here is the process.
    match listed(machine, limits.listed, token)? {
        Some(states) => {
            let limit = limits.normal_form(states.state_count());
            resolution(&states, model, limit, token)
        }
        None => too_large(limits.listed).into(),
    }
}

fn too_large(limit: usize) -> Diagnostic {
    large_process(limit)
        .note("where a process never comes to rest, determinism in failures is decided on a list of all states")
        .hint("ask for `:[deterministic [FD]]`, which needs none, check a smaller instance with -D, or allow more with --max-leaf-states")
}
