//! Symmetries of a check: permutations of events with permutation bisimulations of the machine's
//! leaves, found by algebraic rules and by graph search, verified on the machine, and
//! representatives of their orbits.
//!
//! From event permutation to verdict: `candidates` says which permutations to try, `rules` prove
//! `Pσ = P` by recursion over the process, `derive` reads the pbisim off the proof, `detect` finds
//! what the rules miss, `verify` checks all of them against the machine, `group` has what the
//! generators generate, `choice` picks the algorithm, and `representative` gives it one state for
//! each orbit.

pub mod assertion;
pub mod bisimilarity;
pub mod candidates;
pub mod choice;
pub mod derive;
pub mod detect;
pub mod events;
pub mod find;
mod findings;
pub mod forest;
mod frequencies;
pub mod group;
pub mod naming;
mod nearest;
pub mod notation;
pub mod pbisim;
pub mod permutation;
pub mod permutations;
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
pub use self::start::Start;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
