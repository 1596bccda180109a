//! Replays a run on terms, by their operational semantics alone.

use rustc_hash::FxHashSet;

use super::counterexample::WitnessStep;
use super::moves::LeafMoves;
use base::cancel::Phase;
use base::diag::{Diagnostic, Result, Severity};
use process::event::EventId;
use process::runs::{EndsWell, Next, Reached, shortest_run};
use process::semantics::focus::Focused;
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};

/// The number of dead ends after which a replay is given up.
const DEAD_ENDS: usize = 2_000_000;

/// The number of dead ends after which the replay of a suggestion, maybe wrong, is given up.
const FEW_DEAD_ENDS: usize = 20_000;

/// The number of steps after which a search for a run is given up, which takes some minutes.
const MOST_STEPS: usize = 30_000_000;

/// A run of `term` to a term that `ends_well`, with the labels `wanted`, and with their origins
/// where there is a choice. Returns `None` if there is none. Runs with just these origins are tried
/// first, because the internal steps of a run that turns out to be a dead end could be done in very
/// many orders. Of steps that look alike, those go first that `moves` suggests.
pub(crate) fn run(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[WitnessStep],
    moves: Option<LeafMoves<'_>>,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    run_within(definitions, term, (wanted, moves), DEAD_ENDS, ends_well)
}

/// A run as by [`run`], given up after `dead_ends` dead ends.
fn run_within(
    definitions: &mut dyn Definitions,
    term: TermId,
    (wanted, moves): (&[WitnessStep], Option<LeafMoves<'_>>),
    dead_ends: usize,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    let mut run = None;
    for candidates in [insist_on_origins, prefer_origins] {
        if run.is_none() {
            let guide = (wanted, moves);
            run = search(definitions, term, guide, candidates, dead_ends, ends_well)?;
        }
    }
    Ok(run)
}

/// A run of `term` with the steps that a machine has suggested, each a label with its origin, and
/// then by τ alone to a term that `ends_well`. Returns `None` if nothing was suggested, or if such
/// a run is not soon found.
pub(super) fn along(
    definitions: &mut dyn Definitions,
    term: TermId,
    suggested: Result<Option<Vec<(EventId, EventId)>>>,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    // The suggestion was found in machines, which were built in phases of their own.
    definitions.enter(Phase::Replay, "");
    let Some(steps) = unless_undecided(suggested)? else {
        return Ok(None);
    };
    let step = |&(label, origin): &(EventId, EventId)| WitnessStep { label, origin };
    let wanted: Vec<WitnessStep> = steps.iter().map(step).collect();
    // Other runs with these steps may need a tail, and be longer than the suggested run.
    let wanted = (&wanted[..], None);
    let run = run_within(definitions, term, wanted, FEW_DEAD_ENDS, ends_well);
    if let Some(run) = unless_undecided(run)? {
        return Ok(Some(run));
    }
    let mut tail = None;
    let ends_nearly_well = &mut |_: &mut Semantics, definitions: &mut dyn Definitions, term| {
        tail = reach_soon(definitions, term, &[], ends_well)?;
        Ok(tail.is_some())
    };
    let run = run_within(definitions, term, wanted, FEW_DEAD_ENDS, ends_nearly_well);
    let run = unless_undecided(run)?;
    // The run ends at the term that was tested last, and `tail` goes on from there.
    Ok(run.zip(tail).map(|(run, tail)| [run, tail].concat()))
}

/// The result. Returns `None` instead of an undecided error, for callers that have something else
/// to try.
pub(super) fn unless_undecided<T>(found: Result<Option<T>>) -> Result<Option<T>> {
    match found {
        Err(error) if error.severity == Severity::Undecided => Ok(None),
        found => found,
    }
}

/// A run of `term` with exactly the steps `wanted`, and the term after each. Returns `None` if
/// there is none.
pub(super) fn retrace(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[WitnessStep],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    search(
        definitions,
        term,
        (wanted, None),
        insist_on_origins,
        DEAD_ENDS,
        ends_well,
    )
}

/// A step in the words of a report: the names of events, not all of which have numbers yet.
#[derive(Clone, Copy, Debug)]
pub struct ToldStep<'a> {
    /// The event that the environment sees.
    pub label: &'a str,
    /// The event behind a τ; `None` if the report does not tell the origin of the step.
    pub origin: Option<&'a str>,
}

