//! Decides one question, from expressions to a verdict with its counterexample: the main function
//! of this stage.

use base::diag::{Diagnostic, Result};
use lts::model::Model;
use machine::chase::{CHASE_LOST, lost};
use report::assertion::{Verdict, WorkStage};
use witness::Claim;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Against, Compiled, Evaluated};
use super::decision::Decision;
use super::portfolio::turns::{Prepared, prepared};
use super::portfolio::{self, partial_order};
use super::question::{Asked, Question};
use super::remarks::{note_divergence, note_how_far, note_left_out};
use super::warnings::{note_warnings, take_back};

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
    let evaluated = run.timed(WorkStage::Compile, |run| Evaluated::of(run, question))?;
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
    let found = portfolio::found(run, question, compiled)?;
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

/// True if the claim holds. If it fails, the counterexample goes to the report.
fn holds(run: &mut Decision<'_, '_>, verdict: ClaimVerdict) -> bool {
    match verdict {
        ClaimVerdict::Holds => true,
        ClaimVerdict::Fails(found) => {
            run.report.counterexample = found.map(|found| run.report.in_words(*found));
            false
        }
    }
}
