//! The symmetries of one check, as far as they are known, and the candidates that were refused.

use std::sync::Arc;

use super::candidates::PermutableValues;
use super::pbisim::Symmetry;
use super::refusal::Refusal;

/// The symmetries of one check, as far as they are known, and the candidates that were refused.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Verified symmetries that generate the group. Each moves something.
    pub generators: Vec<NamedSymmetry>,
    /// The types and index sets that were looked at, in the order of their names.
    pub types: Vec<TypeFinding>,
    /// Candidates that turned out to be no symmetries: type by type, first those that explain most
    /// (see `nearest`).
    pub rejected: Vec<Rejection>,
    /// The result of the search in the graph of machine and specification; `None` if there was no
    /// such search.
    pub detection: Option<DetectionFinding>,
}

/// The result of a search for automorphisms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DetectionFinding {
    /// True if the search came to its end within its budget.
    pub is_complete: bool,
    /// The number of steps that it took.
    pub steps: u64,
}

/// A verified symmetry.
#[derive(Clone, Debug)]
pub struct NamedSymmetry {
    /// The permutation itself.
    pub symmetry: Symmetry,
    /// The name, in cycles over the script's own names: of values, such as `(B C)`, if it is a
    /// lifting of them, else of events.
    pub name: String,
    /// The source that it was found by.
    pub source: SymmetrySource,
}

/// The source of a generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymmetrySource {
    /// A permutation of the values of `Findings::types[..]`, which the program tried.
    Type(usize),
    /// A claim of the user, as a permutation or as a type whose values it permutes.
    Claim,
    /// Two operands of one operator are the same process: no event moves.
    EqualOperands,
    /// An automorphism of the graph of machine and specification.
    Graph,
}

/// The values of a type that can be permuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFinding {
    /// The datatype, or the index set as CSPm.
    pub name: String,
    /// The values that occur in the events of the check, as CSPm, in their order.
    pub values: Vec<String>,
    /// The values that can be permuted, by their places in `values`.
    pub permutable: PermutableValues,
}

/// A candidate that is no symmetry.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The candidate in cycles.
    pub name: String,
    /// The reason why it does not hold.
    pub why: Arc<Refusal>,
    /// The type of `Findings::types` whose values it permutes.
    pub of_type: usize,
}
