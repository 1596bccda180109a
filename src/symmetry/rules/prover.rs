//! The prover: it decides goals, and keeps facts from one goal to the next.

use std::sync::Arc;

use super::facts::ProofFacts;
use super::goal::{Goal, Unproved};
use super::memory::{ExploredTerms, Memo, Recursion};
use super::proof::ProofVerdict;
use super::subject::{Mode, ProofSubject};
use crate::permutation::EventPermutation;
use crate::start::Start;
use base::diag;
use machine::tree::Around;
use machine::{CompileOptions, Machine};
use process::term::{Definitions, TermId};

/// Decides goals by the rules. Facts about leaves are kept from one goal to the next.
pub struct Prover<'a> {
    pub(crate) facts: ProofFacts<'a>,
    /// The context of the machine's process; the default for [`Mode::Terms`].
    pub(super) around: Around,
    pub(super) recursion: Recursion,
    pub(super) memo: Memo,
}

impl<'a> Prover<'a> {
    /// Makes a prover for any two terms. Where neither has a parallel outside recursion, the answer
    /// is exact up to strong bisimulation; elsewhere the rules may miss symmetries, but every goal
    /// that they prove holds.
    pub fn new(definitions: &'a mut dyn Definitions, options: &CompileOptions) -> Self {
        Self {
            facts: ProofFacts::new(ProofSubject::of_terms(definitions, options.limits)),
            around: Around::default(),
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
        let mut prover = Self::new(definitions, options);
        prover.around = machine.nodes[machine.root()].around;
        prover.facts.start = start;
        prover.facts.graphs = ExploredTerms::of(machine);
        prover.facts.subject.mode = Mode::Machine;
        prover.facts.subject.minimise = options.minimise;
        prover
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
        self.facts.subject.add(left)?;
        self.facts.subject.add(right)?;
        self.memo = Memo::default();
        self.recursion = Recursion::default();
        self.facts.subject.reaches_parallel.clear();
        let sigma = self.facts.sigmas.intern(sigma.clone());
        match self.settle(Goal { left, sigma, right }) {
            Ok(proof) => Ok(Ok(proof)),
            Err(Unproved::Refused(failure)) => {
                Ok(Err(Arc::new(self.facts.subject.refusal(&failure))))
            }
            Err(Unproved::Broken(diagnostic)) => Err(diagnostic),
        }
    }
}
