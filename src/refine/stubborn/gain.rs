//! What stubborn sets spare in a level of the search, and whether they are chosen everywhere in the
//! next one.
//!
//! Choosing a set takes some times as long as following the transitions of a pair. Where most are
//! followed all the same, all are followed at most pairs of the next level. All rules are a
//! stubborn set too, so each theorem of `README.md` holds for any such mixture.

use std::ops::AddAssign;

use crate::refine::store::hash;

/// Transitions at the pairs of a level at which stubborn sets were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::refine) struct ChosenSteps {
    pub(in crate::refine) possible: u64,
    pub(in crate::refine) followed: u64,
}

/// Fewer transitions say nothing.
const ENOUGH: u64 = if cfg!(test) { 8 } else { 256 };

/// Little is gained if more than three quarters are followed.
const MUCH: (u64, u64) = (3, 4);

/// Where little is gained, sets are chosen at one pair of this many, so that it is seen if that
/// changes.
const SAMPLE: u64 = 32;

impl ChosenSteps {
    /// Whether sets are chosen at samples alone in the next level; `before` says whether they were
    /// in this one.
    pub(in crate::refine) fn says_to_sample(self, before: bool) -> bool {
        match self.possible < ENOUGH {
            true => before,
            false => self.followed * MUCH.1 > self.possible * MUCH.0,
        }
    }
}

impl AddAssign for ChosenSteps {
    fn add_assign(&mut self, other: Self) {
        self.possible += other.possible;
        self.followed += other.followed;
    }
}

/// Whether the pair with these words is a sample. That depends on nothing but the pair, so that all
/// numbers are the same on any number of threads.
#[inline]
pub(in crate::refine) fn is_sample(words: &[u64]) -> bool {
    hash(words).is_multiple_of(SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_in_which_most_is_followed_is_sampled() {
        let of = |possible, followed| ChosenSteps { possible, followed };
        assert!(of(1000, 751).says_to_sample(false));
        assert!(!of(1000, 750).says_to_sample(true));
        // Too few say nothing.
        assert!(!of(ENOUGH - 1, ENOUGH - 1).says_to_sample(false));
        assert!(of(ENOUGH - 1, 1).says_to_sample(true));
    }

    #[test]
    fn one_pair_of_32_is_a_sample() {
        let samples = (0..32_000u64).filter(|&word| is_sample(&[word, 7])).count();
        assert!((900..1100).contains(&samples), "{samples}");
    }
}
