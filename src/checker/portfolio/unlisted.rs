//! A search of states as they are met, where compiling meets more of them than the search may need:
//! of the terms themselves, or of the machine of a process beside sets of its specification's
//! states.

use std::sync::Arc;

use base::cancel::Phase;
use base::diag::{Diagnostic, Result};
use eval::Evaluator;
use lts::explore::PAIR_OF_TERMS;
use machine::{Machine, ProcessView};
use process::event::EventId;
use process::term::{Definitions, TermId};
use refine::check::{Outcome, StopReason};
use refine::unlisted::requirement::Requirement;
use refine::unlisted::{UnlistedSide, check_unlisted};
use symmetry::choice::Algorithm;
use witness::Claim;

use super::found_by::spend;
use crate::claim_verdict::ClaimVerdict;
use crate::compiled::{Evaluated, machine_report};
use crate::decision::Decision;
use crate::determinism;
use crate::options::{Strategy, Symmetries};
use crate::parts::CompiledParts;
use crate::product::refuted;
use crate::question::{Asked, Question};

/// The reason why a search of terms cannot answer `question`, if there is one.
pub(crate) fn hindrance(run: &Decision<'_, '_>, question: &Question<'_>) -> Option<&'static str> {
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

/// The sides of a question that were compiled.
#[derive(Default)]
pub(super) struct CompiledSides {
    process: Option<CompiledSide>,
    specification: Option<CompiledSide>,
}

/// A side that was compiled.
struct CompiledSide {
    /// The process of the machine: that of the question, or one that is searched in its place.
    term: TermId,
    machine: Arc<Machine>,
    /// True if compressions were left out.
    is_uncompressed: bool,
}

impl CompiledSides {
    /// The sides of a refinement that can be compiled within the limits of now, without
    /// compressions if not with them and if these `may_be_left_out`. There is no specification
    /// without a process: beside terms, terms will do. Of other questions there are none.
    pub(super) fn now(
        run: &mut Decision<'_, '_>,
        evaluated: &Evaluated,
        may_be_left_out: bool,
    ) -> Result<Self> {
        let mut sides = Self::default();
        let Asked::Refines(specification, model) = evaluated.asked else {
            return Ok(sides);
        };
        let view = ProcessView::in_model(model);
        sides.process = within_limits(run, may_be_left_out, &|parts, evaluator| {
            let (slim, machine) = parts.searched(evaluator, evaluated.process, view)?;
            Ok((slim.term, machine))
        })?;
        if sides.process.is_some() {
            sides.specification = within_limits(run, may_be_left_out, &|parts, evaluator| {
                let machine = parts.machine(evaluator, specification, view)?;
                Ok((specification, machine))
            })?;
        }
        Ok(sides)
    }

    /// The process of a refinement, compiled whatever it costs. Its specification stays terms.
    pub(super) fn process_alone(run: &mut Decision<'_, '_>, evaluated: &Evaluated) -> Result<Self> {
        let mut sides = Self::default();
        if let Asked::Refines(_, model) = evaluated.asked {
            let view = ProcessView::in_model(model);
            let (slim, machine) = run.parts.searched(run.evaluator, evaluated.process, view)?;
            sides.process = Some(CompiledSide {
                term: slim.term,
                machine,
                is_uncompressed: false,
            });
        }
        Ok(sides)
    }

    /// The process that is searched, and its machine if that is what is searched.
    fn process(&self, evaluated: &Evaluated) -> (TermId, Option<&Machine>) {
        match &self.process {
            Some(side) => (side.term, Some(&side.machine)),
            None => (evaluated.process, None),
        }
    }

    fn specification(&self, term: TermId) -> UnlistedSide<'_> {
        match &self.specification {
            Some(side) => UnlistedSide::Machine(&side.machine),
            None => UnlistedSide::Terms(term),
        }
    }

    /// The strategy of a search of these sides.
    fn strategy(&self) -> Strategy {
        let process = self.process.as_ref();
        process.map_or(Strategy::Terms, |_| Strategy::Subsets)
    }

    /// True if compressions were left out of a side.
    fn are_uncompressed(&self) -> bool {
        let mut sides = self.process.iter().chain(&self.specification);
        sides.any(|side| side.is_uncompressed)
    }
}

/// Compiles one side.
type CompileSide<'c> =
    dyn Fn(&mut CompiledParts, &mut Evaluator<'_>) -> Result<(TermId, Arc<Machine>)> + 'c;

/// The side that `compile` gives within the limits of now, with compressions or, if that fails and
/// they `may_be_left_out`, without. Returns `None` if neither is possible: a search of terms meets
/// the reason if it matters.
fn within_limits(
    run: &mut Decision<'_, '_>,
    may_be_left_out: bool,
    compile: &CompileSide<'_>,
) -> Result<Option<CompiledSide>> {
    for is_uncompressed in [false, true] {
        if is_uncompressed && !may_be_left_out {
            break;
        }
        run.parts.options.idle.are_all = is_uncompressed;
        let compiled = compile(run.parts, run.evaluator);
        run.parts.options.idle.are_all = false;
        run.evaluator.cancellation().check()?;
        if let Ok((term, machine)) = compiled {
            return Ok(Some(CompiledSide {
                term,
                machine,
                is_uncompressed,
            }));
        }
    }
    Ok(None)
}

/// The result of a search of what is met.
pub(super) enum UnlistedAnswer {
    Verdict(ClaimVerdict),
    /// More would have to be searched.
    TooLittle,
    /// As many states were met as `--max-states` allows, and a search of the machine would meet no
    /// others.
    AllAllowed(Box<Diagnostic>),
}

impl UnlistedAnswer {
    /// `verdict`, if there is one.
    fn of(verdict: Option<ClaimVerdict>) -> Self {
        verdict.map_or(Self::TooLittle, Self::Verdict)
    }
}

/// The remark on a question that was answered without compressions.
const LARGER_THAN_SEARCHED: &str =
    "compressions were left out: they were larger than what was searched";

/// The answer to `question` of a search of what is met, `sides` as machines and else terms, which
/// takes as long as that of so many pairs of states of machines.
pub(super) fn search(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    sides: &CompiledSides,
    pairs: u64,
) -> Result<UnlistedAnswer> {
    run.evaluator.enter(Phase::Machine, "");
    let met = match required(&evaluated.asked, sides) {
        Some(asked) => met(run, (question, evaluated), sides, &asked, pairs)?,
        None => match evaluated.asked {
            Asked::Deterministic(model) => {
                let beside = evaluated.sides(run, question, evaluated.process);
                UnlistedAnswer::of(determinism::unlisted(run, &beside, model, pairs)?)
            }
            _ => UnlistedAnswer::TooLittle,
        },
    };
    if matches!(met, UnlistedAnswer::Verdict(_)) {
        let (_, machine) = sides.process(evaluated);
        run.report.machine = machine.map(machine_report);
        run.report.algorithm = Some(Algorithm::Check.name().into());
        run.report.strategy = Some(sides.strategy().word().into());
        if sides.are_uncompressed() {
            run.report.remarks.push(LARGER_THAN_SEARCHED.to_string());
        }
    }
    Ok(met)
}

/// The requirement that `asked` makes, and the claim that a violation refutes. Determinism is none.
pub(super) fn required<'s>(
    asked: &Asked<TermId, Vec<EventId>>,
    sides: &'s CompiledSides,
) -> Option<(Requirement<'s>, Claim)> {
    Some(match asked {
        &Asked::Refines(specification, model) => (
            Requirement::Refines(sides.specification(specification), model),
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

/// The verdict on a claim of a search that takes as long as one of so many pairs of states of
/// machines.
fn met(
    run: &mut Decision<'_, '_>,
    (question, evaluated): (&Question<'_>, &Evaluated),
    sides: &CompiledSides,
    (requirement, claim): &(Requirement<'_>, Claim),
    pairs: u64,
) -> Result<UnlistedAnswer> {
    let (term, machine) = sides.process(evaluated);
    let (process, most) = match machine {
        Some(machine) => (UnlistedSide::Machine(machine), pairs),
        None => (UnlistedSide::Terms(term), pairs / PAIR_OF_TERMS as u64),
    };
    let allowed = run.options.max_states;
    let options = run.check_options_within(allowed.map_or(most, |all| all.min(most)));
    let (outcome, statistics) =
        check_unlisted(run.evaluator, process, requirement, pairs, &options)?;
    // A search of the machine without symmetries would meet as many.
    let is_plain = machine.is_some() && run.options.symmetries == Symmetries::Off;
    let is_all = is_plain && allowed.is_some_and(|all| statistics.states > all);
    let found = match outcome {
        Outcome::Stopped(StopReason::StateLimit) if run.options.strategy.is_none() && !is_all => {
            spend(run.report, sides.strategy().word(), statistics);
            return Ok(UnlistedAnswer::TooLittle);
        }
        Outcome::Stopped(reason) => {
            run.count_all(statistics);
            let problem = Box::new(run.task.stopped(reason, statistics));
            return match is_all {
                true => Ok(UnlistedAnswer::AllAllowed(problem)),
                false => Err(problem),
            };
        }
        Outcome::Holds => ClaimVerdict::Holds,
        Outcome::Violated(path) => {
            let beside = evaluated.sides(run, question, term);
            refuted(run, &beside, machine, claim, &path)?
        }
    };
    run.count_all(statistics);
    Ok(UnlistedAnswer::Verdict(found))
}
