//! Rules as bits: each group of leaves allows a set of rules, and a rule that all groups allow is
//! possible.
//!
//! Small leaves that lie next to each other in a word make one group: the states of its leaves
//! together are one index. A set has one bit for each rule. It keeps only the words about which the
//! group decides anything. The bits are in the order in which [`super::tables`] visits the rules,
//! so that transitions come in that order too.

use rustc_hash::FxHashMap;

use super::columns::{Actions, BitPlace, Columns, Participant, SPECIAL};
use crate::packing::{BitField, PackedState, Packing};
use crate::rules::Rule;
use crate::{LeafId, Machine, RuleId};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use process::event::EventId;

/// The rules under one packing.
#[derive(Clone, Debug)]
pub(super) struct Bitsets {
    /// All rules, one bit each.
    all: Vec<u64>,
    groups: Vec<LeafGroup>,
    /// The start of the set in `sets`, by group and state of the group.
    rows: Vec<u32>,
    sets: Vec<u64>,
    /// The effect of the rule of each bit.
    effects: Vec<Effect>,
    parts: Vec<Participant>,
    columns: Columns,
}

/// Leaves that lie next to each other in one word.
#[derive(Clone, Debug)]
struct LeafGroup {
    place: BitPlace,
    mask: u32,
    /// The row of state 0.
    rows: u32,
    /// The words of sets about which the group decides.
    first: u32,
    end: u32,
}

#[derive(Clone, Debug)]
struct Effect {
    /// The bits of `word` that flip in every state of the participants.
    flip: u64,
    word: u32,
    rule: RuleId,
    event: EventId,
    /// The participants whose flips have to be looked up, or lie in other words.
    parts: (u32, u32),
}

const BITS: usize = u64::BITS as usize;

impl Bitsets {
    /// Calls `emit` with every transition of `state`. `enabled` is memory to work in.
    #[inline]
    pub(super) fn for_each<S: PackedState>(
        &self,
        state: &S,
        scratch: &mut S,
        enabled: &mut Vec<u64>,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        enabled.clear();
        enabled.extend_from_slice(&self.all);
        for group in &self.groups {
            let row = group.rows + group.place.get(state, group.mask);
            let start = self.rows[row as usize] as usize;
            let words = &mut enabled[group.first as usize..group.end as usize];
            let set = &self.sets[start..start + words.len()];
            for (word, &allowed) in words.iter_mut().zip(set) {
                *word &= allowed;
            }
        }
        for (number, &word) in enabled.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let bit = number * BITS + left.trailing_zeros() as usize;
                left &= left - 1;
                self.follow(&self.effects[bit], state, scratch, emit);
            }
        }
    }

    /// Calls `emit` with every result of a possible rule.
    #[inline]
    fn follow<S: PackedState>(
        &self,
        effect: &Effect,
        state: &S,
        scratch: &mut S,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        scratch.clone_from(state);
        scratch.flip(effect.word, effect.flip);
        let parts = &self.parts[effect.parts.0 as usize..effect.parts.1 as usize];
        for (i, part) in parts.iter().enumerate() {
            let flip = self.columns.entry(part, state);
            // It is not `DISABLED`: the groups of all participants have allowed the rule.
            if flip >= SPECIAL {
                let emit: &mut dyn FnMut(&S) = &mut |next| emit(effect.rule, effect.event, next);
                return self.columns.follow_each(&parts[i..], state, scratch, emit);
            }
            part.flip(scratch, flip);
        }
        emit(effect.rule, effect.event, scratch);
    }
}

/// The layout of rules as bits, before anything is filled in.
pub(super) struct BitLayout<'r> {
    /// The rules that are possible in some state of each participant, in the order of their bits.
    rules: Vec<(RuleId, &'r Rule)>,
    groups: Vec<Members>,
}

/// The leaves of one group, and the words of sets about which they decide.
struct Members {
    leaves: Vec<(BitField, LeafId)>,
    first: usize,
    end: usize,
}

impl Members {
    fn words(&self) -> usize {
        self.end - self.first
    }

    /// The number of rows of the group: one for each state of a single leaf, or for each value of
    /// the bits of several leaves.
    fn states(&self, machine: &Machine) -> usize {
        match self.leaves[..] {
            [(_, leaf)] => machine.leaves[leaf].state_count() as usize,
            _ => 1 << self.leaves.iter().map(|(f, _)| width(f)).sum::<u32>(),
        }
    }
}

