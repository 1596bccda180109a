//! A way in which a term diverges.

use super::counterexample::WitnessStep;

/// A run of τ that leads into a cycle of τ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lasso {
    /// What leads to the cycle.
    pub(super) stem: Vec<WitnessStep>,
    /// The cycle.
    pub(super) cycle: Vec<WitnessStep>,
}

impl Lasso {
    /// How many steps it has, those of its cycle once.
    pub(super) fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
}
