//! Random numbers that are equal on every run.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A source of choices.
pub(crate) struct Dice(TestRng);

impl Dice {
    /// The source number `seed`.
    pub(crate) fn new(seed: usize) -> Self {
        let mut bytes = [0x5a; 32];
        bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things.
    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// One of some things; each is as likely as its weight says.
    pub(crate) fn weighted<T: Clone>(&mut self, from: &[(usize, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, thing) in from {
            if left < *weight {
                return thing.clone();
            }
            left -= weight;
        }
        unreachable!("the number is below the sum of the weights")
    }
}
