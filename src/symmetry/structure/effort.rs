//! A limit for the steps that a recognition takes.

use num_bigint::BigUint;

use crate::symmetry::permutations::action::Action;

/// Steps that may still be taken; what needs more gives up with `None`.
#[derive(Debug)]
pub(super) struct Effort(usize);

impl Effort {
    /// A second or two.
    pub(super) fn new() -> Self {
        Self(1 << 30)
    }

    /// Takes so many steps.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The order of what a group does somewhere. A chain takes about so many steps, far fewer if transpositions suffice.
    pub(super) fn order(&mut self, action: &Action) -> Option<BigUint> {
        let generators = action.images.len();
        self.spend(action.points * (8 * action.points.min(1 << 16) + generators + 64))?;
        Some(action.order())
    }
}
