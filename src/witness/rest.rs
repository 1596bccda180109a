//! What a term offers when it comes to rest.

use crate::diag::Result;
use crate::process::event::{EventId, TAU, TICK};
use crate::process::semantics::Semantics;
use crate::process::term::{Definitions, Term, TermId};

/// All that `term` can do, ascending, if it is at rest; ✓ alone if it can terminate, because it may refuse the rest.
/// Nothing if it is not at rest, or has terminated already.
pub(super) fn rests_with(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<Option<Vec<EventId>>> {
    let steps = semantics.steps(definitions, term)?;
    let mut labels: Vec<EventId> = steps.iter().map(|step| step.label).collect();
    labels.dedup();
    if labels.contains(&TICK) {
        return Ok(Some(vec![TICK]));
    }
    let head = semantics.head(definitions, term)?;
    let has_terminated = *definitions.terms().get(head) == Term::Omega;
    Ok((!labels.contains(&TAU) && !has_terminated).then_some(labels))
}
