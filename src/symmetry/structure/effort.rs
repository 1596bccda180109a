//! A limit for the steps that a recognition takes.

use num_bigint::BigUint;

use crate::diag::{Diagnostic, Result};
use crate::process::work::Pace;
use crate::symmetry::permutations::action::Action;

/// Steps that may still be taken; what needs more gives up with `None`, as everything does once nobody waits for it.
pub(super) struct Effort<'a, 'p> {
    left: usize,
    pace: &'a mut Pace<'p>,
    stopped: Option<Box<Diagnostic>>,
}

/// So many steps take as long as a transition that is looked at.
const STEPS: usize = 64;

impl<'a, 'p> Effort<'a, 'p> {
    /// A second or two.
    pub(super) fn new(pace: &'a mut Pace<'p>) -> Self {
        Self {
            left: 1 << 30,
            pace,
            stopped: None,
        }
    }

    /// Takes so many steps.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or(0);
        left?;
        if let Err(problem) = self.pace.look(1 + steps / STEPS) {
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

    /// The order of what a group does somewhere. A chain takes about so many steps, far fewer if transpositions suffice.
    pub(super) fn order(&mut self, action: &Action) -> Option<BigUint> {
        let generators = action.images.len();
        self.spend(action.points * (8 * action.points.min(1 << 16) + generators + 64))?;
        Some(action.order())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::work::tests::asked;

    #[test]
    fn steps_are_taken_as_long_as_there_is_time() {
        let times = asked(|pace| {
            let mut effort = Effort::new(pace);
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
