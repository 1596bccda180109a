//! A limit for the steps that a recognition takes.

use num_bigint::BigUint;

use crate::permutations::action::GroupAction;
use crate::permutations::order::order_within;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};

/// Steps that may still be taken; what needs more gives up with `None`, as everything does once
/// nobody waits for it.
pub(super) struct Effort<'a> {
    left: u64,
    token: &'a Cancellation,
    stopped: Option<Box<Diagnostic>>,
}

/// This many steps take as long as looking at one transition.
const STEPS: usize = 64;

impl<'a> Effort<'a> {
    /// As many steps as names are worth; `README.md` says how long they take. A search that uses
    /// factors finds them soon.
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

    /// An error if it was given up because nobody waits for it.
    pub(super) fn goes_on(&mut self) -> Result<()> {
        self.stopped.take().map_or(Ok(()), Err)
    }

    /// The order of what a group of at most `most` elements does somewhere.
    pub(super) fn order(&mut self, action: &GroupAction, most: &BigUint) -> Option<BigUint> {
        // What a chain took where it was measured, however large the order; estimates from the
        // order are far more for symmetric groups, and less for small groups of many points.
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
