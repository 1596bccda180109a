//! The identities in sight, and in a ring, the neighbours among them.

use smallvec::{SmallVec, smallvec};

use super::value::{Id, Local, LocalCode, PartialValue};

/// The identities in sight. At least one identity is out of sight.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Arrangement {
    /// The next identity in the ring of each identity in sight, if it is in sight too. A ring is
    /// never in sight as a whole, so no identity follows itself.
    next: SmallVec<[Option<u8>; 8]>,
    /// True if the identities stand in a ring. If not, no identity has a neighbour.
    pub(super) is_ring: bool,
}

impl Arrangement {
    /// `count` identities in sight, none of them next to another.
    pub(super) fn apart(count: u8, is_ring: bool) -> Self {
        Self {
            next: smallvec![None; usize::from(count)],
            is_ring,
        }
    }

    /// Identity 0 of a ring with its neighbours: 1 is before it, and 2 is after it.
    pub(super) fn around() -> Self {
        Self {
            next: smallvec![Some(2), Some(0), None],
            is_ring: true,
        }
    }

    /// `count` identities of a ring, one after the other.
    pub(super) fn path(count: u8) -> Self {
        let next = |id| (id + 1 < count).then_some(id + 1);
        Self {
            next: (0..count).map(next).collect(),
            is_ring: true,
        }
    }

    /// The number of identities in sight.
    pub(super) fn count(&self) -> u8 {
        self.next.len() as u8
    }

    /// The neighbour of `id` on this side; `None` if it is out of sight.
    pub(super) fn neighbour(&self, id: u8, side: Side) -> Option<u8> {
        match side {
            Side::Next => self.next[usize::from(id)],
            Side::Previous => {
                (0..self.count()).find(|&other| self.next[usize::from(other)] == Some(id))
            }
        }
    }

    /// The identities in sight whose neighbour on this side is out of sight.
    pub(super) fn ends(&self, side: Side) -> impl Iterator<Item = u8> {
        (0..self.count()).filter(move |&id| self.neighbour(id, side).is_none())
    }

    /// Every arrangement of `count` identities.
    pub(super) fn all(count: u8, is_ring: bool) -> Vec<Self> {
        let mut found = vec![Self::apart(0, is_ring)];
        for _ in 0..count {
            found = found.iter().flat_map(Self::extensions).collect();
        }
        found
    }

    /// Every arrangement that has one more identity in sight.
    pub(super) fn extensions(&self) -> Vec<Self> {
        let new = self.count();
        let mut apart = self.clone();
        apart.next.push(None);
        if !self.is_ring {
            return vec![apart];
        }
        let mut found = vec![apart.clone()];
        for before in self.ends(Side::Next) {
            let mut longer = apart.clone();
            longer.next[usize::from(before)] = Some(new);
            found.push(longer);
        }
        for longer in found.clone() {
            for after in self.ends(Side::Previous) {
                let mut joined = longer.clone();
                joined.next[usize::from(new)] = Some(after);
                found.extend(joined.has_ends().then_some(joined));
            }
        }
        found
    }

    /// All identities in sight, path by path, the longer paths first. If they are renamed to their
    /// places in this order, arrangements of one shape become equal.
    pub(super) fn in_order(&self) -> Vec<u8> {
        let starts = self.ends(Side::Previous);
        let next = |id: &u8| self.neighbour(*id, Side::Next);
        let mut paths: Vec<Vec<u8>> = starts
            .map(|start| std::iter::successors(Some(start), next).collect())
            .collect();
        paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
        paths.concat()
    }

    /// True if no identity follows itself.
    fn has_ends(&self) -> bool {
        (0..self.count()).all(|start| {
            let mut at = self.next[usize::from(start)];
            for _ in 0..self.next.len() {
                match at {
                    Some(id) if id == start => return false,
                    Some(id) => at = self.next[usize::from(id)],
                    None => return true,
                }
            }
            true
        })
    }

    /// The neighbours that `id` remembers; without values if there is no ring.
    pub(super) fn remembered(&self, id: u8) -> Local {
        let neighbour = |side| match self.neighbour(id, side) {
            Some(other) => PartialValue::Id(Id::Seen(other)),
            None => PartialValue::Id(Id::Other),
        };
        Local {
            code: LocalCode::Neighbours,
            values: match self.is_ring {
                true => [neighbour(Side::Next), neighbour(Side::Previous)].into(),
                false => [].into(),
            },
        }
    }

    /// The arrangement in which the identities, in their order, remember these places. Returns
    /// `None` if there is none.
    pub(super) fn of<'l>(remembered: impl Iterator<Item = &'l Local>) -> Option<Self> {
        let remembered: Vec<&Local> = remembered.collect();
        let arrangement = Self {
            next: remembered
                .iter()
                .map(|local| local.neighbour(Side::Next))
                .collect(),
            is_ring: true,
        };
        let agrees = (0u8..).zip(&remembered).all(|(id, local)| {
            arrangement.neighbour(id, Side::Previous) == local.neighbour(Side::Previous)
        });
        let has_one_each = (0..arrangement.count()).all(|id| {
            let before = arrangement.next.iter().filter(|next| **next == Some(id));
            before.count() <= 1
        });
        (agrees && has_one_each && arrangement.has_ends()).then_some(arrangement)
    }
}

impl Local {
    /// The neighbour that an identity remembers on one side; `None` if it is out of sight.
    pub(super) fn neighbour(&self, side: Side) -> Option<u8> {
        match self.values[usize::from(side == Side::Previous)] {
            PartialValue::Id(Id::Seen(id)) => Some(id),
            _ => None,
        }
    }
}

/// One of the two sides on which an identity in a ring has a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Side {
    /// `(i + 1) % N`
    Next,
    /// `(i + N - 1) % N`
    Previous,
}

impl Side {
    /// The other side, on which the neighbour sees the identity.
    pub(super) fn opposite(self) -> Self {
        match self {
            Side::Next => Side::Previous,
            Side::Previous => Side::Next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sets_of_paths() {
        // Sets of lists, OEIS A000262.
        let counts = [1, 1, 3, 13, 73, 501];
        for (count, wanted) in (0..).zip(counts) {
            let mut all = Arrangement::all(count, true);
            let found = all.len();
            all.dedup();
            assert_eq!((found, all.len()), (wanted, wanted), "{count}");
        }
        assert_eq!(Arrangement::all(4, false).len(), 1);
    }

    #[test]
    fn in_order_there_is_one_of_each_shape() {
        // Partitions, OEIS A000041.
        for (count, wanted) in (0..).zip([1, 1, 2, 3, 5, 7]) {
            let mut shapes: Vec<_> = Arrangement::all(count, true)
                .iter()
                .map(|arrangement| {
                    let order = arrangement.in_order();
                    let number = |id| order.iter().position(|&other| other == id);
                    let next = |&id| arrangement.neighbour(id, Side::Next).and_then(number);
                    order.iter().map(next).collect::<Vec<_>>()
                })
                .collect();
            shapes.sort();
            shapes.dedup();
            assert_eq!(shapes.len(), wanted, "{count}");
        }
    }

    #[test]
    fn are_found_again_in_what_is_remembered() {
        for arrangement in Arrangement::all(4, true) {
            let remembered: Vec<Local> = (0..4).map(|id| arrangement.remembered(id)).collect();
            assert_eq!(Arrangement::of(remembered.iter()), Some(arrangement));
        }
    }
}
