//! The events that get in each other's way in a specification, and those that take it to another
//! state.

use fixedbitset::FixedBitSet;

use super::specification::SpecificationSteps;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use lts::graph::StateId;
use lts::normal_form::NormalForm;
use machine::rule_sets::{RuleRows, RuleSet};
use machine::{Machine, RuleId};
use process::event::{EventId, TAU};

/// The specification as one more leaf, in which each event is possible in each state: an event that
/// is not allowed takes it to a state of its own.
#[derive(Debug)]
pub(super) struct Dependence {
    /// By rule, the number of its event; [`NO_EVENT`] for τ.
    events: Vec<u32>,
    /// By event, the rules whose events do not commute with it, its own among them; one list for
    /// all events if all are taken to be dependent.
    dependents: Vec<RuleSet>,
    event_count: usize,
    /// By state, the rules that take the specification to another.
    movers: RuleRows,
    /// By event, true if each pair of it and an event that moves the specification anywhere is
    /// dependent.
    meets_all_movers: FixedBitSet,
}

/// The number that stands for τ.
const NO_EVENT: u32 = u32::MAX;

/// The most entries of tables that are made.
const MOST_ENTRIES: usize = 1 << 23;

impl Dependence {
    /// The dependence of `specification` beside `machine`. Returns `None` if it takes too much
    /// memory.
    pub(super) fn new(
        specification: &NormalForm,
        machine: &Machine,
        token: &Cancellation,
    ) -> Result<Option<Self>> {
        let VisibleRules {
            visible,
            events,
            rules,
        } = VisibleRules::new(machine);
        let all = |set: &FixedBitSet| -> RuleSet {
            let rules = set.ones().flat_map(|event| rules[event].iter().copied());
            let mut rules: Vec<RuleId> = rules.collect();
            rules.sort_unstable();
            RuleSet::of(rules)
        };
        let Some(steps) = SpecificationSteps::new(specification, &visible, token)? else {
            return Ok(None);
        };
        let visible_rules: usize = rules.iter().map(Vec::len).sum();
        let words = 1 + (visible_rules + visible.len()) / 64;
        let Some(moving) = steps.moving(MOST_ENTRIES / words, token)? else {
            return Ok(None);
        };
        let is_small = visible_rules.saturating_mul(visible.len()) <= MOST_ENTRIES;
        let dependent = match is_small {
            true => steps.dependent(token)?,
            false => None,
        };
        let mut anywhere = FixedBitSet::with_capacity(visible.len());
        moving.sets.iter().for_each(|set| anywhere.union_with(set));
        let meets_all = |&event: &usize| match &dependent {
            Some(dependent) => anywhere.is_subset(&dependent[event]),
            None => true,
        };
        let meets_all_movers = (0..visible.len()).filter(meets_all).collect();
        let dependents = match dependent {
            Some(dependent) => dependent.iter().map(all).collect(),
            None => vec![all(&(0..visible.len()).collect())],
        };
        let sets: Vec<RuleSet> = moving.sets.iter().map(all).collect();
        let mut by_state = moving.rows.iter().map(|&set| sets[set.index()].clone());
        let Some(movers) = RuleRows::new(&mut by_state, &mut { MOST_ENTRIES }) else {
            return Ok(None);
        };
        Ok(Some(Self {
            dependents,
            event_count: visible.len(),
            movers,
            meets_all_movers,
            events,
        }))
    }

    /// The number of the event of `rule`; `None` for τ.
    #[inline]
    pub(super) fn event(&self, rule: RuleId) -> Option<usize> {
        let event = self.events[rule.index()];
        (event != NO_EVENT).then_some(event as usize)
    }

    /// The number of events, without τ.
    pub(super) fn event_count(&self) -> usize {
        self.event_count
    }

    /// The rules with events that do not commute with the event of this number, its own among them.
    #[inline]
    pub(super) fn dependents(&self, event: usize) -> &RuleSet {
        self.dependents.get(event).unwrap_or(&self.dependents[0])
    }

    /// The rules that take the specification from `state` to another.
    #[inline]
    pub(super) fn movers(&self, state: StateId) -> &RuleSet {
        self.movers.of(state.0)
    }

    /// True if all events that take the specification from any state to another depend on the event
    /// of `rule`.
    pub(super) fn meets_all_movers(&self, rule: RuleId) -> bool {
        self.event(rule)
            .is_some_and(|event| self.meets_all_movers.contains(event))
    }
}

/// The visible events of a machine, ✓ among them, and the rules with them.
struct VisibleRules {
    /// The events, ascending; an event's number is its place here.
    visible: Vec<EventId>,
    /// By rule, the number of its event; [`NO_EVENT`] for τ.
    events: Vec<u32>,
    /// By event, its rules, ascending.
    rules: Vec<Vec<RuleId>>,
}

impl VisibleRules {
    fn new(machine: &Machine) -> Self {
        let mut visible: Vec<EventId> = machine.rules.iter().map(|rule| rule.result).collect();
        visible.sort_unstable();
        visible.dedup();
        visible.retain(|&event| event != TAU);
        let number = |event: EventId| match visible.binary_search(&event) {
            Ok(number) => number as u32,
            Err(_) => NO_EVENT,
        };
        let events: Vec<u32> = machine.rules.iter().map(|r| number(r.result)).collect();
        let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); visible.len()];
        for (rule, &event) in events.iter().enumerate() {
            if event != NO_EVENT {
                rules[event as usize].push(RuleId::from_usize(rule));
            }
        }
        Self {
            visible,
            events,
            rules,
        }
    }
}
