//! Compiling by turns with cheaper searches, so that nothing large is listed, compressed or
//! normalised that the answer does not need.
//!
//! Before all turns a script with a `chase` is compiled with each chase as one component, if all is
//! small: only such a chase has symmetries.
//!
//! Each turn compiles systems of at most so many states. If one is larger, as many states are
//! searched as they are met as take about as long: of the process's machine beside sets of its
//! specification's states, if that machine is not what is large, and else of terms. Then as many
//! are searched of terms of which one of each orbit is enough. If there are compressions, the
//! machine without them is searched besides, through as many states. The next turn may take
//! [`FACTOR`] times as much, and goes on with the components of which a part was listed
//! (`lts::explore::PartlyListed`). All turns before the last together take a seventh of the last,
//! and a question costs at most about four times what it costs in the best way. Turns are counted
//! in states, not in time: what is decided, and how, is the same on every machine and for every
//! number of threads.

use base::diag::{Diagnostic, Result};
use process::term::Definitions;
use process::trial::{LARGER, larger};
use report::assertion::WorkStage;
use symmetry::choice::Algorithm;

use super::beside::BesideSearch;
use super::found_by::inapplicable;
use super::orbits;
use super::plain;
use super::unlisted::{self, CompiledSides, UnlistedAnswer};
use crate::claim_verdict::{ClaimVerdict, is_limit};
use crate::compiled::{Compiled, Evaluated, compile_evaluated};
use crate::decision::Decision;
use crate::options::{PartialOrder, Strategy, Symmetries};
use crate::orbit_types::OrbitTypes;
use crate::question::{Asked, Question};

/// The state of a question before a machine is searched.
pub(crate) enum Prepared {
    /// Both sides are compiled.
    Compiled(Compiled),
    /// The question asks for the empty trace, which every process has.
    EmptyTrace,
    /// A cheaper search has decided it.
    Decided(ClaimVerdict),
}

/// The cheaper ways that a question may be tried by.
#[derive(Clone, Copy)]
struct MayTry {
    unlisted: bool,
    orbits: bool,
    uncompressed: bool,
}

impl MayTry {
    fn is_any(self) -> bool {
        self.unlisted || self.uncompressed
    }
}

/// The states of a system that are listed in the first turn, which takes some hundredths of a
/// second.
pub(crate) const FIRST: usize = 1 << 14;

/// The factor by which turns grow.
pub(crate) const FACTOR: usize = 8;

/// The states that are searched where a component grows without end, which no larger turn can
/// change. That takes about a second.
const LAST: usize = 1 << 18;

/// Compiles both sides of `question`, by turns with a search of its terms; or does what the option
/// says.
pub(crate) fn prepared(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
) -> Result<Prepared> {
    if matches!(&evaluated.asked, Asked::HasTrace(trace, _) if trace.is_empty()) {
        return Ok(Prepared::EmptyTrace);
    }
    let hindrance = unlisted::hindrance(run, question);
    if let Some(strategy @ (Strategy::Terms | Strategy::Orbits | Strategy::Subsets)) =
        run.options.strategy
    {
        let asks_for_less = matches!(run.options.partial_order, Some(PartialOrder::Always(_)));
        let reduces = asks_for_less.then_some("partial order reduction is one of listed systems");
        let is_refinement = matches!(evaluated.asked, Asked::Refines(..));
        let no_sets = (strategy == Strategy::Subsets && !is_refinement)
            .then_some("only the specification of a refinement has sets of states");
        let no_orbits = match strategy {
            Strategy::Orbits => orbits::hindrance(run, question),
            _ => None,
        };
        return match hindrance.or(reduces).or(no_sets).or(no_orbits) {
            Some(why) => inapplicable(NOT_AS_MET, why).into(),
            None => met(run, question, evaluated, strategy),
        };
    }
    let limits = run.parts.options.limits;
    let is_free = run.options.strategy.is_none() && run.further() == 0;
    let may = MayTry {
        unlisted: is_free && hindrance.is_none(),
        orbits: is_free && hindrance.or(orbits::hindrance(run, question)).is_none(),
        uncompressed: is_free
            && run.script.declares_functions()
            && question.claims.leave_free(run.options),
    };
    let prepared = match with_small_chases(run, question, evaluated)? {
        Some(compiled) => Ok(Prepared::Compiled(compiled)),
        None => by_turns(run, question, evaluated, may),
    };
    run.parts.options.limits = limits;
    prepared
}

