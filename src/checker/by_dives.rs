//! Decides a question by dives alone.

use base::diag::{Diagnostic, Result};
use process::term::Definitions;
use refine::check::StopReason;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Against, Compiled};
use super::decision::Decision;
use super::dives::{Dives, OF_ALL_STEPS, hindrance};
use super::options::PartialOrder;
use super::portfolio::{FoundBy, NOT_SHORTEST};
use super::question::Claims;
use super::{partial_order, portfolio, product};

/// The number of orders of steps that are tried if each dive is cut short by `--max-states`.
const ORDERS: u64 = 8;

/// The verdict of dives through `compiled` alone.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<ClaimVerdict> {
    let options = run.options;
    let hindrances = [
        (options.shortest, "it looks for no shortest counterexample"),
        (run.further() > 0, "it looks for one counterexample"),
        (options.storage.is_some(), "its states are in memory"),
        (options.cluster.is_some(), "it is a search of one process"),
        (
            !claims.leave_free(options),
            "it uses no symmetries, and has an algorithm of its own",
        ),
    ];
    let asked = hindrances.into_iter().find(|(hinders, _)| *hinders);
    let hindrance = asked.map(|(_, why)| why).or(hindrance(compiled));
    let claim = match (&compiled.against, hindrance) {
        (Against::NormalForm(_, claim), None) => claim,
        (_, why) => {
            let message = "a dive cannot decide this assertion";
            return Diagnostic::undecided("strategy-inapplicable", message)
                .note(why.unwrap_or(OF_ALL_STEPS))
                .hint("leave --strategy out, or say --strategy machine")
                .into();
        }
    };
    let token = &run.evaluator.cancellation().clone();
    let sets = match compiled.partial_order {
        Some(PartialOrder::IfItPays) => partial_order::possible(compiled, &[], token)?,
        _ => partial_order::asked_for(run, compiled, (&[], 0))?,
    };
    partial_order::note_used(run, sets.as_deref());
    let mut dives = Dives::new(compiled, &run.check_options());
    let mut expanded = 1;
    while !dives.are_over() {
        expanded = u64::saturating_mul(expanded, 2);
        if let Some(found) = dives.next(compiled, sets.as_ref(), expanded)? {
            portfolio::note(run, FoundBy::Dive);
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
        None if dives.are_over() => return in_vain(),
        None => StopReason::StateLimit,
    };
    product::stopped(run, reason, dives.last()).into()
}

fn in_vain() -> Result<ClaimVerdict> {
    Diagnostic::undecided("strategy-in-vain", "dives have found nothing wrong")
        .note("they have met all that they can meet, which proves nothing")
        .hint("leave --strategy out, or say --strategy machine")
        .into()
}
