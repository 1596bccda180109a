//! A limit for the steps that a recognition takes.

use num_bigint::BigUint;

use crate::permutations::action::GroupAction;
use crate::permutations::order::order_within;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};

/// The number of steps that may still be taken. A method that needs more returns `None`, and so do
/// all once the work is cancelled.
pub(super) struct Effort<'a> {
    left: u64,
    token: &'a Cancellation,
    stopped: Option<Box<Diagnostic>>,
}

/// The number of steps that take as long as looking at one transition.
const STEPS: usize = 64;

impl<'a> Effort<'a> {
    /// As many steps as a name is worth; `README.md` says how long they take. A group whose factors
    /// a search uses needs far fewer.
    pub(super) fn new(token: &'a Cancellation) -> Self {
        Self {
            left: 1 << 27,
            token,
            stopped: None,
        }
    }

    /// Takes this many steps.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.left.checked_sub(steps as u64);
        self.left = left.unwrap_or(0);
        left?;
        if let Err(problem) = self.token.look(1 + steps / STEPS) {
            self.left = 0;
            self.stopped = Some(problem);
            return None;
        }
        Some(())
    }

    /// Returns an error if the work was cancelled.
    pub(super) fn goes_on(&mut self) -> Result<()> {
        self.stopped.take().map_or(Ok(()), Err)
    }

    /// The order of the group of `action`, which has at most `most` elements.
    pub(super) fn order(&mut self, action: &GroupAction, most: &BigUint) -> Option<BigUint> {
        // The steps that a chain took where it was measured, however large the order. Estimates
        // from the order are far higher for symmetric groups, and lower for small groups of many
        // points.
        let generators = action.images.len();
        let by_points = (action.points * (8 * action.points.min(1 << 16) + generators + 64)) as u64;
        let fits = by_points <= self.left;
        let limit = if fits { u64::MAX } else { self.left };
        let Some((order, by_order)) = order_within(&action.different(), most, limit) else {
            self.left = 0;
            return None;
        };
        self.spend(by_points.min(by_order) as usize)?;
        Some(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::testing::asked;

    #[test]
    fn steps_are_taken_as_long_as_there_is_time() {
        let times = asked(|token| {
            let mut effort = Effort::new(token);
            let ended = (0..100)
                .try_for_each(|_| effort.spend(64 * STEPS))
                .is_none();
            let outcome = effort.goes_on();
            assert_eq!(ended, outcome.is_err());
            outcome
        });
        assert!(times >= 100, "{times}");
    }
}
