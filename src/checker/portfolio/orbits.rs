//! A search of terms as they are met, one of each orbit.
//!
//! The values of some types are taken as atoms, of which a script asks nothing but if two are equal
//! (crate `eval`, folder `atoms`): their permutations are symmetries of all definitions, whatever
//! these list. A type of which a value is looked into after all is no such type, and the search
//! begins again without it (`checker/orbit_types.rs`).

use base::diag::{Diagnostic, Result};
use eval::{Evaluator, NOT_AN_ATOM};
use lts::explore::PAIR_OF_TERMS;
use process::event::EventId;
use process::outermost::without_outer_compressions;
use refine::check::{Outcome, Statistics, StopReason};
use refine::path::{Path, PathStep, Violation};
use refine::unlisted::{UnlistedSide, check_unlisted};
use symmetry::choice::Algorithm;
use witness::Claim;

use super::found_by::{inapplicable, spend};
use super::unlisted::{CompiledSides, UnlistedAnswer, required};
use crate::claim_verdict::ClaimVerdict;
use crate::compiled::Evaluated;
use crate::decision::Decision;
use crate::options::{Strategy, Symmetries};
use crate::orbit_types::OrbitTypes;
use crate::product::refuted;
use crate::question::{Asked, Question};

const NO_ORBITS: &str = "there are no orbits of terms to search for this assertion";

/// The message that no type is left whose values are atoms.
pub(super) fn none_left(types: OrbitTypes) -> Diagnostic {
    let why = match types.failed {
        Some(failed) if failed.code != NOT_AN_ATOM => return *failed,
        Some(failed) => return inapplicable(NO_ORBITS, &failed.message),
        None if types.refused.is_empty() => {
            "no field of a channel ranges over a type of two values or more"
        }
        None => "the script looks into values of each type over which fields range",
    };
    let mut problem = inapplicable(NO_ORBITS, why);
    for refused in types.refused {
        problem = match refused.labels.first() {
            Some(&(place, _)) => problem.at(place, refused.message),
            None => problem.note(refused.message),
        };
    }
    problem
}

/// The reason why a search by orbits cannot answer `question`, if there is one.
pub(crate) fn hindrance(run: &Decision<'_, '_>, question: &Question<'_>) -> Option<&'static str> {
    if matches!(question.asked, Asked::HasTrace(..)) {
        return Some("a permutation of values changes the trace that is asked for");
    }
    if matches!(question.asked, Asked::Deterministic(_)) {
        return Some("determinism compares two runs of a process");
    }
    // Constants and events are carried from one evaluator to another by their numbers.
    if run.script.makes_instances() {
        return Some("the script makes instances of modules");
    }
    (run.options.symmetries == Symmetries::Off).then_some("no symmetries are to be used")
}

/// The answer to `question` of a search of one pair of terms of each orbit, which takes as long as
/// a search of so many pairs of states of machines.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    types: &mut OrbitTypes,
    pairs: u64,
) -> Result<UnlistedAnswer> {
    let found = types.attempt(run, |run, evaluator| {
        searched(run, question, evaluator, pairs)
    })?;
    let Some(((outcome, claim, statistics), mut evaluator)) = found else {
        return Ok(UnlistedAnswer::TooLittle);
    };
    let remark = remark(&evaluator.types_of_atoms());
    let evaluated = (question, evaluated);
    let found = (outcome, &claim, statistics);
    let answer = answer(run, evaluated, &mut evaluator, found)?;
    if matches!(answer, UnlistedAnswer::Verdict(_)) {
        run.report.remarks.extend(remark);
    }
    Ok(answer)
}

/// The remark that values of the types called `names` were permuted, if there are any.
fn remark(names: &[String]) -> Option<String> {
    let names = names.join(" and of ");
    (!names.is_empty()).then(|| {
        format!(
            "the script only compares values of {names}: states are alike if permuting these takes one to the other"
        )
    })
}

/// The outcome of a search of the processes of `question` as `evaluator` has them, the claim that a
/// violation refutes, and the cost.
fn searched(
    run: &Decision<'_, '_>,
    question: &Question<'_>,
    evaluator: &mut Evaluator<'_>,
    pairs: u64,
) -> Result<(Outcome, Claim, Statistics)> {
    let over = question.tau_priority;
    let asked = question.asked.evaluated(over, evaluator)?;
    let process = evaluator.process_with_tau_priority(question.implementation, over)?;
    let process = without_outer_compressions(evaluator, process)?;
    let sides = CompiledSides::default();
    let Some((requirement, claim)) = required(&asked, &sides) else {
        return inapplicable(NO_ORBITS, "it is asked of no set of states").into();
    };
    let most = pairs / PAIR_OF_TERMS as u64;
    let allowed = run.options.max_states;
    let options = run.check_options_within(allowed.map_or(most, |all| all.min(most)));
    let process = UnlistedSide::Terms(process);
    let (outcome, statistics) = check_unlisted(evaluator, process, &requirement, pairs, &options)?;
    evaluator.check_atoms()?;
    Ok((outcome, claim, statistics))
}

/// The answer of a search that has this outcome.
fn answer(
    run: &mut Decision<'_, '_>,
    (question, evaluated): (&Question<'_>, &Evaluated),
    evaluator: &mut Evaluator<'_>,
    (outcome, claim, statistics): (Outcome, &Claim, Statistics),
) -> Result<UnlistedAnswer> {
    let found = match outcome {
        Outcome::Stopped(StopReason::StateLimit) if run.options.strategy.is_none() => {
            spend(run.report, Strategy::Orbits.word(), statistics);
            return Ok(UnlistedAnswer::TooLittle);
        }
        Outcome::Stopped(reason) => {
            run.count_all(statistics);
            return Err(Box::new(run.task.stopped(reason, statistics)));
        }
        Outcome::Holds => ClaimVerdict::Holds,
        Outcome::Violated(path) => {
            let path = told(run.evaluator, evaluator, path)?;
            let beside = evaluated.sides(run, question, evaluated.process);
            let claim = match (claim, &evaluated.asked) {
                (Claim::Refines(..), &Asked::Refines(specification, model)) => {
                    Claim::Refines(specification, model)
                }
                _ => claim.clone(),
            };
            refuted(run, &beside, None, &claim, &path)?
        }
    };
    run.count_all(statistics);
    run.report.machine = None;
    run.report.algorithm = Some(Algorithm::Check.name().into());
    run.report.strategy = Some(Strategy::Orbits.word().into());
    Ok(UnlistedAnswer::Verdict(found))
}

/// `path`, found in terms of `other`, with the events of `evaluator`.
fn told(evaluator: &mut Evaluator<'_>, other: &Evaluator<'_>, path: Path) -> Result<Path> {
    let mut step = |step: PathStep| -> Result<PathStep> {
        Ok(PathStep {
            label: evaluator.event_of(other, step.label)?,
            origin: evaluator.event_of(other, step.origin)?,
        })
    };
    let steps = path.steps.into_iter().map(&mut step);
    let steps = steps.collect::<Result<Vec<PathStep>>>()?;
    let violation = match path.violation {
        Violation::Event(wrong) => Violation::Event(step(wrong)?),
        Violation::Refusal(offers) => {
            let offers = offers
                .into_iter()
                .map(|event| evaluator.event_of(other, event));
            let mut offers = offers.collect::<Result<Vec<EventId>>>()?;
            offers.sort_unstable();
            Violation::Refusal(offers)
        }
        other => other,
    };
    Ok(Path {
        steps,
        violation,
        ..path
    })
}
