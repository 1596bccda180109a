//! The skeleton of a process: its parallels and compressions that stand above its recursion. The
//! skeleton becomes the operator tree of a machine; everything below is leaves.

use rustc_hash::FxHashMap;

use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::compression::Compression;
use crate::process::recursion::CallGraph;
use crate::process::term::{CallId, Definitions, Term, TermId};

/// The part of some terms that becomes operator trees.
pub(crate) struct Skeleton {
    calls: CallGraph,
    parts: FxHashMap<TermId, MachinePart>,
}

/// What a term becomes in a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MachinePart {
    /// An inner node: a parallel composition or a compression can be reached from it without
    /// recursion.
    Inner,
    /// A leaf that is explored.
    Leaf,
    /// A leaf whose transition system is compressed.
    Compressed,
}

impl Skeleton {
    /// A skeleton that knows no terms yet. It will unfold at most `limit` calls.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            calls: CallGraph::new(limit),
            parts: FxHashMap::default(),
        }
    }

    /// Takes in all calls that `term` can lead to. This has to be done before any question about
    /// `term` is asked.
    pub(crate) fn add(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<()> {
        self.calls.add(definitions, term)
    }

    /// Whether `term` is an inner node.
    pub(crate) fn is_inner(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<bool> {
        Ok(self.part(definitions, term)? == MachinePart::Inner)
    }

    /// What `term` becomes.
    pub(crate) fn part(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<MachinePart> {
        if let Some(&known) = self.parts.get(&term) {
            return Ok(known);
        }
        definitions.cancellation().step()?;
        let part = match definitions.terms().get(term).clone() {
            // What stands below recursion has no fixed number of components.
            Term::Call(call) if self.calls.is_recursive(call) => MachinePart::Leaf,
            Term::Call(call) => match definitions.body(call) {
                Ok(body) => deep(|| self.part(definitions, body))?,
                // The call may never be reached. If it is, exploring the leaf reports the error.
                Err(_) => MachinePart::Leaf,
            },
            Term::Parallel(..) | Term::Alphabetised(_) | Term::Linked(..) => MachinePart::Inner,
            Term::Compress(compression, _) if compression.keeps_meaning() => {
                MachinePart::Compressed
            }
            // `chase` and its like choose among transitions of terms: the whole is one leaf.
            Term::Compress(..) => MachinePart::Leaf,
            // What a watchdog watches never happens itself, so it is no part of the tree.
            Term::Watchdog(_) => MachinePart::Leaf,
            term => {
                let mut part = MachinePart::Leaf;
                for operand in term.operands() {
                    if deep(|| self.part(definitions, operand))? != MachinePart::Leaf {
                        part = MachinePart::Inner;
                        break;
                    }
                }
                part
            }
        };
        self.parts.insert(term, part);
        Ok(part)
    }

    /// The compression that a compressed leaf is, and its operand.
    pub(crate) fn compression(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<Option<(Compression, TermId)>> {
        if self.part(definitions, term)? != MachinePart::Compressed {
            return Ok(None);
        }
        let head = unfolded(definitions, term)?;
        Ok(match definitions.terms().get(head) {
            &Term::Compress(compression, operand) => Some((compression, operand)),
            _ => None,
        })
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
