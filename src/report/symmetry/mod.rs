//! The symmetries of one check as plain data, and their JSON.
//!
//! The order of the fields is the order of the keys, and both are part of the interface. Leaves are
//! positions in [`SymmetryDescription::leaves`], and states of a leaf are numbered from 0, the
//! initial one.

pub mod dot;
pub mod text;

use serde::{Deserialize, Serialize};

use super::json::json;
use super::machine::LeafDescription;

/// The symmetries of one check, as far as they are known, and what the check makes of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SymmetryDescription {
    /// The script, as it was named.
    pub file: String,
    /// The assertion, options and all, as CSPm.
    pub assertion: String,
    /// The specification as CSPm; absent where the assertion has none.
    pub specification: Option<String>,
    /// The implementation as CSPm.
    pub implementation: String,
    /// True if only symmetries were looked for that fix the initial states.
    pub start_fixed: bool,
    /// False if a component is too large to be listed at once. The symmetries are then those of the
    /// definitions: permutations of values that the script only compares. There may be more, some
    /// may move nothing that happens, and nothing is known of leaves, of orbits and of candidates
    /// that are no symmetries.
    pub listed: bool,
    /// True if nondeterministic components are in normal form, as by `normal`, because more values
    /// can be renamed then than in the process as it is written.
    pub normal_components: bool,
    /// The number of symmetries, the one that moves nothing included; decimal, of any size.
    pub order: String,
    /// The structure of the group: `S4`, `S3 × S2`, `S4 wr S3`, `trivial`...
    pub structure: String,
    /// True if no symmetry moves a state of the specification.
    pub universal: bool,
    /// The algorithm that a check uses: `Check`, `SymCheck1`...
    pub algorithm: &'static str,
    /// Its representative function; absent for `Check`.
    pub representative: Option<&'static str>,
    /// True if all states that symmetries take to each other have one representative; absent for
    /// `Check`.
    pub unique: Option<bool>,
    /// The end of the search for symmetries without any hint; absent if there was none.
    pub detection: Option<DetectionDescription>,
    /// The other algorithms, and why they are not used.
    pub refused: Vec<AlgorithmRefusal>,
    /// The types and index sets that were looked at.
    pub types: Vec<TypeSymmetry>,
    /// The places at which the script looks into values of a type, so that nothing is known of
    /// permutations of these without a list of states. Empty where states were listed.
    pub looked_into: Vec<LookedIntoDescription>,
    /// Generators of the group.
    pub generators: Vec<GeneratorDescription>,
    /// The leaves of the machine.
    pub leaves: Vec<LeafDescription>,
    /// Leaves that symmetries take to each other: the sets of two or more.
    pub leaf_orbits: Vec<Vec<usize>>,
    /// Events that symmetries take to each other: the sets of two or more.
    pub event_orbits: Vec<Vec<String>>,
    /// The candidates that turned out to be no symmetries: type by type, first those that tell
    /// most.
    pub rejected: Vec<RejectionDescription>,
    /// Single components without which there would be more symmetries.
    pub near: Vec<NearSymmetry>,
    /// The relations themselves; absent unless asked for.
    pub pbisims: Option<PbisimDescription>,
}

/// The end of a search for automorphisms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DetectionDescription {
    /// True if it came to its end within its budget.
    pub complete: bool,
    /// The number of steps that it took.
    pub steps: u64,
}

/// An algorithm that is not used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AlgorithmRefusal {
    /// The algorithm: `SymCheck1`...
    pub algorithm: &'static str,
    /// The reason, in one line.
    pub reason: String,
}

/// The values of a type that may be renamed into each other. Every value that occurs is in one of
/// the lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// True if everything was tried that there is to try; otherwise more values may move.
    pub complete: bool,
}

/// A place at which a script does more with a value than to compare it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LookedIntoDescription {
    /// The value, and what tells it from the others of its type.
    pub reason: String,
    /// The place, as `file:line:column`.
    pub place: Option<String>,
}

/// A verified symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GeneratorDescription {
    /// The symmetry in cycles over the script's own names, such as `(B C)`.
    pub name: String,
    /// The source: `type PEG`, `claimed`, `equal operands` or `graph`.
    pub source: String,
    /// True if it moves the initial state of specification or implementation.
    pub moves_initial: bool,
    /// True if it moves a state of the specification.
    pub moves_specification: bool,
    /// The leaves whose states move, each with the leaf that they move to, which may be itself.
    pub leaves: Vec<(usize, usize)>,
}

/// A permutation that is no symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RejectionDescription {
    /// The permutation in cycles.
    pub name: String,
    /// The reason: what is not preserved.
    pub reason: String,
    /// The place of the reason, as `file:line:column`.
    pub place: Option<String>,
    /// The type whose values it permutes, as a position in `types`.
    #[serde(rename = "type")]
    pub of_type: usize,
}

/// The symmetries that a check would have if one component always allowed all of its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct NearSymmetry {
    /// The component: a position in `leaves`.
    pub leaf: usize,
    /// The number of symmetries there would be; decimal, of any size.
    pub order: String,
    /// The structure of their group.
    pub structure: String,
}

/// The generators as relations between states of leaves, with the transitions that they preserve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PbisimDescription {
    /// The events of the leaves, to which transitions refer by position.
    pub events: Vec<String>,
    /// By leaf, its own transitions.
    pub graphs: Vec<LeafGraph>,
    /// By generator, its relation.
    pub relations: Vec<RelationDescription>,
}

/// The transitions that a leaf has on its own, before all hiding and renaming around it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeafGraph {
    /// The transitions as (from, event, to), ascending.
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
    /// The leaf to which its states go.
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
    /// The reason, in one line that begins with the code of the message.
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

    /// The title: `SPEC [T= IMPL`.
    pub(super) fn title(&self) -> &str {
        let assertion = &self.assertion;
        assertion.strip_prefix("assert ").unwrap_or(assertion)
    }

    /// True if nothing but the identity is a symmetry.
    pub(super) fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// True if a generator moves states, so that it is an element of the group of its own. A
    /// generator that only renames events, or exchanges leaves of one state, is carried along.
    pub(super) fn counts(&self, generator: &GeneratorDescription) -> bool {
        // Of definitions, those of types that no state has are left out.
        if !self.listed {
            return true;
        }
        let several = |leaf: usize| self.leaves.get(leaf).is_some_and(|leaf| leaf.states > 1);
        generator.moves_specification || generator.leaves.iter().any(|&(leaf, _)| several(leaf))
    }

    /// The name of a leaf: `leaf 2 POLE(B)`; leaves are counted from 1 for people.
    pub(super) fn leaf(&self, leaf: usize) -> String {
        match self.leaves.get(leaf) {
            Some(description) => format!("leaf {} {}", leaf + 1, description.expression),
            None => format!("leaf {}", leaf + 1),
        }
    }
}

#[cfg(test)]
mod tests;
