//! Which rules are followed at a pair.

pub(in crate::refine) use super::closure::ExpandedPair;
use super::closure::StubbornClosure;
use super::{StubbornEffort, StubbornSets};
use crate::base::index::TypedIndex;
use crate::machine::RuleId;

/// Chooses stubborn sets, one pair after the other. Each thread has its own.
#[derive(Clone, Debug)]
pub(in crate::refine) struct Chooser<'s> {
    sets: &'s StubbornSets,
    closure: StubbornClosure,
    /// The possible rules of the smallest set so far.
    best: Vec<RuleId>,
    /// By rule, the number of the last pair at which it was chosen.
    chosen: Vec<u32>,
    pair: u32,
}

/// How many rules are tried as seeds where only a few are.
const FEW_SEEDS: usize = 8;

/// How many rules are looked at for one set at most, and how many more for each possible rule: what
/// takes longer is hardly smaller than everything.
const LOOKED_AT: usize = 64;
const LOOKED_AT_EACH: usize = 16;

impl<'s> Chooser<'s> {
    /// For states of machines with this many leaves.
    pub(in crate::refine) fn new(sets: &'s StubbornSets, leaves: usize) -> Self {
        Self {
            closure: StubbornClosure::new(sets, leaves),
            best: Vec::new(),
            chosen: vec![0; sets.is_tau.len()],
            pair: 0,
            sets,
        }
    }

    /// Chooses among `possible`, all rules that are possible at `pair`, each once.
    pub(in crate::refine) fn choose(&mut self, pair: ExpandedPair<'_>, possible: &[RuleId]) {
        if self.pair == u32::MAX {
            self.chosen.fill(0);
            self.pair = 0;
        }
        self.pair += 1;
        self.best.clear();
        if !self.find(pair, possible) {
            self.best.extend_from_slice(possible);
        }
        for rule in &self.best {
            self.chosen[rule.index()] = self.pair;
        }
    }

    /// Whether the rule, possible at the last pair, is to be followed.
    #[inline]
    pub(in crate::refine) fn is_chosen(&self, rule: RuleId) -> bool {
        self.chosen[rule.index()] == self.pair
    }

    /// Puts the possible rules of the smallest set that is found into `best`. Returns whether there
    /// is one with fewer than all.
    fn find(&mut self, pair: ExpandedPair<'_>, possible: &[RuleId]) -> bool {
        let sets = self.sets;
        let most_looked_at = LOOKED_AT + LOOKED_AT_EACH * possible.len();
        let is_tau = |rule: &&RuleId| sets.is_tau[rule.index()];
        if sets.observes_rests && !possible.iter().any(|rule| is_tau(&rule)) {
            return false;
        }
        let mut is_found = false;
        if sets.is_for_traces() {
            // With all that moves the specification nothing is put off, even if nothing of it is
            // possible: then nothing wrong can come any more.
            self.closure.begin(usize::MAX);
            let movers = sets.movers(pair);
            is_found = self
                .closure
                .close(sets, pair, movers, possible.len().saturating_sub(1));
            self.keep(is_found);
        }
        let seeds = possible
            .iter()
            .filter(|rule| !sets.observes_rests || is_tau(rule));
        let most_seeds = match sets.effort {
            StubbornEffort::Fast => 1,
            StubbornEffort::Hybrid => FEW_SEEDS,
            StubbornEffort::Precise => usize::MAX,
        };
        for &seed in seeds.take(most_seeds) {
            let fewer = match is_found {
                true => self.best.len(),
                false => possible.len(),
            };
            if fewer <= 1 {
                break;
            }
            self.closure.begin(most_looked_at);
            let mut is_less = self.closure.close(sets, pair, &[seed], fewer - 1);
            if is_less && !self.goes_on(pair) {
                // In failures the set may be made to cover what moves the specification.
                is_less = sets.observes_rests
                    && self.closure.close(sets, pair, sets.movers(pair), fewer - 1);
            }
            is_found |= is_less;
            self.keep(is_less);
        }
        is_found
    }

    #[inline]
    fn keep(&mut self, is_best: bool) {
        if is_best {
            std::mem::swap(&mut self.best, &mut self.closure.possible);
        }
    }

    /// Whether the present set lets nothing be put off for ever: it has all that moves the
    /// specification, or a step that is not sticky.
    #[inline]
    fn goes_on(&self, pair: ExpandedPair<'_>) -> bool {
        let sets = self.sets;
        let Some(sticky) = &sets.sticky else {
            return true;
        };
        let goes_on = |&rule: &RuleId| sticky.goes_on(&sets.interference, rule, pair.leaves);
        self.closure.possible.iter().any(goes_on) || self.closure.has_all(sets.movers(pair))
    }
}

impl StubbornSets {
    /// Whether events count and rests do not.
    fn is_for_traces(&self) -> bool {
        self.dependence.is_some() && !self.observes_rests
    }

    /// The rules that take the specification to another state.
    #[inline]
    fn movers(&self, pair: ExpandedPair<'_>) -> &[RuleId] {
        let dependence = self.dependence.as_ref();
        dependence.map_or(&[], |dependence| dependence.movers(pair.specification))
    }
}
