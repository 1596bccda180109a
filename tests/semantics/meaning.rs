//! Traces, failures and divergences of a transition system, computed state set by state set.
//! Compressions must keep them.

use std::collections::{BTreeMap, BTreeSet};

use lts::graph::{Lts, StateId};
use process::event::{EventId, TAU};

/// The state after one trace: the offers of stable states, as minimal sets, and divergence.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct After {
    /// The minimal sets of events with which it can come to rest.
    pub(crate) offers: BTreeSet<BTreeSet<EventId>>,
    /// True if it can do τ for ever.
    pub(crate) diverges: bool,
}

/// The observations after each trace of at most `bound` events, ✓ being one of them.
pub(crate) fn meaning(lts: &Lts, bound: usize) -> BTreeMap<Vec<EventId>, After> {
    let divergent = divergent(lts);
    let mut found = BTreeMap::new();
    let mut open = vec![(Vec::new(), BTreeSet::from([Lts::INITIAL]))];
    while let Some((trace, states)) = open.pop() {
        let states = closed(lts, states);
        let mut after: BTreeMap<EventId, BTreeSet<StateId>> = BTreeMap::new();
        for &state in &states {
            for &(event, target) in lts.row(state).iter().filter(|step| step.0 != TAU) {
                after.entry(event).or_default().insert(target);
            }
        }
        let stable = states.iter().map(|&state| lts.row(state));
        let stable = stable.filter(|row| row.iter().all(|step| step.0 != TAU));
        let offers: BTreeSet<BTreeSet<EventId>> = stable
            .map(|row| row.iter().map(|step| step.0).collect())
            .collect();
        let is_minimal =
            |set: &&BTreeSet<EventId>| !offers.iter().any(|o| o != *set && o.is_subset(set));
        let seen = After {
            offers: offers.iter().filter(is_minimal).cloned().collect(),
            diverges: states.iter().any(|state| divergent.contains(state)),
        };
        if trace.len() < bound {
            let longer = |event| [trace.as_slice(), &[event]].concat();
            open.extend(after.into_iter().map(|(e, states)| (longer(e), states)));
        }
        found.insert(trace, seen);
    }
    found
}

fn closed(lts: &Lts, mut states: BTreeSet<StateId>) -> BTreeSet<StateId> {
    let mut open: Vec<StateId> = states.iter().copied().collect();
    while let Some(state) = open.pop() {
        let steps = lts.row(state).iter().filter(|step| step.0 == TAU);
        open.extend(steps.map(|step| step.1).filter(|&t| states.insert(t)));
    }
    states
}

/// The states that can do τ for ever: the greatest set whose states all have a τ into the set.
fn divergent(lts: &Lts) -> BTreeSet<StateId> {
    let mut divergent: BTreeSet<StateId> = lts.states().collect();
    loop {
        let before = divergent.len();
        let kept = divergent.clone();
        divergent.retain(|&state| {
            let mut steps = lts.row(state).iter();
            steps.any(|&(event, target)| event == TAU && kept.contains(&target))
        });
        if divergent.len() == before {
            return divergent;
        }
    }
}
