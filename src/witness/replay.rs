//! Replaying a run on terms, by their operational semantics alone.

use rustc_hash::FxHashSet;

use super::WitnessStep;
use crate::diag::{Diagnostic, Result};
use crate::process::event::{EventId, TAU};
use crate::process::semantics::{Semantics, Step};
use crate::process::term::{Definitions, TermId};

/// A replay that meets more dead ends than this is given up.
const DEAD_ENDS: usize = 2_000_000;

/// A search for a run that looks at more steps than this is given up: some minutes.
const MOST_STEPS: usize = 30_000_000;

/// Whether a term is what a run has to end with.
pub(super) type EndsWell<'a> =
    dyn FnMut(&mut Semantics, &mut dyn Definitions, TermId) -> Result<bool> + 'a;

/// A run of `term` with the labels `wanted`, and with its origins where there is a choice, to a term that `ends_well`.
/// Nothing if there is none.
pub(super) fn run(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[WitnessStep],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<WitnessStep>>> {
    let run = search(definitions, term, wanted, prefer_origins, ends_well)?;
    Ok(run.map(|run| run.iter().map(witness_step).collect()))
}

/// A run of `term` with exactly the steps `wanted`, and what each leads to. Nothing if there is none.
pub(super) fn retrace(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[WitnessStep],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    search(definitions, term, wanted, insist_on_origins, ends_well)
}

/// A run of `term` with steps that are the `candidates` for those of `wanted`, found depth first.
fn search(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[WitnessStep],
    candidates: fn(Vec<Step>, WitnessStep) -> Vec<Step>,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    let mut semantics = Semantics::new();
    let mut dead_ends: FxHashSet<(usize, TermId)> = FxHashSet::default();
    // Each entry has the steps still to be tried, the next one last.
    let mut tried: Vec<Step> = Vec::new();
    let mut choices: Vec<Vec<Step>> = Vec::new();
    let mut current = term;
    loop {
        if choices.len() == tried.len() {
            let choice = match wanted.get(tried.len()) {
                Some(&wanted) => candidates(semantics.steps(definitions, current)?, wanted),
                None if ends_well(&mut semantics, definitions, current)? => break,
                None => Vec::new(),
            };
            choices.push(choice);
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
    Ok(Some(tried))
}

/// The steps with the wanted label; those with the wanted origin come last, in reverse order.
fn prefer_origins(mut steps: Vec<Step>, wanted: WitnessStep) -> Vec<Step> {
    steps.retain(|step| step.label == wanted.label);
    steps.sort_by_key(|step| step.origin != wanted.origin);
    steps.reverse();
    steps
}

/// The steps with the wanted label and origin, in reverse order.
fn insist_on_origins(mut steps: Vec<Step>, wanted: WitnessStep) -> Vec<Step> {
    steps.retain(|step| witness_step(step) == wanted);
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

/// A run of `term` with the visible labels `trace`, and with as many τ as it takes, to a term that `ends_well`; a shortest one.
/// Nothing if there is none.
pub(super) fn reach(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<WitnessStep>>> {
    match search_breadth_first(definitions, term, trace, ends_well, MOST_STEPS)? {
        Found::Run(run) => Ok(Some(run)),
        Found::Nothing => Ok(None),
        Found::TooMuch => too_many_dead_ends().into(),
    }
}

/// The same by τ alone, if not many steps have to be looked at.
pub(super) fn near(
    definitions: &mut dyn Definitions,
    term: TermId,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<WitnessStep>>> {
    const NEAR: usize = 100_000;
    match search_breadth_first(definitions, term, &[], ends_well, NEAR)? {
        Found::Run(run) => Ok(Some(run)),
        Found::Nothing | Found::TooMuch => Ok(None),
    }
}

/// What a search for a run came to.
enum Found {
    Run(Vec<WitnessStep>),
    Nothing,
    TooMuch,
}

/// Breadth first; gives up when more than `limit` steps were looked at.
fn search_breadth_first(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
    ends_well: &mut EndsWell<'_>,
    limit: usize,
) -> Result<Found> {
    let mut work = 0;
    let mut semantics = Semantics::new();
    let start = semantics.head(definitions, term)?;
    // (events done, term), each with where it was reached from and how.
    let mut found = vec![(0, start)];
    let mut from: Vec<Option<(usize, WitnessStep)>> = vec![None];
    let mut seen: FxHashSet<(usize, TermId)> = FxHashSet::from_iter([(0, start)]);
    let mut next = 0;
    while let Some(&(done, current)) = found.get(next) {
        if done == trace.len() && ends_well(&mut semantics, definitions, current)? {
            return Ok(Found::Run(run_to(&from, next)));
        }
        let steps = semantics.steps(definitions, current)?;
        work += steps.len();
        if work > limit {
            return Ok(Found::TooMuch);
        }
        for step in steps {
            let after = match step.label {
                TAU => done,
                label if trace.get(done) == Some(&label) => done + 1,
                _ => continue,
            };
            let target = semantics.head(definitions, step.target)?;
            if seen.insert((after, target)) {
                found.push((after, target));
                from.push(Some((next, witness_step(&step))));
            }
        }
        next += 1;
    }
    Ok(Found::Nothing)
}

/// The steps that lead to the entry `last`.
fn run_to(from: &[Option<(usize, WitnessStep)>], last: usize) -> Vec<WitnessStep> {
    let mut steps = Vec::new();
    let mut at = last;
    while let Some((before, step)) = from[at] {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

fn witness_step(step: &Step) -> WitnessStep {
    WitnessStep {
        label: step.label,
        origin: step.origin,
    }
}
