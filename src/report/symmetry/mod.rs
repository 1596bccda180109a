//! The symmetries of one check as plain data, and their JSON.
//!
//! The order of the fields is the order of the keys, and both are part of the interface. Leaves are
//! positions in [`SymmetryDescription::leaves`], and states of a leaf are numbered from 0, the
//! initial one.

pub mod dot;
pub mod text;

use serde::Serialize;

use super::json::json;
use super::machine::LeafDescription;

/// What is known of the symmetries of one check, and what it makes of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SymmetryDescription {
    /// The script, as it was named.
    pub file: String,
    /// What is asserted, options and all, as CSPm.
    pub assertion: String,
    /// The specification as CSPm; absent where what is asserted has none.
    pub specification: Option<String>,
    /// The implementation as CSPm.
    pub implementation: String,
    /// Whether only symmetries were looked for that fix the initial states.
    pub start_fixed: bool,
    /// How many symmetries there are, the one that moves nothing included; decimal, of any size.
    pub order: String,
    /// What they are as a group: `S4`, `S3 × S2`, `S4 wr S3`, `trivial`...
    pub structure: String,
    /// Whether no symmetry moves a state of the specification.
    pub universal: bool,
    /// The algorithm that a check uses: `Check`, `SymCheck1`...
    pub algorithm: &'static str,
    /// Its representative function; absent for `Check`.
    pub representative: Option<&'static str>,
    /// Whether all states that symmetries take to each other have one representative; absent for
    /// `Check`.
    pub unique: Option<bool>,
    /// How the search for symmetries without any hint ended; absent if there was none.
    pub detection: Option<DetectionDescription>,
    /// The other algorithms, and why they are not used.
    pub refused: Vec<AlgorithmRefusal>,
    /// The types and index sets that were looked at.
    pub types: Vec<TypeSymmetry>,
    /// Symmetries that make all the others.
    pub generators: Vec<GeneratorDescription>,
    /// The leaves of the machine.
    pub leaves: Vec<LeafDescription>,
    /// Leaves that symmetries take to each other: the sets of two or more.
    pub leaf_orbits: Vec<Vec<usize>>,
    /// Events that symmetries take to each other: the sets of two or more.
    pub event_orbits: Vec<Vec<String>>,
    /// What was tried and turned out to be no symmetry: type by type, first what tells most.
    pub rejected: Vec<RejectionDescription>,
    /// The relations themselves; absent unless asked for.
    pub pbisims: Option<PbisimDescription>,
}

/// The end of a search for automorphisms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DetectionDescription {
    /// Whether it came to its end within its budget.
    pub complete: bool,
    /// Steps that it took.
    pub steps: u64,
}

/// An algorithm that is not used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AlgorithmRefusal {
    /// `SymCheck1`...
    pub algorithm: &'static str,
    /// Why, in one line.
    pub reason: String,
}

/// Which values of a type may be renamed into each other. Every value that occurs is in one of the
/// lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TypeSymmetry {
    /// The datatype, or the index set as CSPm.
    pub name: String,
    /// Sets of two or more values that may be permuted in any way.
    pub free: Vec<Vec<String>>,
    /// Cycles of values that may be turned, but not permuted in any other way.
    pub turning: Vec<Vec<String>>,
    /// Values that stay.
    pub fixed: Vec<String>,
    /// Whether everything was tried that there is to try; otherwise more values may move.
    pub complete: bool,
}

/// A verified symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GeneratorDescription {
    /// In cycles over the script's own names, such as `(B C)`.
    pub name: String,
    /// Where it comes from: `type PEG`, `claimed`, `equal operands` or `graph`.
    pub source: String,
    /// Whether it moves the initial state of specification or implementation.
    pub moves_initial: bool,
    /// Whether it moves a state of the specification.
    pub moves_specification: bool,
    /// The leaves whose states move, each with the leaf that they move to, which may be itself.
    pub leaves: Vec<(usize, usize)>,
}

/// A permutation that is no symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RejectionDescription {
    /// In cycles.
    pub name: String,
    /// What is not preserved.
    pub reason: String,
    /// Where, as `file:line:column`.
    pub place: Option<String>,
    /// The type whose values it permutes, as a position in `types`.
    #[serde(rename = "type")]
    pub of_type: usize,
}

/// The generators as relations between states of leaves, with the transitions that they preserve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PbisimDescription {
    /// The events of the leaves, to which transitions refer by position.
    pub events: Vec<String>,
    /// By leaf, what it does on its own.
    pub graphs: Vec<LeafGraph>,
    /// By generator, what it relates.
    pub relations: Vec<RelationDescription>,
}

/// What a leaf does on its own, before all hiding and renaming around it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeafGraph {
    /// (from, event, to), ascending.
    pub transitions: Vec<(u32, u32, u32)>,
    /// The state of a leaf that was switched off for good, by an interrupt for example, if it has
    /// one. No transition leads there: the rules of the machine do.
    pub off: Option<u32>,
}

/// One generator as a permutation of events and states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RelationDescription {
    /// The events of the machine that move, in cycles.
    pub events: Vec<Vec<String>>,
    /// The states of the specification's normal form that move, each with its image.
    pub specification: Vec<(u32, u32)>,
    /// The leaves whose states move.
    pub leaves: Vec<LeafRelation>,
}

/// A bijection from the states of one leaf onto those of a leaf, perhaps the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeafRelation {
    /// The leaf.
    pub from: usize,
    /// The leaf its states go to.
    pub to: usize,
    /// By state of `from`, the state of `to`.
    pub states: Vec<u32>,
}

/// The JSON object printed where the symmetries cannot be found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SymmetryFailure {
    /// The script, as it was named.
    pub file: String,
    /// The specification, as it was given; absent where an assertion was to be picked.
    pub specification: Option<String>,
    /// The implementation, as it was given; absent where an assertion was to be picked.
    pub implementation: Option<String>,
    /// Why, in one line that begins with the code of the message.
    pub message: String,
}

impl SymmetryFailure {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }
}

impl SymmetryDescription {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }

    /// `SPEC [T= IMPL`
    pub(super) fn title(&self) -> &str {
        let assertion = &self.assertion;
        assertion.strip_prefix("assert ").unwrap_or(assertion)
    }

    /// Whether nothing but the identity is a symmetry.
    pub(super) fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// Whether a generator moves states, so that it is an element of the group of its own. One that
    /// renames events, or exchanges leaves of one state, and no more, is carried along.
    pub(super) fn counts(&self, generator: &GeneratorDescription) -> bool {
        let several = |leaf: usize| self.leaves.get(leaf).is_some_and(|leaf| leaf.states > 1);
        generator.moves_specification || generator.leaves.iter().any(|&(leaf, _)| several(leaf))
    }

    /// `leaf 2 POLE(B)`; leaves are counted from 1 for people.
    pub(super) fn leaf(&self, leaf: usize) -> String {
        match self.leaves.get(leaf) {
            Some(description) => format!("leaf {} {}", leaf + 1, description.expression),
            None => format!("leaf {}", leaf + 1),
        }
    }
}

#[cfg(test)]
mod tests;
