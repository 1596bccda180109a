//! Cheaper ways where looking for symmetries may take long: a local analysis, and a search without
//! symmetries.

use base::cancel::Phase;
use base::diag::Result;
use process::term::Definitions;
use symmetry::choice::Algorithm;
use symmetry::worth::searched_meanwhile;

use super::beside::BesideSearch;
use super::found_by::{FoundBy, note};
use crate::claim_verdict::ClaimVerdict;
use crate::compiled::{Against, Compiled};
use crate::decision::Decision;
use crate::options::Symmetries;
use crate::question::Claims;
use crate::{determinism, product};

/// The remark on a question that a search without symmetries has answered.
const OVER_SOONER: &str = "symmetries were not looked for: the search was over sooner (--algorithm symcheck2 looks all the same)";

/// The verdict on `compiled` of what takes no longer than it would take to look for symmetries: a
/// local analysis of very many components, and a search without symmetries. Returns `None` if these
/// do not decide it.
///
/// So a question costs at most twice what it costs in the better of both ways. There is no trial
/// where symmetries are found in no time, where they are asked for, where states are kept on disk,
/// and where several processes search together.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
    claims: &Claims<'_>,
) -> Result<Option<ClaimVerdict>> {
    if compiled.machine.leaves.len() >= MANY_LEAVES && is_proved(run, compiled, beside)? {
        return Ok(Some(ClaimVerdict::Holds));
    }
    let Some(states) = searched_meanwhile(&compiled.machine, compiled.form()) else {
        return Ok(None);
    };
    let may_leave_out = run.options.symmetries == Symmetries::Found
        && claims.leave_free(run.options)
        && !compiled.machine.follows_chases();
    if !may_leave_out {
        return Ok(None);
    }
    run.evaluator.enter(Phase::Machine, "");
    let found = among(run, (compiled, beside), states)?;
    if found.is_some() {
        if run.report.local.is_none() {
            run.report.algorithm = Some(Algorithm::Check.name().into());
            run.report.remarks.push(OVER_SOONER.to_string());
        }
        return Ok(found);
    }
    // A state without symmetries takes as long as a step of a group for each leaf, or longer.
    let leaves = compiled.machine.leaves.len() as u64;
    beside.local.allow(states.saturating_mul(leaves));
    let is_proved = is_proved(run, compiled, beside)?;
    Ok(is_proved.then_some(ClaimVerdict::Holds))
}

/// The number of components from which on a local analysis is tried first. Looking for symmetries
/// of as many takes a tenth of a second, of thousands of them many seconds.
const MANY_LEAVES: usize = 256;

/// True if the next attempt at a local analysis proves that nothing deadlocks.
fn is_proved(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    beside: &mut BesideSearch,
) -> Result<bool> {
    if !beside.local.is_open() {
        return Ok(false);
    }
    run.evaluator.enter(Phase::Local, "");
    let cost = beside.local.next(compiled, run.evaluator.cancellation())?;
    if let Some(cost) = cost {
        note(run, FoundBy::Local(cost));
    }
    Ok(cost.is_some())
}

/// The verdict of a search of `compiled` without symmetries that meets at most `most` states;
/// `None` if these do not suffice.
pub(super) fn among(
    run: &mut Decision<'_, '_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let most = run.options.max_states.map_or(most, |all| all.min(most));
    match &compiled.against {
        Against::NormalForm(_, claim) => product::among(run, (compiled, beside), claim, most),
        Against::Itself(model, _) => determinism::among(run, compiled, *model, most),
    }
}
