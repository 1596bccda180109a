//! Compressions around a whole process, which only slow a search down.
//!
//! Compressing lists every state of the operand, and then the search visits the states that are
//! left. The search alone visits each state of the operand at most once. So a compression saves
//! something only below an operator that puts its result beside other processes.

use std::sync::Arc;

use super::event::{EventId, EventSetId};
use super::term::{Definitions, Term, TermId, Terms};
use base::diag::Result;

/// The largest number of unfoldings before an operator is found. A process that needs more is left
/// as it is, because its recursion may have no end.
const MOST_UNFOLDED: usize = 1000;

/// An operator around one process that a search evaluates as it goes.
enum Wrapper {
    Hide(EventSetId),
    Project(EventSetId),
    Rename(Arc<[(EventId, EventId)]>),
}

impl Wrapper {
    fn around(&self, terms: &mut Terms, process: TermId) -> TermId {
        match self {
            Self::Hide(set) => terms.hide(process, *set),
            Self::Project(set) => terms.project(process, *set),
            Self::Rename(pairs) => terms.rename(process, pairs.to_vec()),
        }
    }
}

/// `term` without the compressions around the whole process, below hiding and renaming too. Traces,
/// failures and divergences are those of `term`, because each of these compressions keeps those of
/// its operand.
pub fn without_outer_compressions(
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<TermId> {
    let mut wrappers = Vec::new();
    // The operand of the innermost compression of this kind, and the number of wrappers around it.
    let mut inside = None;
    let mut at = term;
    for _ in 0..MOST_UNFOLDED {
        match definitions.terms().get(at) {
            &Term::Call(call) => at = definitions.body(call)?,
            &Term::Compress(compression, operand) if compression.keeps_meaning() => {
                inside = Some((operand, wrappers.len()));
                at = operand;
            }
            &Term::Hide(operand, set) => {
                wrappers.push(Wrapper::Hide(set));
                at = operand;
            }
            &Term::Project(operand, set) => {
                wrappers.push(Wrapper::Project(set));
                at = operand;
            }
            Term::Rename(operand, pairs) => {
                wrappers.push(Wrapper::Rename(Arc::clone(pairs)));
                at = *operand;
            }
            _ => {
                let Some((operand, count)) = inside else {
                    return Ok(term);
                };
                let terms = definitions.terms_mut();
                let around = wrappers[..count].iter().rev();
                return Ok(around.fold(operand, |process, wrapper| wrapper.around(terms, process)));
            }
        }
    }
    Ok(term)
}
