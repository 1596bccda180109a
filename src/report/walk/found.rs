//! The place of a counterexample on a walk that leads to the end of it.

use serde::Serialize;

use super::super::assertion::CounterexampleKind;

/// The place of a counterexample on the walk to its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WalkToCounterexample {
    /// The kind of behaviour that is not allowed.
    pub kind: CounterexampleKind,
    /// A sentence that says what is wrong.
    pub sentence: String,
    /// The number of its steps.
    pub steps: usize,
    /// The number, counted from 1, of the step that is not allowed; absent where it is no step.
    pub wrong_step: Option<usize>,
    /// Of a divergence: the number of the first step of those that are done again and again, which
    /// are all from there on.
    pub cycle_from: Option<usize>,
    /// Of nondeterminism: the names of the steps of the other run, which does what this one
    /// refuses.
    pub other_path: Option<Vec<String>>,
}
