//! The finest decomposition of a group as a direct product of groups that move disjoint sets of
//! points.
//!
//! Chang and Jefferson, *Disjoint direct product decompositions of permutation groups*, 2022:
//! orbits come one by one, and a new orbit merges with exactly those parts that do not split off.

use num_bigint::BigUint;

use crate::permutations::action::GroupAction;
use crate::permutations::element::moved;
use crate::permutations::union_find::UnionFind;

use super::effort::Effort;

/// A direct factor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SupportPart {
    /// The points that count for it, ascending: whole orbits. The factors' points together tell all
    /// elements apart.
    pub(super) points: Vec<u32>,
    pub(super) order: BigUint,
}

/// The finest decomposition into factors of `action`, a group of `order` elements. Orbits that the
/// other orbits determine do not count if they would hold factors together; fixed points never
/// count. Where this takes too long, the group is returned as one part.
pub(super) fn split(
    action: &GroupAction,
    order: &BigUint,
    effort: &mut Effort,
) -> Vec<SupportPart> {
    let whole = || {
        let mut points = action.orbits().concat();
        points.sort_unstable();
        let order = order.clone();
        vec![SupportPart { points, order }]
    };
    try_split(action, order, effort).unwrap_or_else(whole)
}

fn try_split(
    action: &GroupAction,
    order: &BigUint,
    effort: &mut Effort,
) -> Option<Vec<SupportPart>> {
    let groups = connected(action);
    let is_one = groups.len() == 1;
    let mut parts = Vec::new();
    for orbits in groups {
        if let ([orbit], true) = (&orbits[..], is_one) {
            let (points, order) = (orbit.clone(), order.clone());
            // One orbit alone cannot split by orbits.
            return Some(vec![SupportPart { points, order }]);
        }
        for part in finest(action, orbits, order, effort)? {
            let orbits = relevant(action, &part, effort)?;
            let mut reduced = finest(action, orbits, order, effort)?;
            if reduced.len() == 1 {
                // Leaving orbits out did not split the part, so they stay.
                reduced = vec![part];
            }
            parts.append(&mut reduced);
        }
    }
    Some(parts)
}

/// The orbits of two or more points, grouped: two orbits are together if one generator moves points
/// of both.
fn connected(action: &GroupAction) -> Vec<Vec<Vec<u32>>> {
    let mut classes = UnionFind::new(action.points);
    for images in &action.images {
        let mut moved = moved(images).map(|(point, _)| point);
        if let Some(first) = moved.next() {
            moved.for_each(|point| {
                classes.union(first, point);
            });
        }
    }
    let names = classes.all();
    let mut orbits = action.orbits();
    let name = |orbit: &Vec<u32>| names[orbit[0] as usize];
    orbits.sort_by_key(name);
    let groups = orbits.chunk_by(|left, right| name(left) == name(right));
    groups.map(<[Vec<u32>]>::to_vec).collect()
}

/// The finest decomposition of the group, of at most `most` elements, on `orbits`.
fn finest(
    action: &GroupAction,
    orbits: Vec<Vec<u32>>,
    most: &BigUint,
    effort: &mut Effort,
) -> Option<Vec<SupportPart>> {
    let mut parts: Vec<SupportPart> = Vec::new();
    for orbit in orbits {
        let own = effort.order(&action.restricted(&orbit), most)?;
        let mut points = orbit;
        if parts.is_empty() {
            let order = own;
            parts.push(SupportPart { points, order });
            continue;
        }
        let mut order = effort.order(&action.restricted(&with(&points, &parts)), most)?;
        // The product of the orders is exact if the orbit is a factor of its own.
        let before: BigUint = parts.iter().map(|part| &part.order).product();
        if order == before * &own {
            parts.push(SupportPart { points, order: own });
            continue;
        }
        // `order` is the order of the group without the parts that are kept.
        let mut kept = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let others = with(&points, &parts[number + 1..]);
            if effort.order(&action.restricted(&others), &order)? * &part.order == order {
                order /= &part.order;
                kept.push(part.clone());
            } else {
                points.extend(&part.points);
            }
        }
        points.sort_unstable();
        parts = kept;
        parts.push(SupportPart { points, order });
    }
    Some(parts)
}

fn with(points: &[u32], parts: &[SupportPart]) -> Vec<u32> {
    let others = parts.iter().flat_map(|part| &part.points);
    points.iter().chain(others).copied().collect()
}

/// The orbits of `part` without those that the other orbits determine. They are left out one after
/// the other, small ones first. This helps because the states of a specification may be moved by
/// several factors.
fn relevant(
    action: &GroupAction,
    part: &SupportPart,
    effort: &mut Effort,
) -> Option<Vec<Vec<u32>>> {
    let action = action.restricted(&part.points);
    let mut orbits = action.orbits();
    orbits.sort_by_key(Vec::len);
    let mut number = 0;
    while orbits.len() > 1 && number < orbits.len() {
        let mut others = orbits.clone();
        others.remove(number);
        // The group has as many elements on the other orbits: these determine the orbit left out.
        if effort.order(&action.restricted(&others.concat()), &part.order)? == part.order {
            orbits = others;
        } else {
            number += 1;
        }
    }
    for point in orbits.iter_mut().flatten() {
        *point = part.points[*point as usize];
    }
    Some(orbits)
}
