//! The path of a search with symmetries to a counterexample, beside the run that it stands for. The
//! names of the pairs and symmetries are those at the head of `path.rs`.

use lts::graph::StateId;
use symmetry::pbisim::Symmetry;

use super::path::{PathStep, leaf_states};
use super::product::{Product, StateWords};

/// The stored pairs s₀ … sₙ with the twists between them, and the pairs x₀ … xₙ that untwisting
/// makes of them. The events of the run itself are in the [`Path`](super::path::Path) that has this
/// twisted path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwistedPath {
    /// s₀, which stands for the initial pair.
    pub start: TwistedPair,
    /// One for each step that the specification allows.
    pub steps: Vec<TwistedStep>,
    /// The step of sₙ that the specification does not allow, as the search met it; `None` if
    /// something else is wrong.
    pub wrong: Option<PathStep>,
}

/// A step of a search with symmetries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwistedStep {
    /// eₖ, as the search met it at sₖ₋₁.
    pub met: PathStep,
    /// The pair that was stored for the successor, with its twist.
    pub pair: TwistedPair,
}

/// A stored pair, and the pair of the run that it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwistedPair {
    /// σₖ, which takes the pair that was met to the pair that was stored for it.
    pub twist: Symmetry,
    /// τₖ⁻¹, which takes `stored` to `real`.
    pub undo: Symmetry,
    /// sₖ
    pub stored: PairStates,
    /// xₖ
    pub real: PairStates,
}

/// A pair of specification state and machine state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairStates {
    /// The state of each leaf.
    pub leaves: Vec<u32>,
    /// The state of the specification.
    pub specification: StateId,
}

impl PairStates {
    /// The states that are packed in `pair`.
    pub(super) fn of(product: &Product<'_>, pair: &StateWords) -> Self {
        Self {
            leaves: leaf_states(product, pair),
            specification: product.specification_state(pair),
        }
    }
}
