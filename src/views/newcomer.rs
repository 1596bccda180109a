//! The identities that come into sight beside others.

use std::cell::RefCell;

use super::arrangement::Side;
use super::model::PartialModel;
use super::scene::LocalId;
use super::value::{Id, IdMap, IdSet, Local};

/// An identity that comes into sight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Newcomer {
    Anybody,
    /// An identity that this server names.
    Named(usize),
    /// A member of a set that a server remembers.
    Member(SetPlace),
    /// The neighbour in the ring of this identity, on this side.
    Neighbour(u8, Side),
}

impl Newcomer {
    /// True if a view of the newcomer beside `ids` shows if it is the wanted identity.
    pub(super) fn shows_beside(self, ids: &[u8]) -> bool {
        match self {
            Newcomer::Anybody => false,
            // All views show what servers remember.
            Newcomer::Named(_) | Newcomer::Member(_) => true,
            Newcomer::Neighbour(id, _) => ids.contains(&id),
        }
    }

    /// True if `new` is the wanted identity, as the servers or its neighbour show in `state`.
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

/// The place where a set of identities is remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SetPlace {
    pub(super) server: usize,
    /// The number of the set among those of the server, as [`sets_of`] lists them.
    pub(super) number: usize,
}

/// All sets that `remembered` has, in an order that depends on the code alone.
pub(super) fn sets_of(remembered: &Local) -> Vec<IdSet> {
    let sets = Sets(RefCell::default());
    remembered.mapped(&sets);
    sets.0.into_inner()
}

/// A map that changes nothing, and notes the sets that it meets.
struct Sets(RefCell<Vec<IdSet>>);

impl IdMap for Sets {
    fn set(&self, set: IdSet) -> IdSet {
        self.0.borrow_mut().push(set);
        set
    }
}
