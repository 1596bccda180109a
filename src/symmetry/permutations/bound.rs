//! An upper bound of the order of a group that needs no stabiliser chain. Where a chain reaches it,
//! the chain is complete and no Schreier generator need be looked at.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::action::GroupAction;
use super::element::moved;
use super::two_orbits::{BothActions, TwoOrbits};

/// The most steps that computing a bound may take.
const LIMIT: usize = 1 << 25;

/// An upper bound of the number of elements of the group of `action`. For the points b₁, b₂, ... of
/// a base, it is the product of the numbers of points that could be the image of bᵢ under an
/// element that fixes the points before: those in the same orbit as bᵢ under the group and under
/// the stabilisers of each of b₁, ..., bᵢ₋₁. Points are added to `base` until it tells all elements
/// apart. The bound is sharp for symmetric, cyclic and dihedral groups, hypercubes, direct and
/// wreath products of symmetric groups; not for groups that are multiply transitive but not
/// symmetric.
pub(super) fn order_bound(action: &GroupAction, base: &[u32]) -> Option<BigUint> {
    let mut relations = OrbitRelations::new(action);
    let mut cells = relations.orbit_of.clone();
    let mut bound = BigUint::from(1u32);
    let mut base = base.iter().copied();
    while let Some((next, size)) = choose(&cells, &mut base) {
        // An element that fixes the base points before takes `next` to a point of its cell.
        bound *= size;
        relations.refine(&mut cells, next)?;
    }
    Some(bound)
}

/// The approximate number of images of points that [`order_bound`] looks at, if it comes to an end.
pub(super) fn bound_cost(action: &GroupAction) -> u64 {
    let moved: usize = action.orbits().iter().map(Vec::len).sum();
    (moved * action.points * (1 + action.images.len())).min(LIMIT) as u64
}

/// The next point of `base`, or else a point that is in a cell with others; and the size of its
/// cell.
fn choose(cells: &[u32], base: &mut impl Iterator<Item = u32>) -> Option<(u32, u32)> {
    let mut sizes = vec![0u32; cells.len()];
    for &cell in cells {
        sizes[cell as usize] += 1;
    }
    let size = |point: u32| sizes[cells[point as usize] as usize];
    let with_others = || (0..cells.len() as u32).find(|&point| size(point) > 1);
    let next = base.next().or_else(with_others)?;
    Some((next, size(next)))
}

/// The relations of the points to those of each orbit, computed when needed.
struct OrbitRelations<'a> {
    action: &'a GroupAction,
    /// By generator, the points that it moves.
    moved: Vec<Vec<u32>>,
    /// By point, the least point of its orbit.
    orbit_of: Vec<u32>,
    /// By least point of an orbit, the relations of the points to this orbit.
    known: FxHashMap<u32, TwoOrbits>,
    /// The number of steps that may still be taken.
    effort: usize,
}

impl<'a> OrbitRelations<'a> {
    fn new(action: &'a GroupAction) -> Self {
        let images = action.images.iter();
        let points = |images| moved(images).map(|(point, _)| point).collect();
        Self {
            action,
            moved: images.map(|images| points(images)).collect(),
            orbit_of: action.classes().all(),
            known: FxHashMap::default(),
            effort: LIMIT,
        }
    }

    /// Splits `cells` by the orbits of the stabiliser of `point`; `None` if that takes too long.
    fn refine(&mut self, cells: &mut [u32], point: u32) -> Option<()> {
        self.effort = self.effort.checked_sub(8 * cells.len())?;
        let name = self.orbit_of[point as usize];
        let members = (0..).zip(&self.orbit_of);
        let members = members.filter(|&(_, &orbit)| orbit == name);
        let members: Vec<u32> = members.map(|(member, _)| member).collect();
        let position = members.binary_search(&point).ok()?;
        if !self.known.contains_key(&name) {
            let relation = self.relation(&members)?;
            self.known.insert(name, relation);
        }
        let orbits = self.known[&name].stabiliser_orbits(position);
        // The first member of a new cell names it, so that names stay below the number of points.
        let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (point, (cell, orbit)) in (0..).zip(cells.iter_mut().zip(orbits)) {
            *cell = *names.entry((*cell, orbit)).or_insert(point);
        }
        Some(())
    }

    fn relation(&mut self, members: &[u32]) -> Option<TwoOrbits> {
        let actions = BothActions {
            orbit: &self.action.restricted(members).images,
            points: &self.action.images,
            moved: &self.moved,
        };
        let sizes = (members.len(), self.action.points);
        TwoOrbits::new(sizes, &actions, &mut self.effort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(points: usize, generators: &[Vec<u32>]) -> u32 {
        let action = GroupAction::new(points, generators.to_vec());
        let bound = order_bound(&action, &[]).expect("a small group");
        bound.try_into().expect("a small bound")
    }

    #[test]
    fn the_bound_is_sharp_where_it_is_said_to_be() {
        assert_eq!(bound(4, &[]), 1);
        assert_eq!(bound(5, &[vec![1, 0, 2, 3, 4], vec![1, 2, 3, 4, 0]]), 120);
        assert_eq!(bound(6, &[vec![1, 2, 3, 4, 5, 0]]), 6);
        assert_eq!(
            bound(6, &[vec![1, 2, 3, 4, 5, 0], vec![0, 5, 4, 3, 2, 1]]),
            12
        );
        assert_eq!(bound(4, &[vec![1, 0, 2, 3], vec![0, 1, 3, 2]]), 4);
        assert_eq!(bound(4, &[vec![1, 0, 3, 2]]), 2, "in step");
        assert_eq!(
            bound(4, &[vec![1, 0, 2, 3], vec![2, 3, 0, 1]]),
            8,
            "S2 wr S2"
        );
    }

    #[test]
    fn even_permutations_alone_are_not_seen() {
        assert_eq!(bound(4, &[vec![1, 2, 0, 3], vec![0, 2, 3, 1]]), 24);
    }
}
