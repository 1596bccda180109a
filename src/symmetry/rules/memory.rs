//! What a prover remembers: of terms from one goal to the next, and of goals as long as one is being settled.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::{Attempt, Failure, Goal, Place, SigmaId, Stop};
use super::proof::Proof;
use crate::diag::Diagnostic;
use crate::machine::Machine;
use crate::machine::leaf::{Behaviour, ProcessGraph};
use crate::machine::tree::Around;
use crate::machine::tree::Operator;
use crate::process::event::EventId;
use crate::process::term::TermId;

/// A transition system, or why it could not be found.
pub(super) type Graph = std::result::Result<Arc<ProcessGraph>, Box<Diagnostic>>;

/// Transition systems and how they go onto each other; kept from one goal to the next.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    /// By term, one for whatever stands above it in the machine.
    pub(super) graphs: FxHashMap<TermId, Vec<(Around, Graph)>>,
    /// By the terms, what stands above them, and what σ does to the events of the first.
    pub(super) matchings: FxHashMap<(TermId, SigmaId, TermId, Around), Arc<[u32]>>,
}

impl Graphs {
    /// Those of the leaves of `machine`.
    pub(super) fn of(machine: &Machine) -> Self {
        let mut graphs = Self::default();
        for node in machine.nodes.iter() {
            if let Operator::Leaf(leaf) = node.operator
                && let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour
                && graphs.known(node.term, node.around).is_none()
            {
                graphs.add(node.term, node.around, Ok(graph.clone()));
            }
        }
        graphs
    }

    /// The transition system of `term` where this stands above it, if it is known.
    pub(super) fn known(&self, term: TermId, around: Around) -> Option<&Graph> {
        let mut of_term = self.graphs.get(&term)?.iter();
        of_term.find_map(|(other, graph)| (*other == around).then_some(graph))
    }

    /// Remembers the transition system of `term` where this stands above it.
    pub(super) fn add(&mut self, term: TermId, around: Around, graph: Graph) {
        self.graphs.entry(term).or_default().push((around, graph));
    }
}

/// The alphabets found so far, ascending; kept from one goal to the next.
#[derive(Debug, Default)]
pub(super) struct Alphabets {
    pub(super) known: FxHashMap<TermId, Arc<[EventId]>>,
    /// Terms that lead to too many others.
    pub(super) unbounded: FxHashSet<TermId>,
}

/// The signatures computed so far; kept from one goal to the next.
#[derive(Debug, Default)]
pub(super) struct Signatures {
    pub(super) known: FxHashMap<(TermId, Around, View), u64>,
}

/// How events are seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum View {
    /// As their images: for P.
    Under(SigmaId),
    /// As they are: for Q.
    Plain,
    /// All alike: below a renaming, where the permutation is not known yet.
    Blind,
}

/// What was assumed while one goal is settled.
#[derive(Debug, Default)]
pub(super) struct Recursion {
    pub(super) assumed: FxHashSet<Goal>,
    pub(super) open: VecDeque<Goal>,
    /// How many assumptions were settled, those that were given up included.
    pub(super) settled: usize,
    /// Goals of recursive calls that are being proved from their bodies.
    pub(super) unfolding: FxHashSet<Goal>,
    pub(super) reaches_parallel: FxHashMap<TermId, bool>,
}

/// What is known of goals, as long as one is being settled.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By goal, what stands above it, and whether it was met behind a guard: then the proof may assume the goal that is being settled.
    proofs: FxHashMap<(Goal, Around, bool), Arc<Proof>>,
    /// By goal, what stands above it, and whether it stands in a leaf, where not everything is tried.
    failures: FxHashMap<(Goal, Around, bool), Arc<Failure>>,
}

impl Memo {
    /// What is known of `goal` in this place.
    pub(super) fn get(&self, goal: Goal, at: Place) -> Option<Attempt> {
        let key = |flag: bool| (goal, at.around, flag);
        let proof = self.proofs.get(&key(false));
        let proof = proof.or_else(|| self.proofs.get(&key(true)).filter(|_| at.guarded));
        if let Some(proof) = proof {
            return Some(Ok(proof.clone()));
        }
        let failure = self.failures.get(&key(false));
        let failure = failure.or_else(|| self.failures.get(&key(true)).filter(|_| at.in_leaf));
        failure.map(|failure| Err(Stop::Refused(failure.clone())))
    }

    /// Remembers what came of `goal` in this place.
    pub(super) fn remember(&mut self, goal: Goal, at: Place, result: &Attempt) {
        let key = |flag: bool| (goal, at.around, flag);
        match result {
            Ok(proof) => drop(self.proofs.insert(key(at.guarded), proof.clone())),
            Err(Stop::Refused(failure)) => {
                self.failures.insert(key(at.in_leaf), failure.clone());
            }
            Err(Stop::Broken(_)) => {}
        }
    }

    /// How many goals were settled.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.proofs.len() + self.failures.len()
    }

    /// Proofs rest on what is assumed; refusals do not, because everything was assumed that could help.
    pub(super) fn forget_proofs(&mut self) {
        self.proofs.clear();
    }
}
