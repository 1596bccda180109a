//! The gain of stubborn sets in a level of the search, which decides if they are chosen everywhere
//! in the next one.
//!
//! Choosing a set takes some times as long as following the transitions of a pair. Where most are
//! followed all the same, sets are chosen at samples alone in the next level, and all transitions
//! are followed at the other pairs. All rules are a stubborn set too, so each theorem of
//! `README.md` holds for any such mixture.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::store::hash;

/// Transitions at the pairs of a level at which stubborn sets were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ChosenSteps {
    pub(crate) possible: u64,
    pub(crate) followed: u64,
}

/// The number of transitions at samples below which they say nothing.
const ENOUGH: u64 = if cfg!(test) { 8 } else { 256 };

/// The number of transitions at samples above which there are more than needed.
const TOO_MANY: u64 = 4 * ENOUGH;

/// The number of transitions below which a level is no reason to sample the next one: choosing
/// takes milliseconds, and in the first levels of many systems more is followed than in those after
/// them.
const LARGE: u64 = if cfg!(test) { 8 } else { 4096 };

/// The part of transitions followed above which little is gained. Of dijkstra with four processes
/// two of three are followed: a search that chooses at each pair takes three times as long for a
/// fifth fewer states.
const LITTLE: (u64, u64) = (1, 2);

/// The part of transitions that samples may follow at most before sets are chosen at each pair
/// again. Choosing in vain costs more than sampling for another level, and few samples may be wrong
/// by a tenth.
const MUCH: (u64, u64) = (2, 5);

/// The pairs of a level at which sets are chosen: one of two to this power. Zero means each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Sampling(u32);

/// The sampling of the first level that is sampled: one pair of 32.
const FIRST: Sampling = Sampling(5);

/// The sparsest sampling: one pair of 1024.
const SPARSEST: Sampling = Sampling(10);

impl Sampling {
    #[cfg(test)]
    pub(crate) const SOME: Self = FIRST;

    /// True if sets are chosen at each pair.
    #[inline]
    pub(crate) fn is_everywhere(&self) -> bool {
        self.0 == 0
    }

    /// True if sets are chosen at the pair with these words. That depends on nothing but the pair,
    /// so that all numbers are the same on any number of threads.
    #[inline]
    pub(crate) fn takes(self, words: &[u64]) -> bool {
        self.is_everywhere() || hash(words).trailing_zeros() >= self.0
    }

    /// The sampling of the next level, after a level with the present sampling in which this was
    /// found.
    pub(crate) fn after(self, found: ChosenSteps) -> Self {
        let ChosenSteps { possible, followed } = found;
        let is_at_most = |(part, whole)| followed * whole <= possible * part;
        match self.0 {
            0 if possible < LARGE || is_at_most(LITTLE) => self,
            0 => FIRST,
            power if possible < ENOUGH => Self(power - 1),
            _ if is_at_most(MUCH) => Self::default(),
            power if possible > TOO_MANY => Self(power + 1).min(SPARSEST),
            _ => self,
        }
    }

    /// The sampling as a number that may be sent to [`Self::from_number`].
    pub(crate) fn number(self) -> u64 {
        u64::from(self.0)
    }

    pub(crate) fn from_number(number: u64) -> Self {
        Self((number as u32).min(SPARSEST.0))
    }
}

impl AddAssign for ChosenSteps {
    fn add_assign(&mut self, other: Self) {
        self.possible += other.possible;
        self.followed += other.followed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_level_in_which_most_is_followed_is_sampled() {
        let of = |possible, followed| ChosenSteps { possible, followed };
        let everywhere = Sampling::default();
        assert_eq!(everywhere.after(of(LARGE, LARGE / 2 + 1)), FIRST);
        assert_eq!(everywhere.after(of(LARGE, LARGE / 2)), everywhere);
        assert_eq!(everywhere.after(of(LARGE - 1, LARGE - 1)), everywhere);
        assert_eq!(FIRST.after(of(1000, 400)), everywhere);
        assert_ne!(FIRST.after(of(1000, 401)), everywhere);
    }

    #[test]
    fn there_are_as_many_samples_as_are_needed() {
        let of = |possible| ChosenSteps {
            possible,
            followed: possible,
        };
        let (few, many) = (of(ENOUGH - 1), of(TOO_MANY + 1));
        let sparser = FIRST.after(many);
        assert_eq!(sparser.after(of(TOO_MANY)), sparser);
        assert_eq!(sparser.after(of(ENOUGH)), sparser);
        assert_eq!(sparser.after(few), FIRST);
        let last = |found| (0..20).fold(FIRST, |sampling: Sampling, _| sampling.after(found));
        assert_eq!(last(many), SPARSEST);
        assert!(last(few).is_everywhere());
    }

    #[test]
    fn one_pair_of_32_is_a_sample() {
        let samples = (0..32_000u64).filter(|&word| FIRST.takes(&[word, 7]));
        let count = samples.count();
        assert!((900..1100).contains(&count), "{count}");
        assert!((0..100).all(|word| Sampling::default().takes(&[word])));
    }
}
