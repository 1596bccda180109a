//! Proofs that `Pσ = Q`: the rule, and the proofs of its premises.

use std::sync::Arc;

use crate::permutation::EventPermutation;
use crate::proof_rule::ProofRule;
use crate::refusal::Refusal;
use process::term::TermId;

/// A proof that `leftσ = right`: the rule and its premises.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The rule.
    pub rule: ProofRule,
    /// P.
    pub left: TermId,
    /// The permutation σ. Operands below a renaming have another σ than the renaming itself.
    pub sigma: EventPermutation,
    /// Q.
    pub right: TermId,
    /// For each operand of P, the operand of Q that it goes to: the index permutation ρ. Operands
    /// of `[| A |]` that are such parallels themselves, over the same A, count as operands of the
    /// outermost one; operands of `|~|` that are repeated count once.
    pub partners: Vec<usize>,
    /// For each operand of P, the proof that it goes there.
    pub premises: Vec<Arc<Derivation>>,
    /// For [`ProofRule::Operational`]: by state of P's minimised transition system, the state of
    /// Q's.
    pub states: Option<Arc<[u32]>>,
}

impl Drop for Derivation {
    /// Drops the premises without recursion: a proof nests as deeply as the process, for which the
    /// stack may be too small.
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.premises);
        while let Some(premise) = open.pop() {
            if let Some(mut last) = Arc::into_inner(premise) {
                open.append(&mut last.premises);
            }
        }
    }
}

/// A proof of `Pσ = Q`, or the place where it breaks.
pub type ProofVerdict = std::result::Result<Arc<Derivation>, Arc<Refusal>>;
