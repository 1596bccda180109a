//! Partial order reduction, where it is asked for.

use std::sync::Arc;

use crate::diag::Result;
use crate::lts::model::Model;
use crate::lts::normal_form::NormalForm;
use crate::process::term::Definitions;
use crate::refine::stubborn::{Aim, StubbornSets};
use crate::symmetry::pbisim::Symmetry;
use crate::witness::Claim;

use super::compiled::{Against, Compiled};
use super::decision::Decision;

/// The stubborn sets by which the search of `compiled` beside `form` is reduced; `None` if nobody
/// asks for that, or if it cannot be, which a remark says then. `generators` generate the group by
/// which states are represented; `further` violations are looked for beyond the first.
pub(super) fn stubborn_sets(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    form: &NormalForm,
    (generators, further): (&[Symmetry], usize),
) -> Result<Option<Arc<StubbornSets>>> {
    let (Some(effort), Against::NormalForm(_, claim)) = (compiled.partial_order, &compiled.against)
    else {
        return Ok(None);
    };
    if further > 0 {
        note(run, "several counterexamples are looked for");
        return Ok(None);
    }
    let aim = aim(claim, form.model());
    let token = &run.evaluator.cancellation().clone();
    match StubbornSets::new((form, &compiled.machine), aim, effort, generators, token)? {
        Ok(sets) => {
            run.report.partial_order = Some(effort.name());
            Ok(Some(Arc::new(sets)))
        }
        Err(why) => {
            note(run, why.text());
            Ok(None)
        }
    }
}

/// What a search is to find that would refute `claim` in `model`.
fn aim(claim: &Claim, model: Model) -> Aim {
    match (claim, model.has_failures(), model.has_divergences()) {
        (Claim::DivergenceFree, ..) | (Claim::DeadlockFree, _, true) => Aim::Divergence,
        (Claim::DeadlockFree, ..) => Aim::Deadlock,
        (Claim::Refines(..) | Claim::Lacks(_), _, true) => Aim::FailuresDivergences,
        (Claim::Refines(..) | Claim::Lacks(_), true, _) => Aim::Failures,
        (Claim::Refines(..) | Claim::Lacks(_), ..) => Aim::Traces,
    }
}

/// Says that a question is decided without the reduction that is asked for, if it is.
pub(super) fn note_unused(run: &mut Decision<'_, '_>, compiled: &Compiled) {
    let why = match (&compiled.against, compiled.partial_order) {
        (_, None) | (Against::NormalForm(..), _) => return,
        (Against::Itself(..), _) => "determinism is decided from all steps",
        (Against::Observations(..), _) => "this model sees what is done after a rest",
    };
    note(run, why);
}

/// Adds the remark that nothing was left out, and why.
fn note(run: &mut Decision<'_, '_>, why: &str) {
    let remark = format!("partial order reduction was not used: {why}");
    let remarks = &mut run.report.remarks;
    // Several searches of one question are reduced alike.
    if !remarks.contains(&remark) {
        remarks.push(remark);
    }
}
