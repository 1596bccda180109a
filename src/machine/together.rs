//! Which events a machine can offer together, as far as a look at its rules tells.

use rustc_hash::FxHashMap;

use super::leaf::{Action, Leaf};
use super::{LeafId, Machine, RuleId};
use crate::process::event::EventId;

/// Answers whether two events can be offered in one state. They cannot where any two rules for them
/// need one leaf in different states. Both answers are kept, so that each pair of events costs its
/// rules once.
pub(crate) struct OfferedTogether<'a> {
    machine: &'a Machine,
    rules: FxHashMap<EventId, Vec<RuleId>>,
    /// In which states a leaf can do an action, ascending.
    able: FxHashMap<(LeafId, Action), Vec<u32>>,
    known: FxHashMap<(EventId, EventId), bool>,
}

/// Events of which more pairs of rules would have to be looked at count as offered together.
const MOST_PAIRS: usize = 256;

impl<'a> OfferedTogether<'a> {
    /// Nothing of this machine is known yet.
    pub(crate) fn new(machine: &'a Machine) -> Self {
        let mut rules: FxHashMap<EventId, Vec<RuleId>> = FxHashMap::default();
        for (number, rule) in machine.rules.indices().zip(machine.rules.iter()) {
            rules.entry(rule.result).or_default().push(number);
        }
        Self {
            machine,
            rules,
            able: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Whether there may be a state that offers both. What a machine can never do it does not
    /// offer.
    pub(crate) fn may_be(&mut self, one: EventId, other: EventId) -> bool {
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let may_be = self.looked_at(one, other);
        self.known.insert(key, may_be);
        may_be
    }

    fn looked_at(&mut self, one: EventId, other: EventId) -> bool {
        let of = |event| self.rules.get(&event).map_or(&[][..], Vec::as_slice);
        let (one, other) = (of(one), of(other));
        if one.len() * other.len() > MOST_PAIRS {
            return true;
        }
        let pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| (a, b)));
        let (machine, able) = (self.machine, &mut self.able);
        pairs.into_iter().any(|(a, b)| {
            let other = &machine.rules[b].participants;
            machine.rules[a].participants.iter().all(|&(leaf, action)| {
                let same = other.iter().find(|participant| participant.0 == leaf);
                same.is_none_or(|&(_, other)| {
                    for action in [action, other] {
                        (able.entry((leaf, action)))
                            .or_insert_with(|| states(&machine.leaves[leaf], action));
                    }
                    let other = &able[&(leaf, other)];
                    let one = able[&(leaf, action)].iter();
                    one.into_iter()
                        .any(|state| other.binary_search(state).is_ok())
                })
            })
        })
    }
}

/// In which states `leaf` can do `action`, ascending.
fn states(leaf: &Leaf, action: Action) -> Vec<u32> {
    let transitions = leaf.transitions(action).into_iter();
    let mut states: Vec<u32> = transitions.map(|(from, _)| from).collect();
    states.dedup();
    states
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

    use std::collections::BTreeSet;

    use super::*;
    use crate::cancel::Cancellation;
    use crate::lts::explore::LeafLimits;
    use crate::machine::explicit::explicit;
    use crate::machine::tests::Generator;
    use crate::machine::{CompileOptions, compile};

    /// What is offered together in a state that is reached is said to be possible; and of other
    /// pairs many are known to be impossible.
    #[test]
    fn what_is_offered_together_may_be() {
        let options = CompileOptions::new(LeafLimits::all(1000));
        let (mut offered, mut excluded) = (0, 0);
        for seed in 0..1000 {
            let mut generator = Generator::new(seed);
            let term = generator.term(3, true);
            let Ok(machine) = compile(&mut generator.table, term, &options) else {
                continue;
            };
            let Ok(states) = explicit(&machine, 1000, Cancellation::never()) else {
                continue;
            };
            let mut together = OfferedTogether::new(&machine);
            let mut events = BTreeSet::new();
            for state in states.states() {
                let row = states.row(state);
                events.extend(row.iter().map(|step| step.0));
                for (one, other) in row.iter().flat_map(|a| row.iter().map(move |b| (a, b))) {
                    assert!(together.may_be(one.0, other.0), "seed {seed}");
                    offered += 1;
                }
            }
            let pairs = events
                .iter()
                .flat_map(|&a| events.iter().map(move |&b| (a, b)));
            excluded += pairs.filter(|&(a, b)| !together.may_be(a, b)).count();
        }
        assert!(offered > 10_000 && excluded > 100, "{offered} {excluded}");
    }
}
