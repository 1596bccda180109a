//! The sets of states in which a specification can be after a trace, made as they are met.

use rustc_hash::{FxHashMap, FxHashSet};

use base::cancel::Cancellation;
use base::define_index;
use base::diag::Result;
use base::index::TypedIndex;
use lts::graph::{Lts, StateId};
use lts::tau::divergent_states;
use process::event::{EventId, TAU};

define_index! {
    /// A set of states of the specification: all in which it can be after some trace.
    SetId,
}

/// A specification, and the sets of its states that were met.
#[derive(Debug)]
pub(crate) struct KnownSets {
    lts: Lts,
    /// For each state, true if it can do τ for ever.
    diverges: Vec<bool>,
    /// The states of each set, ascending.
    sets: Vec<Vec<StateId>>,
    numbers: FxHashMap<Vec<StateId>, SetId>,
    /// The set after an event; `None` if no state of the set can do it.
    after: FxHashMap<(SetId, EventId), Option<SetId>>,
    /// The states of all sets together.
    members: usize,
}

impl KnownSets {
    /// The set after no event.
    pub(crate) const START: SetId = SetId(0);

    /// The set of the states of `lts` after no event.
    pub(crate) fn of(lts: Lts, token: &Cancellation) -> Result<Self> {
        let mut known = Self {
            diverges: divergent_states(&lts, token)?,
            lts,
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            after: FxHashMap::default(),
            members: 0,
        };
        known.closed(vec![Lts::INITIAL], token)?;
        Ok(known)
    }

    /// The specification.
    pub(crate) fn system(&self) -> &Lts {
        &self.lts
    }

    /// The states of `set`, ascending.
    pub(crate) fn states(&self, set: SetId) -> &[StateId] {
        &self.sets[set.index()]
    }

    /// The states of all sets together.
    pub(crate) fn members(&self) -> usize {
        self.members
    }

    /// The set after `event`, which is visible or ✓; `None` if no state of `set` can do it.
    pub(crate) fn after(
        &mut self,
        set: SetId,
        event: EventId,
        token: &Cancellation,
    ) -> Result<Option<SetId>> {
        if let Some(&known) = self.after.get(&(set, event)) {
            return Ok(known);
        }
        let mut targets = Vec::new();
        for &state in self.states(set) {
            token.look(1)?;
            targets.extend(self.targets(state, event));
        }
        let after = match targets.is_empty() {
            true => None,
            false => Some(self.closed(targets, token)?),
        };
        self.after.insert((set, event), after);
        Ok(after)
    }

    /// The set after `event` if that was asked before.
    pub(crate) fn known_after(&self, set: SetId, event: EventId) -> Option<SetId> {
        self.after.get(&(set, event)).copied().flatten()
    }

    /// True if `state` can do `event`.
    pub(crate) fn can_do(&self, state: StateId, event: EventId) -> bool {
        self.targets(state, event).next().is_some()
    }

    /// True if `state` is at rest and offers no more than `offers`, which is ascending.
    pub(crate) fn rests_within(&self, state: StateId, offers: &[EventId]) -> bool {
        let own = self.lts.acceptance(state);
        own.is_some_and(|own| process::acceptance::is_subset(&own, offers))
    }

    /// True if `state` can do τ for ever.
    pub(crate) fn can_diverge(&self, state: StateId) -> bool {
        self.diverges[state.index()]
    }

    /// True if a state of `set` can do τ for ever.
    pub(crate) fn set_can_diverge(&self, set: SetId) -> bool {
        self.states(set)
            .iter()
            .any(|&state| self.can_diverge(state))
    }

    fn targets(&self, state: StateId, event: EventId) -> impl Iterator<Item = StateId> + '_ {
        let row = self.lts.row(state);
        let steps = row[row.partition_point(|&(label, _)| label < event)..].iter();
        let steps = steps.take_while(move |&&(label, _)| label == event);
        steps.map(|&(_, target)| target)
    }

    /// The set of all states that `open` can become by τ.
    fn closed(&mut self, mut open: Vec<StateId>, token: &Cancellation) -> Result<SetId> {
        let mut seen = FxHashSet::default();
        let mut states = Vec::new();
        while let Some(state) = open.pop() {
            token.look(1)?;
            if seen.insert(state) {
                states.push(state);
                open.extend(self.targets(state, TAU));
            }
        }
        token.sort(&mut states)?;
        if let Some(&known) = self.numbers.get(&states) {
            return Ok(known);
        }
        let number = SetId::from_usize(self.sets.len());
        self.members += states.len();
        self.sets.push(states.clone());
        self.numbers.insert(states, number);
        Ok(number)
    }
}
