//! Processes that grow without end: notices them, and finds the call that grows.
//!
//! A function that lists the terms that a term can become has a limit on their number, and looks
//! for growth now and then, because the limit alone would take long to reach and explain nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use super::semantics::Semantics;
use super::term::{CallId, Definitions, Term, TermId};
use base::diag::{Diagnostic, Result};
use base::number::plain;
use base::stack::deep;

/// The inverse of the fraction of the allowed states after which growth is first looked for. A
/// small finite process is explored whatever its shape.
const PROBES_PER_LIMIT: usize = 64;

/// The number of nested states that take less than a second.
const FEW_STATES: usize = 2000;

/// The number of nested operators that a probe gains before it counts as endless.
const NESTING_GAIN: usize = 100;
/// The number of steps that a probe may take to gain them.
const PROBE_STEPS: usize = 10 * NESTING_GAIN;

/// The number of transitions of a state above which a probe gives up: transitions may double with
/// each nesting, and the exploration itself keeps count of them.
const WIDEST: usize = 10_000;

/// The times of looking for growth: first early, then whenever there are four times as many terms.
#[derive(Clone, Copy, Debug)]
pub struct GrowthWatch {
    limit: usize,
    probe_at: usize,
}

impl GrowthWatch {
    /// The watch of a listing of at most `limit` terms.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            probe_at: limit / PROBES_PER_LIMIT,
        }
    }

    /// The watch of a listing in which each state takes time and memory in proportion to its
    /// nesting. It looks for growth early, before the costs become quadratic.
    pub fn early(limit: usize) -> Self {
        let mut watch = Self::new(limit);
        watch.probe_at = watch.probe_at.min(FEW_STATES);
        watch
    }

    /// Looks for growth in `found`, the terms found so far, if it is time to. Fails if the process
    /// grows.
    pub fn look(&mut self, definitions: &mut dyn Definitions, found: &[TermId]) -> Result<()> {
        if found.len() <= self.probe_at {
            return Ok(());
        }
        // With a limit below 64 this number stays 0, and every look is a probe; there are few terms
        // then.
        self.probe_at *= 4;
        probe(definitions, found, self.limit)
    }
}

/// Walks from the most deeply nested state, always to the most deeply nested successor. The nesting
/// can gain [`NESTING_GAIN`] only through a call that puts itself below an operator again and
/// again.
fn probe(definitions: &mut dyn Definitions, found: &[TermId], limit: usize) -> Result<()> {
    let mut nesting = Nesting::default();
    let deepest = found
        .iter()
        .copied()
        .max_by_key(|&term| nesting.of(definitions, term));
    let Some(mut term) = deepest else {
        return Ok(());
    };
    let start = nesting.of(definitions, term);
    // An ordinary `Semantics` would look for growth below each watchdog: a probe inside a probe.
    let mut semantics = Semantics::of_a_probe(limit);
    let mut seen = FxHashSet::default();
    for _ in 0..PROBE_STEPS {
        let steps = semantics.steps(definitions, term)?;
        if steps.len() > WIDEST {
            return Ok(());
        }
        let fresh = steps
            .iter()
            .map(|step| step.target)
            // A target is walked to once, so that the probe does not go round a finite cycle.
            .filter(|target| !seen.contains(target));
        let Some(next) = fresh.max_by_key(|&target| nesting.of(definitions, target)) else {
            return Ok(());
        };
        term = semantics.head(definitions, next)?;
        seen.insert(next);
        if nesting.of(definitions, term) >= start + NESTING_GAIN
            && let Some(call) = growing_call(definitions, &mut nesting, term)
        {
            return nested(definitions, call, limit).into();
        }
    }
    Ok(())
}

/// The nesting of terms: the number of started operators that are nested inside each other. No
/// operator below a prefix or a call has started.
#[derive(Default)]
struct Nesting {
    known: FxHashMap<TermId, usize>,
}

impl Nesting {
    fn of(&mut self, definitions: &dyn Definitions, term: TermId) -> usize {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let operands = definitions.terms().get(term).started_operands();
        let below = operands
            .iter()
            .map(|&p| deep(|| self.of(definitions, p)))
            .max();
        let nesting = below.map_or(0, |n| n + 1);
        self.known.insert(term, nesting);
        nesting
    }
}

/// The most calls that are tested for growth.
const MOST_CANDIDATES: usize = 10;

/// The call that nests itself in `term`: the most deeply nested call that calls itself, or else the
/// most deeply nested call.
fn growing_call(
    definitions: &mut dyn Definitions,
    nesting: &mut Nesting,
    term: TermId,
) -> Option<CallId> {
    let candidates = nested_calls(definitions, nesting, term);
    let mut again = candidates.iter().copied();
    let again = again.find(|&call| calls_itself(definitions, call));
    // The search of `calls_itself` is short, so it may miss that a candidate calls itself.
    again.or_else(|| candidates.first().copied())
}