/// Both sides of `question` with each chase as one component, so that it may have symmetries;
/// `None` if there is none to list, or if something is larger than the first turn allows. A chase
/// that is followed has no symmetries.
fn with_small_chases(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
) -> Result<Option<Compiled>> {
    let is_auto = run.options.symmetries == Symmetries::Found && run.options.algorithm.is_none();
    if !is_auto || run.parts.options.chases_are_leaves || !run.script.chases() {
        return Ok(None);
    }
    let limits = run.parts.options.limits;
    let most = run.options.max_leaf_states;
    let first = most.map_or(FIRST, |most| FIRST.min(most as usize));
    run.parts.options.limits = limits.trying(first);
    run.parts.options.chases_are_leaves = true;
    let compiled = run.timed(WorkStage::Compile, |run| {
        compile_evaluated(run, question, evaluated)
    });
    run.parts.options.limits = limits;
    match compiled {
        // A chase without an end may be one that the search never comes to.
        Err(_) => {
            run.evaluator.cancellation().check()?;
            run.parts.options.chases_are_leaves = false;
            Ok(None)
        }
        compiled => compiled,
    }
}

const NOT_AS_MET: &str = "states cannot be searched as they are met for this assertion";

/// The answer of a search of what is met alone.
fn met(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    strategy: Strategy,
) -> Result<Prepared> {
    let sides = match strategy {
        Strategy::Subsets => run.timed(WorkStage::Compile, |run| {
            CompiledSides::process_alone(run, evaluated)
        })?,
        _ => CompiledSides::default(),
    };
    let mut types = OrbitTypes::default();
    let met = run.timed(WorkStage::Explore, |run| match strategy {
        Strategy::Orbits => orbits::search(run, question, evaluated, &mut types, u64::MAX),
        _ => unlisted::search(run, question, evaluated, &sides, u64::MAX),
    })?;
    match met {
        UnlistedAnswer::Verdict(verdict) => Ok(Prepared::Decided(verdict)),
        UnlistedAnswer::AllAllowed(problem) => Err(problem),
        UnlistedAnswer::TooLittle if strategy == Strategy::Orbits => {
            orbits::none_left(types).into()
        }
        UnlistedAnswer::TooLittle => {
            let why = "determinism in failures needs a normal form here";
            inapplicable(NOT_AS_MET, why).into()
        }
    }
}

fn by_turns(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    may: MayTry,
) -> Result<Prepared> {
    let limits = run.parts.options.limits;
    let most = run.options.max_leaf_states;
    // A component that was too large for a long turn.
    let mut large: Option<String> = None;
    let mut states = if may.is_any() { FIRST } else { usize::MAX };
    let mut types = OrbitTypes::default();
    loop {
        let is_last = most.is_some_and(|most| states as u64 >= most);
        run.parts.options.limits = match is_last {
            true => limits,
            false => limits.trying(states),
        };
        let compiled = run.timed(WorkStage::Compile, |run| {
            compile_evaluated(run, question, evaluated)
        });
        let problem = match compiled {
            Ok(Some(compiled)) => return Ok(Prepared::Compiled(compiled)),
            Ok(None) => return Ok(Prepared::EmptyTrace),
            Err(problem) if is_of_size(&problem) => problem,
            Err(problem) => return Err(Box::new(noted(*problem, large))),
        };
        let grows = problem.code == GROWING && !is_last;
        let states_now = most.map_or(states, |most| states.min(most as usize));
        let searched = states_now.max(if grows { LAST } else { FIRST });
        let cheaper = cheaper(run, question, evaluated, may, (searched, states_now))?;
        if let Some(verdict) = cheaper {
            return Ok(Prepared::Decided(verdict));
        }
        if may.orbits {
            let met = run.timed(WorkStage::Explore, |run| {
                orbits::search(run, question, evaluated, &mut types, searched as u64)
            });
            let met = unless_too_large(run, met, UnlistedAnswer::TooLittle)?;
            if let UnlistedAnswer::Verdict(verdict) = met {
                return Ok(Prepared::Decided(verdict));
            }
        }
        if grows || is_last || states == usize::MAX {
            return Err(match problem.code {
                LARGER => Box::new(Diagnostic::undecided(GROWING, problem.message)),
                _ => problem,
            });
        }
        if problem.code == LARGER && problem.message != larger().message {
            large = Some(problem.message.clone());
        }
        states = states.saturating_mul(FACTOR);
    }
}

