//! What is known of the symmetries of one check.

use std::sync::Arc;

use super::candidates::PermutableValues;
use super::pbisim::Symmetry;
use super::refusal::Refusal;

/// What is known of the symmetries of one check.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Verified symmetries that generate the group; none moves nothing.
    pub generators: Vec<NamedSymmetry>,
    /// The types and index sets that were looked at, in the order of their names.
    pub types: Vec<TypeFinding>,
    /// Candidates that turned out to be no symmetries: type by type, first those that explain most,
    /// see `nearest`.
    pub rejected: Vec<Rejection>,
    /// How the search in the graph of machine and specification ended; `None` if there was no such
    /// search.
    pub detection: Option<DetectionFinding>,
}

/// How a search for automorphisms ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DetectionFinding {
    /// True if it came to its end within its budget.
    pub is_complete: bool,
    /// Steps that it took.
    pub steps: u64,
}

/// A verified symmetry.
#[derive(Clone, Debug)]
pub struct NamedSymmetry {
    /// What it does.
    pub symmetry: Symmetry,
    /// In cycles over the script's own names: of values, such as `(B C)`, where it is a lifting of
    /// them, else of events.
    pub name: String,
    /// Where it comes from.
    pub source: SymmetrySource,
}

/// Where a generator comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymmetrySource {
    /// A permutation of the values of `Findings::types[..]`, tried by the program.
    Type(usize),
    /// The user named it, or the type it permutes.
    Claim,
    /// Two operands of one operator are the same process: no event moves.
    EqualOperands,
    /// An automorphism of the graph of machine and specification.
    Graph,
}

/// Which values of a type can be permuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFinding {
    /// The datatype, or the index set as CSPm.
    pub name: String,
    /// The values that occur in the events of the check, as CSPm, in their order.
    pub values: Vec<String>,
    /// Which of them can be permuted, by their places in `values`.
    pub permutable: PermutableValues,
}

/// A candidate that is no symmetry.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The candidate in cycles.
    pub name: String,
    /// What breaks it.
    pub why: Arc<Refusal>,
    /// The type of `Findings::types` whose values it permutes.
    pub of_type: usize,
}
