//! Searches of a machine together with a normal form: refinement, deadlock, divergence, and whether
//! a trace is there.

use std::sync::Arc;

use base::diag::{Diagnostic, Result};
use base::number::thousands;
use machine::Machine;
use process::term::Definitions;
use refine::check::{CheckOptions, CheckResult, Outcome, Statistics, StopReason};
use refine::path::Path;
use refine::shared_search::SharedSearch;
use witness::{Claim, Refutation, explain};

use super::claim_verdict::{ClaimVerdict, of_machine};
use super::compiled::{Compiled, Sides};
use super::decision::Decision;
use super::identity::identity;
use super::options::Options;
use super::portfolio::beside::BesideSearch;
use super::portfolio::found_by::{PLAIN, UNCOMPRESSED, spend};
use super::portfolio::partial_order;
use super::portfolio::pauses::{Representation, searched};
use super::progress::count;
use super::reduction::Reduction;
use super::several::{self, Several};

/// The verdict on `claim` of a search for what the normal form does not allow the machine. A path
/// to a violation is replayed on the terms themselves.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
    claim: &Claim,
    reduction: &Reduction,
) -> Result<ClaimVerdict> {
    if run.further() > 0 {
        let remark = only_one(run.options).map(str::to_string);
        run.report.remarks.extend(remark);
    }
    let wanted = CheckOptions {
        further: further(run, claim),
        ..run.check_options()
    };
    let result = result(run, (compiled, beside), reduction, wanted)?;
    answered(run, compiled, claim, result)
}

/// The result of searching `compiled` beside its normal form, in memory or on disk.
pub(super) fn result(
    run: &mut Decision<'_, '_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
    reduction: &Reduction,
    wanted: CheckOptions,
) -> Result<CheckResult> {
    let exact = reduction.choice.exact.as_ref();
    // Counting takes a second pass over all states, so it is done only where it is asked for.
    let exact = exact.filter(|_| run.options.count_orbits);
    let method = reduction.choice.method.as_ref();
    let by = Representation {
        method,
        exact,
        group: method.map(|_| &reduction.group),
    };
    let generators = by.generators();
    let stubborn = partial_order::asked_for(run, compiled, (generators, wanted.further))?;
    // The place says how the search is reduced.
    partial_order::note_used(run, stubborn.as_deref());
    let wanted = CheckOptions {
        stubborn,
        ..placed(run, compiled, reduction, wanted)
    };
    searched(run, (compiled, beside), by, &wanted)
}

/// `wanted`, with the place where the search of `compiled` is to keep its states.
pub(super) fn placed(
    run: &Decision<'_, '_>,
    compiled: &Compiled,
    reduction: &Reduction,
    wanted: CheckOptions,
) -> CheckOptions {
    let storage = run.options.storage.as_ref();
    let cluster = run.options.cluster.as_ref();
    CheckOptions {
        spill: storage.map(|storage| storage.spill(run, compiled, reduction)),
        shared: cluster.map(|exchange| SharedSearch {
            exchange: Arc::clone(exchange),
            identity: identity(run, compiled, reduction),
        }),
        ..wanted
    }
}

/// The verdict of a search without symmetry that meets at most `most` states; `None` if these do
/// not suffice.
pub(super) fn among(
    run: &mut Decision<'_, '_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
    claim: &Claim,
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let further = further(run, claim);
    let options = CheckOptions {
        further,
        stubborn: partial_order::asked_for(run, compiled, (&[], further))?,
        ..run.check_options_within(most)
    };
    let result = searched(run, (compiled, beside), Representation::default(), &options)?;
    match result.outcome {
        Outcome::Stopped(StopReason::StateLimit) if !result.is_violated => {
            let is_uncompressed = run.parts.options.idle.are_all;
            let way = if is_uncompressed { UNCOMPRESSED } else { PLAIN };
            spend(run.report, way, result.statistics);
            Ok(None)
        }
        // With symmetries all different counterexamples may be among the states that are allowed.
        Outcome::Violated(_) if result.cut.is_some() => Ok(None),
        _ => answered(run, compiled, claim, result).map(Some),
    }
}

