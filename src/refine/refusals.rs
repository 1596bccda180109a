//! The refusals that a specification allows a machine and, in the finer models, what it may do from
//! a rest.

use crate::offence::Offence;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use lts::graph::StateId;
use lts::normal_form::NormalForm;
use process::acceptance::is_subset;
use process::event::{EventId, TAU};

/// The demands of a specification, by state, on the offers of a machine that comes to rest.
pub(super) struct Refusals {
    demands: IndexVec<StateId, Demand>,
    /// The number of events, which are numbered from 0.
    event_count: usize,
    /// True if each event that is offered has to be in one of the sets.
    sees_revivals: bool,
}

/// The demand on the offers of a machine that comes to rest: all events of one of these sets must
/// be among them. Where revivals count, the offers must be a union of these sets.
#[derive(Default)]
struct Demand {
    /// True if the empty set is one of the sets.
    may_offer_nothing: bool,
    /// By event, true if the event alone is one of the sets: in specifications such as deadlock
    /// freedom there are many of these.
    singles: Vec<bool>,
    has_singles: bool,
    /// The other sets.
    sets: Vec<Box<[EventId]>>,
}

impl Refusals {
    /// The refusals of `specification`, for machines whose events are below `event_count`.
    pub(super) fn new(
        specification: &NormalForm,
        event_count: usize,
        token: &Cancellation,
    ) -> Result<Self> {
        let states = (0..specification.state_count()).map(StateId::from_usize);
        let sees_revivals = specification.model().sees_revivals();
        let demand = |state| {
            let sets = match sees_revivals {
                true => specification.rests(state),
                // Where everything may be refused, nothing need be offered.
                false => (specification.acceptances(state)).unwrap_or_else(|| vec![Vec::new()]),
            };
            token.look(1 + sets.iter().map(|set| 1 + set.len()).sum::<usize>())?;
            let mut demand = Demand::default();
            for set in sets {
                match set[..] {
                    [] => demand.may_offer_nothing = true,
                    [event] => demand.single(event, event_count),
                    _ => demand.sets.push(set.into()),
                }
            }
            Ok(demand)
        };
        let demands = states.map(demand).collect::<Result<Vec<_>>>()?;
        Ok(Self {
            demands: demands.into_iter().collect(),
            event_count,
            sees_revivals,
        })
    }

    /// The offences of a state that comes to rest with `offers`, ascending: the rest itself, or the
    /// events that the state must not do from there.
    pub(super) fn offences(&self, specification: StateId, offers: &[EventId]) -> Vec<Offence> {
        let demand = &self.demands[specification];
        let inside = demand.sets.iter().filter(|set| is_subset(set, offers));
        let inside: Vec<_> = inside.collect();
        let has_single = |event: &&EventId| demand.has_single(**event);
        if !demand.may_offer_nothing && inside.is_empty() && !offers.iter().any(|e| has_single(&e))
        {
            return vec![Offence::Refusal];
        }
        if !self.sees_revivals {
            return Vec::new();
        }
        let is_in_set =
            |event: &&EventId| inside.iter().any(|set| set.binary_search(event).is_ok());
        let wrong = offers
            .iter()
            .filter(|event| !has_single(event) && !is_in_set(event));
        wrong.map(|&event| Offence::Revival(event)).collect()
    }
}

impl Demand {
    fn single(&mut self, event: EventId, event_count: usize) {
        self.has_singles = true;
        self.singles.resize(event_count, false);
        // An event that the machine cannot do is no help to it.
        if let Some(single) = self.singles.get_mut(event.index()) {
            *single = true;
        }
    }

    #[inline]
    fn has_single(&self, event: EventId) -> bool {
        self.has_singles && self.singles[event.index()]
    }
}

/// The offers of one state of the machine, gathered while its transitions are listed.
pub(super) struct Offer {
    /// By event, the last state that offered it.
    offered_by: Vec<u32>,
    state: u32,
    has_tau: bool,
    /// True if an event offered is one of the sets alone.
    has_single: bool,
    /// The events offered that are no sets alone, where revivals count.
    others: Vec<EventId>,
}

impl Offer {
    /// An empty offer.
    pub(super) fn new(refusals: &Refusals) -> Self {
        Self {
            offered_by: vec![0; refusals.event_count],
            state: 0,
            has_tau: false,
            has_single: false,
            others: Vec::new(),
        }
    }

    /// Begins the offer of a new state.
    #[inline]
    pub(super) fn clear(&mut self) {
        // `offered_by` is cleared only when the numbers of states begin anew.
        if self.state == u32::MAX {
            self.offered_by.fill(0);
            self.state = 0;
        }
        self.state += 1;
        (self.has_tau, self.has_single) = (false, false);
        self.others.clear();
    }

    /// Adds `event`, which the state can do.
    #[inline]
    pub(super) fn add(&mut self, event: EventId, refusals: &Refusals, specification: StateId) {
        if event == TAU {
            self.has_tau = true;
        } else {
            let is_single = refusals.demands[specification].has_single(event);
            self.has_single |= is_single;
            self.offered_by[event.index()] = self.state;
            if refusals.sees_revivals && !is_single {
                self.others.push(event);
            }
        }
    }

    /// True if the state can do τ.
    #[inline]
    pub(super) fn has_tau(&self) -> bool {
        self.has_tau
    }

    /// True if the specification allows what the state refuses: nothing if it can do τ, else every
    /// event that it cannot do. Where revivals count, the events that it does then have to be
    /// allowed too.
    #[inline]
    pub(super) fn is_allowed(&self, refusals: &Refusals, specification: StateId) -> bool {
        let demand = &refusals.demands[specification];
        if refusals.sees_revivals {
            return self.has_tau || self.is_union(demand);
        }
        demand.may_offer_nothing
            || self.has_tau
            || self.has_single
            || demand.sets.iter().any(|set| self.offers_all(set))
    }

    /// True if all that is offered is a union of the sets.
    fn is_union(&self, demand: &Demand) -> bool {
        if self.others.is_empty() {
            return self.has_single || demand.may_offer_nothing;
        }
        let inside = |event: &EventId| {
            let mut sets = demand.sets.iter();
            sets.any(|set| set.binary_search(event).is_ok() && self.offers_all(set))
        };
        self.others.iter().all(inside)
    }

    fn offers_all(&self, set: &[EventId]) -> bool {
        let is_offered = |event: &EventId| {
            // Events that the machine never does may lie beyond the list.
            let by = self.offered_by.get(event.index());
            by == Some(&self.state)
        };
        set.iter().all(is_offered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::testing::asked;
    use lts::model::Model;
    use process::termination::Termination;

    #[test]
    fn demands_are_gathered_as_long_as_there_is_time() {
        let events: Vec<EventId> = (2..1002).map(EventId).collect();
        let any = NormalForm::deadlock_free(&events, Model::Failures, Termination::Event);
        assert!(asked(|token| Refusals::new(&any, 1002, token)) >= 2 * 1000 / 64);
    }
}