/// The verdict of a search of so many states as they are met, or of the machine without
/// compressions through so many others; `None` if neither suffices.
fn cheaper(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    may: MayTry,
    (searched, states): (usize, usize),
) -> Result<Option<ClaimVerdict>> {
    if may.unlisted {
        let sides = run.timed(WorkStage::Compile, |run| {
            CompiledSides::now(run, evaluated, may.uncompressed)
        })?;
        let met = run.timed(WorkStage::Explore, |run| {
            unlisted::search(run, question, evaluated, &sides, searched as u64)
        });
        match unless_too_large(run, met, UnlistedAnswer::TooLittle)? {
            UnlistedAnswer::Verdict(verdict) => return Ok(Some(verdict)),
            UnlistedAnswer::AllAllowed(problem) => return Err(problem),
            UnlistedAnswer::TooLittle => {}
        }
    }
    if !may.uncompressed {
        return Ok(None);
    }
    run.parts.options.idle.are_all = true;
    let verdict = uncompressed(run, question, evaluated, states as u64);
    run.parts.options.idle.are_all = false;
    unless_too_large(run, verdict, None)
}

/// The verdict of a search of at most `most` states of the machine without compressions; `None` if
/// these do not suffice, or if there are no compressions.
fn uncompressed(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let compiled = run.timed(WorkStage::Compile, |run| {
        compile_evaluated(run, question, evaluated)
    })?;
    let Some(compiled) = compiled else {
        return Ok(None);
    };
    if compiled.slim.left_out.is_empty() || compiled.machine.follows_chases() {
        return Ok(None);
    }
    let verdict = run.timed(WorkStage::Explore, |run| {
        plain::among(run, (&compiled, &mut BesideSearch::of(&compiled)), most)
    })?;
    if verdict.is_some() {
        run.report.algorithm = Some(Algorithm::Check.name().into());
        run.report.remarks.push(OVER_SOONER.to_string());
    }
    Ok(verdict)
}

/// The remark on a question that a search without compressions has answered.
const OVER_SOONER: &str =
    "compressions were left out: the search without them was over sooner than compressing";

/// The result of a search, which is `too_little` if something was too large for this turn.
fn unless_too_large<T>(run: &Decision<'_, '_>, result: Result<T>, too_little: T) -> Result<T> {
    match result {
        Err(error) if is_limit(&error) => {
            run.evaluator.cancellation().check()?;
            Ok(too_little)
        }
        result => result,
    }
}

/// The code of the message that a component grows without end.
pub(crate) const GROWING: &str = "growing-process";

/// True if `problem` is that something is larger than was allowed.
pub(crate) fn is_of_size(problem: &Diagnostic) -> bool {
    let codes = [
        LARGER,
        GROWING,
        "large-specification",
        "large-process",
        "state-limit",
        "too-many-rules",
    ];
    codes.contains(&problem.code)
}

/// `problem`, with a note on what was `large` before.
fn noted(problem: Diagnostic, large: Option<String>) -> Diagnostic {
    match large {
        Some(large) => problem.note(large),
        None => problem,
    }
}