/// The verdict on `claim` of a search with this `result`. The path of a violation is replayed.
pub(super) fn answered(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claim: &Claim,
    result: CheckResult,
) -> Result<ClaimVerdict> {
    // A local analysis meets no states.
    if run.report.local.is_none() {
        count(result.statistics, run.report);
    }
    run.report.remarks.extend(resumed(result.statistics));
    if let Some(symmetry) = &mut run.report.symmetry {
        symmetry.extra_states = result.statistics.extra_states;
        // A function that may leave several states of an orbit need not have done so: the count
        // tells.
        symmetry.unique |= symmetry.extra_states == Some(0);
    }
    let sides = &compiled.sides;
    let path = match result.outcome {
        Outcome::Holds => return Ok(ClaimVerdict::Holds),
        Outcome::Violated(path) => path,
        Outcome::Stopped(reason) => {
            let problem = stopped(run, reason, result.statistics);
            return match result.is_violated {
                // A chase may have been followed in vain.
                true if !sides.follows_chases => Ok(run.without_steps(&problem)),
                _ => problem.into(),
            };
        }
    };
    if let Some(reason) = result.cut {
        let remark = several::cut_short(run.task.stopped(reason, result.statistics));
        run.report.remarks.push(remark);
    }
    let machine = Some(&*compiled.machine);
    if run.further() == 0 || matches!(claim, Claim::Lacks(_)) {
        return refuted(run, sides, machine, claim, &path);
    }
    let mut several = Several::default();
    for path in [path].into_iter().chain(result.further) {
        match replayed(run, sides, machine, claim, &path)? {
            Some(witness) => several.add(run, sides, witness)?,
            None => several.add_report(of_machine(&path, claim, &run.evaluator.terms().events)),
        }
    }
    Ok(several.reported(run))
}

/// The verdict that `path`, which was found in `machine` or without one, refutes `claim`.
pub(super) fn refuted(
    run: &mut Decision<'_, '_>,
    sides: &Sides,
    machine: Option<&Machine>,
    claim: &Claim,
    path: &Path,
) -> Result<ClaimVerdict> {
    Ok(ClaimVerdict::of(
        match replayed(run, sides, machine, claim, path)? {
            Some(witness) => run.reported(sides, &witness)?,
            None => of_machine(path, claim, &run.evaluator.terms().events),
        },
    ))
}

/// The message for a search that may have been on disk, and that `reason` ended.
pub(super) fn stopped(
    run: &Decision<'_, '_>,
    reason: StopReason,
    statistics: Statistics,
) -> Diagnostic {
    let mut problem = run.task.stopped(reason, statistics);
    // A search on disk can be resumed, which the usual hint does not say.
    if let Some(storage) = &run.options.storage {
        problem.set_hint(storage.hint(reason));
    }
    problem
}

/// `path`, replayed on the terms; `None` if a limit ends the replay.
fn replayed(
    run: &mut Decision<'_, '_>,
    sides: &Sides,
    machine: Option<&Machine>,
    claim: &Claim,
    path: &Path,
) -> Result<Option<Refutation>> {
    let subject = (sides.implementation, machine);
    run.replaying(sides, |run| {
        explain(run.evaluator, claim, subject, path, &run.parts.options)
    })
}

/// The number of paths that are wanted beyond the first: of a trace that is asked for, one is
/// enough.
fn further(run: &Decision<'_, '_>, claim: &Claim) -> usize {
    match claim {
        Claim::Lacks(_) => 0,
        _ if only_one(run.options).is_some() => 0,
        _ => run.further(),
    }
}

/// The remark where several counterexamples are asked for, but one is looked for.
fn only_one(options: &Options) -> Option<&'static str> {
    match options {
        Options {
            cluster: Some(_), ..
        } => Some("one counterexample is looked for where several processes search together"),
        Options {
            storage: Some(_), ..
        } => Some("one counterexample is looked for where states are kept on disk"),
        _ => None,
    }
}

/// The remark on the level from which a search went on, if it was resumed.
pub(super) fn resumed(statistics: Statistics) -> Option<String> {
    Some(match statistics.spilled?.resumed? {
        0 => "nothing of this search was on disk: it began anew".to_string(),
        // The empty level at the end of a search is resumed like any other, but not counted.
        level if level > statistics.levels => "the whole search was on disk".to_string(),
        level => format!("the search went on from level {}", thousands(level)),
    })
}
