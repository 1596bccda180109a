//! The rules of Table 1, generalised: they prove that `Pσ = Q`, and find the partner of each
//! operand.
//!
//! The table asks whether a process is symmetric, `Pσ = P`; its premises ask `P(i)σ = P(iσ)`. Here
//! both are one question about two terms, a *goal* (P, σ, Q): P with its events renamed by σ should
//! be strongly bisimilar to Q. For each operator there is a rule, in the file of its kind, that
//! leaves goals for the operands. The operands of a commutative operator are matched by an index
//! permutation ρ that is found, not given (`matching`).
//!
//! **Sets are compared modulo events that do not matter.** A rule asks `Aσ = A'` of the sets of an
//! operator, but only of events that P's operands can do and whose images Q's operands can do
//! (`alphabet`). That is sound: where P never does e, its behaviour does not change if e joins or
//! leaves A; nor does that of Q if it never does eσ and eσ joins or leaves A'. So both can be given
//! sets of which one is the image of the other, and the rule holds with these. It does not assume
//! the premises, so it holds inside recursion too.
//!
//! **Recursion** is decided on transition systems (`operational`), as in the paper, and where that
//! is impossible, because the process grows without end, by coinduction (`recursion`).

mod alphabet;
mod choice;
mod constant;
mod dispatch;
mod facts;
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
mod subject;

pub use self::proof::{Derivation, ProofVerdict};
pub use self::prover::Prover;

#[cfg(test)]
pub(crate) mod tests;