/// A run of `term` to a term that `ends_well`, of which a report has `told` the steps. Returns
/// `None` if there is none.
pub fn run_as_told(
    definitions: &mut dyn Definitions,
    term: TermId,
    told: &[ToldStep<'_>],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    let told = (told, None);
    search(definitions, term, told, as_told, DEAD_ENDS, ends_well)
}

/// A run of `term` whose steps are among the `candidates` for those of `wanted`; found depth first,
/// as `moves` suggests.
fn search<W: Copy>(
    definitions: &mut dyn Definitions,
    term: TermId,
    (wanted, moves): (&[W], Option<LeafMoves<'_>>),
    candidates: Candidates<W>,
    most_dead_ends: usize,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    let mut semantics = Focused::new();
    // The key includes the number of steps done: a term without a way on with two steps left may
    // have one with three.
    let mut dead_ends: FxHashSet<(usize, TermId)> = FxHashSet::default();
    // Each entry has the steps still to be tried, the next one last.
    let mut tried: Vec<Step> = Vec::new();
    let mut choices: Vec<Vec<Step>> = Vec::new();
    let mut current = term;
    loop {
        definitions.cancellation().step()?;
        if choices.len() == tried.len() {
            let mut choice = match wanted.get(tried.len()) {
                Some(&wanted) => candidates(&mut semantics, definitions, current, wanted)?,
                None if ends_well(&mut semantics.whole, definitions, current)? => break,
                // A run that ends elsewhere is a dead end like any other.
                None => Vec::new(),
            };
            if let Some(moves) = moves {
                let at = (tried.len(), current);
                moves.put_last(&mut semantics.whole, definitions, at, &mut choice)?;
            }
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
        if dead_ends.len() > most_dead_ends {
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

/// The steps of a term to try, the last one first.
type Candidates<W> = fn(&mut Focused, &mut dyn Definitions, TermId, W) -> Result<Vec<Step>>;

/// The steps with the wanted label; those with the wanted origin come last, in reverse order.
fn prefer_origins(
    semantics: &mut Focused,
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: WitnessStep,
) -> Result<Vec<Step>> {
    let mut steps = semantics.whole.steps(definitions, term)?;
    steps.retain(|step| step.label == wanted.label);
    steps.sort_by_key(|step| step.origin != wanted.origin);
    steps.reverse();
    Ok(steps)
}

/// The steps with the wanted label and origin, in reverse order.
fn insist_on_origins(
    semantics: &mut Focused,
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: WitnessStep,
) -> Result<Vec<Step>> {
    let mut steps = semantics.steps(definitions, term, Some(wanted.label), Some(wanted.origin))?;
    steps.reverse();
    Ok(steps)
}

/// The steps that a report may describe in this way, in reverse order.
fn as_told(
    semantics: &mut Focused,
    definitions: &mut dyn Definitions,
    term: TermId,
    told: ToldStep<'_>,
) -> Result<Vec<Step>> {
    let mut steps = semantics.whole.steps(definitions, term)?;
    let events = &definitions.terms().events;
    steps.retain(|step| {
        let origin = told.origin.unwrap_or(events.name(step.origin));
        events.name(step.label) == told.label && events.name(step.origin) == origin
    });
    steps.reverse();
    Ok(steps)
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

/// A shortest run of `term` to a term that `ends_well`, with the visible labels `trace` and any
/// number of τ. Returns `None` if there is none.
pub(super) fn reach(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    let next = &mut along_trace(trace);
    reach_by(definitions, term, trace.len(), next, ends_well)
}

/// A shortest run as by [`reach`], with `length` visible labels, each given by `next`.
pub(super) fn reach_by(
    definitions: &mut dyn Definitions,
    term: TermId,
    length: usize,
    next: &mut Next<'_>,
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    match shortest_run(definitions, term, length, next, ends_well, MOST_STEPS)? {
        Reached::Run(run) => Ok(Some(run)),
        Reached::Nothing => Ok(None),
        Reached::TooMuch => too_many_dead_ends().into(),
    }
}

/// A shortest run as by [`reach`]. Returns `None` also if many steps would have to be looked at.
pub(super) fn reach_soon(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
    ends_well: &mut EndsWell<'_>,
) -> Result<Option<Vec<Step>>> {
    const SOON: usize = 100_000;
    let next = &mut along_trace(trace);
    match shortest_run(definitions, term, trace.len(), next, ends_well, SOON)? {
        Reached::Run(run) => Ok(Some(run)),
        Reached::Nothing | Reached::TooMuch => Ok(None),
    }
}

/// The function that gives the labels of `trace` in order, whatever the term is.
fn along_trace(
    trace: &[EventId],
) -> impl FnMut(&mut Semantics, &mut dyn Definitions, TermId, usize) -> Result<Option<EventId>> {
    |_, _, _, done| Ok(trace.get(done).copied())
}

/// The steps as counterexamples show them.
pub(super) fn witness_steps(steps: &[Step]) -> Vec<WitnessStep> {
    steps.iter().map(witness_step).collect()
}

/// The step as counterexamples show it: its label and its origin.
pub fn witness_step(step: &Step) -> WitnessStep {
    WitnessStep {
        label: step.label,
        origin: step.origin,
    }
}

/// The message that replaying does not confirm a result. `note` describes the difference.
pub fn not_reproduced(note: &str) -> Diagnostic {
    Diagnostic::undecided(
        "internal-replay",
        "a counterexample was found, but replaying it failed",
    )
    .note(note)
    .note("this is a mistake in the checker, not in the script; there is no verdict")
    .hint("please report it together with the script")
}