fn width(field: &BitField) -> u32 {
    field.mask.count_ones()
}

/// The largest number of bits of a group of several leaves. With more, its sets do not stay in the
/// nearest cache.
const GROUP_BITS: u32 = 8;

impl<'r> BitLayout<'r> {
    /// The layout of `rules` of `machine`.
    pub(super) fn new(
        machine: &Machine,
        packing: &Packing,
        actions: &mut Actions<'_>,
        rules: &[(RuleId, &'r Rule)],
    ) -> Result<Self> {
        let mut triggered: Vec<(LeafId, RuleId, &Rule)> = Vec::new();
        for &(id, rule) in rules {
            actions.token.look(rule.participants.len())?;
            // A rule with a participant that never can take part needs no bit.
            if actions.shares(rule).iter().all(|&share| share > 0.0) {
                let trigger = rule.participants[actions.trigger(rule)].0;
                triggered.push((trigger, id, rule));
            }
        }
        let place = |&(trigger, id, _): &(LeafId, RuleId, &Rule)| (trigger, id);
        let token = actions.token;
        token.sort_by(&mut triggered, &|a, b| place(a).cmp(&place(b)))?;
        let rules: Vec<(RuleId, &Rule)> = triggered.into_iter().map(|(_, id, r)| (id, r)).collect();
        // Leaves of one state take no bits and are left out below: they allow every rule that is
        // still listed here.
        let mut says: FxHashMap<LeafId, (usize, usize)> = FxHashMap::default();
        for (bit, (_, rule)) in rules.iter().enumerate() {
            actions.token.look(rule.participants.len())?;
            let word = bit / BITS;
            for &(leaf, _) in &rule.participants {
                let says = says.entry(leaf).or_insert((word, word + 1));
                says.1 = word + 1;
            }
        }
        let mut leaves: Vec<(BitField, LeafId)> = machine
            .leaves
            .indices()
            .filter(|leaf| says.contains_key(leaf))
            .map(|leaf| (packing.fields()[leaf.index()], leaf))
            .filter(|(field, _)| field.mask != 0)
            .collect();
        leaves.sort_unstable_by_key(|(field, _)| (field.word, field.shift));
        let mut groups: Vec<Members> = Vec::new();
        for (field, leaf) in leaves {
            let (first, end) = says[&leaf];
            if let Some(group) = groups.last_mut()
                && let (start, last) = (group.leaves[0].0, group.leaves[group.leaves.len() - 1].0)
                && last.word == field.word
                && last.shift + width(&last) == field.shift
                && field.shift + width(&field) - start.shift <= GROUP_BITS
            {
                group.leaves.push((field, leaf));
                group.first = group.first.min(first);
                group.end = group.end.max(end);
            } else {
                groups.push(Members {
                    leaves: vec![(field, leaf)],
                    first,
                    end,
                });
            }
        }
        Ok(Self { rules, groups })
    }

    /// The rules, in order.
    pub(super) fn rules(&self) -> &[(RuleId, &'r Rule)] {
        &self.rules
    }

    /// The number of groups.
    pub(super) fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The number of words of sets that are joined for one state.
    pub(super) fn joined_words(&self) -> usize {
        self.groups.iter().map(Members::words).sum()
    }

    /// The number of words of the sets if no two are equal.
    pub(super) fn most_words(&self, machine: &Machine) -> usize {
        let sizes = self.groups.iter();
        sizes
            .map(|g| g.words().saturating_mul(g.states(machine)))
            .fold(0, usize::saturating_add)
    }

    /// The tables.
    pub(super) fn build(&self, machine: &Machine, mut actions: Actions<'_>) -> Result<Bitsets> {
        let mut all = vec![u64::MAX; self.rules.len().div_ceil(BITS)];
        if let Some(last) = all.last_mut() {
            *last >>= (BITS - self.rules.len() % BITS) % BITS;
        }
        let mut tables = Bitsets {
            all,
            groups: Vec::new(),
            rows: Vec::new(),
            sets: Vec::new(),
            effects: Vec::new(),
            parts: Vec::new(),
            columns: Columns::default(),
        };
        for &(id, rule) in &self.rules {
            actions.token.look(rule.participants.len())?;
            tables.add_effect(id, rule, &mut actions)?;
        }
        let mut bits_of: FxHashMap<LeafId, Vec<usize>> = FxHashMap::default();
        for (bit, (_, rule)) in self.rules.iter().enumerate() {
            actions.token.look(rule.participants.len())?;
            for &(leaf, _) in &rule.participants {
                bits_of.entry(leaf).or_default().push(bit);
            }
        }
        let mut known = FxHashMap::default();
        for members in &self.groups {
            let sets: Vec<Vec<u64>> = members
                .leaves
                .iter()
                .map(|&(_, leaf)| self.sets(machine, &mut actions, members, leaf, &bits_of[&leaf]))
                .collect::<Result<_>>()?;
            let states = members.states(machine);
            tables.add_group(members, &sets, states, &mut known, actions.token)?;
        }
        tables.columns = actions.into_columns();
        Ok(tables)
    }

    /// For each state of `leaf`, the set of rules that it allows. `bits` are the rules in which it
    /// takes part; it allows all others.
    fn sets(
        &self,
        machine: &Machine,
        actions: &mut Actions<'_>,
        members: &Members,
        leaf: LeafId,
        bits: &[usize],
    ) -> Result<Vec<u64>> {
        let words = members.words();
        let states = machine.leaves[leaf].state_count() as usize;
        let mut sets = vec![u64::MAX; words * states];
        for &bit in bits {
            actions.token.look(1 + states)?;
            let (word, mask) = (bit / BITS - members.first, 1 << (bit % BITS));
            for set in sets.chunks_mut(words) {
                set[word] &= !mask;
            }
            let participants = self.rules[bit].1.participants.iter();
            for &participant in participants.filter(|p| p.0 == leaf) {
                for &(from, _) in actions.pairs(participant) {
                    sets[from as usize * words + word] |= mask;
                }
            }
        }
        Ok(sets)
    }
}

impl Bitsets {
    fn add_effect(
        &mut self,
        rule_id: RuleId,
        rule: &Rule,
        actions: &mut Actions<'_>,
    ) -> Result<()> {
        let first = self.parts.len() as u32;
        let trigger = actions.trigger(rule);
        let participants = &rule.participants;
        let word = actions.place(participants[trigger].0).word();
        let mut flip = 0;
        // The trigger comes first, as in `tables`, so that the results of nondeterministic
        // participants come in the same order.
        let others = (0..participants.len()).filter(|&i| i != trigger);
        for i in std::iter::once(trigger).chain(others) {
            let place = actions.place(participants[i].0);
            match actions.constant_flip(participants[i]) {
                // The group of the participant decides if it can take part; it changes nothing.
                Some(0) => {}
                // Flips of one word are joined, also with that of the trigger.
                Some(bits) if place.word() == word => flip ^= place.shifted(bits),
                _ => self.parts.push(actions.part(participants[i])?),
            }
        }
        self.effects.push(Effect {
            flip,
            word,
            rule: rule_id,
            event: rule.result,
            parts: (first, self.parts.len() as u32),
        });
        Ok(())
    }

    /// Adds the group `members`; each leaf has its sets in `leaf_sets`. Equal sets are kept once:
    /// there are many states, and often few different sets.
    fn add_group(
        &mut self,
        members: &Members,
        leaf_sets: &[Vec<u64>],
        states: usize,
        known: &mut FxHashMap<Vec<u64>, u32>,
        token: &Cancellation,
    ) -> Result<()> {
        let words = members.words();
        let start = members.leaves[0].0;
        let bits: u32 = members.leaves.iter().map(|(field, _)| width(field)).sum();
        self.groups.push(LeafGroup {
            place: BitPlace::new(start.word, start.shift),
            mask: ((1_u64 << bits) - 1) as u32,
            rows: self.rows.len() as u32,
            first: members.first as u32,
            end: members.end as u32,
        });
        for state in 0..states {
            token.look(1 + words * leaf_sets.len())?;
            let mut set = vec![u64::MAX; words];
            for ((field, _), sets) in members.leaves.iter().zip(leaf_sets) {
                let value = state >> (field.shift - start.shift) & field.mask as usize;
                let allowed = sets.chunks(words).nth(value);
                for (i, word) in set.iter_mut().enumerate() {
                    // A value that is no state of the leaf is never met; its set may be empty.
                    *word &= allowed.map_or(0, |allowed| allowed[i]);
                }
            }
            let sets = &mut self.sets;
            let row = *known.entry(set).or_insert_with_key(|set| {
                sets.extend_from_slice(set);
                (sets.len() - set.len()) as u32
            });
            self.rows.push(row);
        }
        Ok(())
    }
}
