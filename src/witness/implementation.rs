//! From a path of the search to a behaviour of the implementation, by the operational rules of terms.

use super::counterexample::{Claim, Counterexample, WitnessStep, Wrong, visible};
use super::lassos::Lassos;
use super::replay::{EndsWell, along, reach, run, unless_undecided};
use super::rest::rests_with;
use crate::diag::Result;
use crate::machine::expand::{End, expand};
use crate::machine::{CompileOptions, Taus};
use crate::process::acceptance::is_subset;
use crate::process::event::{EventId, TICK};
use crate::process::semantics::Semantics;
use crate::process::term::{Definitions, TermId};
use crate::process::termination::Termination;
use crate::refine::path::{Path, Violation};

/// What the implementation does, without comparing it with what is claimed; nothing if it cannot do that.
pub(super) fn replayed(
    definitions: &mut dyn Definitions,
    claim: Claim<'_>,
    implementation: TermId,
    path: &Path,
    taus: Taus,
    options: &CompileOptions,
) -> Result<Option<Counterexample>> {
    let mut wanted: Vec<WitnessStep> = path.steps.iter().copied().map(Into::into).collect();
    if let Violation::Event(step) = path.violation {
        wanted.push(step.into());
    }
    let mut lassos = Lassos::default();
    let (mut diverging, mut resting) = (None, None);
    let mut ends_well = |semantics: &mut Semantics,
                         definitions: &mut dyn Definitions,
                         term: TermId|
     -> Result<bool> {
        Ok(match &path.violation {
            Violation::Event(_) => true,
            Violation::Refusal(offers) => {
                // A component that is compressed may come to rest with less than it looks like.
                resting = rests_with(semantics, definitions, term)?;
                resting.as_ref().is_some_and(|rest| is_subset(rest, offers))
            }
            Violation::Divergence => {
                diverging = lassos.find(semantics, definitions, term)?;
                diverging.is_some()
            }
        })
    };
    let steps = match taus {
        Taus::Exact => run(definitions, implementation, &wanted, &mut ends_well)?,
        Taus::Free => reproduced(
            definitions,
            implementation,
            &wanted,
            &path.violation,
            &mut ends_well,
            options,
        )?,
    };
    let Some(mut steps) = steps else {
        return Ok(None);
    };
    let wrong = match (&path.violation, diverging) {
        (Violation::Event(_), _) => match steps.pop() {
            Some(step) => Wrong::Event(step),
            None => return Ok(None),
        },
        (Violation::Refusal(_), _) if matches!(claim, Claim::DeadlockFree) => {
            let has_terminated = steps.last().is_some_and(|step| step.label == TICK);
            if has_terminated && definitions.terms().termination() == Termination::Signal {
                return Ok(None);
            }
            Wrong::Deadlock
        }
        (Violation::Refusal(_), _) => Wrong::Refusal {
            offers: resting.unwrap_or_default(),
            acceptances: Vec::new(),
        },
        (Violation::Divergence, Some(lasso)) => {
            steps.extend(lasso.stem);
            Wrong::Divergence(lasso.cycle)
        }
        (Violation::Divergence, None) => return Ok(None),
    };
    Ok(Some(Counterexample { steps, wrong }))
}

/// A run with the visible labels of `wanted` to a term that `ends_well`. The machines of what is compressed say where to look
/// for it, because all runs together may be too many; if that does not help, all are tried.
fn reproduced(
    definitions: &mut dyn Definitions,
    implementation: TermId,
    wanted: &[WitnessStep],
    violation: &Violation,
    ends_well: &mut EndsWell<'_>,
    options: &CompileOptions,
) -> Result<Option<Vec<WitnessStep>>> {
    let steps: Vec<(EventId, EventId)> = wanted.iter().map(|s| (s.label, s.origin)).collect();
    let end = match violation {
        Violation::Refusal(offers) => End::Rest(offers.clone()),
        Violation::Divergence => End::Diverging,
        Violation::Event(_) => End::Anyhow,
    };
    let suggested = expand(definitions, implementation, &steps, &end, options);
    if let Some(steps) = unless_undecided(suggested)? {
        let run = along(definitions, implementation, &steps, ends_well);
        if let Some(run) = unless_undecided(run)? {
            return Ok(Some(run));
        }
    }
    reach(definitions, implementation, &visible(wanted), ends_well)
}
