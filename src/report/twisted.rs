//! The path of a search with symmetries beside the run that it stands for, as plain data.

use serde::Serialize;

use super::assertion::Counterexample;

/// A counterexample as the search with symmetries met it, and as it really runs.
///
/// The search stores one state of each orbit. The state that it met in step k was twisted to the
/// stored state by `twist`. The product of all twists so far, undone, takes each stored state to
/// one of the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TwistedReport {
    /// The file the assertion stands in, as it was named.
    pub file: String,
    /// The assertion as CSPm, without `assert` and without `not`.
    pub assertion: String,
    /// The algorithm of the search: `SymCheck1`...
    pub algorithm: &'static str,
    /// Its representative function.
    pub representative: &'static str,
    /// The number of symmetries that it used; decimal, of any size.
    pub order: String,
    /// The names of the components, in the order of their states in each pair.
    pub components: Vec<String>,
    /// The counterexample: the run, replayed on the process itself. Where a component is compressed
    /// it may have other internal steps than the run of the machine in `steps`.
    pub counterexample: Counterexample,
    /// The states in which both tracks begin.
    pub start: TwistedPairReport,
    /// The steps that the specification allows.
    pub steps: Vec<TwistedStepReport>,
    /// The step that the specification does not allow; absent if something else is wrong.
    pub wrong: Option<WrongStepReport>,
}

/// A step of both tracks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TwistedStepReport {
    /// The event as the search met it: an event, `✓`, `τ`, or `τ (event)` if the event is hidden.
    pub met: String,
    /// The event of the run.
    pub real: String,
    /// The states to which both tracks lead.
    pub pair: TwistedPairReport,
}

/// The step that is not allowed, on both tracks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WrongStepReport {
    /// The event as the search met it.
    pub met: String,
    /// The event of the run.
    pub real: String,
}

/// A stored state, and the state of the run that it stands for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TwistedPairReport {
    /// The symmetry that takes the state that was met to the stored one, in cycles; `()` moves
    /// nothing.
    pub twist: String,
    /// The symmetry that takes the stored state to that of the run.
    pub undo: String,
    /// The stored state.
    pub stored: PairReport,
    /// The state of the run.
    pub real: PairReport,
}

/// The states of the components, and the state of the specification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PairReport {
    /// The components, each as CSPm in present values; `state 3` where only its number is known,
    /// `off` where it was switched off for good.
    pub components: Vec<String>,
    /// The state of the specification's normal form; the initial one is 0.
    pub specification: u32,
}
