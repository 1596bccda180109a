//! Partial order reduction, where it is asked for or pays.

use std::sync::Arc;

use base::diag::Result;
use base::number::thousands;
use lts::model::Model;
use process::term::Definitions;
use refine::check::{CheckOptions, CheckResult, Outcome, StopReason};
use refine::stubborn::{Aim, StubbornEffort, StubbornSets};
use symmetry::pbisim::Symmetry;
use witness::Claim;

use super::compiled::{Against, Compiled};
use super::decision::Decision;
use super::options::PartialOrder;

/// The outcome of two short searches, one with reduction and one without.
#[derive(Default)]
pub(super) struct Trial {
    /// The answer, if one of them decides the question.
    pub(super) decided: Option<CheckResult>,
    /// The stubborn sets by which it was decided, or with which to go on; `None` if they would not
    /// pay.
    pub(super) sets: Option<Arc<StubbornSets>>,
}

/// The number of states that are searched without reduction before reduction is tried. The search
/// takes hundredths of a second.
const TRIED_PLAINLY: u64 = 20_000;

/// Reduction pays if it gets as deep with one in this many of the states. A state at which a
/// stubborn set is chosen takes up to six times as long (Dijkstra's algorithm for four, which has
/// 105 rules), but what is saved grows with the depth.
const WORTHWHILE: u64 = 4;

/// The most states of a specification beside which it is tried whether reduction pays. Beside more,
/// finding out which of their events commute would take longer than the short searches.
const MOST_SPECIFICATION_STATES: usize = 5_000;

/// The stubborn sets by which the search of `compiled` may be reduced. Returns `None` if no
/// reduction is asked for, or if it is not possible, which a remark then says. `generators`
/// generate the group by which states are represented; `further` violations are looked for beyond
/// the first.
pub(super) fn stubborn_sets(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    (generators, further): (&[Symmetry], usize),
) -> Result<Option<Arc<StubbornSets>>> {
    let (Some(wish), Against::NormalForm(form, claim)) =
        (compiled.partial_order, &compiled.against)
    else {
        return Ok(None);
    };
    if further > 0 {
        note(run, wish, "several counterexamples are looked for");
        return Ok(None);
    }
    if form.model().sees_revivals() {
        note(run, wish, "this model sees what is done after a rest");
        return Ok(None);
    }
    let effort = match wish {
        PartialOrder::Always(effort) => effort,
        PartialOrder::IfItPays if form.state_count() > MOST_SPECIFICATION_STATES => {
            return Ok(None);
        }
        PartialOrder::IfItPays => StubbornEffort::default(),
    };
    let aim = aim(claim, form.model());
    let token = &run.evaluator.cancellation().clone();
    match StubbornSets::new((form, &compiled.machine), aim, effort, generators, token)? {
        Ok(sets) => Ok(Some(Arc::new(sets))),
        Err(why) => {
            note(run, wish, why.text());
            Ok(None)
        }
    }
}

/// Tries by short searches in memory whether `sets` pay.
pub(super) fn tried(
    run: &mut Decision<'_, '_>,
    sets: Arc<StubbornSets>,
    wanted: &CheckOptions,
    search: &dyn Fn(&CheckOptions) -> Result<CheckResult>,
) -> Result<Trial> {
    let limit = |states: u64| wanted.max_states.map_or(states, |most| most.min(states));
    let short = |states: u64, stubborn: Option<Arc<StubbornSets>>| CheckOptions {
        max_states: Some(limit(states)),
        stubborn,
        ..wanted.clone()
    };
    let is_over = |result: &CheckResult| result.outcome != Outcome::Stopped(StopReason::StateLimit);
    let plain = search(&short(TRIED_PLAINLY, None))?;
    if is_over(&plain) {
        return Ok(Trial {
            decided: Some(plain),
            sets: None,
        });
    }
    let reduced = search(&short(TRIED_PLAINLY / WORTHWHILE, Some(Arc::clone(&sets))))?;
    let (reached, plainly) = (reduced.statistics, plain.statistics);
    let pays = reached.levels >= plainly.levels;
    if is_over(&reduced) || pays {
        return Ok(Trial {
            decided: is_over(&reduced).then_some(reduced),
            sets: Some(sets),
        });
    }
    let remark = format!(
        "partial order reduction was tried and left out: {} states reach level {} with it, {} \
         reach level {} without",
        thousands(reached.states),
        thousands(reached.levels),
        thousands(plainly.states),
        thousands(plainly.levels)
    );
    run.report.remarks.push(remark);
    Ok(Trial::default())
}

/// Reports by which stubborn sets, if any, the search is reduced.
pub(super) fn note_used(run: &mut Decision<'_, '_>, sets: Option<&StubbornSets>) {
    run.report.partial_order = sets.map(|sets| sets.effort().name());
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
pub(super) fn note_unused(run: &mut Decision<'_, '_>, compiled: &Compiled) {
    let Some(wish) = compiled.partial_order else {
        return;
    };
    let why = match &compiled.against {
        Against::NormalForm(..) => return,
        Against::Itself(..) => "determinism is decided from all steps",
    };
    note(run, wish, why);
}

/// Adds the remark that reduction was not used, and why. Adds none if reduction was wanted only
/// where it pays.
fn note(run: &mut Decision<'_, '_>, wish: PartialOrder, why: &str) {
    if wish == PartialOrder::IfItPays {
        return;
    }
    let remark = format!("partial order reduction was not used: {why}");
    let remarks = &mut run.report.remarks;
    // Several searches of one question are reduced alike.
    if !remarks.contains(&remark) {
        remarks.push(remark);
    }
}