/// Calls in `term`: first those in the most deeply nested operand, then those in the terms around
/// it. The latter are needed for `P = a -> (P ||| b -> STOP)`, where the most deeply nested operand
/// may be one that calls nothing.
fn nested_calls(definitions: &dyn Definitions, nesting: &mut Nesting, term: TermId) -> Vec<CallId> {
    let terms = definitions.terms();
    let deepest_operand = |term: &TermId| {
        let operands = terms.get(*term).started_operands().iter().copied();
        operands.max_by_key(|&operand| nesting.of(definitions, operand))
    };
    let inwards: Vec<TermId> = std::iter::successors(Some(term), deepest_operand).collect();
    let mut calls = Vec::new();
    let mut seen = FxHashSet::default();
    for &part in inwards.iter().rev() {
        let mut open = vec![part];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let &Term::Call(call) = terms.get(next) {
                calls.push(call);
                if calls.len() == MOST_CANDIDATES {
                    return calls;
                }
            }
            open.extend(terms.get(next).waiting_operands());
            open.extend(terms.get(next).started_operands());
        }
    }
    calls
}

/// The largest number of terms through which a call is followed.
const MOST_FOLLOWED: usize = 1000;

/// True if the body of `call` calls it again, as far as a short search finds.
fn calls_itself(definitions: &mut dyn Definitions, call: CallId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open: Vec<TermId> = definitions.body(call).into_iter().collect();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        if seen.len() > MOST_FOLLOWED {
            return false;
        }
        match definitions.terms().get(next) {
            &Term::Call(inner) if inner == call => return true,
            // A call whose body is an error may never be reached.
            &Term::Call(inner) => open.extend(definitions.body(inner)),
            term => {
                open.extend(term.waiting_operands());
                open.extend(term.started_operands());
            }
        }
    }
    false
}

fn nested(definitions: &dyn Definitions, call: CallId, limit: usize) -> Diagnostic {
    let name = definitions.call_name(call);
    let message = format!("the process grows without end: `{name}` nests itself ever more deeply");
    let note = "a recursive call below a parallel, hiding or another operator that stays adds one \
                more of it each time round";
    located(definitions, call, message)
        .note(note)
        .hint(raise_limit(limit))
}

/// The message for a process with more than `limit` states that has unfolded these calls.
pub fn too_many_states(
    definitions: &dyn Definitions,
    unfolded: &[CallId],
    limit: usize,
) -> Diagnostic {
    let states = plain(limit, "state");
    let Some(calls) = most_varied(definitions, unfolded) else {
        let message = format!("the process has more than {states}");
        return Diagnostic::undecided("growing-process", message).hint(raise_limit(limit));
    };
    let name = definitions.definition_name(calls[0]);
    let message = if calls.len() > 1 {
        let shown: Vec<String> = calls
            .iter()
            .take(3)
            .map(|&call| format!("`{}`", definitions.call_name(call)))
            .collect();
        let more = if calls.len() > 3 { ", ..." } else { "" };
        format!(
            "the process has more than {states}: `{name}` was called with {} different \
             arguments: {}{more}",
            calls.len(),
            shown.join(", ")
        )
    } else {
        format!("the process has more than {states}, reached through `{name}`")
    };
    located(definitions, calls[0], message).hint(raise_limit(limit))
}

/// The message for a process that has too much of something (`much`), which may be due to growth.
pub fn too_much(
    definitions: &dyn Definitions,
    unfolded: &[CallId],
    much: &str,
    limit: usize,
) -> Diagnostic {
    let message = format!("the process has {much}");
    match most_varied(definitions, unfolded) {
        Some(calls) => located(definitions, calls[0], message),
        None => Diagnostic::undecided("growing-process", message),
    }
    .hint(raise_limit(limit))
}

/// The calls of the definition that was called with the most different arguments. Of several, the
/// first counts.
fn most_varied(definitions: &dyn Definitions, calls: &[CallId]) -> Option<Vec<CallId>> {
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<CallId>> = Vec::new();
    for &call in calls {
        let number = *numbers
            .entry(definitions.definition_name(call))
            .or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(call);
    }
    // Of several maxima `max_by_key` takes the last one, which is the first group in reverse order.
    groups.into_iter().rev().max_by_key(Vec::len)
}

fn located(definitions: &dyn Definitions, call: CallId, message: String) -> Diagnostic {
    let diagnostic = Diagnostic::undecided("growing-process", message);
    match definitions.call_span(call) {
        Some(span) => diagnostic.at(span, ""),
        None => diagnostic,
    }
}

fn raise_limit(limit: usize) -> String {
    let states = plain(limit, "state");
    format!("if it is finite after all, allow more than {states} with --max-leaf-states")
}
