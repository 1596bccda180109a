//! Where a process has parallels or compressions above its recursion: there the operator tree of a machine is,
//! and everything below is leaves.

use rustc_hash::FxHashMap;

use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::compression::Compression;
use crate::process::recursion::CallGraph;
use crate::process::term::{CallId, Definitions, Term, TermId};

/// The part of some terms that becomes operator trees.
pub(crate) struct Skeleton {
    calls: CallGraph,
    parts: FxHashMap<TermId, Part>,
}

/// What a term becomes in a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// An inner node: a parallel composition or a compression can be reached from it without recursion.
    Inner,
    /// A leaf that is explored.
    Leaf,
    /// A leaf whose transition system is compressed.
    Compressed,
}

impl Skeleton {
    /// Knows no terms yet; unfolds at most `limit` calls.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            calls: CallGraph::new(limit),
            parts: FxHashMap::default(),
        }
    }

    /// Takes in all calls that `term` can lead to. To be called before anything is asked of `term`.
    pub(crate) fn add(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<()> {
        self.calls.add(definitions, term)
    }

    /// Whether `term` is an inner node.
    pub(crate) fn is_inner(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<bool> {
        Ok(self.part(definitions, term)? == Part::Inner)
    }

    /// What `term` becomes.
    pub(crate) fn part(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<Part> {
        if let Some(&known) = self.parts.get(&term) {
            return Ok(known);
        }
        definitions.cancellation().step()?;
        let part = match definitions.terms().get(term).clone() {
            Term::Call(call) if self.calls.is_recursive(call) => Part::Leaf,
            Term::Call(call) => match definitions.body(call) {
                Ok(body) => deep(|| self.part(definitions, body))?,
                // It may never be reached; exploring the leaf will tell.
                Err(_) => Part::Leaf,
            },
            Term::Parallel(..) | Term::Alphabetised(_) | Term::Linked(..) => Part::Inner,
            Term::Compress(compression, _) if compression.keeps_meaning() => Part::Compressed,
            // Which transition is followed is defined on terms, so all of it is explored as one.
            Term::Compress(..) => Part::Leaf,
            // What it watches never happens itself.
            Term::Watchdog(_) => Part::Leaf,
            term => {
                let mut part = Part::Leaf;
                for operand in [term.started_operands(), term.waiting_operands()].concat() {
                    if deep(|| self.part(definitions, operand))? != Part::Leaf {
                        part = Part::Inner;
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
        if self.part(definitions, term)? != Part::Compressed {
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
