//! The prover: it decides goals, and keeps facts from one goal to the next.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::goal::{Goal, RefusedGoal, SigmaId, Unproved};
use super::memory::{Alphabets, ExploredTerms, Memo, Recursion, View};
use super::proof::ProofVerdict;
use crate::permutation::EventPermutation;
use crate::refusal::Refusal;
use crate::start::Start;
use base::diag;
use base::interner::Interner;
use lts::explore::LeafLimits;
use machine::skeleton::Skeleton;
use machine::tree::Around;
use machine::{CompileOptions, Machine, text};
use process::semantics::{Semantics, head};
use process::term::{Definitions, Term, TermId};

/// Decides goals by the rules. Facts about leaves are kept from one goal to the next.
pub struct Prover<'a> {
    pub(super) definitions: &'a mut dyn Definitions,
    pub(super) limits: LeafLimits,
    pub(super) minimise: bool,
    pub(super) mode: Mode,
    pub(super) start: Start,
    /// The context of the machine's process; the default for [`Mode::Terms`].
    pub(super) around: Around,
    /// True if refusals by transition systems name events: looking for the events takes most of the
    /// time. If false, they give no reason ([`Why::NotAsked`](crate::refusal::Why::NotAsked)).
    pub(crate) explains: bool,
    /// The known facts about the calls of the processes. Finding them takes as long as everything
    /// else together, so they can be handed to another prover.
    pub(crate) skeleton: Skeleton,
    pub(super) semantics: Semantics,
    pub(super) sigmas: Interner<SigmaId, EventPermutation>,
    pub(super) graphs: ExploredTerms,
    pub(super) alphabets: Alphabets,
    /// The signatures computed so far; kept from one goal to the next.
    pub(super) signatures: FxHashMap<(TermId, Around, View), u64>,
    pub(super) recursion: Recursion,
    pub(super) memo: Memo,
}

/// The subject of the goals, which decides how processes are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Any two terms, which may be bisimilar.
    Terms,
    /// The operator tree of a machine: a leaf of the machine is a leaf of the proof.
    Machine,
}

impl<'a> Prover<'a> {
    /// Makes a prover for any two terms. Where neither has a parallel outside recursion, the answer
    /// is exact up to strong bisimulation; elsewhere the rules may miss symmetries, but every goal
    /// that they prove holds.
    pub fn new(definitions: &'a mut dyn Definitions, options: &CompileOptions) -> Self {
        Self {
            definitions,
            limits: options.limits,
            minimise: true,
            mode: Mode::Terms,
            start: Start::Fixed,
            around: Around::default(),
            explains: true,
            skeleton: Skeleton::new(options.limits.states),
            semantics: Semantics::within(options.limits.states),
            sigmas: Interner::new(),
            graphs: ExploredTerms::default(),
            alphabets: Alphabets::default(),
            signatures: FxHashMap::default(),
            recursion: Recursion::default(),
            memo: Memo::default(),
        }
    }

    /// Makes a prover for the process that `machine` was compiled from with these options. Its
    /// leaves are compared on their transition systems as wholes; `start` tells if initial states
    /// must go to initial states.
    pub fn for_machine(
        definitions: &'a mut dyn Definitions,
        options: &CompileOptions,
        machine: &Machine,
        start: Start,
    ) -> Self {
        Self {
            mode: Mode::Machine,
            minimise: options.minimise,
            start,
            around: machine.nodes[machine.root()].around,
            graphs: ExploredTerms::of(machine),
            ..Self::new(definitions, options)
        }
    }

    /// Proves that `leftσ = right`, or refuses it. Fails if a process cannot be explored because it
    /// is wrong; a process that is only too large is a refusal.
    ///
    /// Each goal is settled once. There are at most as many goals as pairs of subterms, and the
    /// signatures of operands (`signature`) keep their number near the number of subterms.
    pub fn prove(
        &mut self,
        left: TermId,
        sigma: &EventPermutation,
        right: TermId,
    ) -> diag::Result<ProofVerdict> {
        // The skeleton must know all calls before `has_parallel` uses it.
        self.skeleton.add(self.definitions, left)?;
        self.skeleton.add(self.definitions, right)?;
        self.memo = Memo::default();
        self.recursion = Recursion::default();
        let sigma = self.intern_sigma(sigma.clone());
        match self.settle(Goal { left, sigma, right }) {
            Ok(proof) => Ok(Ok(proof)),
            Err(Unproved::Refused(failure)) => Ok(Err(Arc::new(self.refusal(&failure)))),
            Err(Unproved::Broken(diagnostic)) => Err(diagnostic),
        }
    }

    fn refusal(&mut self, failure: &RefusedGoal) -> Refusal {
        let mut terms = [failure.left, failure.right];
        let mut texts = terms.map(|term| text::expression(self.definitions, term));
        // Parts of one definition for different values have the same name: then the terms
        // themselves are shown.
        if texts[0] == texts[1] && terms[0] != terms[1] {
            for term in &mut terms {
                *term = head(self.definitions, *term).unwrap_or(*term);
            }
            texts = terms.map(|term| text::expression(self.definitions, term));
        }
        let [left, right] = texts;
        Refusal {
            rule: failure.rule,
            left,
            right,
            span: failure.span,
            why: failure.why.clone(),
        }
    }

    pub(super) fn intern_sigma(&mut self, sigma: EventPermutation) -> SigmaId {
        self.sigmas.intern(sigma)
    }

    pub(super) fn sigma(&self, sigma: SigmaId) -> &EventPermutation {
        &self.sigmas[sigma]
    }

    pub(super) fn term(&self, term: TermId) -> Term {
        self.definitions.terms().get(term).clone()
    }
}
