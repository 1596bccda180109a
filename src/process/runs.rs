//! Runs of a term to a permitted end, by its operational semantics alone.

use rustc_hash::FxHashSet;

use super::acceptance::{acceptance, is_subset};
use super::event::{EventId, TAU};
use super::semantics::{Semantics, Step};
use super::term::{Definitions, TermId};
use base::diag::Result;

/// A predicate that is true for a term with which a run may end.
pub type EndsWell<'a> =
    dyn FnMut(&mut Semantics, &mut dyn Definitions, TermId) -> Result<bool> + 'a;

/// The visible label that may be done next from a term, after the given number of others. Returns
/// `None` if none may.
pub type Next<'n> =
    dyn FnMut(&mut Semantics, &mut dyn Definitions, TermId, usize) -> Result<Option<EventId>> + 'n;

/// The result of a search for a run.
pub enum Reached {
    /// The steps of a run.
    Run(Vec<Step>),
    /// There is no such run.
    Nothing,
    /// The search has given up.
    TooMuch,
}

/// A shortest run of `term` to a term that `ends_well`, with `length` visible labels, each given by
/// `next`, and any number of τ. It is found breadth first. The search gives up after more than
/// `limit` steps.
pub fn shortest_run(
    definitions: &mut dyn Definitions,
    term: TermId,
    length: usize,
    next: &mut Next<'_>,
    ends_well: &mut EndsWell<'_>,
    limit: usize,
) -> Result<Reached> {
    let mut work = 0;
    let mut semantics = Semantics::new();
    let start = semantics.head(definitions, term)?;
    // (number of events done, term), each with the entry before it and the step from there.
    let mut found = vec![(0, start)];
    let mut from: Vec<Option<(usize, Step)>> = vec![None];
    // Terms are compared with their outermost calls unfolded; otherwise recursion would be gone
    // through again and again.
    let mut seen: FxHashSet<(usize, TermId)> = FxHashSet::from_iter([(0, start)]);
    let mut looked_at = 0;
    while let Some(&(done, current)) = found.get(looked_at) {
        if done == length && ends_well(&mut semantics, definitions, current)? {
            return Ok(Reached::Run(way_to(looked_at, |at| from[at])));
        }
        definitions.cancellation().step()?;
        let wanted = next(&mut semantics, definitions, current, done)?;
        let steps = semantics.steps(definitions, current)?;
        work += steps.len();
        if work > limit {
            return Ok(Reached::TooMuch);
        }
        for step in steps {
            let after = match step.label {
                TAU => done,
                label if wanted == Some(label) => done + 1,
                _ => continue,
            };
            let target = semantics.head(definitions, step.target)?;
            if seen.insert((after, target)) {
                found.push((after, target));
                from.push(Some((looked_at, step)));
            }
        }
        looked_at += 1;
    }
    Ok(Reached::Nothing)
}

/// The steps that lead to the entry `last`. `from` gives the entry before each entry, and the step
/// from there.
pub fn way_to<S>(last: usize, from: impl Fn(usize) -> Option<(usize, S)>) -> Vec<S> {
    let mut steps = Vec::new();
    let mut at = last;
    while let Some((before, step)) = from(at) {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

/// The events that `term` offers at rest, ascending. Returns `None` if it is not at rest.
pub fn rests_with(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<Option<Vec<EventId>>> {
    let steps = semantics.steps(definitions, term)?;
    Ok(acceptance(steps.iter().map(|step| step.label)))
}

/// True if `term` is at rest and offers only events of `most`.
pub fn rests_within(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
    most: &[EventId],
) -> Result<bool> {
    let rest = rests_with(semantics, definitions, term)?;
    Ok(rest.is_some_and(|offers| is_subset(&offers, most)))
}
