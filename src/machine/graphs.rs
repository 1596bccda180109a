//! The transition systems of leaves: explored, or put together and compressed.
//!
//! What a compression stands before is a machine of its own, listed state by state. Compressions inside are
//! leaves of that machine, so that in a chain such as `wbisim(wbisim(P ||| Q) ||| R)` each level costs the product of
//! two compressed parts, whatever is below.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::Builder;
use super::compile::assemble;
use super::explicit::listed;
use super::leaf::ProcessGraph;
use super::skeleton::unfolded;
use super::structure::Machine;
use super::text;
use super::tree::Around;
use crate::base::number::plain;
use crate::base::stack::deep;
use crate::base::threads::Threads;
use crate::cancel::count_anew;
use crate::diag::{Diagnostic, Result};
use crate::lts::bisimulation::minimise;
use crate::lts::compress::{compress, keeping_observations};
use crate::lts::explore::explore;
use crate::lts::graph::Lts;
use crate::process::compression::Compression;
use crate::process::term::{Term, TermId};
use crate::process::work::Phase;

/// The transition systems found so far; leaves of equal terms share them.
#[derive(Default)]
pub(super) struct Graphs {
    known: FxHashMap<(TermId, Around), Arc<ProcessGraph>>,
}

/// Leaves with fewer states together are not worth another thread.
const FEW_STATES: usize = 2000;

/// How many leaves for each thread are held as they were explored, before they are minimised.
const LEAVES_PER_THREAD: usize = 4;

/// Fewer are held if they have more states together.
const MOST_STATES: usize = 100_000;

/// A leaf that was explored, and what becomes of it.
struct Explored {
    leaf: (TermId, Around),
    name: String,
    lts: Lts,
    /// Nothing as long as no thread has worked on it.
    graph: Option<Result<ProcessGraph>>,
}

