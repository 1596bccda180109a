//! The transition systems of leaves: explored, and compressed where the script asks for it.
//!
//! The operand of a compression becomes a machine of its own, which is listed state by state.
//! Compressions inside are leaves of that machine, so that in a chain such as
//! `wbisim(wbisim(P ||| Q) ||| R)` each level costs the product of two compressed parts, however
//! large the parts inside them are.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::ProcessTreeBuilder;
use super::compile::assemble;
use super::copies::has_copies;
use super::explicit::listed;
use super::leaf::ProcessGraph;
use super::skeleton::unfolded;
use super::structure::Machine;
use super::text;
use super::tree::Around;
use base::cancel::{Cancellation, Phase};
use base::diag::{Diagnostic, Result};
use base::number::plain;
use base::stack::deep;
use lts::bisimulation::minimise;
use lts::compress::{compress, is_minimal, keeping_observations};
use lts::explore::{PartlyListed, list};
use lts::graph::Lts;
use process::compression::Compression;
use process::term::{Term, TermId};
use process::trial::larger;

/// The transition systems of leaves made so far; leaves of equal terms share them. Clones share one
/// collection. All users have to work on the same definitions and within the same limits, and all
/// have to minimise leaves or none.
#[derive(Clone, Default, Debug)]
pub struct LeafGraphs(Arc<Mutex<KnownLeaves>>);

#[derive(Default, Debug)]
struct KnownLeaves {
    graphs: FxHashMap<LeafKey, Arc<ProcessGraph>>,
    /// The systems of which a trial has listed a part. Each is taken while listing goes on.
    parts: FxHashMap<TermId, PartlyListed>,
    /// For each compression, true if it is given up (`idle.rs`).
    given_up: FxHashMap<LeafKey, bool>,
}

/// The properties that decide the transition system of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LeafKey {
    term: TermId,
    around: Around,
    /// True if a chase inside was listed by the rules of terms, not followed in a machine.
    chases_are_leaves: bool,
}

impl LeafGraphs {
    fn get(&self, leaf: LeafKey) -> Option<Arc<ProcessGraph>> {
        self.known().graphs.get(&leaf).cloned()
    }

    fn insert(&self, leaf: LeafKey, graph: Arc<ProcessGraph>) {
        self.known().graphs.insert(leaf, graph);
    }

    /// True if the compression `leaf` is given up; `None` if that is not known yet.
    pub(super) fn is_given_up(&self, leaf: LeafKey) -> Option<bool> {
        self.known().given_up.get(&leaf).copied()
    }

    /// Notes if the compression `leaf` is given up.
    pub(super) fn note(&self, leaf: LeafKey, is_given_up: bool) {
        self.known().given_up.insert(leaf, is_given_up);
    }

    fn known(&self) -> MutexGuard<'_, KnownLeaves> {
        // No thread panics while it holds the lock; the contents of the maps are whole in any case.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of states at which collected leaves are handed to another thread.
const FEW_STATES: usize = 2000;

/// The largest number of leaves handed to another thread together.
const MOST_TOGETHER: usize = 16;

/// The largest number of such bundles that wait for a thread. With more, the thread that explores
/// leaves minimises too. Each bundle is held in memory as it was explored.
const MOST_WAITING: usize = 2;

/// An explored leaf that is to be minimised.
struct ExploredLeaf {
    leaf: LeafKey,
    name: String,
    lts: Lts,
}

impl ExploredLeaf {
    /// The minimised graph. The explored graph is freed here, on the thread that minimises.
    fn minimised(self, token: &Cancellation) -> Result<ProcessGraph> {
        token.enter(Phase::Minimisation, &self.name);
        let small = minimise(&self.lts, token)?;
        ProcessGraph::new(self.leaf.term, small.lts, self.lts.state_count(), token)
    }
}

/// The transition system of a leaf before it is minimised, or of the operand of a compression.
struct FoundStates<'g> {
    lts: Cow<'g, Lts>,
    /// The number of states before compressing.
    explored_states: usize,
    /// True if no two states are bisimilar.
    is_minimal: bool,
    /// True if a chase was followed in a machine that was listed.
    follows_chase: bool,
    /// The value for [`ProcessGraph::idle_compressions`], if the compression turns out to be idle.
    idle_compressions: Option<usize>,
}

/// The compression done below `around` where the script has `compression`.
pub(super) fn kept_by(compression: Compression, around: Around) -> Compression {
    // Below priorities only strong bisimilarity keeps the meaning, and it also keeps all that other
    // models see.
    if around.has_priorities {
        Compression::Sbisim
    } else if around.is_observed {
        keeping_observations(compression)
    } else {
        compression
    }
}

