//! A limit for the steps that a recognition takes.

use num_bigint::BigUint;

use crate::symmetry::permutations::action::Action;

/// Steps that may still be taken; what needs more gives up with `None`.
#[derive(Debug)]
pub(super) struct Effort(u64);

impl Effort {
    /// Some tenths of a second: names are not worth more, and a search that uses factors finds them soon.
    pub(super) fn new() -> Self {
        Self(1 << 27)
    }

    /// Takes so many steps.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.0.checked_sub(steps as u64);
        self.0 = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The order of what a group of at most `most` elements does somewhere.
    pub(super) fn order(&mut self, action: &Action, most: &BigUint) -> Option<BigUint> {
        let found = action.order(most, self.0);
        let steps = found.as_ref().map_or(self.0, |&(_, steps)| steps);
        self.0 = self.0.saturating_sub(steps);
        found.map(|(order, _)| order)
    }
}
