//! Permutations of visible events.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use process::event::EventId;

/// A bijection on the visible events that moves finitely many; τ and ✓ stay. Events need not keep
/// their channel. Written σ; the image of x is xσ, and `a.then(b)` is ab: first a, then b.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct EventPermutation {
    /// (event, image), ascending by event, only those that move.
    moved: Arc<[(EventId, EventId)]>,
}

/// The reason why pairs are no permutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotABijection {
    /// This event is to go to two different ones.
    TwoImages(EventId),
    /// This event is the image of two different ones.
    TwoOrigins(EventId),
    /// This is not a visible event.
    Invisible(EventId),
}

impl EventPermutation {
    /// The permutation that moves nothing, written `()`.
    pub fn identity() -> Self {
        Self::default()
    }

    /// The permutation with these (event, image) pairs. Pairs that do not close to cycles are
    /// closed: the end of each chain goes to its start. Events without a pair stay where they are.
    pub fn from_pairs(
        pairs: impl IntoIterator<Item = (EventId, EventId)>,
    ) -> Result<Self, NotABijection> {
        let mut images: FxHashMap<EventId, EventId> = FxHashMap::default();
        let mut origins: FxHashMap<EventId, EventId> = FxHashMap::default();
        for (from, to) in pairs {
            if let Some(&event) = [from, to].iter().find(|event| !event.is_visible()) {
                return Err(NotABijection::Invisible(event));
            }
            if *images.entry(from).or_insert(to) != to {
                return Err(NotABijection::TwoImages(from));
            }
            if *origins.entry(to).or_insert(from) != from {
                return Err(NotABijection::TwoOrigins(to));
            }
        }
        let ends: Vec<EventId> = origins
            .keys()
            .copied()
            .filter(|event| !images.contains_key(event))
            .collect();
        for end in ends {
            let mut start = end;
            // The walk ends: every event is the image of one event at most, and a chain that has an
            // end is no cycle.
            while let Some(&before) = origins.get(&start) {
                start = before;
            }
            images.insert(end, start);
        }
        Ok(Self::of_bijection(images))
    }

    /// The permutation with these (event, image) pairs, which the caller has checked to be a
    /// bijection of visible events.
    pub(super) fn of_bijection(images: impl IntoIterator<Item = (EventId, EventId)>) -> Self {
        let mut moved: Vec<(EventId, EventId)> =
            images.into_iter().filter(|(from, to)| from != to).collect();
        moved.sort_unstable();
        Self {
            moved: moved.into(),
        }
    }

    /// The image of `event`.
    pub fn apply(&self, event: EventId) -> EventId {
        match self.moved.binary_search_by_key(&event, |&(from, _)| from) {
            Ok(at) => self.moved[at].1,
            Err(_) => event,
        }
    }

    /// The events that move, ascending, each with its image.
    pub fn moved(&self) -> &[(EventId, EventId)] {
        &self.moved
    }

    /// True if nothing moves.
    pub fn is_identity(&self) -> bool {
        self.moved.is_empty()
    }

    /// First this permutation, then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let here = self.moved.iter().map(|&(from, to)| (from, next.apply(to)));
        // Events that this permutation moves are in `here` already.
        let there = next.moved.iter().copied();
        let there = there.filter(|&(from, _)| self.apply(from) == from);
        Self::of_bijection(here.chain(there))
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self::of_bijection(self.moved.iter().map(|&(from, to)| (to, from)))
    }

    /// Its cycles of two or more events: each begins with its least event, and they ascend by that.
    pub fn cycles(&self) -> Vec<Vec<EventId>> {
        let moved = self.moved.iter().map(|&(event, _)| event);
        cycles_of(moved, |event| self.apply(event))
    }
}

/// The cycles of two or more elements of the permutation that takes each of `elements` to its
/// `image`: each cycle begins with the first of its elements, and the cycles are in the order of
/// these.
pub(super) fn cycles_of<T: Copy + Eq + Hash>(
    elements: impl IntoIterator<Item = T>,
    image: impl Fn(T) -> T,
) -> Vec<Vec<T>> {
    let mut seen: FxHashSet<T> = FxHashSet::default();
    let mut cycles = Vec::new();
    for start in elements {
        let mut cycle = Vec::new();
        let mut element = start;
        while seen.insert(element) {
            cycle.push(element);
            element = image(element);
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;
    use process::event::EventTable;

    fn events() -> (EventTable, Vec<EventId>) {
        let mut table = EventTable::new();
        let names = ["a", "b", "c", "d", "e"];
        let events = names.iter().map(|name| table.intern(name)).collect();
        (table, events)
    }

    fn permutation(pairs: &[(usize, usize)]) -> Result<EventPermutation, NotABijection> {
        let (_, events) = events();
        EventPermutation::from_pairs(pairs.iter().map(|&(from, to)| (events[from], events[to])))
    }

    fn text(permutation: &EventPermutation) -> String {
        let (table, _) = events();
        let cycle = |cycle: &Vec<EventId>| {
            let names: Vec<&str> = cycle.iter().map(|&event| table.name(event)).collect();
            format!("({})", names.join(" "))
        };
        let text: String = permutation.cycles().iter().map(cycle).collect();
        if text.is_empty() {
            "()".to_string()
        } else {
            text
        }
    }

    #[test]
    fn cycles_are_written_over_names() {
        let sigma = permutation(&[(0, 2), (2, 0), (1, 1), (4, 3), (3, 4)]).unwrap();
        assert_eq!(text(&sigma), "(a c)(d e)");
        assert_eq!(text(&EventPermutation::identity()), "()");
    }

    #[test]
    fn chains_are_closed() {
        assert_eq!(text(&permutation(&[(0, 1), (1, 2)]).unwrap()), "(a b c)");
        assert_eq!(text(&permutation(&[(3, 0), (2, 3)]).unwrap()), "(a c d)");
    }

    #[test]
    fn what_is_no_bijection_is_refused() {
        let (_, events) = events();
        assert_eq!(
            permutation(&[(0, 1), (0, 2)]),
            Err(NotABijection::TwoImages(events[0]))
        );
        assert_eq!(
            permutation(&[(0, 2), (1, 2)]),
            Err(NotABijection::TwoOrigins(events[2]))
        );
        let tau = process::event::TAU;
        let pairs = [(tau, events[0])];
        assert_eq!(
            EventPermutation::from_pairs(pairs),
            Err(NotABijection::Invisible(tau))
        );
    }

    #[test]
    fn composition_goes_from_left_to_right() {
        let sigma = permutation(&[(0, 1), (1, 0)]).unwrap();
        let rho = permutation(&[(1, 2), (2, 1)]).unwrap();
        assert_eq!(text(&sigma.then(&rho)), "(a c b)");
        assert_eq!(text(&rho.then(&sigma)), "(a b c)");
        assert!(sigma.then(&sigma).is_identity());
        let both = sigma.then(&rho);
        assert!(both.then(&both.inverse()).is_identity());
        let (_, events) = events();
        for &event in &events {
            assert_eq!(both.apply(event), rho.apply(sigma.apply(event)));
        }
    }
}
