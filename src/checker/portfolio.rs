//! The strategies by which a question may be decided, and the order in which they are tried.
//!
//! | file | the strategy | how far |
//! |---|---|---|
//! | `turns` | compile both sides | so many states of a component, then 8 times as many |
//! | `unlisted` | search terms, or a machine beside sets of terms | as far as the turn before |
//! | `orbits` | search terms, one of each orbit | as far as the turn before |
//! | `turns` | search the machine without compressions | as far as the turn before |
//! | `plain` | a few of very many components at a time | so many of their states |
//! | `plain` | search the machine without symmetries | as long as looking for them takes |
//! | `normal` | put components into normal form, for more symmetries | small components |
//! | `pauses` | search it by representatives, reduced if it pays | to the limits of the call |
//! | `local` | in pauses: a few components at a time | twice as far each time |
//! | `dives` | in pauses: search along one order of the steps | a part of what was searched |
//!
//! Each is given at most as much as was spent before, or a fixed multiple of it, and what is tried
//! again gets more. So a question costs at most a few times what it costs in the best way. All is
//! counted in states, steps and clauses, never in time: the same call has the same answer, found in
//! the same way, on every machine and for every number of threads.
//!
//! A strategy that was asked for by name is tried alone: `terms`, `orbits` and `subsets` in
//! `turns`, `dive` and `local` in `alone`. `machine` compiles both sides in one turn, and then goes
//! on as above.

mod alone;
pub(super) mod beside;
mod dives;
pub(super) mod found_by;
mod local;
pub(super) mod normal;
pub(super) mod orbits;
pub(super) mod partial_order;
pub(super) mod pauses;
mod plain;
pub(super) mod turns;
pub(super) mod unlisted;

use base::diag::Result;
use report::assertion::WorkStage;

use self::beside::BesideSearch;
use self::normal::MoreSymmetric;
use super::claim_verdict::ClaimVerdict;
use super::compiled::{Against, Compiled};
use super::decision::Decision;
use super::options::Strategy;
use super::question::Question;
use super::reduce::reduce;
use super::{determinism, product};

/// The verdict on `question` of searches of its machine, `compiled`.
pub(super) fn found(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<ClaimVerdict> {
    let mut beside = BesideSearch::of(compiled);
    let sooner = run.timed(WorkStage::Explore, |run| match run.options.strategy {
        Some(Strategy::Dive) => alone::dived(run, compiled, &question.claims).map(Some),
        Some(Strategy::Local) => alone::analysed(run, compiled, &question.claims).map(Some),
        _ => plain::search(run, (compiled, &mut beside), &question.claims),
    })?;
    match sooner {
        Some(verdict) => Ok(verdict),
        None => by_representatives(run, question, (compiled, &mut beside)),
    }
}

/// The verdict of a search of representatives, as far as there are symmetries.
fn by_representatives(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
) -> Result<ClaimVerdict> {
    // Done also where the machine is compared with itself: claims are checked all the same.
    let found = run.timed(WorkStage::Symmetry, |run| {
        let reduction = reduce(run, compiled, &question.claims)?;
        normal::more_symmetric(run, question, compiled, reduction)
    })?;
    let mut beside_normal;
    let (compiled, beside, reduction) = match &found {
        MoreSymmetric::Normal(normal, reduction) => {
            beside_normal = BesideSearch::of(normal);
            (&**normal, &mut beside_normal, reduction)
        }
        MoreSymmetric::AsWritten(reduction) => (compiled, beside, reduction),
    };
    run.timed(WorkStage::Explore, |run| match &compiled.against {
        Against::NormalForm(_, claim) => product::search(run, (compiled, beside), claim, reduction),
        Against::Itself(model, _) => determinism::search(run, compiled, *model, reduction),
    })
}
