//! A search of the terms themselves, where compiling meets more states than the search may need.

use base::cancel::Phase;
use base::diag::Result;
use process::event::EventId;
use process::term::{Definitions, TermId};
use refine::check::{Outcome, StopReason};
use refine::unlisted::check_unlisted;
use refine::unlisted::requirement::Requirement;
use symmetry::choice::Algorithm;
use witness::Claim;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Evaluated, Sides};
use super::decision::Decision;
use super::determinism;
use super::options::Strategy;
use super::product::refuted;
use super::question::{Asked, Question};

/// The reason why a search of terms cannot answer `question`, if there is one.
pub(super) fn hindrance(run: &Decision<'_, '_>, question: &Question<'_>) -> Option<&'static str> {
    let options = run.options;
    let asks_for_symmetry = question.claims.ask_for_symmetry(options);
    // The order in which terms are met decides which τ a chase follows.
    let hindrances = [
        (asks_for_symmetry, "symmetries are found in machines"),
        (
            options.storage.is_some(),
            "only states of machines are kept on disk",
        ),
        (
            options.cluster.is_some(),
            "only states of machines are divided among processes",
        ),
        (run.further() > 0, "it looks for one counterexample"),
        (
            question.asked.sees_revivals(),
            "this model sees what is done after a rest",
        ),
        (
            run.script.chases(),
            "the script has a function that follows one τ of several",
        ),
    ];
    let mut hindrances = hindrances.into_iter();
    hindrances.find_map(|(hinders, why)| hinders.then_some(why))
}

/// The answer of a search of at most `most` pairs of terms to `question`; `None` if these do not
/// suffice.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let sides = evaluated.sides(run, question, evaluated.process);
    let most = run.options.max_states.map_or(most, |all| all.min(most));
    run.evaluator.enter(Phase::Machine, "");
    let verdict = match required(&evaluated.asked) {
        Some((requirement, claim)) => met(run, &sides, (&requirement, &claim), most)?,
        None => match evaluated.asked {
            Asked::Deterministic(model) => determinism::unlisted(run, &sides, model, most)?,
            _ => None,
        },
    };
    if verdict.is_some() {
        run.report.machine = None;
        run.report.algorithm = Some(Algorithm::Check.name());
        run.report.strategy = Some(Strategy::Terms.word());
    }
    Ok(verdict)
}

/// The requirement that `asked` makes, and the claim that a violation refutes.
fn required(asked: &Asked<TermId, Vec<EventId>>) -> Option<(Requirement, Claim)> {
    Some(match asked {
        &Asked::Refines(specification, model) => (
            Requirement::Refines(specification, model),
            Claim::Refines(specification, model),
        ),
        &Asked::DeadlockFree(model) => (Requirement::DeadlockFree(model), Claim::DeadlockFree),
        Asked::DivergenceFree => (Requirement::DivergenceFree, Claim::DivergenceFree),
        Asked::HasTrace(trace, model) => (
            Requirement::Lacks(trace.clone(), *model),
            Claim::Lacks(trace.clone()),
        ),
        Asked::Deterministic(_) => return None,
    })
}

/// The verdict on `claim` of a search of at most `most` pairs; `None` if these do not suffice.
fn met(
    run: &mut Decision<'_, '_>,
    sides: &Sides,
    (requirement, claim): (&Requirement, &Claim),
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let options = run.check_options_within(most);
    let (outcome, statistics) =
        check_unlisted(run.evaluator, sides.implementation, requirement, &options)?;
    let found = match outcome {
        Outcome::Stopped(StopReason::StateLimit) if run.options.strategy.is_none() => {
            return Ok(None);
        }
        Outcome::Stopped(reason) => {
            run.count_all(statistics);
            return run.task.stopped(reason, statistics).into();
        }
        Outcome::Holds => ClaimVerdict::Holds,
        Outcome::Violated(path) => refuted(run, sides, None, claim, &path)?,
    };
    run.count_all(statistics);
    Ok(Some(found))
}
