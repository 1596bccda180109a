//! Automorphisms that were known before a search: those that it can leave out, and the choice of
//! those it found that are new.
//!
//! The search leaves out only images that known generators and some of their conjugates give, not
//! those that all their products would give: so it needs no stabiliser chain of the known group,
//! which costs more than the whole search where a thousand components are alike. The search may
//! then find known automorphisms again, and orders of groups decide afterwards which ones are new.

use num_bigint::BigUint;

use crate::permutations::action::GroupAction;
use crate::permutations::element::{ABSENT, positions};
use crate::permutations::order::order_within;
use crate::permutations::union_find::UnionFind;

/// A permutation of vertices: those that move, each with its image.
pub(super) type VertexMoves = Vec<(u32, u32)>;

/// By level of `path`, which tells all of `size` vertices apart, the generators that move its
/// vertex and fix those before.
pub(super) fn by_level<'a>(
    size: usize,
    generators: &'a [VertexMoves],
    path: &[u32],
) -> Vec<Vec<&'a VertexMoves>> {
    let level_of = positions(path, size);
    let mut by_level = vec![Vec::new(); path.len()];
    for moves in generators {
        let levels = moves.iter().map(|&(vertex, _)| level_of[vertex as usize]);
        // Only the identity moves no vertex of the path.
        let first = levels
            .min()
            .and_then(|level| by_level.get_mut(level as usize));
        first.into_iter().for_each(|level| level.push(moves));
    }
    by_level
}

/// The most vertices that all conjugates together move, for each vertex of the graph.
const CONJUGATE_MOVES: usize = 64;

/// `generators`, permutations of `size` vertices, each ascending, and their conjugates by the
/// powers of each other, unless they are too large together. A transposition of values and a cycle
/// of all values give the transpositions of neighbours. At each level some of these fix all values
/// before and move the next: then nothing is found again.
pub(super) fn with_conjugates(size: usize, generators: &[VertexMoves]) -> Vec<VertexMoves> {
    let mut all = generators.to_vec();
    let mut left = CONJUGATE_MOVES * size;
    let mut image: Vec<u32> = (0..size as u32).collect();
    for by in generators {
        for &(vertex, to) in by {
            image[vertex as usize] = to;
        }
        for moves in generators {
            // Only a permutation that moves fewer vertices is worth conjugating, such as a
            // transposition by a cycle.
            let is_smaller = moves.len() < by.len();
            let is_within = moves.iter().all(|&(v, _)| image[v as usize] != v);
            if !is_smaller || !is_within {
                continue;
            }
            debug_assert!(moves.is_sorted());
            let mut conjugate = moves.clone();
            loop {
                for (vertex, to) in &mut conjugate {
                    // Each round conjugates once more, which gives the next power; a permutation
                    // has finite order, so the first conjugate comes again.
                    (*vertex, *to) = (image[*vertex as usize], image[*to as usize]);
                }
                conjugate.sort_unstable();
                // Conjugates left out here are only found again by the search.
                let Some(less) = left.checked_sub(conjugate.len()) else {
                    return all;
                };
                if conjugate == *moves {
                    break;
                }
                left = less;
                all.push(conjugate.clone());
            }
        }
        for &(vertex, _) in by {
            image[vertex as usize] = vertex;
        }
    }
    all
}

/// Puts vertices that `moves` takes to each other into one class. Returns true if they were in
/// several.
pub(super) fn join(moves: &VertexMoves, orbits: &mut UnionFind) -> bool {
    let pairs = moves.iter();
    pairs.fold(false, |joins, &(vertex, image)| {
        orbits.union(vertex, image) | joins
    })
}

/// The automorphisms that a search found, from which the new ones are chosen.
pub(super) struct FoundAutomorphisms<'a> {
    pub(super) found: &'a [VertexMoves],
    /// By found automorphism, true if it joins orbits of those known and found before it: then it
    /// is new for certain.
    pub(super) joins: &'a [bool],
    /// A union of orbits of the group of all automorphisms; only the identity fixes all these
    /// points.
    pub(super) points: &'a [u32],
    /// The order of the group of all automorphisms, if it is known.
    pub(super) order: Option<BigUint>,
}

impl FoundAutomorphisms<'_> {
    /// The places of found automorphisms that, with the `known` ones, generate the group of all.
    /// None of them is in the group of the known ones and those before it, unless finding that out
    /// takes more than about `most` steps.
    pub(super) fn new_ones(self, known: &[VertexMoves], most: u64) -> Vec<usize> {
        let (mut chosen, others): (Vec<usize>, Vec<usize>) =
            (0..self.found.len()).partition(|&at| self.joins[at]);
        if others.is_empty() {
            return chosen;
        }
        let last = self
            .points
            .iter()
            .max()
            .map_or(0, |&last| last as usize + 1);
        let bound = self.order.clone();
        let mut orders = Orders {
            position: positions(self.points, last),
            present: GroupAction::new(self.points.len(), Vec::<Vec<u32>>::new()),
            bound: bound.unwrap_or_else(|| (1..=self.points.len()).product()),
            all: &self,
            most,
        };
        // Those that join orbits are new whatever the others are, so the others are tested beside
        // them.
        let joining = chosen.iter().map(|&at| &self.found[at]);
        orders.add(known.iter().chain(joining));
        match orders.needed(&others) {
            Some(needed) => chosen.extend(needed),
            None => chosen.extend(orders.enough(&others)),
        }
        chosen.sort_unstable();
        chosen
    }
}

