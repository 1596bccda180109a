//! Where a process has parallels above its recursion: there the operator tree of a machine is, and
//! everything below is leaves.

use rustc_hash::FxHashMap;

use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::recursion::CallGraph;
use crate::process::term::{CallId, Definitions, Term, TermId};

/// The part of some terms that becomes operator trees.
pub(crate) struct Skeleton {
    calls: CallGraph,
    has_parallel: FxHashMap<TermId, bool>,
}

impl Skeleton {
    /// Knows no terms yet; unfolds at most `limit` calls.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            calls: CallGraph::new(limit),
            has_parallel: FxHashMap::default(),
        }
    }

    /// Takes in all calls that `term` can lead to. To be called before anything is asked of `term`.
    pub(crate) fn add(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<()> {
        self.calls.add(definitions, term)
    }

    /// Whether a parallel composition can be reached from `term` without recursion. Without one it is a leaf.
    pub(crate) fn has_parallel(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<bool> {
        if let Some(&known) = self.has_parallel.get(&term) {
            return Ok(known);
        }
        let operands = match definitions.terms().get(term).clone() {
            Term::Call(call) if self.calls.is_recursive(call) => Vec::new(),
            // A body that is an error may never be reached; exploring the leaf will tell.
            Term::Call(call) => definitions.body(call).into_iter().collect(),
            Term::Parallel(..) | Term::Alphabetised(_) | Term::Linked(..) => {
                self.has_parallel.insert(term, true);
                return Ok(true);
            }
            term => [term.started_operands(), term.waiting_operands()].concat(),
        };
        let mut found = false;
        for operand in operands {
            if deep(|| self.has_parallel(definitions, operand))? {
                found = true;
                break;
            }
        }
        self.has_parallel.insert(term, found);
        Ok(found)
    }

    /// Whether `call` can lead to itself.
    pub(crate) fn is_recursive(&self, call: CallId) -> bool {
        self.calls.is_recursive(call)
    }
}

/// `term`, of which the calls are not recursive, without its outermost calls.
pub(crate) fn unfolded(definitions: &mut dyn Definitions, mut term: TermId) -> Result<TermId> {
    while let &Term::Call(call) = definitions.terms().get(term) {
        term = definitions.body(call)?;
    }
    Ok(term)
}
