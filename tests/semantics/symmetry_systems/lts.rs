//! Explicit transition systems, in the plainest way: bisimulation classes, normal forms, bijections
//! under a permutation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use super::alphabet::{Event, TAU};

/// The transitions of each state, in ascending order; 0 is the initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lts {
    pub(crate) rows: Vec<Vec<(Event, usize)>>,
}

/// All states that can be reached from `start`, in breadth-first order, with their transitions;
/// `None` if there are more than `limit`.
pub(crate) fn explore<S: Clone + Eq + Hash>(
    start: S,
    limit: usize,
    mut steps: impl FnMut(&S) -> Vec<(Event, S)>,
) -> Option<(Lts, Vec<S>)> {
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    let mut rows = Vec::new();
    while rows.len() < states.len() {
        let mut row = BTreeSet::new();
        for (event, target) in steps(&states[rows.len()]) {
            let number = *numbers.entry(target).or_insert_with_key(|target| {
                states.push(target.clone());
                states.len() - 1
            });
            row.insert((event, number));
        }
        rows.push(row.into_iter().collect());
        if states.len() > limit {
            return None;
        }
    }
    Some((Lts { rows }, states))
}

impl Lts {
    /// One state for each class of strongly bisimilar ones.
    pub(crate) fn minimised(&self) -> Lts {
        let classes = classes(&self.rows);
        let state_of: BTreeMap<usize, usize> = (0..self.rows.len())
            .rev()
            .map(|s| (classes[s], s))
            .collect();
        let steps = |class: &usize| {
            let row = self.rows[state_of[class]].iter();
            row.map(|&(event, target)| (event, classes[target]))
                .collect()
        };
        let (quotient, _) = explore(classes[0], usize::MAX, steps).expect("no limit");
        quotient
    }

    /// The minimal deterministic system with equal traces; `None` if it takes more than `limit`
    /// sets of states.
    pub(crate) fn normal_form(&self, limit: usize) -> Option<Lts> {
        let steps = |set: &BTreeSet<usize>| {
            let mut after: BTreeMap<Event, BTreeSet<usize>> = BTreeMap::new();
            for &(event, target) in set.iter().flat_map(|&state| &self.rows[state]) {
                after.entry(event).or_default().insert(target);
            }
            after.remove(&TAU);
            let close = |(event, targets)| (event, self.closed(targets));
            after.into_iter().map(close).collect()
        };
        let start = self.closed(BTreeSet::from([0]));
        let (subsets, _) = explore(start, limit, steps)?;
        Some(subsets.minimised())
    }

    fn closed(&self, states: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut open: Vec<usize> = states.iter().copied().collect();
        let mut closed = states;
        while let Some(state) = open.pop() {
            for &(event, target) in &self.rows[state] {
                if event == TAU && closed.insert(target) {
                    open.push(target);
                }
            }
        }
        closed
    }

    /// The state after `event` in a deterministic system.
    pub(crate) fn after(&self, state: usize, event: Event) -> Option<usize> {
        let row = &self.rows[state];
        row.iter().find(|(e, _)| *e == event).map(|&(_, to)| to)
    }
}

/// The number of the bisimulation class of each state: all states are in one class at first, which
/// is then split until stable.
fn classes(rows: &[Vec<(Event, usize)>]) -> Vec<usize> {
    let mut classes = vec![0; rows.len()];
    let mut count = 1;
    loop {
        let mut numbers = HashMap::new();
        let signature = |state: usize| {
            let row = rows[state].iter();
            let row: BTreeSet<_> = row.map(|&(event, to)| (event, classes[to])).collect();
            (classes[state], row)
        };
        let mut split = Vec::new();
        for state in 0..rows.len() {
            let next = numbers.len();
            split.push(*numbers.entry(signature(state)).or_insert(next));
        }
        classes = split;
        if numbers.len() == count {
            return classes;
        }
        count = numbers.len();
    }
}

/// For each state of `from`, the state of `to` that behaves like it when every event is replaced by
/// its image. Both systems are minimal. `None` if this is no bijection. Initial states need not go
/// to initial states.
pub(crate) fn matching(from: &Lts, to: &Lts, images: &[Event]) -> Option<Vec<usize>> {
    let count = from.rows.len();
    if count != to.rows.len() {
        return None;
    }
    let moved = |row: &Vec<(Event, usize)>| row.iter().map(|&(e, s)| (images[e], s)).collect();
    let shifted = |row: &Vec<(Event, usize)>| row.iter().map(|&(e, s)| (e, s + count)).collect();
    let rows = from.rows.iter().map(moved);
    let rows: Vec<_> = rows.chain(to.rows.iter().map(shifted)).collect();
    let classes = classes(&rows);
    let state_of: HashMap<usize, usize> = (0..count).map(|s| (classes[count + s], s)).collect();
    (0..count)
        .map(|s| state_of.get(&classes[s]).copied())
        .collect()
}