impl ProcessTreeBuilder<'_> {
    /// Makes the transition systems of leaves on all threads, as far as they can be made before the
    /// tree is built. Leaves are explored one after the other, because exploring evaluates the
    /// script. Other threads help with each, and minimise those that were explored.
    ///
    /// They are explored in the order in which [`Self::node`] meets them, so that terms get the
    /// numbers that they would get without this function.
    pub(super) fn make_leaves(&mut self, term: TermId, around: Around) -> Result<()> {
        let threads = self.options.threads.clone();
        // In these cases `graph` makes each leaf when the tree is built: there is nothing to share
        // out.
        if threads.count() == 1 || !self.options.minimise {
            return Ok(());
        }
        let mut leaves = Vec::new();
        self.find_leaves(term, around, &mut leaves)?;
        let mut seen = FxHashSet::default();
        leaves.retain(|&leaf| seen.insert(leaf));
        let token = self.definitions.cancellation().clone();
        let (explored, minimised) = threads.pipeline(
            MOST_WAITING,
            |hand_on| self.explore_leaves(leaves, hand_on),
            |leaves: Vec<ExploredLeaf>| {
                let graph = |leaf: ExploredLeaf| Ok((leaf.leaf, leaf.minimised(&token)?));
                leaves.into_iter().map(graph).collect::<Result<Vec<_>>>()
            },
        );
        for graphs in minimised {
            for (leaf, graph) in graphs? {
                self.graphs.insert(leaf, Arc::new(graph));
            }
        }
        explored
    }

    /// Explores these leaves and hands them on, several small ones together.
    fn explore_leaves(
        &mut self,
        leaves: Vec<LeafKey>,
        hand_on: &mut dyn FnMut(Vec<ExploredLeaf>),
    ) -> Result<()> {
        let (mut explored, mut states) = (Vec::new(), 0);
        for leaf in leaves {
            let name = self.enter(Phase::Component, leaf.term);
            let lts = self.list(leaf.term)?;
            states += lts.state_count();
            explored.push(ExploredLeaf { leaf, name, lts });
            if states >= FEW_STATES || explored.len() == MOST_TOGETHER {
                hand_on(std::mem::take(&mut explored));
                states = 0;
            }
        }
        hand_on(explored);
        Ok(())
    }

    /// Finds the leaves below `term`, from left to right, up to the first part that is neither a
    /// plain leaf nor an operator of a fixed shape. Returns true if there is no such part.
    fn find_leaves(
        &mut self,
        term: TermId,
        around: Around,
        found: &mut Vec<LeafKey>,
    ) -> Result<bool> {
        if !self.skeleton.is_inner(self.definitions, term)? {
            // A compression explores its operand in between, and so numbers terms: leaves after it
            // have to wait.
            let is_plain = self.skeleton.compression(self.definitions, term)?.is_none();
            let leaf = self.leaf_key(term, around);
            if is_plain && self.graphs.get(leaf).is_none() {
                found.push(leaf);
            }
            return Ok(is_plain);
        }
        let head = unfolded(self.definitions, term)?;
        let head = self.definitions.terms().get(head).clone();
        if !matches!(&head, Term::Over(operator, _) if operator.is_fixed()) {
            return Ok(false);
        }
        let around = around.of_operands(&head);
        for operand in head.operands() {
            if !deep(|| self.find_leaves(operand, around, found))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The transition system of the leaf `term`.
    pub(super) fn graph(&mut self, term: TermId, around: Around) -> Result<Arc<ProcessGraph>> {
        let leaf = self.leaf_key(term, around);
        if let Some(graph) = self.graphs.get(leaf) {
            // What other assertions have listed does not count, so that the way to an answer
            // depends on them as little as may be. Whole machines that they have compiled do count.
            return match self.options.limits.trial {
                Some(most) if graph.explored_states > most => larger().into(),
                _ => Ok(graph),
            };
        }
        let compression = self.skeleton.compression(self.definitions, term)?;
        let FoundStates {
            mut lts,
            explored_states,
            is_minimal,
            follows_chase,
            idle_compressions,
        } = match compression {
            Some((compression, operand)) => {
                deep(|| self.compressed(term, compression, operand, around))?
            }
            None => {
                self.enter(Phase::Component, term);
                let lts = self.list(term)?;
                FoundStates {
                    explored_states: lts.state_count(),
                    lts: Cow::Owned(lts),
                    is_minimal: false,
                    follows_chase: false,
                    idle_compressions: None,
                }
            }
        };
        if self.options.minimise && !is_minimal {
            self.enter(Phase::Minimisation, term);
            lts = Cow::Owned(minimise(&lts, self.definitions.cancellation())?.lts);
        }
        let token = self.definitions.cancellation();
        let mut graph = ProcessGraph::new(term, lts.into_owned(), explored_states, token)?;
        graph.keeps_taus = compression.is_none();
        graph.follows_chase = follows_chase;
        if graph.lts.state_count() * 10 > explored_states * 9 {
            graph.idle_compressions = idle_compressions;
        }
        let graph = Arc::new(graph);
        self.graphs.insert(leaf, graph.clone());
        Ok(graph)
    }

    /// All states of a component, listed by threads that do nothing else: those that minimise
    /// components may be busy for long.
    fn list(&mut self, term: TermId) -> Result<Lts> {
        let (limits, threads) = (&self.options.limits, &self.listing_threads);
        let mut part = self.graphs.known().parts.remove(&term);
        let listed = list(self.definitions, term, limits, threads, &mut part);
        if let Some(part) = part {
            self.graphs.known().parts.insert(term, part);
        }
        listed
    }

    pub(super) fn leaf_key(&self, term: TermId, around: Around) -> LeafKey {
        LeafKey {
            term,
            around,
            chases_are_leaves: self.options.chases_are_leaves,
        }
    }

    /// Reports that a phase about `term` begins. Returns the name of `term`.
    pub(super) fn enter(&mut self, phase: Phase, term: TermId) -> String {
        let name = text::expression(self.definitions, term);
        self.definitions.enter(phase, &name);
        name
    }

    /// The transition system of `term`, which is `compression` of `operand`.
    fn compressed(
        &mut self,
        term: TermId,
        compression: Compression,
        operand: TermId,
        around: Around,
    ) -> Result<FoundStates<'static>> {
        let compression = kept_by(compression, around);
        let operand = self.slim(operand, around, false, &mut Vec::new())?;
        let graph;
        let inside = if self.skeleton.is_inner(self.definitions, operand)? {
            self.listed_operand(term, operand, around)?
        } else {
            graph = self.graph(operand, around)?;
            FoundStates {
                lts: Cow::Borrowed(&graph.lts),
                explored_states: graph.explored_states,
                is_minimal: false,
                follows_chase: graph.follows_chase,
                // Several compressions of one parallel tell no more than one of them.
                idle_compressions: graph.idle_compressions,
            }
        };
        self.enter(Phase::Compression, operand);
        let limit = self.options.limits.normal_form(inside.lts.state_count());
        let token = self.definitions.cancellation();
        match compress(compression, &inside.lts, limit, token)? {
            Some(lts) => Ok(FoundStates {
                lts: Cow::Owned(lts),
                is_minimal: is_minimal(compression),
                ..inside
            }),
            None => self.large_normal_form(term, limit).into(),
        }
    }

    /// All states of `operand`, an inner node that the compression `term` compresses.
    fn listed_operand(
        &mut self,
        term: TermId,
        operand: TermId,
        around: Around,
    ) -> Result<FoundStates<'static>> {
        let machine = self.machine(operand, around)?;
        self.enter(Phase::Listing, operand);
        let limit = self.options.limits.listed_now();
        let Some(lts) = listed(&machine, limit, self.definitions.cancellation())? else {
            return self.too_large(term).into();
        };
        let is_large = lts.state_count() >= self.options.idle.fewest_states;
        // Putting copies in order is part of the effect of compressing.
        let idle_compressions = match has_copies(&machine) {
            true => None,
            false => Some(usize::from(is_large) + self.idle_inside(operand, around)?),
        };
        Ok(FoundStates {
            explored_states: lts.state_count(),
            lts: Cow::Owned(lts),
            is_minimal: false,
            follows_chase: machine.follows_chases(),
            idle_compressions,
        })
    }

    /// The machine of a part. The tree that is being built stays as it is.
    pub(super) fn machine(&mut self, term: TermId, around: Around) -> Result<Machine> {
        self.make_leaves(term, around)?;
        let outside = std::mem::take(&mut self.tree);
        let root = self.node(term, around);
        // The outer tree is put back before an error is passed on.
        let tree = std::mem::replace(&mut self.tree, outside);
        root?;
        assemble(self.definitions, tree)
    }

    fn too_large(&self, term: TermId) -> Diagnostic {
        if self.options.limits.trial.is_some() {
            return larger();
        }
        let limit = plain(self.options.limits.listed, "state");
        let name = text::expression(self.definitions, term);
        let message = format!("what `{name}` compresses has more than {limit}");
        Diagnostic::undecided("growing-process", message)
            .note("a process is listed state by state before it is compressed")
            .hint("compress its components first, or allow more states with --max-leaf-states")
    }

    fn large_normal_form(&self, term: TermId, limit: usize) -> Diagnostic {
        if self.options.limits.trial.is_some() {
            return larger();
        }
        let limit = plain(limit, "state");
        let name = text::expression(self.definitions, term);
        let message = format!("the normal form that `{name}` asks for has more than {limit}");
        Diagnostic::undecided("growing-process", message)
            .note("a normal form is deterministic, which can take exponentially many states")
            .hint("use `lazynorm`, `wbisim` or `diamond` instead, which never have more than the process")
    }
}
