//! The rules of Table 1, generalised: does `Pσ = Q` hold, and which operand goes to which?
//!
//! The table asks whether a process is symmetric, `Pσ = P`; its premises ask `P(i)σ = P(iσ)`. Here both are one
//! question about two terms, a *goal* (P, σ, Q): is P with its events renamed by σ strongly bisimilar to Q?
//! For each operator there is a rule, in the file of its kind, that leaves goals for the operands. The operands
//! of a commutative operator are matched by an index permutation ρ that is found, not given (`matching`).
//!
//! **Sets are compared modulo events that do not matter.** A rule asks `Aσ = A'` of the sets of an operator, but
//! only of events that P's operands can do and whose images Q's operands can do (`alphabet`). That is sound:
//! where P never does e, nothing that it becomes changes if e joins A or leaves it; nor does anything change
//! for Q if eσ joins or leaves A' although Q never does eσ. So both can be given one set that agrees with
//! Aσ and with A', and the rule holds with that. It does not assume the premises, so it holds inside recursion too.
//!
//! **Recursion** is decided on transition systems (`operational`), as in the paper, and where that cannot be,
//! because it grows without end, by coinduction (`recursion`).

mod alphabet;
mod choice;
mod constant;
mod goal;
mod linked;
mod matching;
mod operands;
mod operational;
mod parallel;
mod priority;
mod recursion;
mod relabel;
mod sequential;
mod sets;
mod signature;

use std::sync::Arc;

use self::alphabet::Alphabets;
use self::goal::{Failure, Goal, Memo, Stop};
use self::operational::Graphs;
use self::recursion::Recursion;
use self::signature::Signatures;
use super::Start;
use super::permutation::EventPermutation;
use super::refusal::Refusal;
use crate::base::interner::Interner;
use crate::define_index;
use crate::diag;
use crate::lts::explore::LeafLimits;
use crate::machine::graphs::Around;
use crate::machine::skeleton::Skeleton;
use crate::machine::{CompileOptions, Machine, text};
use crate::process::semantics::{Semantics, head};
use crate::process::term::{Definitions, Term, TermId};

define_index! {
    /// A permutation that a [`Prover`] was asked about, or met below a renaming.
    SigmaId,
}

/// The rules, numbered as in Table 1 where it has them; several rules of the table are one here, because
/// a term has no index variables, only operands, and the index permutation is found by matching them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// 1: `STOP`, and also `SKIP`, `DIV` and what has terminated.
    Constant,
    /// 2: prefix, with every kind of field.
    Prefix,
    /// `RUN`, `CHAOS`
    Universal,
    /// Built-in buffers.
    Buffer,
    /// 3 and 12: `[]`
    ExternalChoice,
    /// 13: `|~|`
    InternalChoice,
    /// 4, 5, 9 and 10: `[| A |]` and `|||`
    Parallel,
    /// 11: `||` with alphabets
    Alphabetised,
    /// 6: `;`
    Sequential,
    /// 7: `\` and `|\`
    Hide,
    /// 8: `[[ ]]`
    Rename,
    /// `prioritise`, `prioritisepo`, `timed_priority`
    Prioritise,
    /// `sbisim` and the other compressions that keep the meaning of every process: they step as their operand does.
    Compress,
    /// Linked parallel.
    Linked,
    /// `/\`
    Interrupt,
    /// `[> `
    SlidingChoice,
    /// `[| A |>`
    Exception,
    /// `[+ A +]`
    SynchronisingChoice,
    /// `/+ A +\`
    SynchronisingInterrupt,
    /// A named process that is not recursive is its body.
    Unfold,
    /// Recursion through a parallel: this goal is proved elsewhere, perhaps from itself, but behind an event.
    Recursion,
    /// Recursion: decided on the transition systems.
    Operational,
    /// A permutation of values becomes one of events.
    Lifting,
    /// The specification, decided on its normal form.
    Specification,
}

impl Rule {
    /// Its number in Table 1, if it has one, and its operator: `rule 11 (||)`, `interrupt (/\)`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Constant => "rule 1 (STOP)",
            Rule::Prefix => "rule 2 (->)",
            Rule::Universal => "RUN and CHAOS",
            Rule::Buffer => "buffer",
            Rule::ExternalChoice => "rule 12 ([])",
            Rule::InternalChoice => "rule 13 (|~|)",
            Rule::Parallel => "rule 10 ([| |])",
            Rule::Alphabetised => "rule 11 (||)",
            Rule::Sequential => "rule 6 (;)",
            Rule::Hide => "rule 7 (\\)",
            Rule::Rename => "rule 8 ([[ ]])",
            Rule::Prioritise => "prioritise",
            Rule::Compress => "compression",
            Rule::Linked => "linked parallel ([<->])",
            Rule::Interrupt => "interrupt (/\\)",
            Rule::SlidingChoice => "sliding choice ([>)",
            Rule::Exception => "exception ([| |>)",
            Rule::SynchronisingChoice => "synchronising choice ([+ +])",
            Rule::SynchronisingInterrupt => "synchronising interrupt (/+ +\\)",
            Rule::Unfold => "named process",
            Rule::Recursion => "recursion",
            Rule::Operational => "transition system",
            Rule::Lifting => "lifting",
            Rule::Specification => "specification",
        }
    }
}

