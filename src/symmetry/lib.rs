//! Symmetries of a check: permutations of events with permutation bisimulations of the machine's
//! leaves, found by algebraic rules and by graph search, verified on the machine, and
//! representatives of their orbits.

#![doc = include_str!("README.md")]

pub mod assertion;
pub mod bisimilarity;
pub mod candidates;
pub mod choice;
pub mod derive;
pub mod detect;
pub mod events;
pub mod find;
mod findings;
mod forest;
mod frequencies;
pub mod group;
pub mod naming;
mod nearest;
pub mod notation;
pub mod pbisim;
pub mod permutation;
mod permutations;
mod proof_rule;
pub mod refusal;
pub mod representative;
pub mod rules;
mod start;
pub mod structure;
pub mod verify;
pub mod worth;

pub use self::findings::{
    DetectionFinding, Findings, NamedSymmetry, Rejection, SymmetrySource, TypeFinding,
};
pub use self::naming::ElementName;
pub use self::proof_rule::ProofRule;
pub use self::start::Start;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
