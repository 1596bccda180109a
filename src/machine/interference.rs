//! The rules that the leaves of a machine permit in their states, and the rules by which they may
//! move.
//!
//! A rule is possible in a state of the machine if and only if each leaf that takes part *lets* it.
//! Its results are all combinations of the steps of these leaves; the others stay where they are.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::leaf::Action;
use super::rule_sets::{RuleRows, RuleSet};
use super::structure::{LeafId, Machine, RuleId};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;

/// The rules that each leaf lets in each state, and those that may move it.
#[derive(Debug)]
pub struct Interference {
    /// The rules by leaf.
    leaves: Vec<LeafRules>,
    /// The range of each rule in `participants`.
    rules: Vec<Range<u32>>,
    participants: Vec<RuleParticipant>,
    /// The actions of leaves in rules, each once.
    pub actions: Vec<LeafAction>,
}

/// A leaf that takes part in a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleParticipant {
    /// The leaf itself.
    pub leaf: LeafId,
    /// Its number among [`Interference::actions`].
    pub action: u32,
}

/// The action of a leaf in some rules.
#[derive(Debug)]
pub struct LeafAction {
    /// The leaf that does it.
    pub leaf: LeafId,
    /// The (from, to) pairs, ascending.
    pub transitions: Vec<(u32, u32)>,
    /// The states in which the action is possible.
    lets: FixedBitSet,
    /// The states from which the action leads to another state.
    moves: FixedBitSet,
}

/// The rules in which a leaf takes part, by its state.
#[derive(Debug)]
struct LeafRules {
    /// The rules that the leaf lets.
    lets: RuleRows,
    /// The rules that the leaf lets and that may move it.
    moves: RuleRows,
    /// The rules that the leaf does not let.
    blocks: RuleRows,
}

/// The largest number of entries of lists, at 4 bytes each.
const MOST_ENTRIES: usize = 1 << 24;

/// The largest number of words of sets, at 16 bytes each.
const MOST_WORDS: usize = 1 << 22;

impl Interference {
    /// The interference in a machine without gates of priorities and chases, whose rules depend
    /// only on the leaves that take part. Returns `None` if it takes too much memory.
    pub fn new(machine: &Machine, token: &Cancellation) -> Result<Option<Self>> {
        let mut tables = Self {
            leaves: Vec::new(),
            rules: Vec::new(),
            participants: Vec::new(),
            actions: Vec::new(),
        };
        let mut known: FxHashMap<(LeafId, Action), u32> = FxHashMap::default();
        let mut taken: Vec<Vec<(RuleId, u32)>> = vec![Vec::new(); machine.leaves.len()];
        let mut entries = 0;
        for (number, rule) in machine.rules.iter().enumerate() {
            let start = tables.participants.len() as u32;
            debug_assert!(rule.participants.is_sorted_by(|a, b| a.0 < b.0));
            for &(leaf, action) in &rule.participants {
                let number_of_action = match known.get(&(leaf, action)) {
                    Some(&number) => number,
                    None => {
                        let number = tables.actions.len() as u32;
                        // With the sets that are made from the action later, it takes six bits for
                        // each state.
                        entries += machine.leaves[leaf].state_count() as usize / 4;
                        tables.actions.push(LeafAction::new(machine, leaf, action));
                        token.look(1 + tables.actions[number as usize].transitions.len())?;
                        known.insert((leaf, action), number);
                        number
                    }
                };
                let action = number_of_action;
                tables.participants.push(RuleParticipant { leaf, action });
                taken[leaf.index()].push((RuleId::from_usize(number), action));
                entries += tables.actions[action as usize].transitions.len();
            }
            if entries > MOST_ENTRIES {
                return Ok(None);
            }
            let end = tables.participants.len() as u32;
            tables.rules.push(start..end);
        }
        let mut words_left = MOST_WORDS;
        for (leaf, taken) in machine.leaves.iter().zip(&taken) {
            token.look(1 + taken.len())?;
            let states = leaf.state_count() as usize;
            let Some(rules) = tables.leaf_rules(states, taken, &mut words_left) else {
                return Ok(None);
            };
            tables.leaves.push(rules);
        }
        Ok(Some(tables))
    }

    /// The rules of a leaf with `states` states, which takes part in the rules `taken` by these
    /// actions. Returns `None` if they take more words than are left.
    fn leaf_rules(
        &self,
        states: usize,
        taken: &[(RuleId, u32)],
        words_left: &mut usize,
    ) -> Option<LeafRules> {
        let takes_part = RuleSet::of(taken.iter().map(|&(rule, _)| rule));
        let list = |of: fn(&LeafAction) -> &FixedBitSet| {
            let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); states];
            for &(rule, action) in taken {
                for state in of(&self.actions[action as usize]).ones() {
                    rules[state].push(rule);
                }
            }
            rules
        };
        let mut rows = |sets: &mut dyn Iterator<Item = RuleSet>| RuleRows::new(sets, words_left);
        let set = |rules: &Vec<RuleId>| RuleSet::of(rules.iter().copied());
        let lets = list(|action| &action.lets);
        Some(LeafRules {
            lets: rows(&mut lets.iter().map(set))?,
            blocks: rows(&mut lets.iter().map(|rules| takes_part.without(&set(rules))))?,
            moves: rows(&mut list(|action| &action.moves).iter().map(set))?,
        })
    }

    /// The leaves that take part in a rule.
    #[inline]
    pub fn participants(&self, rule: RuleId) -> &[RuleParticipant] {
        let Range { start, end } = self.rules[rule.index()];
        &self.participants[start as usize..end as usize]
    }

    /// True if the leaf of this participant lets its rule in the given state of the leaf.
    #[inline]
    pub fn lets(&self, participant: RuleParticipant, state: u32) -> bool {
        let action = &self.actions[participant.action as usize];
        action.lets.contains(state as usize)
    }

    /// True if the rule of this participant may take its leaf from the given state to another.
    #[inline]
    pub fn moves(&self, participant: RuleParticipant, state: u32) -> bool {
        let action = &self.actions[participant.action as usize];
        action.moves.contains(state as usize)
    }

    /// The rules that the leaf lets in the given state.
    #[inline]
    pub fn let_by(&self, leaf: LeafId, state: u32) -> &RuleSet {
        self.leaves[leaf.index()].lets.of(state)
    }

    /// The rules that may take the leaf from the given state to another.
    #[inline]
    pub fn movers(&self, leaf: LeafId, state: u32) -> &RuleSet {
        self.leaves[leaf.index()].moves.of(state)
    }

    /// The rules in which the leaf takes part and which it does not let in the given state.
    #[inline]
    pub fn blocked_by(&self, leaf: LeafId, state: u32) -> &RuleSet {
        self.leaves[leaf.index()].blocks.of(state)
    }
}

impl LeafAction {
    fn new(machine: &Machine, leaf: LeafId, action: Action) -> Self {
        let states = machine.leaves[leaf].state_count() as usize;
        let transitions = machine.leaves[leaf].transitions(action);
        let mut lets = FixedBitSet::with_capacity(states);
        let mut moves = FixedBitSet::with_capacity(states);
        for &(from, to) in &transitions {
            lets.insert(from as usize);
            if from != to {
                moves.insert(from as usize);
            }
        }
        Self {
            leaf,
            transitions,
            lets,
            moves,
        }
    }

    /// True if the action always takes the leaf to another state.
    pub fn always_moves(&self) -> bool {
        self.transitions.iter().all(|(from, to)| from != to)
    }
}