/// Why `leftσ = right`: the rule and its premises.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The rule.
    pub rule: Rule,
    /// P
    pub left: TermId,
    /// σ; operands below a renaming have another one than the renaming itself.
    pub sigma: EventPermutation,
    /// Q
    pub right: TermId,
    /// For each operand of P, which operand of Q it goes to: the index permutation ρ. Operands of `[| A |]`
    /// that are such parallels themselves, over the same A, count as operands of the outermost one; those of
    /// `|~|` may repeat, and then share partners.
    pub partners: Vec<usize>,
    /// For each operand of P, the proof that it goes there.
    pub premises: Vec<Arc<Proof>>,
    /// Of [`Rule::Operational`]: by state of P's minimised transition system, the state of Q's.
    pub states: Option<Arc<[u32]>>,
}

impl Drop for Proof {
    /// Without recursion: a proof nests as deeply as the process, and the stack does not.
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.premises);
        while let Some(premise) = open.pop() {
            if let Some(mut last) = Arc::into_inner(premise) {
                open.append(&mut last.premises);
            }
        }
    }
}

/// A proof of `Pσ = Q`, or where it breaks.
pub type Verdict = std::result::Result<Arc<Proof>, Arc<Refusal>>;

/// Decides goals by the rules. What it learns of leaves is kept from one goal to the next.
pub struct Prover<'a> {
    definitions: &'a mut dyn Definitions,
    limits: LeafLimits,
    minimise: bool,
    mode: Mode,
    start: Start,
    /// What stands above the process that goals are about, to its machine.
    around: Around,
    /// Whether refusals by transition systems tell the events: looking for these takes most of the time.
    explains: bool,
    skeleton: Skeleton,
    semantics: Semantics,
    sigmas: Interner<SigmaId, EventPermutation>,
    graphs: Graphs,
    alphabets: Alphabets,
    signatures: Signatures,
    recursion: Recursion,
    memo: Memo,
}

/// What the goals are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Any two terms, and whether they are bisimilar.
    Terms,
    /// The operator tree of a machine: what is a leaf there is a leaf of the proof.
    Machine,
}

impl<'a> Prover<'a> {
    /// For any two terms. Where neither has a parallel outside recursion, the answer is exact up to strong
    /// bisimulation; elsewhere the rules may miss symmetries, but what they prove holds.
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
            graphs: Graphs::default(),
            alphabets: Alphabets::default(),
            signatures: Signatures::default(),
            recursion: Recursion::default(),
            memo: Memo::default(),
        }
    }

    /// For the process that `machine` was compiled from with these options. Its leaves are compared on their
    /// transition systems as wholes; whether initial states must go to initial states, `start` says.
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
            graphs: Graphs::of(machine),
            ..Self::new(definitions, options)
        }
    }

    /// The same, but where transition systems refuse, it does not say why ([`Why::NotAsked`](super::refusal::Why::NotAsked)).
    #[must_use]
    pub fn without_reasons(self) -> Self {
        Self {
            explains: false,
            ..self
        }
    }

    /// The same, with what an earlier prover found out about the calls of the processes: that takes as long as
    /// everything else together.
    #[must_use]
    pub(crate) fn with_skeleton(self, skeleton: Skeleton) -> Self {
        Self { skeleton, ..self }
    }

    /// What it found out about the calls of the processes.
    pub(crate) fn into_skeleton(self) -> Skeleton {
        self.skeleton
    }

    /// The definitions, which are borrowed as long as the prover lives.
    pub fn definitions(&mut self) -> &mut dyn Definitions {
        self.definitions
    }

    /// Whether `leftσ = right`. Fails where a process cannot be explored because it is wrong; where it is
    /// only too large, that is a refusal.
    ///
    /// Each goal is settled once; their number is at most that of pairs of subterms, and the signatures of
    /// operands (`signature`) keep it near the number of subterms.
    pub fn prove(
        &mut self,
        left: TermId,
        sigma: &EventPermutation,
        right: TermId,
    ) -> diag::Result<Verdict> {
        self.skeleton.add(self.definitions, left)?;
        self.skeleton.add(self.definitions, right)?;
        self.memo = Memo::default();
        self.recursion = Recursion::default();
        let sigma = self.intern_sigma(sigma.clone());
        match self.settle(Goal { left, sigma, right }) {
            Ok(proof) => Ok(Ok(proof)),
            Err(Stop::Refused(failure)) => Ok(Err(Arc::new(self.refusal(&failure)))),
            Err(Stop::Broken(diagnostic)) => Err(diagnostic),
        }
    }

    fn refusal(&mut self, failure: &Failure) -> Refusal {
        let mut terms = [failure.left, failure.right];
        let mut texts = terms.map(|term| text::expression(self.definitions, term));
        // Parts of one definition for different values have one name.
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

    fn intern_sigma(&mut self, sigma: EventPermutation) -> SigmaId {
        self.sigmas.intern(sigma)
    }

    fn sigma(&self, sigma: SigmaId) -> &EventPermutation {
        &self.sigmas[sigma]
    }

    fn term(&self, term: TermId) -> Term {
        self.definitions.terms().get(term).clone()
    }
}

#[cfg(test)]
pub(crate) mod tests;
