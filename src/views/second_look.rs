//! A second look at what may be a violation: with others in sight who certainly exist.
//!
//! One of the states in which they are in sight is the true one. If none of them refuses the event,
//! the instance does not.

use std::cell::Cell;

use super::closure::ViewClosure;
use super::model::Partial;
use super::newcomer::{Newcomer, SetPlace, sets_of};
use super::scene::EventNumber;
use super::value::{IdMap, IdRenaming, IdSet, OutOfSight};
use base::diag::Result;

/// Who is brought into sight before a violation is believed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brought {
    /// Those whom servers name, and members of sets that servers remember.
    Remembered,
    /// The neighbours in the ring of those whom the event names.
    Neighbours,
}

/// This many identities are brought into sight before a violation is believed.
const MOST_BROUGHT: usize = 2;

impl ViewClosure<'_> {
    /// Whether the specification may refuse `event` even if more come into sight of whom it is
    /// known that they exist.
    pub(super) fn fails(&mut self, state: &Partial, event: EventNumber) -> Result<bool> {
        for brought in [Brought::Neighbours, Brought::Remembered] {
            if !self.fails_with(state, self.joined, event, brought, MOST_BROUGHT)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether `event` may be refused in `state` even if at most `left` more come into sight.
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
            // Or the set has no member that is out of sight.
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

    /// Who is brought into sight next.
    fn newcomer(&self, state: &Partial, event: EventNumber, brought: Brought) -> Option<Newcomer> {
        if brought == Brought::Neighbours {
            let neighbour = self.model.neighbour_of(state, event);
            return neighbour.map(|(id, side)| Newcomer::Neighbour(id, side));
        }
        // The specification, which decides what is refused, is the last server.
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

    /// `state`, if nobody out of sight is a member of the set at `place`.
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

    /// Whether `event` is possible in `state`, and may be refused by the specification.
    fn refuses(&mut self, state: &Partial, event: EventNumber) -> Result<bool> {
        let (state, event) = self.in_order(state, event);
        let model = &mut self.model;
        // In this order: what processes do may ask for one more in sight.
        Ok(model.acceptance(&state, event)?.may_refuse && model.does(&state, event)?)
    }

    /// `state` and `event` with the identities in the order of the ring. Names do not matter, and
    /// what is evaluated is kept by who is whose neighbour: of 501 ways in which five stand in
    /// a ring 7 are left.
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

/// Leaves the members in sight to the set of this number.
struct NobodyElse {
    number: usize,
    /// How many sets have been met.
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
