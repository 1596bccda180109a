//! The choice of the rules that are followed at a pair.

pub(crate) use super::closure::ExpandedPair;
use super::closure::StubbornClosure;
use super::{StubbornEffort, StubbornSets};
use machine::RuleId;
use machine::rule_sets::{RuleBits, RuleSet};

/// Chooses stubborn sets, one pair after the other. Each thread has its own.
#[derive(Clone, Debug)]
pub(crate) struct Chooser<'s> {
    sets: &'s StubbornSets,
    closure: StubbornClosure,
    /// The smallest set so far; of its rules the possible ones are followed.
    best: RuleBits,
}

/// The number of rules that are tried as seeds by [`StubbornEffort::Hybrid`].
const FEW_SEEDS: usize = 8;

/// The most rules that are looked at for all sets of a pair, and the number more for each possible
/// rule. So the choice takes as long as listing the transitions, or some times as long.
const LOOKED_AT: usize = 64;
const LOOKED_AT_EACH: usize = 16;

impl<'s> Chooser<'s> {
    /// A chooser for states of machines with this many leaves.
    pub(crate) fn new(sets: &'s StubbornSets, leaves: usize) -> Self {
        Self {
            closure: StubbornClosure::new(sets, leaves),
            best: RuleBits::new(sets.rule_count),
            sets,
        }
    }

    /// Chooses among `possible`, all rules that are possible at `pair`, each once. The pair changes
    /// by `moving` only: to follow the others costs nothing.
    pub(crate) fn choose(
        &mut self,
        pair: ExpandedPair<'_>,
        (possible, moving): (&[RuleId], &[RuleId]),
    ) {
        let closure = &mut self.closure;
        for (set, rules) in [
            (&mut closure.possible, possible),
            (&mut closure.moving, moving),
        ] {
            set.clear();
            rules.iter().for_each(|&rule| set.insert(rule));
        }
        if !self.find(pair, (possible, moving)) {
            self.best.copy(&self.closure.possible);
        }
    }

    /// True if the rule, possible at the last pair, is to be followed.
    #[inline]
    pub(crate) fn is_chosen(&self, rule: RuleId) -> bool {
        self.best.contains(rule)
    }

    /// Puts the set with the fewest moving rules that is found into `best`. Returns true if there
    /// is one with fewer than all.
    fn find(&mut self, pair: ExpandedPair<'_>, (possible, moving): (&[RuleId], &[RuleId])) -> bool {
        let sets = self.sets;
        let is_seed = |rule: RuleId| !sets.observes_rests || sets.taus.contains(rule);
        if !possible.iter().any(|&rule| is_seed(rule)) {
            return false;
        }
        let mut fewest = moving.len();
        if fewest == 0 {
            return false;
        }
        if sets.is_for_traces() {
            // With all that moves the specification nothing is put off, even if nothing of it is
            // possible: then nothing wrong can come any more.
            self.closure.look_at_most(usize::MAX);
            self.closure.begin();
            self.closure.add(sets.movers(pair));
            if self.closure.close(sets, pair, fewest - 1) {
                self.keep(&mut fewest);
            }
        }
        let most_looked_at = LOOKED_AT + LOOKED_AT_EACH * possible.len();
        let most_seeds = match sets.effort {
            StubbornEffort::Fast => 1,
            StubbornEffort::Hybrid => FEW_SEEDS,
            StubbornEffort::Precise => usize::MAX,
        };
        self.closure.look_at_most(most_looked_at);
        // The sets of most moving rules have one themselves, which is as few as is looked for. So
        // the others come last.
        let still = possible.iter();
        let still = still.filter(|rule| moving.binary_search(rule).is_err());
        let seeds = moving.iter().chain(still).filter(|rule| is_seed(**rule));
        for &seed in seeds.take(most_seeds) {
            if fewest <= 1 {
                break;
            }
            self.closure.begin();
            self.closure.start(seed);
            let mut is_less = self.closure.close(sets, pair, fewest - 1);
            if is_less && !self.goes_on(pair) {
                // In failures the set may be made to cover what moves the specification.
                self.closure.add(sets.movers(pair));
                is_less = sets.observes_rests && self.closure.close(sets, pair, fewest - 1);
            }
            if is_less {
                self.keep(&mut fewest);
            }
        }
        fewest < moving.len()
    }

    #[inline]
    fn keep(&mut self, fewest: &mut usize) {
        *fewest = self.closure.moving_count;
        std::mem::swap(&mut self.best, &mut self.closure.rules);
    }

    /// True if the present set lets nothing be put off for ever: it has all that moves the
    /// specification, or a step that is not sticky.
    #[inline]
    fn goes_on(&self, pair: ExpandedPair<'_>) -> bool {
        let sets = self.sets;
        let Some(sticky) = &sets.sticky else {
            return true;
        };
        let closure = &self.closure;
        let mut followed = closure.rules.common(&closure.possible);
        followed.any(|rule| sticky.goes_on(&sets.interference, rule, pair.leaves))
            || closure.rules.contains_all(sets.movers(pair))
    }
}

impl StubbornSets {
    /// True if events count and rests do not.
    fn is_for_traces(&self) -> bool {
        self.dependence.is_some() && !self.observes_rests
    }

    /// The rules that take the specification to another state.
    #[inline]
    fn movers(&self, pair: ExpandedPair<'_>) -> &RuleSet {
        let dependence = self.dependence.as_ref();
        dependence.map_or(&self.none, |dependence| {
            dependence.movers(pair.specification)
        })
    }
}
