//! Which events get in each other's way in a specification, and which take it to another state.

use fixedbitset::FixedBitSet;

use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::lts::normal_form::NormalForm;
use crate::machine::rule_sets::{RuleRows, RuleSet};
use crate::machine::{Machine, RuleId};
use crate::process::event::{EventId, TAU};

/// The specification as one more leaf, in which each event is possible in each state: what it does
/// not allow takes it to a state of its own, [`BAD`].
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
    /// By event, whether each pair of it and an event that moves the specification anywhere is
    /// dependent.
    meets_all_movers: FixedBitSet,
}

/// Of τ.
const NO_EVENT: u32 = u32::MAX;

/// Where the specification is after an event that it does not allow, and stays.
const BAD: u32 = u32::MAX;

/// Where it is after an event after which it allows everything, and stays.
const FREE: u32 = u32::MAX - 1;

/// More entries of tables are not made.
const MOST_ENTRIES: usize = 1 << 23;

/// If comparing events takes more steps, all are taken to be dependent.
const MOST_COMPARED: usize = 1 << 24;

impl Dependence {
    /// Of `specification` beside `machine`. Returns `None` if that takes too much memory.
    pub(super) fn new(
        specification: &NormalForm,
        machine: &Machine,
        token: &Cancellation,
    ) -> Result<Option<Self>> {
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
        let states = specification.state_count();
        let visible_rules: usize = rules.iter().map(Vec::len).sum();
        if states.saturating_mul(visible_rules) > MOST_ENTRIES {
            return Ok(None);
        }
        let steps = SpecificationSteps::new(specification, &visible, token)?;
        let pairs = visible.len().saturating_mul(visible.len());
        let is_too_much = pairs.saturating_mul(states) > MOST_COMPARED
            || visible_rules.saturating_mul(visible.len()) > MOST_ENTRIES;
        let dependent = match is_too_much {
            true => Vec::new(),
            false => steps.dependent(token)?,
        };
        let all = |set: &FixedBitSet| -> RuleSet {
            let rules = set.ones().flat_map(|event| rules[event].iter().copied());
            let mut rules: Vec<RuleId> = rules.collect();
            rules.sort_unstable();
            RuleSet::of(rules)
        };
        let moving = (0..states).map(|state| steps.movers(state));
        let moving: Vec<FixedBitSet> = moving.collect();
        let mut anywhere = FixedBitSet::with_capacity(visible.len());
        moving.iter().for_each(|set| anywhere.union_with(set));
        let is_met = |event: &usize| is_too_much || anywhere.is_subset(&dependent[*event]);
        let meets_all_movers = (0..visible.len()).filter(is_met).collect();
        let dependents = match is_too_much {
            true => vec![all(&(0..visible.len()).collect())],
            false => dependent.iter().map(all).collect(),
        };
        let Some(movers) = RuleRows::new(&mut moving.iter().map(all), &mut { MOST_ENTRIES }) else {
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

    /// How many events there are, without τ.
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

    /// Whether all events that take the specification from any state to another depend on the event
    /// of `rule`.
    pub(super) fn meets_all_movers(&self, rule: RuleId) -> bool {
        self.event(rule)
            .is_some_and(|event| self.meets_all_movers.contains(event))
    }
}

/// What each event does in each state.
struct SpecificationSteps {
    /// By state and event, the next state, [`BAD`] or [`FREE`].
    next: Vec<u32>,
    events: usize,
    /// The states in which not everything is allowed: the others are never met by a search.
    states: Vec<u32>,
}

impl SpecificationSteps {
    fn new(specification: &NormalForm, events: &[EventId], token: &Cancellation) -> Result<Self> {
        let mut next = Vec::with_capacity(specification.state_count() * events.len());
        let all = (0..specification.state_count()).map(StateId::from_usize);
        for state in all.clone() {
            token.look(1 + events.len())?;
            next.extend(
                events
                    .iter()
                    .map(|&event| match specification.successor(state, event) {
                        None => BAD,
                        Some(next) if specification.is_divergent(next) => FREE,
                        Some(next) => next.0,
                    }),
            );
        }
        let states = all.filter(|&state| !specification.is_divergent(state));
        Ok(Self {
            next,
            events: events.len(),
            states: states.map(|state| state.0).collect(),
        })
    }

    fn after(&self, state: u32, event: usize) -> u32 {
        match state {
            BAD | FREE => state,
            state => self.next[state as usize * self.events + event],
        }
    }

    /// The events that take the specification from `state` to another.
    fn movers(&self, state: usize) -> FixedBitSet {
        let state = state as u32;
        let mut movers = FixedBitSet::with_capacity(self.events);
        movers.extend((0..self.events).filter(|&event| self.after(state, event) != state));
        movers
    }

    /// By event, those that do not commute with it in some state, and itself.
    fn dependent(&self, token: &Cancellation) -> Result<Vec<FixedBitSet>> {
        let mut dependent = vec![FixedBitSet::with_capacity(self.events); self.events];
        for event in 0..self.events {
            dependent[event].insert(event);
            for other in 0..event {
                let differs = |&state: &u32| {
                    self.after(self.after(state, event), other)
                        != self.after(self.after(state, other), event)
                };
                if self.states.iter().any(differs) {
                    dependent[event].insert(other);
                    dependent[other].insert(event);
                }
            }
            token.look(1 + event * self.states.len())?;
        }
        Ok(dependent)
    }
}
