//! A machine as leaves and the rules in which they take part.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use machine::Machine;
use machine::leaf::Action;

/// Some leaves, ascending.
pub(super) type LocalGroup = Vec<usize>;

/// Groups of leaves, each with the rules in which two leaves of the group or more take part.
pub(super) type LocalGroups = Vec<(LocalGroup, Vec<u32>)>;

/// The leaves and rules of a machine.
pub(super) struct Network {
    pub(super) leaves: Vec<LocalLeaf>,
    /// For each rule the leaves that take part, each with the number of its action.
    pub(super) rules: Vec<Vec<(usize, usize)>>,
}

/// A leaf.
pub(super) struct LocalLeaf {
    pub(super) states: usize,
    pub(super) actions: Vec<LocalAction>,
    /// For each state, the actions that are possible there.
    possible: Vec<Vec<usize>>,
}

/// An action of a leaf.
pub(super) struct LocalAction {
    /// The (from, to) pairs, ascending.
    pub(super) steps: Vec<(u32, u32)>,
    /// The number of rules in which the leaf does it.
    pub(super) rules: usize,
}

impl LocalAction {
    /// The states after the action in `state`.
    pub(super) fn targets(&self, state: usize) -> impl Iterator<Item = usize> {
        let first = self
            .steps
            .partition_point(|&(from, _)| (from as usize) < state);
        let here = self.steps[first..].iter();
        let here = here.take_while(move |&&(from, _)| from as usize == state);
        here.map(|&(_, to)| to as usize)
    }
}

impl LocalLeaf {
    /// The actions that are possible in `state`.
    pub(super) fn possible(&self, state: usize) -> &[usize] {
        &self.possible[state]
    }
}

impl Network {
    pub(super) fn of(machine: &Machine, token: &Cancellation) -> Result<Self> {
        let mut leaves: Vec<LocalLeaf> = Vec::new();
        for leaf in machine.leaves.iter() {
            let states = leaf.state_count() as usize;
            leaves.push(LocalLeaf {
                states,
                actions: Vec::new(),
                possible: vec![Vec::new(); states],
            });
        }
        let mut numbers: FxHashMap<(usize, Action), usize> = FxHashMap::default();
        let mut rules = Vec::with_capacity(machine.rules.len());
        for rule in machine.rules.iter() {
            token.look(rule.participants.len())?;
            let mut participants = Vec::with_capacity(rule.participants.len());
            for &(leaf, action) in &rule.participants {
                let local = &mut leaves[leaf.index()];
                let number = *numbers.entry((leaf.index(), action)).or_insert_with(|| {
                    let steps = machine.leaves[leaf].transitions(action);
                    let number = local.actions.len();
                    let mut last = None;
                    for &(from, _) in &steps {
                        if last != Some(from) {
                            local.possible[from as usize].push(number);
                        }
                        last = Some(from);
                    }
                    local.actions.push(LocalAction { steps, rules: 0 });
                    number
                });
                local.actions[number].rules += 1;
                participants.push((leaf.index(), number));
            }
            rules.push(participants);
        }
        Ok(Self { leaves, rules })
    }

    /// The pairs of leaves that take part in a rule of fewer than `wide` participants together,
    /// ascending, with these rules. In wider rules each leaf counts as moving alone.
    pub(super) fn pairs(&self, wide: usize, token: &Cancellation) -> Result<LocalGroups> {
        let mut pairs: FxHashMap<[usize; 2], Vec<u32>> = FxHashMap::default();
        let rules = self.rules.iter().enumerate();
        for (number, rule) in rules.filter(|(_, rule)| rule.len() < wide) {
            token.look(rule.len() * rule.len())?;
            for pair in pairs_of(rule) {
                pairs.entry(pair).or_default().push(number as u32);
            }
        }
        let pairs = pairs.into_iter();
        let mut pairs: LocalGroups = pairs.map(|(pair, joint)| (pair.to_vec(), joint)).collect();
        token.sort_by(&mut pairs, &|(a, _), (b, _)| a.cmp(b))?;
        Ok(pairs)
    }

    /// The number of states of a group, reachable or not.
    pub(super) fn states_of(&self, group: &LocalGroup) -> u64 {
        let states = group.iter().map(|&leaf| self.leaves[leaf].states as u64);
        states.fold(1, u64::saturating_mul)
    }
}

/// The pairs of leaves that take part in a rule.
fn pairs_of(rule: &[(usize, usize)]) -> impl Iterator<Item = [usize; 2]> {
    let leaves = rule.iter().enumerate();
    leaves.flat_map(|(place, &(left, _))| {
        let others = rule[place + 1..].iter();
        others.map(move |&(right, _)| [left.min(right), left.max(right)])
    })
}

/// Passes on the triples of leaves one of which is in a pair with each of the others, each once,
/// with the rules of their pairs. A leaf that is in a pair with `many` others or more makes no
/// triples, because these would be very many. Returns false if `take` has returned false, which
/// ends it.
pub(super) fn each_triple(
    pairs: &LocalGroups,
    many: usize,
    take: &mut dyn FnMut(LocalGroup, Vec<u32>) -> Result<bool>,
) -> Result<bool> {
    let mut neighbours: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut joint: FxHashMap<[usize; 2], &[u32]> = FxHashMap::default();
    for (pair, rules) in pairs {
        neighbours.entry(pair[0]).or_default().push(pair[1]);
        neighbours.entry(pair[1]).or_default().push(pair[0]);
        joint.insert([pair[0], pair[1]], rules);
    }
    let mut taken: FxHashSet<[usize; 3]> = FxHashSet::default();
    for (&centre, around) in neighbours.iter().filter(|(_, around)| around.len() < many) {
        for (place, &one) in around.iter().enumerate() {
            for &other in &around[place + 1..] {
                let mut triple = [centre, one, other];
                triple.sort_unstable();
                if !taken.insert(triple) {
                    continue;
                }
                let [a, b, c] = triple;
                let rules = [[a, b], [a, c], [b, c]].into_iter();
                let rules = rules.filter_map(|pair| joint.get(&pair).copied()).flatten();
                let mut rules: Vec<u32> = rules.copied().collect();
                rules.sort_unstable();
                rules.dedup();
                if !take(triple.to_vec(), rules)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}