/// Orders of groups that the known and some found automorphisms generate.
struct Orders<'a> {
    all: &'a FoundAutomorphisms<'a>,
    /// By vertex, its number as a point, or [`ABSENT`].
    position: Vec<u32>,
    /// The action of the present group on the points.
    present: GroupAction,
    /// The order of the group of all automorphisms, or a bound.
    bound: BigUint,
    /// The number of steps that may still be taken.
    most: u64,
}

impl Orders<'_> {
    /// Adds generators to the present group.
    fn add<'m>(&mut self, more: impl Iterator<Item = &'m VertexMoves>) {
        for moves in more {
            let images = self.images(moves);
            self.present.images.push(images);
        }
    }

    /// By point, the image.
    fn images(&self, moves: &VertexMoves) -> Box<[u32]> {
        let at = |vertex: u32| self.position.get(vertex as usize).copied();
        let mut images: Box<[u32]> = (0..self.present.points as u32).collect();
        for &(vertex, image) in moves {
            let point = at(vertex).filter(|&point| point != ABSENT);
            if let Some((point, image)) = point.zip(at(image)) {
                images[point as usize] = image;
            }
        }
        images
    }

    /// The order of the present group with the found automorphisms at `places`; `None` if that
    /// takes too long.
    fn with(&mut self, places: &[usize]) -> Option<BigUint> {
        let mut group = self.present.clone();
        let more = places.iter().map(|&at| self.images(&self.all.found[at]));
        group.images.extend(more);
        let (order, steps) = order_within(&group, &self.bound, self.most)?;
        self.most = self.most.saturating_sub(steps);
        Some(order)
    }

    /// Those of `others` that, with the present group, generate the group of all, in their order:
    /// each is the first that is not in the group of the present one and those before it. `None` if
    /// that takes too long.
    fn needed(&mut self, mut others: &[usize]) -> Option<Vec<usize>> {
        let mut needed = Vec::new();
        let mut order = self.with(&[])?;
        let whole = match &self.all.order {
            Some(order) => order.clone(),
            None => self.with(others)?,
        };
        while order < whole {
            let Some((at, larger)) = self.first_beyond(&order, others)? else {
                break;
            };
            self.add([&self.all.found[others[at]]].into_iter());
            needed.push(others[at]);
            others = &others[at + 1..];
            order = larger;
        }
        Some(needed)
    }

    /// A beginning of `others` that, with the present group, generates the group of all. All of
    /// `others` if no such order can be computed, because they may all be needed. The order of a
    /// large symmetric group takes too long if no generator is a transposition, and is easy once
    /// one is.
    fn enough<'o>(&mut self, others: &'o [usize]) -> &'o [usize] {
        let mut length = 1;
        while length < others.len() {
            let order = self.with(&others[..length]);
            if order.is_some() && order == self.all.order {
                break;
            }
            length *= 2;
        }
        &others[..length.min(others.len())]
    }

    /// The place of the first of `others` that is not in the present group, which has this `order`,
    /// and the order with it. It is found by larger and larger prefixes and then by halving, so
    /// that most orders are those of small prefixes.
    fn first_beyond(
        &mut self,
        order: &BigUint,
        others: &[usize],
    ) -> Option<Option<(usize, BigUint)>> {
        let (mut inside, mut beyond) = (0, None);
        while beyond.is_none() && inside < others.len() {
            // None of the first `inside` is new: prefixes are doubled from there.
            let length = (2 * inside).clamp(1, others.len());
            let larger = self.with(&others[..length])?;
            if larger > *order {
                beyond = Some((length, larger));
            } else {
                inside = length;
            }
        }
        let Some((mut length, mut larger)) = beyond else {
            return Some(None);
        };
        while length - inside > 1 {
            let half = inside.midpoint(length);
            let with_half = self.with(&others[..half])?;
            if with_half > *order {
                (length, larger) = (half, with_half);
            } else {
                inside = half;
            }
        }
        Some(Some((length - 1, larger)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjugates_of_a_transposition_by_a_cycle_are_those_of_neighbours() {
        let cycle: VertexMoves = (0..5).map(|v| (v, (v + 1) % 5)).collect();
        let transposition: VertexMoves = vec![(0, 1), (1, 0)];
        let all = with_conjugates(7, &[transposition.clone(), cycle.clone()]);
        let neighbours = |v: u32| vec![(v, v + 1), (v + 1, v)];
        let last = vec![(0, 4), (4, 0)];
        let expected = [neighbours(1), neighbours(2), neighbours(3), last];
        assert_eq!(all[..2], [transposition.clone(), cycle.clone()]);
        assert_eq!(all[2..], expected);
        // Two cycles beside each other commute, so there are no other conjugates.
        let beside: VertexMoves = vec![(5, 6), (6, 5)];
        assert_eq!(with_conjugates(7, &[beside, cycle]).len(), 2);
    }
}
