//! The relation of each point to the ids: what it *says* of them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::moves::ForestMoves;
use super::orbits::Orbits;

/// The relation of a point to the ids.
#[derive(Clone, Debug)]
pub(super) enum Says {
    /// No element moves the point: it says nothing.
    Nothing,
    /// The state of a participant, or a variable that holds an id: an element that fixes the id
    /// fixes the point. `number` is the orbit of the two, so that points of one id have different
    /// numbers.
    Of { id: u32, number: u64 },
    /// A point that says something of several ids.
    Linking(Linking),
}

/// The relation of a point to several ids.
#[derive(Clone, Debug)]
pub(super) struct Linking {
    /// The ids of which the point says something else than of most of their family, each with the
    /// number of their orbit with the point, and that of most of the family.
    pub(super) support: Vec<(u32, u64, u64)>,
    /// The ids of `support`, their ancestors, and the ids that cannot be exchanged freely without
    /// moving the point; each with the number of its orbit with the point. Ascending.
    pub(super) links: Vec<(u32, u64)>,
}

/// By point, its relation to the ids.
pub(super) fn all(moves: &ForestMoves, orbits: &mut Orbits) -> Vec<Says> {
    let points = 0..moves.point_count() as u32;
    points.map(|point| says(moves, orbits, point)).collect()
}

fn says(moves: &ForestMoves, orbits: &mut Orbits, point: u32) -> Says {
    if (0..moves.swap_count() as u32).all(|swap| moves.point(&[swap], point) == point) {
        return Says::Nothing;
    }
    for family in &moves.ids.families {
        // Of three siblings or more at most one decides the point. Of two siblings both may decide
        // it, because an element that fixes one fixes the other: taking the lesser number makes the
        // same choice for the whole orbit.
        let alone = family.ids().filter_map(|id| {
            let (number, is_alone) = orbits.number(&[id], point);
            is_alone.then_some((number, id as u32))
        });
        if let Some((number, id)) = alone.min() {
            return Says::Of { id, number };
        }
    }
    Says::Linking(linking(moves, orbits, point))
}

fn linking(moves: &ForestMoves, orbits: &mut Orbits, point: u32) -> Linking {
    let mut support = Vec::new();
    for family in &moves.ids.families {
        let numbers = family.ids().map(|id| orbits.number(&[id], point).0);
        let numbers: Vec<u64> = numbers.collect();
        let most = most_frequent(&numbers);
        let others = family.ids().zip(&numbers).filter(|&(_, &n)| n != most);
        support.extend(others.map(|(id, &number)| (id as u32, number, most)));
    }
    let links = links(moves, point, &support).into_iter();
    let links = links.map(|id| (id as u32, orbits.number(&[id], point).0));
    Linking {
        links: links.collect(),
        support,
    }
}

/// The most frequent number; the least of several such numbers.
fn most_frequent(numbers: &[u64]) -> u64 {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for &number in numbers {
        *counts.entry(number).or_default() += 1;
    }
    let most = counts
        .iter()
        .max_by_key(|&(&n, &count)| (count, u64::MAX - n));
    most.map_or(0, |(&number, _)| number)
}

/// The ids of [`Linking::links`]. They are found from the bottom up, so that an exchange of whole
/// subtrees is tested only if their members may be permuted freely: then the order of the members
/// does not matter.
fn links(moves: &ForestMoves, point: u32, support: &[(u32, u64, u64)]) -> Vec<usize> {
    let mut is_link = vec![false; moves.ids.count()];
    for &(id, _, _) in support {
        is_link[id as usize] = true;
    }
    for (number, family) in moves.ids.families.iter().enumerate().rev() {
        let free: Vec<usize> = family.ids().filter(|&id| !is_link[id]).collect();
        let is_free = free.windows(2).all(|pair| {
            let word = moves.word(number, pair[0] - family.first, pair[1] - family.first);
            moves.point(&word, point) == point
        });
        if !is_free {
            free.iter().for_each(|&id| is_link[id] = true);
        }
        if let Some(parent) = family.parent
            && family.ids().any(|id| is_link[id])
        {
            is_link[parent] = true;
        }
    }
    (0..is_link.len()).filter(|&id| is_link[id]).collect()
}

/// The counterparts of the points that say something of one id only: by slot of another id of its
/// kind, the point that says the same of the other id.
pub(super) struct Counterparts {
    /// The rows, one after the other.
    pub(super) points: Vec<u32>,
    /// By number, the start of its row.
    pub(super) rows: FxHashMap<u64, u32>,
}

const NONE: u32 = u32::MAX;

impl Counterparts {
    /// Makes the rows, and checks them against every swap: so they give the image under any product
    /// of swaps. The error says that the exchanges do not move points like ids.
    pub(super) fn new(moves: &ForestMoves, says: &[Says]) -> Result<Self, String> {
        let mut points = Vec::new();
        let mut rows: FxHashMap<u64, u32> = FxHashMap::default();
        let single = |(point, says): (u32, &Says)| match says {
            Says::Of { id, number } => Some((point, *id as usize, *number)),
            _ => None,
        };
        for (point, id, number) in (0..).zip(says).filter_map(single) {
            let row = *rows.entry(number).or_insert_with(|| {
                let row = points.len();
                let kind = moves.ids.families[moves.ids.family(id)].kind;
                let alike = moves.ids.families[kind].alike;
                points.resize(row + alike, NONE);
                row as u32
            });
            points[row as usize + moves.ids.slot[id] as usize] = point;
        }
        let found = Self { points, rows };
        for (point, id, number) in (0..).zip(says).filter_map(single) {
            for swap in 0..moves.swap_count() as u32 {
                let id = moves.id(&[swap], id);
                let row = found.rows[&number] as usize + moves.ids.slot[id] as usize;
                if moves.point(&[swap], point) != found.points[row] {
                    return Err("the exchanges of ids do not move states as they move ids".into());
                }
            }
        }
        Ok(found)
    }
}
