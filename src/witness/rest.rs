//! What a term offers when it comes to rest.

use crate::diag::Result;
use crate::process::acceptance::acceptance;
use crate::process::event::EventId;
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
    let head = semantics.head(definitions, term)?;
    if *definitions.terms().get(head) == Term::Omega {
        return Ok(None);
    }
    Ok(acceptance(steps.iter().map(|step| step.label)))
}
