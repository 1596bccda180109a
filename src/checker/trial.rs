//! A search without symmetries, where looking for them may take longer than the search.

use base::cancel::Phase;
use base::diag::Result;
use process::term::Definitions;
use symmetry::choice::Algorithm;
use symmetry::worth::searched_meanwhile;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Against, Compiled};
use super::decision::Decision;
use super::options::Symmetries;
use super::question::Claims;
use super::{determinism, product};

/// The remark on a question that a search without symmetries has answered.
const OVER_SOONER: &str = "symmetries were not looked for: the search was over sooner (--algorithm symcheck2 looks all the same)";

/// The verdict of a search of `compiled` without symmetries that takes as long as it would take to
/// look for them; `None` if that does not decide it.
///
/// So a question costs at most twice what it costs in the better of both ways. There is no trial
/// where symmetries are found in no time, where they are asked for, where states are kept on disk,
/// and where several processes search together.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<Option<ClaimVerdict>> {
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
    let found = among(run, compiled, states)?;
    if found.is_some() {
        run.report.algorithm = Some(Algorithm::Check.name());
        run.report.remarks.push(OVER_SOONER.to_string());
    }
    Ok(found)
}

/// The verdict of a search of `compiled` without symmetries that meets at most `most` states;
/// `None` if these do not suffice.
pub(super) fn among(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let most = run.options.max_states.map_or(most, |all| all.min(most));
    match &compiled.against {
        Against::NormalForm(_, claim) => product::among(run, compiled, claim, most),
        Against::Itself(model, _) => determinism::among(run, compiled, *model, most),
    }
}
