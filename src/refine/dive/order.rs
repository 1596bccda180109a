//! The order in which the steps of a pair are tried.

use base::index::TypedIndex;
use machine::RuleId;

/// An order of the rules of a machine. It is the same at all pairs: so of many components those go
/// first that went first before, until they wait for others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceOrder {
    /// As the rules are numbered.
    Ascending,
    /// The last rule first.
    Descending,
    /// One of many orders without a pattern.
    Mixed(u64),
}

impl ChoiceOrder {
    /// The order of the dive with this number: each begins in another way.
    pub fn of_dive(number: u64) -> Self {
        match number {
            0 => Self::Ascending,
            1 => Self::Descending,
            number => Self::Mixed(number),
        }
    }

    /// `steps` in this order; those by one rule stay in the order in which they come.
    pub(super) fn ordered<'s>(
        self,
        steps: impl Iterator<Item = (RuleId, &'s [u64])>,
    ) -> Vec<(RuleId, &'s [u64])> {
        let mut steps: Vec<(RuleId, &[u64])> = steps.collect();
        steps.sort_by_key(|&(rule, _)| self.place(rule));
        steps
    }

    /// The place of `rule` among all rules.
    fn place(self, rule: RuleId) -> u64 {
        let rule = rule.index() as u64;
        match self {
            Self::Ascending => rule,
            Self::Descending => !rule,
            Self::Mixed(number) => mixed(mixed(number) ^ rule),
        }
    }
}

/// A number that has no visible pattern in common with `number` (the last steps of SplitMix64, by
/// Steele, Lea and Flood, OOPSLA 2014).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
