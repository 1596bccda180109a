//! A second look at what may be a violation: with others in sight who certainly exist.
//!
//! One of the states in which they are in sight is the true one. If none of them refuses the event,
//! the instance does not.

use std::cell::{Cell, RefCell};

use super::arrangement::Side;
use super::closure::ViewClosure;
use super::model::{Partial, PartialModel};
use super::scene::{EventNumber, LocalId};
use super::value::{Id, IdMap, IdRenaming, IdSet, Local, OutOfSight};
use crate::diag::Result;

/// Who comes into sight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Newcomer {
    Anybody,
    /// Somebody whom this server names.
    Named(usize),
    /// A member of a set that a server remembers.
    Member(SetPlace),
    /// The neighbour in the ring of this identity, on this side.
    Neighbour(u8, Side),
}

impl Newcomer {
    /// Whether a view of the newcomer beside `ids` says whether it is who is wanted.
    pub(super) fn shows_beside(self, ids: &[u8]) -> bool {
        match self {
            Newcomer::Anybody => false,
            // All views show what servers remember.
            Newcomer::Named(_) | Newcomer::Member(_) => true,
            Newcomer::Neighbour(id, _) => ids.contains(&id),
        }
    }

    /// Whether `new` is who is wanted, as the servers or its neighbour say in `state`.
    pub(super) fn is_it(self, model: &PartialModel<'_>, state: &[LocalId], new: u8) -> bool {
        let seen = Id::Seen(new);
        match self {
            Newcomer::Anybody => true,
            Newcomer::Named(server) => {
                let values = &model.locals[state[server]].values;
                values.iter().any(|value| value.named().contains(&seen))
            }
            Newcomer::Member(place) => {
                let sets = sets_of(&model.locals[state[place.server]]);
                sets[place.number].contains(seen) == Some(true)
            }
            Newcomer::Neighbour(id, side) => {
                let remembered = &model.locals[state[model.neighbours_of(id)]];
                remembered.neighbour(side) == Some(new)
            }
        }
    }
}

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
        if let Newcomer::Member(place) = newcomer {
            // Or the set has no member that is out of sight.
            let without = self.without_others(state, place);
            if self.refuses(&without, event)?
                && self.fails_with(&without, count, event, brought, left)?
            {
                return Ok(true);
            }
        }
        self.most_seen = self.most_seen.max(count + 1);
        for longer in self.extended(state, count, newcomer) {
            if self.refuses(&longer, event)?
                && self.fails_with(&longer, count + 1, event, brought, left - 1)?
            {
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

/// Where a set of identities is remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SetPlace {
    server: usize,
    /// Its number among the sets of that server, as [`sets_of`] lists them.
    number: usize,
}

/// All sets that `remembered` has, in an order that depends on the code alone.
fn sets_of(remembered: &Local) -> Vec<IdSet> {
    let sets = Sets(RefCell::default());
    remembered.mapped(&sets);
    sets.0.into_inner()
}

/// Changes nothing, and notes the sets.
struct Sets(RefCell<Vec<IdSet>>);

impl IdMap for Sets {
    fn id(&self, id: Id) -> Id {
        id
    }

    fn set(&self, set: IdSet) -> IdSet {
        self.0.borrow_mut().push(set);
        set
    }
}

/// Leaves the members in sight to the set of this number.
struct NobodyElse {
    number: usize,
    /// How many sets have been met.
    met: Cell<usize>,
}

impl IdMap for NobodyElse {
    fn id(&self, id: Id) -> Id {
        id
    }

    fn set(&self, set: IdSet) -> IdSet {
        let number = self.met.replace(self.met.get() + 1);
        let rest = match number == self.number {
            true => OutOfSight::None,
            false => set.rest,
        };
        IdSet { rest, ..set }
    }
}
