//! What a term offers when it comes to rest.

use crate::diag::Result;
use crate::process::acceptance::acceptance;
use crate::process::event::EventId;
use crate::process::semantics::Semantics;
use crate::process::term::{Definitions, TermId};

/// All that `term` can do, ascending. Returns `None` if it is not at rest.
pub(super) fn rests_with(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<Option<Vec<EventId>>> {
    let steps = semantics.steps(definitions, term)?;
    Ok(acceptance(steps.iter().map(|step| step.label)))
}
