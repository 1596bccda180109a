//! The least stubborn set with given rules at one pair.

use super::StubbornSets;
use crate::base::index::TypedIndex;
use crate::lts::graph::StateId;
use crate::machine::{LeafId, RuleId};

/// A pair of specification state and machine state.
#[derive(Clone, Copy)]
pub(in crate::refine) struct ExpandedPair<'p> {
    pub(in crate::refine) specification: StateId,
    /// By leaf, its state.
    pub(in crate::refine) leaves: &'p [u32],
}

/// Finds stubborn sets one after the other. What is marked with the present number belongs to the
/// present set.
#[derive(Clone, Debug)]
pub(super) struct StubbornClosure {
    number: u32,
    /// By rule.
    rules: Vec<u32>,
    /// By leaf, whether all rules that it lets are in the set, and all that may move it.
    let_by: Vec<u32>,
    movers: Vec<u32>,
    /// By event of the specification, whether all rules that depend on it are.
    dependents: Vec<u32>,
    /// Rules of the set whose conditions are not seen to yet.
    open: Vec<RuleId>,
    /// The possible rules of the set.
    pub(super) possible: Vec<RuleId>,
    /// How many rules may still be looked at.
    left: usize,
}

impl StubbornClosure {
    pub(super) fn new(sets: &StubbornSets, leaves: usize) -> Self {
        let events = sets.dependence.as_ref().map_or(0, |d| d.event_count());
        Self {
            number: 0,
            rules: vec![0; sets.is_tau.len()],
            let_by: vec![0; leaves],
            movers: vec![0; leaves],
            dependents: vec![0; events],
            open: Vec::new(),
            possible: Vec::new(),
            left: 0,
        }
    }

    /// Begins a new set, for which at most `most` rules are looked at.
    #[inline]
    pub(super) fn begin(&mut self, most: usize) {
        if self.number == u32::MAX {
            let marks = [
                &mut self.rules,
                &mut self.let_by,
                &mut self.movers,
                &mut self.dependents,
            ];
            marks.into_iter().for_each(|marks| marks.fill(0));
            self.number = 0;
        }
        self.number += 1;
        self.open.clear();
        self.possible.clear();
        self.left = most;
    }

    /// Whether the set has all of `rules`.
    #[inline]
    pub(super) fn has_all(&self, rules: &[RuleId]) -> bool {
        rules
            .iter()
            .all(|rule| self.rules[rule.index()] == self.number)
    }

    /// Adds `seeds` and what the conditions then demand. Returns whether the set is complete: it is
    /// not if it has more than `most_possible` possible rules, or takes too long.
    #[inline]
    pub(super) fn close(
        &mut self,
        sets: &StubbornSets,
        pair: ExpandedPair<'_>,
        seeds: &[RuleId],
        most_possible: usize,
    ) -> bool {
        self.add(seeds);
        while let Some(rule) = self.open.pop() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let participants = sets.interference.participants(rule).iter();
            let mut blocking = participants.filter(|participant| {
                let state = pair.leaves[participant.leaf.index()];
                !sets.interference.lets(**participant, state)
            });
            if let Some(first) = blocking.next() {
                let leaves = blocking.map(|participant| participant.leaf);
                self.keep_impossible(sets, pair, first.leaf, leaves);
                continue;
            }
            self.possible.push(rule);
            if self.possible.len() > most_possible {
                return false;
            }
            self.keep_possible(sets, pair, rule);
        }
        true
    }

    #[inline]
    fn add(&mut self, rules: &[RuleId]) {
        for &rule in rules {
            let mark = &mut self.rules[rule.index()];
            if *mark != self.number {
                *mark = self.number;
                self.open.push(rule);
            }
        }
    }

    /// C2: nothing outside of the set makes the rule possible, because one of the leaves that do
    /// not let it stays where it is. A leaf that stays already is best, then the one that the
    /// fewest rules move.
    #[inline]
    fn keep_impossible(
        &mut self,
        sets: &StubbornSets,
        pair: ExpandedPair<'_>,
        first: LeafId,
        others: impl Iterator<Item = LeafId>,
    ) {
        let movers = |leaf: LeafId| sets.interference.movers(leaf, pair.leaves[leaf.index()]);
        let (mut best, mut fewest) = (first, movers(first).len());
        if self.movers[first.index()] == self.number {
            return;
        }
        for leaf in others {
            if self.movers[leaf.index()] == self.number {
                return;
            }
            let count = movers(leaf).len();
            if count < fewest {
                (best, fewest) = (leaf, count);
            }
        }
        self.movers[best.index()] = self.number;
        self.add(movers(best));
    }

    /// C1: nothing outside of the set does anything to the leaves that the rule moves, or moves
    /// those that it only asks. C3: nor does it do events that do not commute with the rule's in
    /// the specification.
    #[inline]
    fn keep_possible(&mut self, sets: &StubbornSets, pair: ExpandedPair<'_>, rule: RuleId) {
        for &participant in sets.interference.participants(rule) {
            let leaf = participant.leaf;
            let state = pair.leaves[leaf.index()];
            if sets.interference.moves(participant, state) {
                if self.let_by[leaf.index()] != self.number {
                    self.let_by[leaf.index()] = self.number;
                    // All rules that may move the leaf are among them.
                    self.movers[leaf.index()] = self.number;
                    self.add(sets.interference.let_by(leaf, state));
                }
            } else if self.movers[leaf.index()] != self.number {
                self.movers[leaf.index()] = self.number;
                self.add(sets.interference.movers(leaf, state));
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
        let (movers, dependents) = (
            dependence.movers(pair.specification),
            dependence.dependents(event),
        );
        // Where the event leaves the specification as it is, it is enough that nothing else moves
        // it.
        let stays = !movers.contains(&rule);
        match stays && movers.len() < dependents.len() {
            true => self.add(movers),
            false => self.add(dependents),
        }
    }
}
