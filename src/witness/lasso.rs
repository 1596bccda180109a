//! Divergence of terms.

use rustc_hash::FxHashMap;

use super::WitnessStep;
use crate::diag::{Diagnostic, Result};
use crate::process::event::TAU;
use crate::process::semantics::{Semantics, Step};
use crate::process::term::{Definitions, TermId};

/// A run of τ that leads into a cycle of τ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lasso {
    /// What leads to the cycle.
    pub(super) stem: Vec<WitnessStep>,
    /// The cycle.
    pub(super) cycle: Vec<WitnessStep>,
}

/// More terms than this are not looked through for a cycle.
const MOST_TERMS: usize = 2_000_000;

/// A way in which `term` can diverge, if it can: found depth first, so that its length is no more than there are terms.
pub(super) fn lasso(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<Option<Lasso>> {
    // By term, the depth at which it is open; nothing once it is left.
    let mut seen: FxHashMap<TermId, Option<usize>> = FxHashMap::default();
    let mut done: Vec<WitnessStep> = Vec::new();
    let start = semantics.head(definitions, term)?;
    seen.insert(start, Some(0));
    let mut open = vec![(start, taus(semantics, definitions, start)?)];
    while let Some((current, waiting)) = open.last_mut() {
        let Some(step) = waiting.pop() else {
            seen.insert(*current, None);
            open.pop();
            done.pop();
            continue;
        };
        let target = semantics.head(definitions, step.target)?;
        done.push(WitnessStep {
            label: step.label,
            origin: step.origin,
        });
        match seen.get(&target) {
            Some(&Some(depth)) => {
                let cycle = done.split_off(depth);
                return Ok(Some(Lasso { stem: done, cycle }));
            }
            Some(None) => {
                done.pop();
            }
            None => {
                if seen.len() > MOST_TERMS {
                    return too_many_terms().into();
                }
                seen.insert(target, Some(open.len()));
                open.push((target, taus(semantics, definitions, target)?));
            }
        }
    }
    Ok(None)
}

/// The τ of `term`, in reverse order.
fn taus(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<Vec<Step>> {
    let mut steps = semantics.steps(definitions, term)?;
    steps.retain(|step| step.label == TAU);
    steps.reverse();
    Ok(steps)
}

fn too_many_terms() -> Diagnostic {
    Diagnostic::undecided(
        "replay-limit",
        "a divergence was found, but replaying it takes too long",
    )
    .note("millions of internal steps were followed without coming back to where one began")
}
