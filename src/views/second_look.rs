//! A second look at a possible violation, with other identities in sight that certainly exist.
//!
//! One of the states with these identities in sight is the true one. If none of them refuses the
//! event, the instance does not refuse it.

use std::cell::Cell;

use super::closure::ViewClosure;
use super::model::Partial;
use super::newcomer::{Newcomer, SetPlace, sets_of};
use super::scene::EventNumber;
use super::value::{IdMap, IdRenaming, IdSet, OutOfSight};
use base::diag::Result;

/// The identities that are brought into sight before a violation is believed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brought {
    /// Identities that servers name, and members of sets that servers remember.
    Remembered,
    /// The neighbours in the ring of the identities that the event names.
    Neighbours,
}

/// The number of identities that are brought into sight before a violation is believed.
const MOST_BROUGHT: usize = 2;

impl ViewClosure<'_> {
    /// True if the specification may refuse `event` even if more identities come into sight that
    /// are known to exist.
    pub(super) fn fails(&mut self, state: &Partial, event: EventNumber) -> Result<bool> {
        for brought in [Brought::Neighbours, Brought::Remembered] {
            if !self.fails_with(state, self.joined, event, brought, MOST_BROUGHT)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if `event` may be refused in `state` with at most `left` more identities in sight.
    fn fails_with(
        &mut self,
        state: &Partial,
        count: usize,
        event: EventNumber,
        brought: Brought,
        left: usize,
    ) -> Result<bool> {
        let Some(newcomer) = self.newcomer(state, event, brought).filter(|_| left > 0) else {
            return Ok(true);
        };
        let mut cases = Vec::new();
        if let Newcomer::Member(place) = newcomer {
            // The set may also have no member out of sight.
            cases.push((self.without_others(state, place), count, left));
        }
        let longer = self.extended(state, count, newcomer).into_iter();
        cases.extend(longer.map(|longer| (longer, count + 1, left - 1)));
        for (case, count, left) in cases {
            self.most_seen = self.most_seen.max(count);
            if self.refuses(&case, event)? && self.fails_with(&case, count, event, brought, left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The next identity to bring into sight.
    fn newcomer(&self, state: &Partial, event: EventNumber, brought: Brought) -> Option<Newcomer> {
        if brought == Brought::Neighbours {
            let neighbour = self.model.neighbour_of(state, event);
            return neighbour.map(|(id, side)| Newcomer::Neighbour(id, side));
        }
        // The specification, which decides if an event is refused, is the last server.
        (0..self.model.servers).rev().find_map(|server| {
            let remembered = &self.model.locals[state[server]];
            if remembered.values.iter().any(|value| value.others() > 0) {
                return Some(Newcomer::Named(server));
            }
            let sets = sets_of(remembered);
            let number = sets.iter().position(|set| set.rest == OutOfSight::Some)?;
            Some(Newcomer::Member(SetPlace { server, number }))
        })
    }

    /// `state` without members out of sight in the set at `place`.
    fn without_others(&mut self, state: &Partial, place: SetPlace) -> Partial {
        let remembered = &self.model.locals[state[place.server]];
        let closed = remembered.mapped(&NobodyElse {
            number: place.number,
            met: Cell::new(0),
        });
        let mut without = state.to_vec();
        without[place.server] = self.model.locals.intern(closed);
        without.into()
    }

    /// True if `event` is possible in `state`, and the specification may refuse it.
    fn refuses(&mut self, state: &Partial, event: EventNumber) -> Result<bool> {
        let (state, event) = self.in_order(state, event);
        let model = &mut self.model;
        // The specification comes first: the steps of processes may need one more identity in
        // sight.
        Ok(model.acceptance(&state, event)?.may_refuse && model.does(&state, event)?)
    }

    /// `state` and `event` with the identities in the order of the ring. Names do not matter, and
    /// results are kept by arrangement: of the 501 arrangements of five identities, 7 are left.
    fn in_order(&mut self, state: &Partial, event: EventNumber) -> (Partial, EventNumber) {
        let arrangement = self.model.arrangement(state);
        let order = arrangement.map(|arrangement| arrangement.in_order());
        let Some(order) = order.filter(|order| !order.is_sorted()) else {
            return (state.clone(), event);
        };
        let mut numbers = vec![0; order.len()];
        for (number, &id) in (0..).zip(&order) {
            numbers[usize::from(id)] = number;
        }
        let event = self.model.events[event].mapped(&IdRenaming(&numbers));
        let event = self.model.events.intern(event);
        let (servers, own) = (self.model.servers, self.model.own);
        let of_ids = order.iter().flat_map(|&id| {
            let at = servers + usize::from(id) * own;
            at..at + own
        });
        let state = (0..servers)
            .chain(of_ids)
            .map(|at| self.renamed(state[at], &numbers))
            .collect();
        (state, event)
    }
}

/// Removes the members out of sight from the set with this number.
struct NobodyElse {
    number: usize,
    /// The number of sets met so far.
    met: Cell<usize>,
}

impl IdMap for NobodyElse {
    fn set(&self, set: IdSet) -> IdSet {
        let number = self.met.replace(self.met.get() + 1);
        let rest = match number == self.number {
            true => OutOfSight::None,
            false => set.rest,
        };
        IdSet { rest, ..set }
    }
}
