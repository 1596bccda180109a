//! Partial order reduction, where it is asked for or pays.

use std::sync::Arc;

use base::cancel::Cancellation;
use base::diag::Result;
use lts::model::Model;
use process::term::Definitions;
use refine::stubborn::{Aim, StubbornEffort, StubbornSets};
use symmetry::pbisim::Symmetry;
use witness::Claim;

use super::dives::OF_ALL_STEPS;
use crate::compiled::{Against, Compiled};
use crate::decision::Decision;
use crate::options::PartialOrder;

/// The most states of a specification beside which it is tried whether reduction pays. Beside more,
/// finding out which of their events commute may take longer than the search.
const MOST_SPECIFICATION_STATES: usize = 5_000;

/// The stubborn sets by which the search of `compiled` is reduced wherever that is possible.
/// Returns `None` if it is not asked for, or not possible, which a remark then says. `generators`
/// generate the group by which states are represented; `further` violations are looked for beyond
/// the first.
pub(crate) fn asked_for(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    (generators, further): (&[Symmetry], usize),
) -> Result<Option<Arc<StubbornSets>>> {
    let (Some(PartialOrder::Always(effort)), Against::NormalForm(form, claim)) =
        (compiled.partial_order, &compiled.against)
    else {
        return Ok(None);
    };
    let why = if run.options.shortest {
        "a shortest counterexample is looked for"
    } else if further > 0 {
        "several counterexamples are looked for"
    } else if form.model().sees_revivals() {
        "this model sees what is done after a rest"
    } else {
        let aim = aim(claim, form.model());
        let token = &run.evaluator.cancellation().clone();
        match StubbornSets::new((form, &compiled.machine), aim, effort, generators, token)? {
            Ok(sets) => return Ok(Some(Arc::new(sets))),
            Err(why) => why.text(),
        }
    };
    note(run, why);
    Ok(None)
}

/// The stubborn sets by which a search of `compiled` may be reduced, if it pays. Returns `None` if
/// that is not possible, or takes long to find out. `generators` are those of [`asked_for`].
pub(super) fn possible(
    compiled: &Compiled,
    generators: &[Symmetry],
    token: &Cancellation,
) -> Result<Option<Arc<StubbornSets>>> {
    let Against::NormalForm(form, claim) = &compiled.against else {
        return Ok(None);
    };
    if form.model().sees_revivals() || form.state_count() > MOST_SPECIFICATION_STATES {
        return Ok(None);
    }
    let (aim, effort) = (aim(claim, form.model()), StubbornEffort::default());
    let sets = StubbornSets::new((form, &compiled.machine), aim, effort, generators, token)?;
    Ok(sets.ok().map(Arc::new))
}

/// Reports by which stubborn sets, if any, the search is reduced.
pub(crate) fn note_used(run: &mut Decision<'_, '_>, sets: Option<&StubbornSets>) {
    run.report.partial_order = sets.map(|sets| sets.effort().name().into());
}

/// The violation that a search is to find to refute `claim` in `model`.
fn aim(claim: &Claim, model: Model) -> Aim {
    match (claim, model.has_failures(), model.has_divergences()) {
        (Claim::DivergenceFree, ..) | (Claim::DeadlockFree, _, true) => Aim::Divergence,
        (Claim::DeadlockFree, ..) => Aim::Deadlock,
        (Claim::Refines(..) | Claim::Lacks(_), _, true) => Aim::FailuresDivergences,
        (Claim::Refines(..) | Claim::Lacks(_), true, _) => Aim::Failures,
        (Claim::Refines(..) | Claim::Lacks(_), ..) => Aim::Traces,
    }
}

/// Adds a remark if a question is decided without the reduction that is asked for.
pub(crate) fn note_unused(run: &mut Decision<'_, '_>, compiled: &Compiled) {
    let is_asked_for = matches!(compiled.partial_order, Some(PartialOrder::Always(_)));
    if is_asked_for && matches!(compiled.against, Against::Itself(..)) {
        note(run, OF_ALL_STEPS);
    }
}

/// Adds the remark that reduction was not used, and why.
fn note(run: &mut Decision<'_, '_>, why: &str) {
    let remark = format!("partial order reduction was not used: {why}");
    let remarks = &mut run.report.remarks;
    // Several searches of one question are reduced alike.
    if !remarks.contains(&remark) {
        remarks.push(remark);
    }
}
