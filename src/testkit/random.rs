//! Random numbers, equal on every run.

/// A linear congruential generator with Knuth's constants (MMIX).
pub struct RandomNumbers(pub u64);

impl RandomNumbers {
    /// A number from 0 to `n` less 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// True once in `n` times, by chance.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
