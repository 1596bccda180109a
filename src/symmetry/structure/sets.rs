//! Faithful actions on sets of points, such as the facets of a hypercube, or, where the points are
//! pairs, the pairs with one thing in common.

use num_bigint::BigUint;
use rustc_hash::FxHashSet;

use crate::permutations::action::GroupAction;
use crate::permutations::element::{conjugate, cycles, product};
use crate::permutations::random::random_elements;
use crate::permutations::union_find::UnionFind;

use super::effort::Effort;

/// The most points of a group for which sets of points are tried.
const MOST_POINTS: usize = 2000;
/// The number of random elements whose powers are looked at. Reflections in one direction are the
/// powers of few elements.
const DRAWS: usize = 80;
/// The most elements of a class of involutions. The first limit applies at first, because most
/// classes are far larger and are begun in vain; the second if small sets decide nothing.
pub(super) const LARGEST_CLASSES: [usize; 2] = [50, 400];
/// The most classes that are looked at: the smallest of those found.
const MOST_CLASSES: usize = 12;
/// The most images of a set.
const MOST_SETS: usize = 400;

/// Returns faithful actions on few sets of points, those on the fewest sets first. In a group with
/// a class of involutions, some of these generate a subgroup whose orbits are natural sets: the
/// transpositions that do not move a certain thing; or the reflections in all directions but one,
/// if the points are the corners of a hypercube. Classes of more than `largest` elements are left
/// out.
pub(super) fn actions(
    action: &GroupAction,
    order: &BigUint,
    largest: usize,
    effort: &mut Effort,
) -> Option<Vec<GroupAction>> {
    let mut found: Vec<GroupAction> = Vec::new();
    if action.points > MOST_POINTS {
        return Some(found);
    }
    for class in classes(action, largest, effort)? {
        for set in sets(&class, action, effort)? {
            effort.spend(MOST_SETS * set.len() * action.images.len())?;
            let Some(on_sets) = action.on_set(set, MOST_SETS) else {
                continue;
            };
            let is_new = !found.iter().any(|known| known.images == on_sets.images);
            if is_new && effort.order(&on_sets, order)? == *order {
                found.push(on_sets);
            }
        }
    }
    found.sort_by_key(|action| action.points);
    Some(found)
}

/// Classes of conjugate involutions, of `largest` elements at most, the smallest first.
fn classes(
    action: &GroupAction,
    largest: usize,
    effort: &mut Effort,
) -> Option<Vec<Vec<Box<[u32]>>>> {
    let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::default();
    let mut classes = Vec::new();
    effort.spend(4 * DRAWS * action.points)?;
    let elements = action.images.iter().cloned();
    for element in elements.chain(random_elements(action, DRAWS)) {
        let Some(involution) = involution(&element).filter(|found| !seen.contains(found)) else {
            continue;
        };
        let class = class(involution.clone(), action, largest, effort)?;
        seen.insert(involution);
        if let Some(class) = class {
            seen.extend(class.iter().cloned());
            classes.push(class);
        }
    }
    classes.sort_by_key(Vec::len);
    classes.truncate(MOST_CLASSES);
    Some(classes)
}

/// The power of `element` that has order two, if there is one. It moves the cycles whose lengths
/// have the most factors two, each by half of its length.
fn involution(element: &[u32]) -> Option<Box<[u32]>> {
    let cycles: Vec<Vec<u32>> = cycles(element).collect();
    let twos = |cycle: &Vec<u32>| cycle.len().trailing_zeros();
    let most = cycles.iter().map(twos).max().filter(|&most| most > 0)?;
    let mut images: Box<[u32]> = (0..element.len() as u32).collect();
    for cycle in cycles.iter().filter(|cycle| twos(cycle) == most) {
        for (at, &point) in cycle.iter().enumerate() {
            images[point as usize] = cycle[(at + cycle.len() / 2) % cycle.len()];
        }
    }
    Some(images)
}

/// All conjugates of `first`. `None` within the result if they are fewer than two or more than
/// `largest`.
fn class(
    first: Box<[u32]>,
    action: &GroupAction,
    largest: usize,
    effort: &mut Effort,
) -> Option<Option<Vec<Box<[u32]>>>> {
    let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::from_iter([first.clone()]);
    let mut class = vec![first];
    let mut done = 0;
    while done < class.len() {
        effort.spend(action.images.len() * action.points)?;
        for generator in &action.images {
            let next = conjugate(&class[done], generator);
            if seen.insert(next.clone()) {
                class.push(next);
            }
        }
        // Most classes are far too large, and are given up as soon as that shows.
        if class.len() > largest {
            return Some(None);
        }
        done += 1;
    }
    Some((class.len() > 1).then_some(class))
}

/// Orbits, each smaller than that of the group, of the two subgroups that [`actions`] describes.
fn sets(class: &[Box<[u32]>], action: &GroupAction, effort: &mut Effort) -> Option<Vec<Vec<u32>>> {
    effort.spend(4 * class.len() * action.points)?;
    let first = &class[0];
    let mut subgroups = vec![class[1..].iter().collect::<Vec<_>>()];
    let commutes = |left: &[u32], right: &[u32]| {
        product::<Vec<u32>>(left, right) == product::<Vec<u32>>(right, left)
    };
    if let Some(second) = class.iter().find(|other| !commutes(first, other)) {
        // The two may be (0 1) and (0 2). The other transpositions that move 0 commute with
        // neither. Nor does (1 2), which is (0 1) conjugated by (0 2).
        let third = conjugate(second, first);
        let moves = |other: &[u32]| {
            *other == **first
                || *other == **second
                || *other != *third && !commutes(first, other) && !commutes(second, other)
        };
        subgroups.push(class.iter().filter(|other| !moves(other)).collect());
    }
    // By point, the number of points in its orbit.
    let mut sizes = vec![1; action.points];
    for orbit in action.orbits() {
        for &point in &orbit {
            sizes[point as usize] = orbit.len();
        }
    }
    let mut found = Vec::new();
    for subgroup in subgroups {
        let mut classes = UnionFind::new(action.points);
        for element in subgroup {
            classes.union_all(element);
        }
        let mut sets = classes.members();
        sets.retain(|set| set.len() < sizes[set[0] as usize]);
        sets.sort_by_key(Vec::len);
        sets.truncate(4);
        found.extend(sets);
    }
    Some(found)
}
