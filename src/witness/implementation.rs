//! Replays a path of the search as a behaviour of the implementation, by the operational rules of
//! terms.

use super::counterexample::{Claim, Refutation, WitnessStep, Wrong, visible};
use super::found::FoundPath;
use super::lasso::Lasso;
use super::lassos::Lassos;
use super::replay::{along, reach, run, witness_steps};
use base::diag::Result;
use machine::{CompileOptions, ProcessView, Taus};
use process::acceptance::is_subset;
use process::event::{EventId, TICK};
use process::runs::{EndsWell, rests_with};
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};
use process::termination::Termination;
use refine::path::Violation;

/// The behaviour of the implementation, which is not yet compared with the claim. Returns `None` if
/// the implementation cannot do it.
pub(super) fn replayed(
    definitions: &mut dyn Definitions,
    claim: &Claim,
    implementation: TermId,
    found: FoundPath<'_>,
    options: &CompileOptions,
) -> Result<Option<Refutation>> {
    let violation = &found.path.violation;
    let wanted = found.steps();
    let mut lassos = Lassos::default();
    let (mut diverging, mut resting) = (None, None);
    let mut ends_well = |semantics: &mut Semantics,
                         definitions: &mut dyn Definitions,
                         term: TermId|
     -> Result<bool> {
        Ok(match violation {
            Violation::Event(_) => true,
            // Only models whose runs are replayed as observations have such violations.
            Violation::Revival(..) => false,
            Violation::Refusal(offers) => {
                // A compressed component may come to rest with fewer offers than it shows.
                resting = rests_with(semantics, definitions, term)?;
                resting.as_ref().is_some_and(|rest| is_subset(rest, offers))
            }
            Violation::Divergence => {
                diverging = lassos.find(semantics, definitions, term)?;
                diverging.is_some()
            }
        })
    };
    let steps = match found.taus() {
        Taus::Exact => {
            let moves = found.moves;
            run(definitions, implementation, &wanted, moves, &mut ends_well)?
        }
        Taus::Free => reproduced(definitions, implementation, found, &mut ends_well, options)?,
    };
    let Some(steps) = steps else {
        return Ok(None);
    };
    let steps = witness_steps(&steps);
    let is_deadlock = matches!(
        (claim, violation),
        (Claim::DeadlockFree, Violation::Refusal(_))
    );
    let has_terminated = steps.last().is_some_and(|step| step.label == TICK);
    // If ✓ is a signal, a process that has terminated is not deadlocked.
    if is_deadlock && has_terminated && definitions.terms().termination() == Termination::Signal {
        return Ok(None);
    }
    Ok(refuting(claim, violation, steps, resting, diverging))
}

/// The run `steps` with the violation at its end. `resting` has the offers at rest there, and
/// `diverging` the lasso from there. Returns `None` if the violation is not there.
fn refuting(
    claim: &Claim,
    violation: &Violation,
    mut steps: Vec<WitnessStep>,
    resting: Option<Vec<EventId>>,
    diverging: Option<Lasso>,
) -> Option<Refutation> {
    let wrong = match violation {
        Violation::Event(_) => Wrong::Event(steps.pop()?),
        Violation::Revival(..) => return None,
        Violation::Refusal(_) if matches!(claim, Claim::DeadlockFree) => Wrong::Deadlock,
        Violation::Refusal(_) => Wrong::Refusal {
            offers: resting.unwrap_or_default(),
            // Filled in by `specification::refutes`.
            acceptances: Vec::new(),
        },
        Violation::Divergence => {
            let lasso = diverging?;
            steps.extend(lasso.stem);
            Wrong::Divergence(lasso.cycle)
        }
    };
    Some(Refutation::new(steps, wrong))
}

/// A run with the visible labels of the path `found` to a term that `ends_well`. The machines of
/// compressed parts suggest where to look for it, because all runs together may be too many. If
/// that does not help, all runs are tried.
fn reproduced(
    definitions: &mut dyn Definitions,
    implementation: TermId,
    found: FoundPath<'_>,
    ends_well: &mut EndsWell<'_>,
    options: &CompileOptions,
) -> Result<Option<Vec<Step>>> {
    let suggested = found.expanded(definitions, ProcessView::Failures, |_| false, options);
    match along(definitions, implementation, suggested, ends_well)? {
        Some(run) => Ok(Some(run)),
        None => {
            let trace = visible(&found.steps());
            reach(definitions, implementation, &trace, ends_well)
        }
    }
}
