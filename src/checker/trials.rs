//! Compiling by turns with cheaper searches, so that nothing large is listed, compressed or
//! normalised that the answer does not need.
//!
//! Each turn compiles systems of at most so many states. If one is larger, as many terms are
//! searched as take about as long; and if there are compressions, the machine without them, through
//! as many states. The next turn may take [`FACTOR`] times as much, so all turns before the last
//! together take a seventh of the last, and a question costs at most about three times what it
//! costs in the best way. Turns are counted in states, not in time: what is decided, and how, is
//! the same on every machine and for every number of threads.

use base::diag::{Diagnostic, Result};
use lts::explore::{LARGER, larger};
use process::term::Definitions;
use symmetry::choice::Algorithm;

use super::claim_verdict::{ClaimVerdict, is_limit};
use super::compiled::{Compiled, Evaluated, compile_evaluated};
use super::decision::Decision;
use super::options::{PartialOrder, Strategy};
use super::question::{Asked, Question};
use super::{trial, unlisted};

/// The state of a question before a machine is searched.
pub(super) enum Prepared {
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
    terms: bool,
    uncompressed: bool,
}

impl MayTry {
    fn is_any(self) -> bool {
        self.terms || self.uncompressed
    }
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
    let is_free = run.options.strategy.is_none() && run.further() == 0;
    let may = MayTry {
        terms: is_free && hindrance.is_none(),
        uncompressed: is_free
            && run.script.declares_functions()
            && question.claims.leave_free(run.options),
    };
    let prepared = by_turns(run, question, evaluated, may);
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
    may: MayTry,
) -> Result<Prepared> {
    let limits = run.parts.options.limits;
    let most = run.options.max_leaf_states;
    // A component that was too large for a long turn.
    let mut large: Option<String> = None;
    let mut states = if may.is_any() { FIRST } else { usize::MAX };
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
        let states_now = most.map_or(states, |most| states.min(most as usize));
        let pairs = if grows {
            LAST_PAIRS
        } else {
            states_now / STATES_OF_A_PAIR
        };
        let cheaper = cheaper(
            run,
            question,
            evaluated,
            may,
            (pairs.max(FEW_PAIRS), states_now),
        )?;
        if let Some(verdict) = cheaper {
            return Ok(Prepared::Decided(verdict));
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

/// The verdict of a search of terms, or of the machine without compressions, that takes about as
/// long as the turn; `None` if neither suffices.
fn cheaper(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    may: MayTry,
    (pairs, states): (usize, usize),
) -> Result<Option<ClaimVerdict>> {
    if may.terms {
        let verdict = run.timed(
            |time| &mut time.explore,
            |run| unlisted::search(run, question, evaluated, pairs as u64),
        );
        if let Some(verdict) = unless_too_large(run, verdict)? {
            return Ok(Some(verdict));
        }
    }
    if !may.uncompressed {
        return Ok(None);
    }
    run.parts.options.idle.are_all = true;
    let verdict = uncompressed(run, question, evaluated, states as u64);
    run.parts.options.idle.are_all = false;
    unless_too_large(run, verdict)
}

/// The verdict of a search of at most `most` states of the machine without compressions; `None` if
/// these do not suffice, or if there are no compressions.
fn uncompressed(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
    most: u64,
) -> Result<Option<ClaimVerdict>> {
    let compiled = run.timed(
        |time| &mut time.compile,
        |run| compile_evaluated(run, question, evaluated),
    )?;
    let Some(compiled) = compiled else {
        return Ok(None);
    };
    if compiled.slim.left_out.is_empty() || compiled.machine.follows_chases() {
        return Ok(None);
    }
    let verdict = run.timed(
        |time| &mut time.explore,
        |run| trial::among(run, &compiled, most),
    )?;
    if verdict.is_some() {
        run.report.algorithm = Some(Algorithm::Check.name());
        run.report.remarks.push(UNCOMPRESSED.to_string());
    }
    Ok(verdict)
}

/// The remark on a question that a search without compressions has answered.
const UNCOMPRESSED: &str =
    "compressions were left out: the search without them was over sooner than compressing";

/// `verdict`, or `None` if something was too large for this turn.
fn unless_too_large(
    run: &Decision<'_, '_>,
    verdict: Result<Option<ClaimVerdict>>,
) -> Result<Option<ClaimVerdict>> {
    match verdict {
        Err(error) if is_limit(&error) => {
            run.evaluator.cancellation().check()?;
            Ok(None)
        }
        verdict => verdict,
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
