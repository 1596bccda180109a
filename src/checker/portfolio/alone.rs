//! Questions that are decided by one strategy alone that looks at machines: by dives, or by local
//! analysis.

use base::cancel::Phase;
use base::diag::Result;
use process::term::Definitions;
use refine::check::StopReason;
use refine::local::{LocalAnswer, analyse};

use super::dives::{Dives, OF_ALL_STEPS, hindrance};
use super::found_by::{FoundBy, NOT_SHORTEST, in_vain, inapplicable, note};
use super::local::is_applicable;
use super::partial_order;
use crate::claim_verdict::ClaimVerdict;
use crate::compiled::{Against, Compiled};
use crate::decision::Decision;
use crate::options::PartialOrder;
use crate::product;
use crate::question::Claims;

/// The number of orders of steps that are tried if each dive is cut short by `--max-states`.
const ORDERS: u64 = 8;

/// The verdict of dives through `compiled` alone.
pub(super) fn dived(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<ClaimVerdict> {
    let of_violations = [
        (
            run.options.shortest,
            "it looks for no shortest counterexample",
        ),
        (run.further() > 0, "it looks for one counterexample"),
    ];
    let asked = of_violations.into_iter().find(|(hinders, _)| *hinders);
    let asked = asked.map(|(_, why)| why).or(options_against(run, claims));
    let claim = match (&compiled.against, asked.or(hindrance(compiled))) {
        (Against::NormalForm(_, claim), None) => claim,
        (_, why) => {
            let message = "a dive cannot decide this assertion";
            return inapplicable(message, why.unwrap_or(OF_ALL_STEPS)).into();
        }
    };
    let token = &run.evaluator.cancellation().clone();
    let sets = match compiled.partial_order {
        Some(PartialOrder::IfItPays) => partial_order::possible(compiled, &[], token)?,
        _ => partial_order::asked_for(run, compiled, (&[], 0))?,
    };
    partial_order::note_used(run, sets.as_deref());
    let mut dives = Dives::of(compiled);
    let wanted = run.check_options();
    let mut expanded = 1;
    while !dives.are_over() {
        expanded = u64::saturating_mul(expanded, 2);
        if let Some(found) = dives.next(compiled, sets.as_ref(), (&wanted, expanded))? {
            note(run, FoundBy::Dive);
            if !compiled.asks_for_trace() {
                run.report.remarks.push(NOT_SHORTEST.to_string());
            }
            return product::answered(run, compiled, claim, found);
        }
        if dives.have_been_cut(ORDERS) {
            break;
        }
    }
    let reason = match token.reason() {
        Some(_) => StopReason::Cancelled,
        None if dives.are_over() => {
            let why = "they have met all that they can meet, which proves nothing";
            return in_vain("dives have found nothing wrong", why).into();
        }
        None => StopReason::StateLimit,
    };
    product::stopped(run, reason, dives.last()).into()
}

/// The verdict of looking at a few components of `compiled` at a time: that nothing deadlocks, or
/// none.
pub(super) fn analysed(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<ClaimVerdict> {
    let applies = is_applicable(compiled);
    let of_others = (!applies).then_some(
        "it shows that nothing deadlocks; where divergence counts, only of processes without τ",
    );
    if let Some(why) = options_against(run, claims).or(of_others) {
        return inapplicable(OF_COMPONENTS, why).into();
    }
    let token = run.evaluator.cancellation().clone();
    run.evaluator.enter(Phase::Local, "");
    let most = run.options.max_states.unwrap_or(u64::MAX);
    match analyse(&compiled.machine, most, &token)? {
        LocalAnswer::DeadlockFree(cost) => {
            note(run, FoundBy::Local(cost));
            Ok(ClaimVerdict::Holds)
        }
        LocalAnswer::Inapplicable => inapplicable(
            OF_COMPONENTS,
            "the process has priorities, a function that follows one τ of several, or a ✓",
        )
        .into(),
        LocalAnswer::Candidate => in_vain(
            NOT_SHOWN,
            "they leave a deadlock open, which need not be reachable",
        )
        .into(),
        LocalAnswer::TooLarge => in_vain(
            NOT_SHOWN,
            "it takes more than --max-states allows: states and steps of groups, and what is derived",
        )
        .into(),
    }
}

const NOT_SHOWN: &str = "a few components at a time do not show that nothing deadlocks";

const OF_COMPONENTS: &str = "local analysis cannot decide this assertion";

/// The option that asks for more than a strategy of one process in memory, without symmetries,
/// gives; `None` if there is none.
fn options_against(run: &Decision<'_, '_>, claims: &Claims<'_>) -> Option<&'static str> {
    let options = run.options;
    let hindrances = [
        (options.storage.is_some(), "its states are in memory"),
        (options.cluster.is_some(), "it is the work of one process"),
        (
            !claims.leave_free(options),
            "it uses no symmetries, and has an algorithm of its own",
        ),
    ];
    let asked = hindrances.into_iter().find(|(hinders, _)| *hinders);
    asked.map(|(_, why)| why)
}
