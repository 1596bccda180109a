//! The transition systems of leaves: explored, or put together and compressed.
//!
//! What a compression stands before is a machine of its own, listed state by state. Compressions inside are
//! leaves of that machine, so that in a chain such as `wbisim(wbisim(P ||| Q) ||| R)` each level costs the product of
//! two compressed parts, whatever is below.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::explicit::listed;
use super::leaf::ProcessGraph;
use super::tree::Builder;
use super::{Machine, rules, text};
use crate::base::stack::deep;
use crate::diag::{Diagnostic, Result};
use crate::lts::bisimulation::minimise;
use crate::lts::compress::compress;
use crate::lts::explore::explore;
use crate::lts::graph::Lts;
use crate::process::compression::Compression;
use crate::process::term::TermId;

/// What stands above a leaf, in as far as it decides how the leaf may be compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Around {
    /// Whether some events have priority over others: then what is possible beside τ matters, and only strong
    /// bisimulation keeps that.
    pub(super) has_priorities: bool,
}

/// The transition systems found so far; leaves of equal terms share them.
#[derive(Default)]
pub(super) struct Graphs {
    known: FxHashMap<(TermId, Around), Rc<ProcessGraph>>,
}

impl Builder<'_> {
    /// The transition system of the leaf `term`.
    pub(super) fn graph(&mut self, term: TermId) -> Result<Rc<ProcessGraph>> {
        let key = (term, self.around);
        if let Some(graph) = self.graphs.known.get(&key) {
            return Ok(graph.clone());
        }
        let (lts, states) = match self.skeleton.compression(self.definitions, term)? {
            Some((compression, operand)) => deep(|| self.compressed(term, compression, operand))?,
            None => {
                let lts = explore(self.definitions, term, &self.options.limits)?.lts;
                let states = lts.state_count();
                (lts, states)
            }
        };
        let lts = if self.options.minimise {
            minimise(&lts).lts
        } else {
            lts
        };
        let graph = Rc::new(ProcessGraph::new(term, lts, states));
        self.graphs.known.insert(key, graph.clone());
        Ok(graph)
    }

    /// `operand` after `compression`, which is `term`, and how many states it has without.
    fn compressed(
        &mut self,
        term: TermId,
        compression: Compression,
        operand: TermId,
    ) -> Result<(Lts, usize)> {
        let compression = if self.around.has_priorities {
            Compression::Sbisim
        } else {
            compression
        };
        let limit = self.options.limits.states;
        let (compressed, states) = if self.skeleton.is_inner(self.definitions, operand)? {
            let Some(lts) = listed(&self.machine(operand)?, limit)? else {
                return self.too_large(term).into();
            };
            (compress(compression, &lts, limit), lts.state_count())
        } else {
            let graph = self.graph(operand)?;
            (
                compress(compression, &graph.lts, limit),
                graph.explored_states,
            )
        };
        match compressed {
            Some(lts) => Ok((lts, states)),
            None => self.large_normal_form(term).into(),
        }
    }

    /// The machine of a part, beside the tree that is being built.
    pub(super) fn machine(&mut self, term: TermId) -> Result<Machine> {
        let outside = std::mem::take(&mut self.tree);
        let root = self.node(term);
        let mut tree = std::mem::replace(&mut self.tree, outside);
        root?;
        let events = &self.definitions.terms().events;
        let rules = rules::flatten(events, &tree.nodes, &mut tree.leaves)?;
        Ok(Machine {
            leaves: tree.leaves,
            rules,
            nodes: tree.nodes,
        })
    }

    fn too_large(&self, term: TermId) -> Diagnostic {
        let limit = self.options.limits.states;
        let name = text::expression(self.definitions, term);
        let message = format!("what `{name}` compresses has more than {limit} states");
        Diagnostic::undecided("growing-process", message)
            .note("a process is listed state by state before it is compressed")
            .hint("compress its components first, or allow more states with --max-leaf-states")
    }

    fn large_normal_form(&self, term: TermId) -> Diagnostic {
        let limit = self.options.limits.states;
        let name = text::expression(self.definitions, term);
        let message =
            format!("the normal form that `{name}` asks for has more than {limit} states");
        Diagnostic::undecided("growing-process", message)
            .note("a normal form is deterministic, which can take exponentially many states")
            .hint("use `lazynorm`, `wbisim` or `diamond` instead, which never have more than the process")
    }
}
