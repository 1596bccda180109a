//! One question from expressions to a verdict with its counterexample: the main function of this
//! stage.

use crate::diag::Result;
use crate::lts::model::Model;
use crate::report::assertion::{Counterexample, Verdict};
use crate::witness::Claim;

use super::compiled::{Against, Compiled, compile};
use super::decision::Decision;
use super::question::Question;
use super::reduce::reduce;
use super::reduction::Reduction;
use super::remarks::{note_divergence, note_how_far};
use super::storage::kept_in_memory;
use super::{determinism, observations, product};

/// Decides `question` by a search, and fills the report in as far as it gets.
pub(super) fn decide(run: &mut Decision<'_, '_>, question: &Question<'_>) -> Result<()> {
    // The remarks come before the work, so that a search that is stopped has them too.
    let in_memory = run.options.storage.as_ref();
    let in_memory = in_memory.and_then(|_| kept_in_memory(&question.asked));
    run.report.remarks.extend(in_memory);
    let remark = question.remark.map(str::to_string);
    run.report.remarks.extend(remark);
    let holds = answer(run, question)?;
    run.report.verdict = Verdict::of(holds != question.negated);
    Ok(())
}

/// Whether the process does what `question` asks, whether or not the assertion is negated.
fn answer(run: &mut Decision<'_, '_>, question: &Question<'_>) -> Result<bool> {
    let compiled = run.timed(|time| &mut time.compile, |run| compile(run, question))?;
    let Some(compiled) = compiled else {
        // Every process has the empty trace.
        return Ok(true);
    };
    // Also without a normal form, where no symmetry is used: claims are checked all the same.
    let reduction = run.timed(
        |time| &mut time.symmetry,
        |run| reduce(run, &compiled, &question.claims),
    )?;
    let found = run.timed(
        |time| &mut time.explore,
        |run| search(run, &compiled, &reduction),
    )?;
    match (&compiled.against, found) {
        // The search was for a path that has the trace, so finding one is good.
        (Against::NormalForm(_, Claim::Lacks(_)), Some(_)) => Ok(true),
        (Against::NormalForm(_, Claim::Lacks(trace)), None) => {
            note_how_far(run, &compiled.machine, trace)?;
            Ok(false)
        }
        (_, Some(found)) => {
            run.report.counterexample = Some(found);
            Ok(false)
        }
        (Against::NormalForm(form, Claim::DeadlockFree), None) => {
            // With divergences in the model, a process that diverges has failed already.
            if form.model() == Model::Failures {
                note_divergence(run, &compiled.machine);
            }
            Ok(true)
        }
        (_, None) => Ok(true),
    }
}

/// A violation that a search finds, replayed on the terms themselves before anything is reported;
/// `None` if there is none.
fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    reduction: &Reduction,
) -> Result<Option<Counterexample>> {
    match &compiled.against {
        Against::NormalForm(form, claim) => {
            product::search(run, compiled, (form, claim), reduction)
        }
        Against::Itself(model) => determinism::search(run, compiled, *model),
        Against::Observations(states, specification, model) => {
            observations::search(run, compiled, (states, *specification, *model))
        }
    }
}