impl Builder<'_> {
    /// Makes the transition systems of leaves on all threads, in as far as they can be made before the tree is built: they are
    /// explored one after the other, because that evaluates the script, and minimised together.
    ///
    /// They are explored in the order of the tree, which is also the order in which terms get their numbers: nothing depends on
    /// whether that is done here.
    pub(super) fn make_leaves(&mut self, term: TermId, around: Around) -> Result<()> {
        let threads = self.options.threads.clone();
        if threads.count() == 1 || !self.options.minimise {
            return Ok(());
        }
        let mut leaves = Vec::new();
        self.find_leaves(term, around, &mut leaves)?;
        let mut seen = FxHashSet::default();
        leaves.retain(|&leaf| seen.insert(leaf));
        let (mut explored, mut states) = (Vec::new(), 0);
        for leaf in leaves {
            let name = self.enter(Phase::Component, leaf.0);
            let lts = explore(self.definitions, leaf.0, &self.options.limits)?.lts;
            states += lts.state_count();
            explored.push(Explored {
                leaf,
                name,
                lts,
                graph: None,
            });
            if explored.len() >= threads.count() * LEAVES_PER_THREAD || states >= MOST_STATES {
                self.minimise_all(std::mem::take(&mut explored), &threads)?;
                states = 0;
            }
        }
        self.minimise_all(explored, &threads)
    }

    /// Makes the graphs of these leaves; each thread says which it begins.
    fn minimise_all(&mut self, mut explored: Vec<Explored>, threads: &Threads) -> Result<()> {
        let states = explored.iter().map(|explored| explored.lts.state_count());
        let own = Threads::one();
        let threads = if states.sum::<usize>() < FEW_STATES {
            &own
        } else {
            threads
        };
        let (token, listener) = (self.definitions.cancellation(), self.definitions.listener());
        threads.each(&mut explored, |_, explored| {
            let Explored {
                leaf, name, lts, ..
            } = &*explored;
            count_anew();
            listener.enter(Phase::Minimisation, name);
            let minimised = ProcessGraph::minimised(leaf.0, lts, token);
            explored.graph = Some(minimised);
        });
        for Explored { leaf, graph, .. } in explored {
            if let Some(graph) = graph.transpose()? {
                self.graphs.known.insert(leaf, Arc::new(graph));
            }
        }
        Ok(())
    }

    /// The leaves below `term`, from left to right, up to the first part that is more than a leaf below operators that do not change
    /// as they run; whether there is no such part.
    fn find_leaves(
        &mut self,
        term: TermId,
        around: Around,
        found: &mut Vec<(TermId, Around)>,
    ) -> Result<bool> {
        if !self.skeleton.is_inner(self.definitions, term)? {
            let is_plain = self.skeleton.compression(self.definitions, term)?.is_none();
            if is_plain && !self.graphs.known.contains_key(&(term, around)) {
                found.push((term, around));
            }
            return Ok(is_plain);
        }
        let head = unfolded(self.definitions, term)?;
        let head = self.definitions.terms().get(head).clone();
        let operands = match &head {
            Term::Parallel(_, operands) => operands.to_vec(),
            Term::Alphabetised(operands) => operands.iter().map(|&(_, operand)| operand).collect(),
            Term::Linked(left, _, right) => vec![*left, *right],
            Term::Hide(operand, _)
            | Term::Project(operand, _)
            | Term::Rename(operand, _)
            | Term::Prioritise(operand, _) => vec![*operand],
            _ => return Ok(false),
        };
        let around = around.of_operands(&head);
        for operand in operands {
            if !deep(|| self.find_leaves(operand, around, found))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The transition system of the leaf `term`.
    pub(super) fn graph(&mut self, term: TermId, around: Around) -> Result<Arc<ProcessGraph>> {
        if let Some(graph) = self.graphs.known.get(&(term, around)) {
            return Ok(graph.clone());
        }
        let compression = self.skeleton.compression(self.definitions, term)?;
        let graph = if let Some((compression, operand)) = compression {
            let (lts, states) = deep(|| self.compressed(term, compression, operand, around))?;
            self.process_graph(term, lts, states)?.compressed()
        } else {
            self.enter(Phase::Component, term);
            let lts = explore(self.definitions, term, &self.options.limits)?.lts;
            let states = lts.state_count();
            self.process_graph(term, lts, states)?
        };
        let graph = Arc::new(graph);
        self.graphs.known.insert((term, around), graph.clone());
        Ok(graph)
    }

    /// What is done from now on is about `term`; its name.
    fn enter(&mut self, phase: Phase, term: TermId) -> String {
        let name = text::expression(self.definitions, term);
        self.definitions.enter(phase, &name);
        name
    }

    /// The graph of `term`, whose states are those of `lts`, minimised if that is wanted; without compressions it has so many.
    fn process_graph(
        &mut self,
        term: TermId,
        lts: Lts,
        explored_states: usize,
    ) -> Result<ProcessGraph> {
        if self.options.minimise {
            self.enter(Phase::Minimisation, term);
        }
        let token = &self.definitions.cancellation().clone();
        let lts = if self.options.minimise {
            minimise(&lts, token)?.lts
        } else {
            lts
        };
        ProcessGraph::new(term, lts, explored_states, token)
    }

    /// `operand` after `compression`, which is `term`, and how many states it has without.
    fn compressed(
        &mut self,
        term: TermId,
        compression: Compression,
        operand: TermId,
        around: Around,
    ) -> Result<(Lts, usize)> {
        let compression = if around.has_priorities {
            Compression::Sbisim
        } else if around.is_observed {
            keeping_observations(compression)
        } else {
            compression
        };
        let limit = self.options.limits.states;
        let (compressed, states) = if self.skeleton.is_inner(self.definitions, operand)? {
            let machine = self.machine(operand, around)?;
            self.enter(Phase::Listing, operand);
            let token = &self.definitions.cancellation().clone();
            let Some(lts) = listed(&machine, limit, token)? else {
                return self.too_large(term).into();
            };
            self.enter(Phase::Compression, operand);
            let token = &self.definitions.cancellation().clone();
            let compressed = compress(compression, &lts, limit, token)?;
            (compressed, lts.state_count())
        } else {
            let graph = self.graph(operand, around)?;
            self.enter(Phase::Compression, operand);
            let token = &self.definitions.cancellation().clone();
            let compressed = compress(compression, &graph.lts, limit, token)?;
            (compressed, graph.explored_states)
        };
        match compressed {
            Some(lts) => Ok((lts, states)),
            None => self.large_normal_form(term).into(),
        }
    }

    /// The machine of a part, beside the tree that is being built.
    pub(super) fn machine(&mut self, term: TermId, around: Around) -> Result<Machine> {
        self.make_leaves(term, around)?;
        let outside = std::mem::take(&mut self.tree);
        let root = self.node(term, around);
        let tree = std::mem::replace(&mut self.tree, outside);
        root?;
        assemble(self.definitions, tree)
    }

    fn too_large(&self, term: TermId) -> Diagnostic {
        let limit = plain(self.options.limits.states, "state");
        let name = text::expression(self.definitions, term);
        let message = format!("what `{name}` compresses has more than {limit}");
        Diagnostic::undecided("growing-process", message)
            .note("a process is listed state by state before it is compressed")
            .hint("compress its components first, or allow more states with --max-leaf-states")
    }

    fn large_normal_form(&self, term: TermId) -> Diagnostic {
        let limit = plain(self.options.limits.states, "state");
        let name = text::expression(self.definitions, term);
        let message = format!("the normal form that `{name}` asks for has more than {limit}");
        Diagnostic::undecided("growing-process", message)
            .note("a normal form is deterministic, which can take exponentially many states")
            .hint("use `lazynorm`, `wbisim` or `diamond` instead, which never have more than the process")
    }
}
