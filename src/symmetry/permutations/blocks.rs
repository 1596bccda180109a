//! Block systems: partitions of the points that a group preserves.

use super::action::GroupAction;
use super::element::{inverted, multiply};
use super::union_find::UnionFind;

/// A partition of 0..n into blocks of one size, if the group is transitive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct System {
    /// The number of blocks.
    pub(crate) count: usize,
    /// By point, its block; blocks are numbered in the order of their least points.
    pub(crate) of: Vec<u32>,
}

/// The number of Schreier generators whose orbits decide which pairs of points are tried.
const SCHREIER_GENERATORS: usize = 16;

impl System {
    pub(super) fn new(classes: UnionFind) -> Self {
        let names = classes.all();
        let mut numbers = vec![0; names.len()];
        let mut count = 0;
        // A class is named by its least point, which comes before its other members.
        let mut number = |(point, &name): (usize, &u32)| {
            if name as usize == point {
                numbers[point] = count;
                count += 1;
            }
            numbers[name as usize]
        };
        let of = names.iter().enumerate().map(&mut number).collect();
        let count = count as usize;
        Self { count, of }
    }

    /// The system in which every point is a block.
    pub(crate) fn singletons(points: usize) -> Self {
        Self::new(UnionFind::new(points))
    }

    /// The system on the points that `above`, a system on the blocks, gives.
    fn coarsened(&self, above: &Self) -> Self {
        let of = self.of.iter().map(|&block| above.of[block as usize]);
        Self {
            count: above.count,
            of: of.collect(),
        }
    }
}

impl GroupAction {
    /// The action on the blocks of a system.
    pub(crate) fn on_blocks(&self, system: &System) -> Self {
        let on_blocks = self.images.iter().map(|generator| {
            let mut images = vec![0; system.count];
            for (&block, &image) in system.of.iter().zip(generator) {
                images[block as usize] = system.of[image as usize];
            }
            images
        });
        Self::new(system.count, on_blocks)
    }
}

/// The finest partition that the generators preserve and that has the two points of each of `pairs`
/// in one class (Atkinson, 1975).
pub(super) fn finest(action: &GroupAction, pairs: &[(u32, u32)]) -> UnionFind {
    let mut classes = UnionFind::new(action.points);
    for &(x, y) in pairs {
        classes.union(x, y);
    }
    // Each merge of two classes is carried on once by each generator: classes are closed at the
    // end.
    let mut merged = pairs.to_vec();
    while let Some((x, y)) = merged.pop() {
        for generator in &action.images {
            let (x, y) = (generator[x as usize], generator[y as usize]);
            if classes.union(x, y) {
                merged.push((x, y));
            }
        }
    }
    classes
}

/// The minimal systems with several blocks of two or more points each, ascending by the number of
/// their blocks, of a transitive group. Costs about a pass over all images for each orbit of the
/// stabiliser of a point. `spend` gets the number of images, and returns `None` if they are too
/// many.
pub(super) fn minimal(
    action: &GroupAction,
    spend: &mut impl FnMut(usize) -> Option<()>,
) -> Option<Vec<System>> {
    let mut found = Vec::new();
    let suborbits = suborbits(action);
    // The block of 0 is a union of orbits of the stabiliser of 0, so one point of each is enough.
    spend(suborbits.len() * action.points * action.images.len())?;
    for other in suborbits {
        let system = System::new(finest(action, &[(0, other)]));
        if system.count > 1 {
            found.push(system);
        }
    }
    // The finest systems come first: of two systems that share a second point of the first block,
    // one refines the other.
    found.sort_unstable_by(|left, right| right.cmp(left));
    found.dedup();
    let mut kept: Vec<System> = Vec::new();
    for system in found {
        let refines = |finer: &System| {
            let mut pairs = finer.of.iter().zip(&system.of).skip(1);
            pairs.any(|(&finer, &coarser)| finer == 0 && coarser == 0)
        };
        if !kept.iter().any(refines) {
            kept.push(system);
        }
    }
    kept.reverse();
    Some(kept)
}

/// All systems with several blocks of two or more points each of a transitive group, but at most
/// `limit`, ascending by the number of blocks: those above a minimal system are systems of the
/// group's action on its blocks. `spend` as in [`minimal`].
pub(crate) fn systems(
    action: &GroupAction,
    limit: usize,
    spend: &mut impl FnMut(usize) -> Option<()>,
) -> Option<Vec<System>> {
    let action = action.different();
    let mut known: Vec<System> = Vec::new();
    let mut open = vec![System::singletons(action.points)];
    while let Some(below) = open.pop() {
        for above in minimal(&action.on_blocks(&below), spend)? {
            let system = below.coarsened(&above);
            if known.len() < limit && !known.contains(&system) {
                known.push(system.clone());
                open.push(system);
            }
        }
    }
    known.sort_unstable();
    Some(known)
}

/// One point, other than 0, of each orbit of the stabiliser of 0. Some of the orbits have more than
/// one point listed, because only some Schreier generators are looked at.
fn suborbits(action: &GroupAction) -> Vec<u32> {
    let (points, generators) = (action.points, &action.images);
    let mut classes = UnionFind::new(points);
    let mut origins: Vec<Option<(u32, usize)>> = vec![None; points];
    let mut reached = vec![0u32];
    let mut done = 0;
    while let Some(&point) = reached.get(done) {
        done += 1;
        for (number, generator) in generators.iter().enumerate() {
            let image = generator[point as usize];
            if image != 0 && origins[image as usize].is_none() {
                origins[image as usize] = Some((point, number));
                reached.push(image);
            }
        }
    }
    // The letters, from the last, of an element that takes 0 to `point`.
    let representative = |mut point: u32| {
        let mut word = Vec::new();
        while let Some((before, number)) = origins[point as usize] {
            word.push(number);
            point = before;
        }
        let mut images: Vec<u32> = (0..points as u32).collect();
        for &number in word.iter().rev() {
            multiply(&mut images, &generators[number]);
        }
        images
    };
    for draw in 0..SCHREIER_GENERATORS.min(points * generators.len()) {
        let generator = &generators[draw % generators.len()];
        // All generators are tried in turn, each at points that lie apart in the order of
        // discovery.
        let point = reached[draw / generators.len() * 7 % reached.len()];
        let mut there = representative(point);
        multiply(&mut there, generator);
        let back: Vec<u32> = inverted(&representative(generator[point as usize]));
        multiply(&mut there, &back);
        classes.union_all(&there);
    }
    let names = classes.all();
    let is_name = |point: &u32| names[*point as usize] == *point;
    (1..points as u32).filter(is_name).collect()
}
