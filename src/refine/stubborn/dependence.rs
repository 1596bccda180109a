//! Which events get in each other's way in a specification, and which take it to another state.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use crate::base::index::TypedIndex;
use crate::base::interner::Interner;
use crate::cancel::Cancellation;
use crate::define_index;
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

/// If more pairs of events would have to be compared, all are taken to be dependent: comparing takes
/// some 5 ns a pair, and beside so large a specification most events are visible, so that little is
/// gained.
const MOST_COMPARED: usize = 1 << 22;

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
        let is_small = visible_rules.saturating_mul(visible.len()) <= MOST_ENTRIES;
        let dependent = match is_small {
            true => steps.dependent(token)?,
            false => None,
        };
        let moving = steps.moving(token)?;
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
    /// By state, the allowed events, ascending, each with the next state or [`FREE`].
    rows: Vec<Range<u32>>,
    steps: Vec<(u32, u32)>,
    events: usize,
    /// The states in which everything is allowed: they are never met by a search.
    free: FixedBitSet,
}

define_index! {
    /// One of the different sets of events that move the specification.
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    MoversId,
}

/// The events that move the specification.
struct MovingEvents {
    /// By state.
    rows: Vec<MoversId>,
    sets: Interner<MoversId, FixedBitSet>,
}

impl SpecificationSteps {
    /// Of these events, which are ascending. Returns `None` if that takes too much memory.
    fn new(
        specification: &NormalForm,
        events: &[EventId],
        token: &Cancellation,
    ) -> Result<Option<Self>> {
        let states = || (0..specification.state_count()).map(StateId::from_usize);
        let is_free = |state: &StateId| specification.is_divergent(*state);
        let mut steps = Self {
            rows: Vec::with_capacity(specification.state_count()),
            steps: Vec::new(),
            events: events.len(),
            free: states().filter(is_free).map(StateId::index).collect(),
        };
        for state in states() {
            let row = specification.row(state);
            token.look(1 + row.len())?;
            let start = steps.steps.len();
            for &(event, next) in row {
                if let Ok(event) = events.binary_search(&event) {
                    let next = match steps.free.contains(next.index()) {
                        true => FREE,
                        false => next.0,
                    };
                    steps.steps.push((event as u32, next));
                }
            }
            if steps.steps.len() > MOST_ENTRIES {
                return Ok(None);
            }
            steps.rows.push(start as u32..steps.steps.len() as u32);
        }
        Ok(Some(steps))
    }

    /// The allowed events of a state of the specification.
    fn row(&self, state: u32) -> &[(u32, u32)] {
        let Range { start, end } = self.rows[state as usize];
        &self.steps[start as usize..end as usize]
    }

    fn after(&self, state: u32, event: u32) -> u32 {
        if matches!(state, BAD | FREE) {
            return state;
        }
        let row = self.row(state);
        let found = row.binary_search_by_key(&event, |&(event, _)| event);
        found.map_or(BAD, |at| row[at].1)
    }

    /// The events that take the specification from each state to another: those that it refuses,
    /// and of the allowed ones those that do not lead back.
    fn moving(&self, token: &Cancellation) -> Result<MovingEvents> {
        let mut moving = MovingEvents {
            rows: Vec::with_capacity(self.rows.len()),
            sets: Interner::new(),
        };
        let mut all = FixedBitSet::with_capacity(self.events);
        all.insert_range(..);
        for state in 0..self.rows.len() as u32 {
            let row = self.row(state);
            token.look(1 + row.len() + self.events / 64)?;
            let mut movers = all.clone();
            for &(event, _) in row.iter().filter(|&&(_, next)| next == state) {
                movers.remove(event as usize);
            }
            moving.rows.push(moving.sets.intern(movers));
        }
        Ok(moving)
    }

    /// By event, those that do not commute with it in some state, and itself. Returns `None` if
    /// that takes too long.
    fn dependent(&self, token: &Cancellation) -> Result<Option<Vec<FixedBitSet>>> {
        let pairs = self.rows.iter().map(|row| row.len() * row.len());
        if pairs.fold(0, usize::saturating_add) > MOST_COMPARED {
            return Ok(None);
        }
        let mut dependent = vec![FixedBitSet::with_capacity(self.events); self.events];
        let mut differ = |one: u32, other: u32| {
            dependent[one as usize].insert(other as usize);
            dependent[other as usize].insert(one as usize);
        };
        (0..self.events as u32).for_each(|event| differ(event, event));
        let is_met = |state: &u32| !self.free.contains(*state as usize);
        for state in (0..self.rows.len() as u32).filter(is_met) {
            token.look(1 + self.compare_at(state, &mut differ))?;
        }
        Ok(Some(dependent))
    }

    /// Reports the pairs of events whose two orders lead from `state` to different states. Returns
    /// how many pairs were looked at. Two events that are refused there need not be: both orders
    /// lead to [`BAD`].
    fn compare_at(&self, state: u32, differ: &mut dyn FnMut(u32, u32)) -> usize {
        let row = self.row(state);
        let mut compared = 0;
        for (at, &(event, next)) in row.iter().enumerate() {
            for &(other, next_by_other) in &row[..at] {
                if self.after(next, other) != self.after(next_by_other, event) {
                    differ(event, other);
                }
            }
            // An event that is refused here differs from this one if it is allowed after it.
            let mut compare = |other: u32| {
                compared += 1;
                if self.after(state, other) == BAD {
                    differ(event, other);
                }
            };
            match next {
                FREE => (0..self.events as u32).for_each(compare),
                next if next == state => {}
                next => self.row(next).iter().for_each(|step| compare(step.0)),
            }
            compared += 1 + at;
        }
        compared
    }
}
