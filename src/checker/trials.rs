//! Compiling by turns with a search of the terms, so that nothing large is listed that a search
//! does not need.
//!
//! Each turn compiles systems of at most so many states, and if one is larger, searches as many
//! terms as take about as long. The next turn may take [`FACTOR`] times as much. All turns before
//! the last together take a seventh of the last, so a question costs at most about twice what it
//! costs in the better way. Turns are counted in states, not in time: what is decided, and how, is
//! the same on every machine and for every number of threads.

use base::diag::{Diagnostic, Result, Severity};
use lts::explore::{LARGER, larger};

use process::term::Definitions;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Compiled, Evaluated, compile_evaluated};
use super::decision::Decision;
use super::options::{PartialOrder, Strategy};
use super::question::{Asked, Question};
use super::unlisted;

/// The state of a question before a machine is searched.
pub(super) enum Prepared {
    /// Both sides are compiled.
    Compiled(Compiled),
    /// The question asks for the empty trace, which every process has.
    EmptyTrace,
    /// A search of terms has decided it.
    Decided(ClaimVerdict),
}

/// The states of a system that are listed in the first turn, which takes some hundredths of a
/// second.
const FIRST: usize = 1 << 14;

/// The factor by which turns grow.
const FACTOR: usize = 8;

/// A pair of terms takes as long as this many states of a component, or longer.
const STATES_OF_A_PAIR: usize = 16;

/// The pairs of terms that are searched in each turn at least.
const FEW_PAIRS: usize = 1 << 10;

/// The pairs of terms that are searched where a component grows without end, which no larger turn
/// can change. That takes about a second.
const LAST_PAIRS: usize = 1 << 14;

/// Compiles both sides of `question`, by turns with a search of its terms; or does what the option
/// says.
pub(super) fn prepared(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
) -> Result<Prepared> {
    if matches!(&evaluated.asked, Asked::HasTrace(trace, _) if trace.is_empty()) {
        return Ok(Prepared::EmptyTrace);
    }
    let hindrance = unlisted::hindrance(run, question);
    if run.options.strategy == Some(Strategy::Terms) {
        let asks_for_less = matches!(run.options.partial_order, Some(PartialOrder::Always(_)));
        let reduces = asks_for_less.then_some("partial order reduction is one of machines");
        return match hindrance.or(reduces) {
            Some(why) => inapplicable(why).into(),
            None => on_terms(run, question, evaluated),
        };
    }
    let limits = run.parts.options.limits;
    let may_search = hindrance.is_none() && run.options.strategy.is_none();
    let prepared = by_turns(run, question, evaluated, may_search);
    run.parts.options.limits = limits;
    prepared
}

fn inapplicable(why: &str) -> Diagnostic {
    Diagnostic::undecided(
        "strategy-inapplicable",
        "terms cannot be searched for this assertion",
    )
    .note(why)
    .hint("leave --strategy out, or say --strategy machine")
}

/// The answer of a search of terms alone.
fn on_terms(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
) -> Result<Prepared> {
    let verdict = run.timed(
        |time| &mut time.explore,
        |run| unlisted::search(run, question, evaluated, u64::MAX),
    )?;
    match verdict {
        Some(verdict) => Ok(Prepared::Decided(verdict)),
        None => inapplicable("determinism in failures needs a normal form here").into(),
    }
}

fn by_turns(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    may_search: bool,
) -> Result<Prepared> {
    let limits = run.parts.options.limits;
    let most = run.options.max_leaf_states;
    // A component that was too large for a long turn.
    let mut large: Option<String> = None;
    let mut states = if may_search { FIRST } else { usize::MAX };
    loop {
        let is_last = most.is_some_and(|most| states as u64 >= most);
        run.parts.options.limits = match is_last {
            true => limits,
            false => limits.trying(states),
        };
        let compiled = run.timed(
            |time| &mut time.compile,
            |run| compile_evaluated(run, question, evaluated),
        );
        let problem = match compiled {
            Ok(Some(compiled)) => return Ok(Prepared::Compiled(compiled)),
            Ok(None) => return Ok(Prepared::EmptyTrace),
            Err(problem) if is_of_size(&problem) => problem,
            Err(problem) => return Err(Box::new(noted(*problem, large))),
        };
        let grows = problem.code == GROWING && !is_last;
        let pairs = match grows {
            true => LAST_PAIRS,
            false => most.map_or(states, |most| states.min(most as usize)) / STATES_OF_A_PAIR,
        };
        if may_search {
            let verdict = run.timed(
                |time| &mut time.explore,
                |run| unlisted::search(run, question, evaluated, pairs.max(FEW_PAIRS) as u64),
            );
            match verdict {
                Ok(Some(verdict)) => return Ok(Prepared::Decided(verdict)),
                Ok(None) => {}
                // A single state can be too large, which the next turn need not meet.
                Err(error) if error.severity == Severity::Undecided => {
                    run.evaluator.cancellation().check()?;
                }
                Err(error) => return Err(error),
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

/// The code of the message that a component grows without end.
const GROWING: &str = "growing-process";

/// True if `problem` is that something is larger than was allowed.
fn is_of_size(problem: &Diagnostic) -> bool {
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
