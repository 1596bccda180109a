//! What the specification lets a machine refuse.

use crate::base::index::{IndexVec, TypedIndex};
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::lts::normal_form::NormalForm;
use crate::process::acceptance::is_subset;
use crate::process::event::{EventId, TAU};

/// By state of a specification, what has to be offered by a machine that comes to rest.
pub(super) struct Refusals {
    demands: IndexVec<StateId, Demand>,
    /// How many events there are, from 0.
    event_count: usize,
}

/// What a machine that comes to rest must offer: one of these acceptances.
#[derive(Default)]
struct Demand {
    /// False if everything may be refused.
    is_free: bool,
    /// By event, whether it suffices alone: in specifications such as deadlock freedom there are
    /// many of these.
    singles: Vec<bool>,
    has_singles: bool,
    /// The other minimal acceptances.
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
        let demand = |state| {
            let acceptances = specification.acceptances(state);
            let sets = acceptances.as_deref().unwrap_or_default();
            token.look(1 + sets.iter().map(|set| 1 + set.len()).sum::<usize>())?;
            let mut demand = Demand {
                is_free: acceptances.is_none(),
                ..Demand::default()
            };
            for set in acceptances.unwrap_or_default() {
                match set[..] {
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
        })
    }

    /// Whether a state that comes to rest with `offers`, ascending, is allowed.
    pub(super) fn allow(&self, specification: StateId, offers: &[EventId]) -> bool {
        let demand = &self.demands[specification];
        demand.is_free
            || offers.iter().any(|&event| demand.has_single(event))
            || demand.sets.iter().any(|set| is_subset(set, offers))
    }
}

impl Demand {
    fn single(&mut self, event: EventId, event_count: usize) {
        self.has_singles = true;
        self.singles.resize(event_count, false);
        // What the machine cannot do is no help to it.
        if let Some(single) = self.singles.get_mut(event.index()) {
            *single = true;
        }
    }

    #[inline]
    fn has_single(&self, event: EventId) -> bool {
        self.has_singles && self.singles[event.index()]
    }
}

/// What one state of the machine offers, gathered while its transitions are listed.
pub(super) struct Offer {
    /// By event, the last state that offered it.
    offered_by: Vec<u32>,
    state: u32,
    has_tau: bool,
    has_single: bool,
}

impl Offer {
    /// Nothing gathered yet.
    pub(super) fn new(refusals: &Refusals) -> Self {
        Self {
            offered_by: vec![0; refusals.event_count],
            state: 0,
            has_tau: false,
            has_single: false,
        }
    }

    /// Of a new state.
    #[inline]
    pub(super) fn clear(&mut self) {
        // `offered_by` is cleared only when the numbers of states begin anew.
        if self.state == u32::MAX {
            self.offered_by.fill(0);
            self.state = 0;
        }
        self.state += 1;
        (self.has_tau, self.has_single) = (false, false);
    }

    /// The state can do `event`.
    #[inline]
    pub(super) fn add(&mut self, event: EventId, refusals: &Refusals, specification: StateId) {
        if event == TAU {
            self.has_tau = true;
        } else {
            self.has_single |= refusals.demands[specification].has_single(event);
            self.offered_by[event.index()] = self.state;
        }
    }

    /// Whether the state can do τ.
    #[inline]
    pub(super) fn has_tau(&self) -> bool {
        self.has_tau
    }

    /// Whether what the state refuses is allowed. It refuses nothing if it can do τ, else every
    /// event that it cannot do.
    #[inline]
    pub(super) fn is_allowed(&self, refusals: &Refusals, specification: StateId) -> bool {
        let demand = &refusals.demands[specification];
        let is_offered = |event: &EventId| {
            // Events that the machine never does may lie beyond the list.
            let by = self.offered_by.get(event.index());
            by == Some(&self.state)
        };
        demand.is_free
            || self.has_tau
            || self.has_single
            || demand.sets.iter().any(|set| set.iter().all(is_offered))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::tests::asked;
    use crate::lts::model::Model;
    use crate::process::termination::Termination;

    #[test]
    fn demands_are_gathered_as_long_as_there_is_time() {
        let events: Vec<EventId> = (2..1002).map(EventId).collect();
        let any = NormalForm::deadlock_free(&events, Model::Failures, Termination::Event);
        assert!(asked(|token| Refusals::new(&any, 1002, token)) >= 2 * 1000 / 64);
    }
}
