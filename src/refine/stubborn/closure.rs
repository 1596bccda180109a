//! The least stubborn set with given rules at one pair.

use super::StubbornSets;
use base::index::TypedIndex;
use lts::graph::StateId;
use machine::rule_sets::{RuleBits, RuleSet, ones, place};
use machine::{LeafId, RuleId};

/// A pair of specification state and machine state.
#[derive(Clone, Copy)]
pub(crate) struct ExpandedPair<'p> {
    pub(crate) specification: StateId,
    /// By leaf, its state.
    pub(crate) leaves: &'p [u32],
}

/// Finds stubborn sets one after the other. A mark with the present number belongs to the present
/// set.
#[derive(Clone, Debug)]
pub(super) struct StubbornClosure {
    /// The rules that are possible at the pair.
    pub(super) possible: RuleBits,
    /// Those of them by which the pair changes.
    pub(super) moving: RuleBits,
    /// The present set.
    pub(super) rules: RuleBits,
    /// The number of moving rules in the present set.
    pub(super) moving_count: usize,
    /// The rules whose conditions are seen to, whether or not they are in the set yet.
    seen_to: RuleBits,
    /// The words of the set that have got rules since they were looked at.
    open: Vec<usize>,
    number: u32,
    /// By leaf, the number of the last set with all rules that the leaf lets, and the number of the
    /// last set with all that may move the leaf.
    let_by: Vec<u32>,
    movers: Vec<u32>,
    /// By event of the specification, the number of the last set with all rules that depend on it.
    dependents: Vec<u32>,
    /// The number of rules that may still be looked at.
    left: usize,
}

impl StubbornClosure {
    pub(super) fn new(sets: &StubbornSets, leaves: usize) -> Self {
        let events = sets.dependence.as_ref().map_or(0, |d| d.event_count());
        let none = RuleBits::new(sets.rule_count);
        Self {
            possible: none.clone(),
            moving: none.clone(),
            rules: none.clone(),
            moving_count: 0,
            seen_to: none,
            open: Vec::new(),
            number: 0,
            let_by: vec![0; leaves],
            movers: vec![0; leaves],
            dependents: vec![0; events],
            left: 0,
        }
    }

    /// Lets at most `most` rules be looked at for the sets that follow.
    pub(super) fn look_at_most(&mut self, most: usize) {
        self.left = most;
    }

    /// Begins a new set.
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.number == u32::MAX {
            let marks = [&mut self.let_by, &mut self.movers, &mut self.dependents];
            marks.into_iter().for_each(|marks| marks.fill(0));
            self.number = 0;
        }
        self.number += 1;
        self.open.clear();
        self.rules.clear();
        self.seen_to.clear();
        self.moving_count = 0;
    }

    /// Adds the rules that the conditions demand. Returns true if the set is complete: it is not if
    /// it has more than `most_moving` moving rules, or takes too long.
    #[inline]
    pub(super) fn close(
        &mut self,
        sets: &StubbornSets,
        pair: ExpandedPair<'_>,
        most_moving: usize,
    ) -> bool {
        while let Some(place) = self.open.pop() {
            loop {
                if self.moving_count > most_moving {
                    return false;
                }
                let bits = self.rules.word(place) & !self.seen_to.word(place);
                let Some(rule) = ones(place, bits).next() else {
                    break;
                };
                if self.left == 0 {
                    return false;
                }
                self.left -= 1;
                self.seen_to.insert(rule);
                match self.possible.contains(rule) {
                    true => self.keep_possible(sets, pair, rule),
                    false => self.keep_impossible(sets, pair, rule),
                }
            }
        }
        self.moving_count <= most_moving
    }

    /// Adds a possible rule to an empty set.
    #[inline]
    pub(super) fn start(&mut self, rule: RuleId) {
        self.rules.insert(rule);
        self.moving_count = usize::from(self.moving.contains(rule));
        self.open.push(place(rule));
    }

    #[inline]
    pub(super) fn add(&mut self, rules: &RuleSet) {
        let Self {
            moving,
            moving_count,
            seen_to,
            open,
            ..
        } = self;
        self.rules.union(rules, |place, new| {
            *moving_count += (new & moving.word(place)).count_ones() as usize;
            if new & !seen_to.word(place) != 0 {
                open.push(place);
            }
        });
    }

    /// Adds rules for C2: then nothing outside of the set makes the rule possible, because one of
    /// the leaves that do not let it stays where it is: the one that the fewest rules move. A rule
    /// for which such a leaf stays already is seen to.
    #[inline]
    fn keep_impossible(&mut self, sets: &StubbornSets, pair: ExpandedPair<'_>, rule: RuleId) {
        let state = |leaf: LeafId| pair.leaves[leaf.index()];
        let participants = sets.interference.participants(rule).iter();
        let blocking = participants.filter(|participant| {
            !sets
                .interference
                .lets(**participant, state(participant.leaf))
        });
        let movers = blocking.map(|participant| {
            let leaf = participant.leaf;
            (leaf, sets.interference.movers(leaf, state(leaf)))
        });
        // A rule that is not possible has a leaf that does not let it.
        if let Some((leaf, movers)) = movers.min_by_key(|(_, movers)| movers.count()) {
            self.keep_leaf(sets, leaf, state(leaf), movers);
        }
    }

    /// Adds all rules that may move the leaf from this state. Then no rule that it blocks becomes
    /// possible outside of the set.
    #[inline]
    fn keep_leaf(&mut self, sets: &StubbornSets, leaf: LeafId, state: u32, movers: &RuleSet) {
        let mark = &mut self.movers[leaf.index()];
        if *mark != self.number {
            *mark = self.number;
            let blocked = sets.interference.blocked_by(leaf, state);
            self.seen_to.union(blocked, |_, _| {});
            self.add(movers);
        }
    }

    /// Adds rules for C1: then nothing outside of the set does anything to the leaves that the rule
    /// moves, or moves those that it only asks. Also for C3: nor does anything outside do events
    /// that do not commute with the rule's in the specification.
    #[inline]
    fn keep_possible(&mut self, sets: &StubbornSets, pair: ExpandedPair<'_>, rule: RuleId) {
        for &participant in sets.interference.participants(rule) {
            let leaf = participant.leaf;
            let state = pair.leaves[leaf.index()];
            let movers = sets.interference.movers(leaf, state);
            self.keep_leaf(sets, leaf, state, movers);
            if sets.interference.moves(participant, state) {
                let mark = &mut self.let_by[leaf.index()];
                if *mark != self.number {
                    *mark = self.number;
                    self.add(sets.interference.let_by(leaf, state));
                }
            }
        }
        let Some(dependence) = &sets.dependence else {
            return;
        };
        let Some(event) = dependence.event(rule) else {
            return;
        };
        if self.dependents[event] == self.number {
            return;
        }
        self.dependents[event] = self.number;
        let movers = dependence.movers(pair.specification);
        let dependents = dependence.dependents(event);
        // Where the event leaves the specification as it is, it is enough that nothing else moves
        // it.
        let stays = !movers.contains(rule);
        match stays && movers.count() < dependents.count() {
            true => self.add(movers),
            false => self.add(dependents),
        }
    }
}
