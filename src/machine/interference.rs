//! Which rules the leaves of a machine let happen in their states, and by which they may move.
//!
//! A rule is possible in a state of the machine if and only if each leaf that takes part *lets* it.
//! Its results are all combinations of what these leaves do then; the others stay where they are.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::leaf::Action;
use super::structure::{LeafId, Machine, RuleId};
use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;

/// By leaf and state, the rules that are let and those that may move the leaf.
#[derive(Debug)]
pub(crate) struct Interference {
    /// By leaf.
    leaves: Vec<LeafRules>,
    /// By rule, where its part of `participants` lies.
    rules: Vec<Range<u32>>,
    participants: Vec<RuleParticipant>,
    /// What leaves do in rules, each once.
    pub(crate) actions: Vec<LeafAction>,
}

/// A leaf that takes part in a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleParticipant {
    pub(crate) leaf: LeafId,
    /// Its number among [`Interference::actions`].
    pub(crate) action: u32,
}

/// What a leaf does in some rule.
#[derive(Debug)]
pub(crate) struct LeafAction {
    pub(crate) leaf: LeafId,
    /// The (from, to) pairs, ascending.
    pub(crate) transitions: Vec<(u32, u32)>,
    /// The states in which the action is possible.
    lets: FixedBitSet,
    /// Those from which it leads to another state.
    moves: FixedBitSet,
}

/// The rules in which a leaf takes part, by its state.
#[derive(Debug)]
struct LeafRules {
    /// Those that it lets.
    lets: RuleRows,
    /// Those of them that may move it.
    moves: RuleRows,
}

/// A list of rules for each state.
#[derive(Debug)]
struct RuleRows {
    /// By state, where its list begins; the list ends where the next begins.
    starts: Vec<u32>,
    rules: Vec<RuleId>,
}

/// More entries are not listed: 4 bytes each.
const MOST_ENTRIES: usize = 1 << 24;

impl Interference {
    /// Of a machine whose rules depend on nothing but the leaves that take part, with no gates of
    /// priorities and no chases. Returns `None` if that takes too much memory.
    pub(crate) fn new(machine: &Machine, token: &Cancellation) -> Result<Option<Self>> {
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
                        // With what is made of it later there are six bits for each state.
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
        for (leaf, taken) in machine.leaves.iter().zip(&taken) {
            let states = leaf.state_count();
            let rows = |of: fn(&LeafAction) -> &FixedBitSet| {
                let sets = taken.iter().map(|&(rule, action)| {
                    let states = of(&tables.actions[action as usize]);
                    (rule, states)
                });
                RuleRows::new(states, sets)
            };
            token.look(1 + taken.len())?;
            let rules = LeafRules {
                lets: rows(|action| &action.lets),
                moves: rows(|action| &action.moves),
            };
            tables.leaves.push(rules);
        }
        Ok(Some(tables))
    }

    /// The leaves that take part in a rule.
    #[inline]
    pub(crate) fn participants(&self, rule: RuleId) -> &[RuleParticipant] {
        let Range { start, end } = self.rules[rule.index()];
        &self.participants[start as usize..end as usize]
    }

    /// Whether the leaf of this participant lets its rule in this state of the leaf.
    #[inline]
    pub(crate) fn lets(&self, participant: RuleParticipant, state: u32) -> bool {
        let action = &self.actions[participant.action as usize];
        action.lets.contains(state as usize)
    }

    /// Whether the rule of this participant may take its leaf from this state to another.
    #[inline]
    pub(crate) fn moves(&self, participant: RuleParticipant, state: u32) -> bool {
        let action = &self.actions[participant.action as usize];
        action.moves.contains(state as usize)
    }

    /// The rules that the leaf lets in this state.
    #[inline]
    pub(crate) fn let_by(&self, leaf: LeafId, state: u32) -> &[RuleId] {
        self.leaves[leaf.index()].lets.of(state)
    }

    /// The rules that may take the leaf from this state to another.
    #[inline]
    pub(crate) fn movers(&self, leaf: LeafId, state: u32) -> &[RuleId] {
        self.leaves[leaf.index()].moves.of(state)
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

    /// Whether the action always takes the leaf to another state.
    pub(crate) fn always_moves(&self) -> bool {
        self.transitions.iter().all(|(from, to)| from != to)
    }
}

impl RuleRows {
    /// RuleRows for `states` states; each rule comes with the states in whose rows it is.
    fn new<'s>(states: u32, sets: impl Iterator<Item = (RuleId, &'s FixedBitSet)> + Clone) -> Self {
        let mut starts = vec![0; states as usize + 1];
        for (_, set) in sets.clone() {
            for state in set.ones() {
                starts[state + 1] += 1;
            }
        }
        for state in 0..states as usize {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut rules = vec![RuleId(0); starts[states as usize] as usize];
        for (rule, set) in sets {
            for state in set.ones() {
                rules[next[state] as usize] = rule;
                next[state] += 1;
            }
        }
        Self { starts, rules }
    }

    #[inline]
    fn of(&self, state: u32) -> &[RuleId] {
        let state = state as usize;
        &self.rules[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}
