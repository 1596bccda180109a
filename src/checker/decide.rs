//! Decides one question, from expressions to a verdict with its counterexample: the main function
//! of this stage.

use base::diag::{Diagnostic, Result};
use lts::model::Model;
use machine::chase::{CHASE_LOST, lost};
use report::assertion::Verdict;
use witness::Claim;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Against, Compiled, Evaluated};
use super::decision::Decision;
use super::options::Strategy;
use super::question::{Asked, Question};
use super::reduce::reduce;
use super::reduction::Reduction;
use super::remarks::{note_divergence, note_how_far, note_left_out};
use super::trials::{Prepared, prepared};
use super::warnings::{note_warnings, take_back};
use super::{by_dives, determinism, partial_order, product, trial};

/// Decides `question` by a search, and fills the report in as far as it gets.
pub(super) fn decide(run: &mut Decision<'_, '_>, question: &Question<'_>) -> Result<()> {
    let holds = answer(run, question)?;
    run.report.verdict = Verdict::of(holds != question.negated);
    Ok(())
}

/// The remark on a question that was decided a second time.
const DECIDED_AGAIN: &str =
    "each `chase` was listed as one component: followed in parallel it gave no answer";

/// True if the process does what `question` asks. A `not` of the assertion is not looked at.
fn answer(run: &mut Decision<'_, '_>, question: &Question<'_>) -> Result<bool> {
    let before = run.report.clone();
    // Claims about symmetries can be checked where each chase is one component. A search on disk
    // that is resumed does not know whether it has followed a chase in vain, and no process of a
    // cluster knows this of the others.
    run.parts.options.chases_are_leaves = question.claims.ask_for_symmetry(run.options)
        || run.options.storage.is_some()
        || run.options.cluster.is_some();
    match answer_once(run, question) {
        Err(error) if error.code == CHASE_LOST => {
            let seconds = run.report.seconds.clone();
            *run.report = before;
            run.report.seconds = seconds;
            run.parts.options.chases_are_leaves = true;
            let holds = answer_once(run, question)?;
            run.report.remarks.push(DECIDED_AGAIN.to_string());
            Ok(holds)
        }
        answer => answer,
    }
}

/// True if the process does what `question` asks. If a machine follows a chase in vain, fails with
/// the error of [`lost`].
fn answer_once(run: &mut Decision<'_, '_>, question: &Question<'_>) -> Result<bool> {
    let evaluated = run.timed(|time| &mut time.compile, |run| Evaluated::of(run, question))?;
    let compiled = match prepared(run, question, &evaluated)? {
        Prepared::Compiled(compiled) => compiled,
        Prepared::EmptyTrace => return Ok(true),
        Prepared::Decided(verdict) => {
            return Ok(match evaluated.asked {
                // The search was for a run that has the trace.
                Asked::HasTrace(..) => !matches!(verdict, ClaimVerdict::Holds),
                _ => holds(run, verdict),
            });
        }
    };
    note_left_out(run, &compiled.slim.left_out);
    note_warnings(run, question, &compiled)?;
    partial_order::note_unused(run, &compiled);
    let answer = answer_of(run, question, &compiled);
    if matches!(answer, Ok(false)) {
        take_back(run);
    }
    // By the rules of terms a chase may follow other τ, with which the answer may differ.
    let is_another = |error: &Diagnostic| ["internal-replay", "replay-limit"].contains(&error.code);
    let is_lost = compiled.machine.has_lost_a_chase()
        || compiled.sides.follows_chases && answer.as_ref().is_err_and(|error| is_another(error));
    if is_lost { lost().into() } else { answer }
}

fn answer_of(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<bool> {
    let found = found(run, question, compiled)?;
    match (&compiled.against, &found) {
        // The search was for a path that has the trace, so finding one is good.
        (Against::NormalForm(_, Claim::Lacks(_)), ClaimVerdict::Fails(_)) => Ok(true),
        (Against::NormalForm(_, Claim::Lacks(trace)), ClaimVerdict::Holds) => {
            let noted = note_how_far(run, &compiled.machine, trace);
            run.unless_limit("how far the process can do the trace is not told", noted)?;
            Ok(false)
        }
        (_, ClaimVerdict::Fails(_)) => Ok(holds(run, found)),
        (Against::NormalForm(form, Claim::DeadlockFree), ClaimVerdict::Holds) => {
            // With divergences in the model, a process that diverges has failed already.
            if form.model() == Model::Failures {
                note_divergence(run, &compiled.machine);
            }
            Ok(true)
        }
        (_, ClaimVerdict::Holds) => Ok(true),
    }
}

/// The verdict of a search of a machine.
fn found(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<ClaimVerdict> {
    let is_of_dives = run.options.strategy == Some(Strategy::Dive);
    let trial = run.timed(
        |time| &mut time.explore,
        |run| match is_of_dives {
            true => by_dives::search(run, compiled, &question.claims).map(Some),
            false => trial::search(run, compiled, &question.claims),
        },
    )?;
    match trial {
        Some(found) => Ok(found),
        None => found_by_symmetry(run, question, compiled),
    }
}

/// True if the claim holds. If it fails, the counterexample goes to the report.
fn holds(run: &mut Decision<'_, '_>, verdict: ClaimVerdict) -> bool {
    match verdict {
        ClaimVerdict::Holds => true,
        ClaimVerdict::Fails(found) => {
            run.report.counterexample = found.map(|found| *found);
            false
        }
    }
}

/// The verdict of a search of representatives, as far as there are symmetries.
fn found_by_symmetry(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<ClaimVerdict> {
    // Done also where the machine is compared with itself: claims are checked all the same.
    let reduction = run.timed(
        |time| &mut time.symmetry,
        |run| reduce(run, compiled, &question.claims),
    )?;
    run.timed(
        |time| &mut time.explore,
        |run| search(run, compiled, &reduction),
    )
}

/// The verdict of a search. A violation is replayed on the terms themselves before anything is
/// reported.
fn search(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    reduction: &Reduction,
) -> Result<ClaimVerdict> {
    match &compiled.against {
        Against::NormalForm(_, claim) => product::search(run, compiled, claim, reduction),
        Against::Itself(model, _) => determinism::search(run, compiled, *model, reduction),
    }
}
