//! The events that a machine can offer together, as far as its rules show.
//!
//! A state offers several events if for each of them a rule is possible, so each leaf that takes
//! part is able to do its action. This file checks leaf by leaf that there are such states; it does
//! not check that the machine reaches them together.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::leaf::{Action, Leaf};
use super::{LeafId, Machine, RuleId};
use lts::normal_form::Offerable;
use process::event::EventId;

/// The answers known about a machine. The answer is equal for events that a symmetry of the machine
/// exchanges, unless the search gives up at one of the limits below: then at worst a symmetry is
/// missed.
pub struct OfferedTogether<'a> {
    machine: &'a Machine,
    rules: FxHashMap<EventId, Vec<RuleId>>,
    /// The states in which a leaf can do an action, ascending.
    able: FxHashMap<(LeafId, Action), Rc<[u32]>>,
    /// The answers about two events, the smaller one first.
    pairs: FxHashMap<(EventId, EventId), bool>,
    /// The answers about more events.
    sets: FxHashMap<Box<[EventId]>, bool>,
}

/// The number of rules tried in vain after which events count as offered together.
const MOST_TRIED: usize = 1 << 10;

/// The largest number of sets of events that are remembered.
const MOST_SETS: usize = 1 << 16;

/// The states in which each leaf can be, ascending, as far as rules were chosen.
type Choices = FxHashMap<LeafId, Rc<[u32]>>;

impl<'a> OfferedTogether<'a> {
    /// An `OfferedTogether` without answers.
    pub fn new(machine: &'a Machine) -> Self {
        let mut rules: FxHashMap<EventId, Vec<RuleId>> = FxHashMap::default();
        for (number, rule) in machine.rules.indices().zip(machine.rules.iter()) {
            rules.entry(rule.result).or_default().push(number);
        }
        Self {
            machine,
            rules,
            able: FxHashMap::default(),
            pairs: FxHashMap::default(),
            sets: FxHashMap::default(),
        }
    }

    /// True if rules for `events` can be chosen that are possible with the leaves in states of
    /// `choices`.
    fn can_choose(&mut self, events: &[EventId], choices: &Choices, tried: &mut usize) -> bool {
        let Some((event, others)) = events.split_first() else {
            return true;
        };
        // An event without rules is never offered.
        let rules = self.rules.get(event).cloned().unwrap_or_default();
        rules.into_iter().any(|rule| {
            *tried += 1;
            if *tried > MOST_TRIED {
                return true;
            }
            let chosen = self.with_rule(rule, choices);
            chosen.is_some_and(|chosen| self.can_choose(others, &chosen, tried))
        })
    }

    /// The `choices` in which `rule` is possible as well; `None` if there are none.
    fn with_rule(&mut self, rule: RuleId, choices: &Choices) -> Option<Choices> {
        let mut chosen = choices.clone();
        for &(leaf, action) in &self.machine.rules[rule].participants {
            let leaves = &self.machine.leaves;
            let able = self.able.entry((leaf, action));
            let able = able.or_insert_with(|| states(&leaves[leaf], action).into());
            let both: Rc<[u32]> = match chosen.get(&leaf) {
                None => Rc::clone(able),
                Some(before) => {
                    let before = before.iter().copied();
                    before
                        .filter(|state| able.binary_search(state).is_ok())
                        .collect()
                }
            };
            if both.is_empty() {
                return None;
            }
            chosen.insert(leaf, both);
        }
        Some(chosen)
    }
}

impl Offerable for OfferedTogether<'_> {
    fn both(&mut self, one: EventId, other: EventId) -> bool {
        let pair = (one.min(other), one.max(other));
        if let Some(&known) = self.pairs.get(&pair) {
            return known;
        }
        let may_be = self.can_choose(&[pair.0, pair.1], &Choices::default(), &mut 0);
        self.pairs.insert(pair, may_be);
        may_be
    }

    fn all(&mut self, events: &[EventId]) -> bool {
        if let Some(&known) = self.sets.get(events) {
            return known;
        }
        let may_be = self.can_choose(events, &Choices::default(), &mut 0);
        if self.sets.len() < MOST_SETS {
            self.sets.insert(events.into(), may_be);
        }
        may_be
    }
}

/// The states in which `leaf` can do `action`, ascending.
fn states(leaf: &Leaf, action: Action) -> Vec<u32> {
    let transitions = leaf.transitions(action).into_iter();
    let mut states: Vec<u32> = transitions.map(|(from, _)| from).collect();
    states.dedup();
    states
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::explicit::explicit;
    use crate::{CompileOptions, compile};
    use base::cancel::Cancellation;
    use lts::explore::LeafLimits;
    use testkit::terms::Generator;

    /// Events that a reached state offers together count as possible, and many other pairs are
    /// known to be impossible.
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
                let mut offers: Vec<EventId> = row.iter().map(|step| step.0).collect();
                offers.dedup();
                assert!(together.all(&offers), "seed {seed}");
                for (one, other) in row.iter().flat_map(|a| row.iter().map(move |b| (a, b))) {
                    assert!(together.both(one.0, other.0), "seed {seed}");
                    offered += 1;
                }
            }
            let pairs = events
                .iter()
                .flat_map(|&a| events.iter().map(move |&b| (a, b)));
            excluded += pairs.filter(|&(a, b)| !together.both(a, b)).count();
        }
        assert!(offered > 10_000 && excluded > 100, "{offered} {excluded}");
    }
}
