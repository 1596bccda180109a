//! The memory of a prover: facts about terms are kept from one goal to the next, facts about goals
//! as long as one goal is being settled.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::{Attempt, Goal, GoalPlace, RefusedGoal, SigmaId, Unproved};
use super::proof::Derivation;
use super::subject::ProofSubject;
use base::diag::Diagnostic;
use machine::Machine;
use machine::leaf::{Behaviour, ProcessGraph};
use machine::tree::{Around, NodeKind};
use process::event::EventId;
use process::term::TermId;

/// A transition system, or the reason why it could not be found.
pub(super) type ExploredTerm = std::result::Result<Arc<ProcessGraph>, Box<Diagnostic>>;

/// Transition systems and the bijections between them; kept from one goal to the next.
#[derive(Debug, Default)]
pub(super) struct ExploredTerms {
    /// By term, a transition system for each of its contexts.
    graphs: FxHashMap<TermId, Vec<(Around, ExploredTerm)>>,
    /// By left term, σ on the events of that term alone, right term, and their context: the right
    /// state of each left one.
    pub(super) matchings: FxHashMap<(TermId, SigmaId, TermId, Around), Arc<[u32]>>,
}

impl ExploredTerms {
    /// The transition systems of the leaves of `machine`.
    pub(super) fn of(machine: &Machine) -> Self {
        let mut graphs = Self::default();
        for node in machine.nodes.iter() {
            if let NodeKind::Leaf(leaf) = node.kind
                && let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour
                && graphs.known(node.term, node.around).is_none()
            {
                graphs.add(node.term, node.around, Ok(graph.clone()));
            }
        }
        graphs
    }

    /// The transition system of `term`, in any context.
    pub(super) fn any(&mut self, term: TermId, subject: &mut ProofSubject) -> ExploredTerm {
        match self.graphs.get(&term).and_then(|all| all.first()) {
            Some((_, known)) => known.clone(),
            None => self.graph(term, Around::default(), subject),
        }
    }

    /// The transition system of `term` below `around`, minimised like the leaves of a machine.
    pub(super) fn graph(
        &mut self,
        term: TermId,
        around: Around,
        subject: &mut ProofSubject,
    ) -> ExploredTerm {
        if let Some(known) = self.known(term, around) {
            return known.clone();
        }
        let graph = subject.graph(term);
        self.add(term, around, graph.clone());
        graph
    }

    /// The transition system of `term` below `around`, if it is known.
    fn known(&self, term: TermId, around: Around) -> Option<&ExploredTerm> {
        let mut of_term = self.graphs.get(&term)?.iter();
        of_term.find_map(|(other, graph)| (*other == around).then_some(graph))
    }

    /// Remembers the transition system of `term` below `around`.
    fn add(&mut self, term: TermId, around: Around, graph: ExploredTerm) {
        self.graphs.entry(term).or_default().push((around, graph));
    }
}

/// The alphabets found so far, ascending; kept from one goal to the next.
#[derive(Debug, Default)]
pub(super) struct Alphabets {
    pub(super) known: FxHashMap<TermId, Arc<[EventId]>>,
    /// Terms that lead to too many others for their alphabets to be computed.
    pub(super) unbounded: FxHashSet<TermId>,
}

/// The way in which events are seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum View {
    /// As their images. P is seen so.
    Under(SigmaId),
    /// As they are. Q is seen so.
    Plain,
    /// All as equal. Operands of a renaming are seen so, because the permutation there is not known
    /// yet.
    Blind,
}

/// The goals that were assumed while one goal is being settled.
#[derive(Debug, Default)]
pub(super) struct Recursion {
    pub(super) assumed: FxHashSet<Goal>,
    pub(super) open: VecDeque<Goal>,
    /// The number of assumptions that were settled, including those of attempts that were given up.
    pub(super) settled: usize,
    /// Goals of recursive calls that are being proved from their bodies.
    pub(super) unfolding: FxHashSet<Goal>,
}

/// The results of goals, kept as long as one goal is being settled.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By goal, its context, and true if it was met behind a guard. A proof behind a guard may
    /// assume goals, so it holds behind a guard only; any other proof holds everywhere.
    pub(super) proofs: FxHashMap<(Goal, Around, bool), Arc<Derivation>>,
    /// By goal, its context, and true if it stands in a leaf. Inside a leaf not everything is
    /// tried, so a refusal there holds in leaves only; any other refusal holds everywhere.
    pub(super) failures: FxHashMap<(Goal, Around, bool), Arc<RefusedGoal>>,
}

impl Memo {
    /// The known result of `goal` in this place.
    pub(super) fn get(&self, goal: Goal, at: GoalPlace) -> Option<Attempt> {
        let key = |flag: bool| (goal, at.around, flag);
        let proof = self.proofs.get(&key(false));
        // A proof found outside guards serves behind them too, but not the other way round.
        let proof = proof.or_else(|| self.proofs.get(&key(true)).filter(|_| at.guarded));
        if let Some(proof) = proof {
            return Some(Ok(proof.clone()));
        }
        let failure = self.failures.get(&key(false));
        let failure = failure.or_else(|| self.failures.get(&key(true)).filter(|_| at.in_leaf));
        failure.map(|failure| Err(Unproved::Refused(failure.clone())))
    }

    /// Remembers the result of `goal` in this place.
    pub(super) fn remember(&mut self, goal: Goal, at: GoalPlace, result: &Attempt) {
        let key = |flag: bool| (goal, at.around, flag);
        match result {
            Ok(proof) => drop(self.proofs.insert(key(at.guarded), proof.clone())),
            Err(Unproved::Refused(failure)) => {
                self.failures.insert(key(at.in_leaf), failure.clone());
            }
            // A broken process ends the whole proof, so the result is not needed again.
            Err(Unproved::Broken(_)) => {}
        }
    }

    /// Forgets the proofs, which rest on assumptions. Refusals do not, because everything that
    /// could help was assumed.
    pub(super) fn forget_proofs(&mut self) {
        self.proofs.clear();
    }
}
