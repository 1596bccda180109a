//! Replaying what the environment sees of a run, with any internal steps between.
//!
//! A compressed component does fewer τ than the process it stands for, so the steps that were found are no steps of
//! the terms. A shortest run of the terms with the same visible events takes their place.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::WitnessStep;
use super::replay::too_many_dead_ends;
use crate::diag::Result;
use crate::process::event::{EventId, TAU};
use crate::process::semantics::{Semantics, Step};
use crate::process::term::{Definitions, TermId};

/// A search that meets more terms than this is given up.
const MOST_TERMS: usize = 1_000_000;

/// How much of the trace is done, and the term then.
type At = (usize, TermId);

/// The step that first led to each place, and from where.
type Found = FxHashMap<At, Option<(At, Step)>>;

/// A shortest run of `term` that does the events of `trace`, none of them τ, and ends with the last; nothing if there is none.
pub(super) fn run(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
) -> Result<Option<Vec<WitnessStep>>> {
    let mut semantics = Semantics::new();
    let start = (0, semantics.head(definitions, term)?);
    let mut found: Found = FxHashMap::from_iter([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        let (done, current) = at;
        if done == trace.len() {
            return Ok(Some(steps_to(&found, at)));
        }
        for step in semantics.steps(definitions, current)? {
            let after = match step.label {
                TAU => done,
                label if label == trace[done] => done + 1,
                _ => continue,
            };
            let next = (after, semantics.head(definitions, step.target)?);
            if let Entry::Vacant(place) = found.entry(next) {
                place.insert(Some((at, step)));
                open.push_back(next);
            }
        }
        if found.len() > MOST_TERMS {
            return too_many_dead_ends().into();
        }
    }
    Ok(None)
}

fn steps_to(found: &Found, mut at: At) -> Vec<WitnessStep> {
    let mut steps = Vec::new();
    while let Some(Some((before, step))) = found.get(&at) {
        steps.push(WitnessStep {
            label: step.label,
            origin: step.origin,
        });
        at = *before;
    }
    steps.reverse();
    steps
}
