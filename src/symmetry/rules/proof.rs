//! Proofs: which rule shows that `Pσ = Q`, and from what.

use std::sync::Arc;

use crate::permutation::EventPermutation;
use crate::proof_rule::ProofRule;
use crate::refusal::Refusal;
use process::term::TermId;

/// Why `leftσ = right`: the rule and its premises.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The rule.
    pub rule: ProofRule,
    /// P
    pub left: TermId,
    /// σ; operands below a renaming have another one than the renaming itself.
    pub sigma: EventPermutation,
    /// Q
    pub right: TermId,
    /// For each operand of P, which operand of Q it goes to: the index permutation ρ. Operands of
    /// `[| A |]` that are such parallels themselves, over the same A, count as operands of the
    /// outermost one; operands of `|~|` that are repeated count once.
    pub partners: Vec<usize>,
    /// For each operand of P, the proof that it goes there.
    pub premises: Vec<Arc<Derivation>>,
    /// Of [`ProofRule::Operational`]: by state of P's minimised transition system, the state of
    /// Q's.
    pub states: Option<Arc<[u32]>>,
}

impl Drop for Derivation {
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
pub type ProofVerdict = std::result::Result<Arc<Derivation>, Arc<Refusal>>;
