//! Replaying a run on terms, by their operational semantics alone.

use rustc_hash::FxHashSet;

use super::WitnessStep;
use crate::diag::{Diagnostic, Result};
use crate::process::event::{EventId, TAU};
use crate::process::semantics::{Semantics, Step};
use crate::process::term::{Definitions, TermId};

/// A replay that meets more dead ends than this is given up.
const DEAD_ENDS: usize = 2_000_000;

/// A run of `term` with the labels `wanted`, and with its origins where there is a choice.
/// Nothing if `term` has no run with these labels.
pub(super) fn run(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[WitnessStep],
) -> Result<Option<Vec<WitnessStep>>> {
    let mut semantics = Semantics::new();
    let mut dead_ends: FxHashSet<(usize, TermId)> = FxHashSet::default();
    // Each entry has the steps still to be tried, the next one last.
    let mut tried: Vec<Step> = Vec::new();
    let mut choices: Vec<Vec<Step>> = Vec::new();
    let mut current = term;
    while tried.len() < wanted.len() {
        if choices.len() == tried.len() {
            let steps = semantics.steps(definitions, current)?;
            choices.push(candidates(steps, wanted[tried.len()]));
        }
        let depth = tried.len();
        let open = |step: &Step| !dead_ends.contains(&(depth + 1, step.target));
        let next = choices
            .last_mut()
            .and_then(|choices| take_last(choices, open));
        if let Some(step) = next {
            current = step.target;
            tried.push(step);
            continue;
        }
        dead_ends.insert((depth, current));
        if dead_ends.len() > DEAD_ENDS {
            return too_many_dead_ends().into();
        }
        choices.pop();
        if tried.pop().is_none() {
            return Ok(None);
        }
        current = tried.last().map_or(term, |step| step.target);
    }
    let step = |step: &Step| WitnessStep {
        label: step.label,
        origin: step.origin,
    };
    Ok(Some(tried.iter().map(step).collect()))
}

/// The steps with the wanted label; those with the wanted origin come last, in reverse order.
fn candidates(mut steps: Vec<Step>, wanted: WitnessStep) -> Vec<Step> {
    steps.retain(|step| step.label == wanted.label);
    steps.sort_by_key(|step| step.origin != wanted.origin);
    steps.reverse();
    steps
}

fn take_last(steps: &mut Vec<Step>, wanted: impl Fn(&Step) -> bool) -> Option<Step> {
    std::iter::from_fn(|| steps.pop()).find(wanted)
}

pub(super) fn too_many_dead_ends() -> Diagnostic {
    Diagnostic::undecided(
        "replay-limit",
        "a counterexample was found, but replaying it takes too long",
    )
    .note("many different internal steps look alike, and too many orders of them lead nowhere")
}

/// Whether `trace` is a trace of `term`.
pub(super) fn can_do(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
) -> Result<bool> {
    let mut semantics = Semantics::new();
    let mut terms = closure(&mut semantics, definitions, vec![term])?;
    for &event in trace {
        let mut after = Vec::new();
        for &term in &terms {
            let steps = semantics.steps(definitions, term)?;
            after.extend(steps.iter().filter(|s| s.label == event).map(|s| s.target));
        }
        terms = closure(&mut semantics, definitions, after)?;
    }
    Ok(!terms.is_empty())
}

/// All that these terms can become by τ alone.
fn closure(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    mut open: Vec<TermId>,
) -> Result<Vec<TermId>> {
    let mut closed = Vec::new();
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        let term = semantics.head(definitions, term)?;
        if seen.insert(term) {
            closed.push(term);
            let steps = semantics.steps(definitions, term)?;
            open.extend(steps.iter().filter(|s| s.label == TAU).map(|s| s.target));
        }
    }
    Ok(closed)
}
