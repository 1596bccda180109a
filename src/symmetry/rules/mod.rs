//! The rules of Table 1, generalised: does `Pσ = Q` hold, and which operand goes to which?
//!
//! The table asks whether a process is symmetric, `Pσ = P`; its premises ask `P(i)σ = P(iσ)`. Here
//! both are one question about two terms, a *goal* (P, σ, Q): is P with its events renamed by σ
//! strongly bisimilar to Q? For each operator there is a rule, in the file of its kind, that leaves
//! goals for the operands. The operands of a commutative operator are matched by an index
//! permutation ρ that is found, not given (`matching`).
//!
//! **Sets are compared modulo events that do not matter.** A rule asks `Aσ = A'` of the sets of an
//! operator, but only of events that P's operands can do and whose images Q's operands can do
//! (`alphabet`). That is sound: where P never does e, nothing that it becomes changes if e joins A
//! or leaves it; nor does anything change for Q if eσ joins or leaves A' although Q never does eσ.
//! So both can be given one set that agrees with Aσ and with A', and the rule holds with that. It
//! does not assume the premises, so it holds inside recursion too.
//!
//! **Recursion** is decided on transition systems (`operational`), as in the paper, and where that
//! cannot be, because it grows without end, by coinduction (`recursion`).

mod alphabet;
mod choice;
mod constant;
mod dispatch;
mod goal;
mod linked;
mod matching;
mod memory;
mod operands;
mod operational;
mod parallel;
mod priority;
mod proof;
mod prover;
mod recursion;
mod rename;
mod rule;
mod sets;
mod signature;

pub use self::proof::{Derivation, ProofVerdict};
pub use self::prover::Prover;

#[cfg(test)]
pub(crate) mod tests;
