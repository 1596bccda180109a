//! The effect of a machine's events on the states of the specification: the events that move it,
//! and those that do not commute.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use base::cancel::Cancellation;
use base::define_index;
use base::diag::Result;
use base::index::TypedIndex;
use base::interner::Interner;
use lts::graph::StateId;
use lts::normal_form::NormalForm;
use process::event::EventId;

/// The state of the specification after an event that it does not allow, which it never leaves.
const BAD: u32 = u32::MAX;

/// The state of the specification after an event after which it allows everything, and which it
/// never leaves.
const FREE: u32 = u32::MAX - 1;

/// The most allowed events that are listed: 8 bytes each.
const MOST_STEPS: usize = 1 << 23;

/// The most pairs of events that are compared; if there are more, all are taken to be dependent.
/// Comparing takes some 3 ns a pair, and beside so large a specification most events are visible,
/// so that little is gained.
const MOST_COMPARED: usize = 1 << 23;

/// The effect of each event in each state of a specification.
pub(super) struct SpecificationSteps {
    /// By state, the range of its part of `steps`.
    rows: Vec<Range<u32>>,
    /// The allowed events of each state, ascending, each with the next state or [`FREE`].
    steps: Vec<(u32, u32)>,
    /// The number of events, allowed or not.
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
pub(super) struct MovingEvents {
    /// By state, the number of its set.
    pub(super) rows: Vec<MoversId>,
    pub(super) sets: Interner<MoversId, FixedBitSet>,
}

impl SpecificationSteps {
    /// The steps by these events, which are ascending. Returns `None` if they take too much memory.
    pub(super) fn new(
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
            if steps.steps.len() > MOST_STEPS {
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

    /// The state after `event` in `state`; both states may be [`BAD`] or [`FREE`].
    fn after(&self, state: u32, event: u32) -> u32 {
        if matches!(state, BAD | FREE) {
            return state;
        }
        let row = self.row(state);
        let found = row.binary_search_by_key(&event, |&(event, _)| event);
        found.map_or(BAD, |at| row[at].1)
    }

    /// The events that take the specification from each state to another: those that it refuses,
    /// and of the allowed ones those that do not lead back. Returns `None` if there are more than
    /// `most` different sets of them.
    pub(super) fn moving(&self, most: usize, token: &Cancellation) -> Result<Option<MovingEvents>> {
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
            if moving.sets.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(moving))
    }

    /// By event, itself and the events that do not commute with it in some state. Returns `None` if
    /// finding them takes too long.
    pub(super) fn dependent(&self, token: &Cancellation) -> Result<Option<Vec<FixedBitSet>>> {
        let states = 0..self.rows.len() as u32;
        let pairs = states.clone().map(|state| self.pairs_at(state));
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
        for state in states.filter(is_met) {
            token.look(1 + self.pairs_at(state))?;
            self.compare_at(state, &mut differ);
        }
        Ok(Some(dependent))
    }

    /// The most pairs of events that `compare_at` looks at.
    fn pairs_at(&self, state: u32) -> usize {
        let row = self.row(state);
        let of_step = |&(_, next): &(u32, u32)| match next {
            FREE => row.len() + self.events,
            next => row.len() + self.row(next).len(),
        };
        row.iter().map(of_step).sum()
    }

    /// Reports the pairs of events whose two orders lead from `state` to different states. Two
    /// events that are refused there are not looked at: both orders lead to [`BAD`].
    fn compare_at(&self, state: u32, differ: &mut dyn FnMut(u32, u32)) {
        let row = self.row(state);
        for (at, &(event, next)) in row.iter().enumerate() {
            for &(other, next_by_other) in &row[..at] {
                if self.after(next, other) != self.after(next_by_other, event) {
                    differ(event, other);
                }
            }
            // An event that is allowed after `event` does not commute with it if `state` refuses
            // it.
            let mut compare = |other: u32| {
                if self.after(state, other) == BAD {
                    differ(event, other);
                }
            };
            match next {
                FREE => (0..self.events as u32).for_each(compare),
                next if next == state => {}
                next => self.row(next).iter().for_each(|step| compare(step.0)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::model::Model;
    use lts::normal_form::NormalState;
    use testkit::random::RandomNumbers;

    const EVENTS: u32 = 5;

    /// A specification of at most six states, of which some diverge.
    fn specification(seed: u64) -> NormalForm {
        let mut random = RandomNumbers(seed);
        let count = 1 + random.below(6);
        let mut state = |number: usize| {
            let is_divergent = number > 0 && random.below(5) == 0;
            let mut row = Vec::new();
            for event in (0..EVENTS).map(event).filter(|_| !is_divergent) {
                match random.below(3) {
                    0 => {}
                    1 => row.push((event, StateId::from_usize(number))),
                    _ => row.push((event, StateId::from_usize(random.below(count)))),
                }
            }
            NormalState {
                row,
                acceptances: Vec::new(),
                after_rests: Vec::new(),
                is_divergent,
            }
        };
        let states = (0..count).map(&mut state).collect();
        NormalForm::new(Model::FailuresDivergences, states)
    }

    fn event(number: u32) -> EventId {
        EventId(10 + number)
    }

    /// The state that an event leads to, as the definition says.
    fn next(specification: &NormalForm, state: u32, number: u32) -> u32 {
        if matches!(state, BAD | FREE) {
            return state;
        }
        match specification.successor(StateId(state), event(number)) {
            None => BAD,
            Some(next) if specification.is_divergent(next) => FREE,
            Some(next) => next.0,
        }
    }

    #[test]
    fn what_depends_and_what_moves_is_what_the_definitions_say() {
        let (mut dependent_pairs, mut free) = (0, 0);
        for seed in 0..2000 {
            let specification = specification(seed);
            let visible: Vec<EventId> = (0..EVENTS).map(event).collect();
            let token = Cancellation::never();
            let steps = SpecificationSteps::new(&specification, &visible, token);
            let steps = steps.unwrap().unwrap();
            let dependent = steps.dependent(token).unwrap().unwrap();
            let moving = steps.moving(1000, token).unwrap().unwrap();
            let states = 0..specification.state_count() as u32;
            let met = states.filter(|&state| !specification.is_divergent(StateId(state)));
            let met: Vec<u32> = met.collect();
            free += specification.state_count() - met.len();
            for one in 0..EVENTS {
                for other in 0..EVENTS {
                    let differs = |&state: &u32| {
                        let after = |state, event| next(&specification, state, event);
                        after(after(state, one), other) != after(after(state, other), one)
                    };
                    let depends = one == other || met.iter().any(differs);
                    let found = dependent[one as usize].contains(other as usize);
                    assert_eq!(found, depends, "{one} and {other}, seed {seed}");
                    dependent_pairs += usize::from(depends);
                }
                for &state in &met {
                    let moves = next(&specification, state, one) != state;
                    let set = &moving.sets[moving.rows[state as usize]];
                    assert_eq!(
                        set.contains(one as usize),
                        moves,
                        "{one} in {state}, {seed}"
                    );
                }
            }
        }
        assert!(free > 300, "{free}");
        assert!(
            (15_000..48_000).contains(&dependent_pairs),
            "{dependent_pairs}"
        );
    }
}
