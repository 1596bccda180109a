//! A way in which a term diverges.

use super::counterexample::WitnessStep;

/// A run of τ that leads into a cycle of τ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lasso {
    /// The steps that lead to the cycle.
    pub(super) stem: Vec<WitnessStep>,
    /// The cycle.
    pub(super) cycle: Vec<WitnessStep>,
}

impl Lasso {
    /// The number of its steps; those of its cycle count once.
    pub(super) fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
}
