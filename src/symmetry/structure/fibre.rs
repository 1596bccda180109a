//! A group that permutes blocks and acts within each of them.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::permutations::action::GroupAction;

use super::effort::Effort;

/// Points as pairs (block, x), where x is a point of block 0. A generator takes (b, x) to (bg, xh)
/// where h depends on b: an element of the group that the stabiliser of block 0 induces on this
/// block. By Schreier's lemma, these elements generate that group.
#[derive(Clone, Debug)]
pub(super) struct Fibre {
    /// By generator and block, its image.
    pub(super) blocks: Vec<Box<[u32]>>,
    /// By generator and block, the h of [`Fibre`]: the number of a generator of the action on block
    /// 0.
    pub(super) within: Vec<Vec<u32>>,
    /// By point, (block, x); `None` for points outside.
    pub(super) coordinates: Vec<Option<(u32, u32)>>,
    /// The number of generators of the action on block 0.
    pub(super) inner_generators: usize,
    pub(super) inner_order: BigUint,
    pub(super) outer_order: BigUint,
}

/// The most alignments of an orbit that are compared.
const ALIGNMENTS: usize = 8;

impl Fibre {
    /// Makes the pairs from `of`, which has the block of each point. Also returns the action of the
    /// stabiliser of block 0 on this block. The orders are not known yet.
    pub(super) fn new(
        action: &GroupAction,
        on_blocks: &GroupAction,
        of: &[Option<u32>],
    ) -> (Self, GroupAction) {
        let mut transport: Vec<Vec<u32>> = vec![Vec::new(); on_blocks.points];
        // By block, the images of the points of block 0 under an element that takes block 0 to the
        // block.
        let first = (0..).zip(of).filter(|(_, block)| **block == Some(0));
        transport[0] = first.map(|(point, _)| point).collect();
        let mut reached = vec![0u32];
        let mut done = 0;
        while let Some(&block) = reached.get(done) {
            done += 1;
            for (images, blocks) in action.images.iter().zip(&on_blocks.images) {
                let next = blocks[block as usize];
                // The transport of block 0 to itself is the identity.
                if next != 0 && transport[next as usize].is_empty() {
                    let there = transport[block as usize].iter();
                    transport[next as usize] = there.map(|&point| images[point as usize]).collect();
                    reached.push(next);
                }
            }
        }
        let mut coordinates = vec![None; action.points];
        for (block, points) in (0..).zip(&transport) {
            for (x, &point) in (0..).zip(points) {
                coordinates[point as usize] = Some((block, x));
            }
        }
        let mut numbers: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut inner: Vec<Box<[u32]>> = Vec::new();
        let mut induced = |images: &[u32], points: &[u32]| {
            let x = |&point: &u32| coordinates[images[point as usize] as usize].map_or(0, |c| c.1);
            // Points of blocks go to points of blocks, so all of them have coordinates.
            let element: Box<[u32]> = points.iter().map(x).collect();
            *numbers.entry(element).or_insert_with_key(|element| {
                inner.push(element.clone());
                (inner.len() - 1) as u32
            })
        };
        let mut by_block = |images: &[u32]| {
            let blocks = transport.iter();
            blocks.map(|points| induced(images, points)).collect()
        };
        let generators = action.images.iter();
        let within = generators.map(|images| by_block(images)).collect();
        let inner = GroupAction::new(transport[0].len(), inner);
        let fibre = Self {
            blocks: on_blocks.images.clone(),
            within,
            coordinates,
            inner_generators: inner.images.len(),
            inner_order: BigUint::default(),
            outer_order: BigUint::default(),
        };
        (fibre, inner)
    }
}

/// A block system of one orbit, or of several that are aligned.
pub(super) struct Candidate {
    /// By point, its block, if the point is in the orbit.
    pub(super) of: Vec<Option<u32>>,
    pub(super) on_blocks: GroupAction,
    pub(super) order: BigUint,
}

impl Candidate {
    /// Extends the block system of one orbit to all orbits of `action`, a group of at most `most`
    /// elements, so that blocks move as they do in the first. Returns the block of each point;
    /// `None` if an orbit has no such partition. Where there are several partitions, one is chosen
    /// for which the group on a block is as small as can be: so orbits that depend on each other
    /// come to lie side by side.
    pub(super) fn aligned(
        &self,
        action: &GroupAction,
        most: &BigUint,
        effort: &mut Effort,
    ) -> Option<Option<Vec<Option<u32>>>> {
        let mut of = self.of.clone();
        for orbit in action.orbits() {
            if of[orbit[0] as usize].is_some() {
                continue;
            }
            let mut best: Option<(BigUint, Vec<Option<u32>>)> = None;
            let maps = self.maps(&action.restricted(&orbit), effort)?;
            let is_only = maps.len() == 1;
            for map in maps {
                let mut extended = of.clone();
                for (&point, &block) in orbit.iter().zip(&map) {
                    extended[point as usize] = Some(block);
                }
                // Of several ways to lay an orbit along the blocks, the way with the least inner
                // group is kept.
                let order = if is_only {
                    BigUint::default()
                } else {
                    let inner = Fibre::new(action, &self.on_blocks, &extended).1;
                    effort.order(&inner, most)?
                };
                if best.as_ref().is_none_or(|(least, _)| order < *least) {
                    best = Some((order, extended));
                }
            }
            match best {
                Some((_, extended)) => of = extended,
                None => return Some(None),
            }
        }
        Some(Some(of))
    }

    /// The maps f from the points of an orbit to blocks with f(xg) = f(x)g for all generators g.
    fn maps(&self, on_orbit: &GroupAction, effort: &mut Effort) -> Option<Vec<Vec<u32>>> {
        let mut found = Vec::new();
        if !on_orbit.points.is_multiple_of(self.on_blocks.points) {
            return Some(found);
        }
        for block in 0..self.on_blocks.points as u32 {
            found.extend(self.map(on_orbit, block, effort)?);
            if found.len() == ALIGNMENTS {
                break;
            }
        }
        Some(found)
    }

    /// The map f that takes the first point to `block`, if there is one.
    fn map(
        &self,
        on_orbit: &GroupAction,
        block: u32,
        effort: &mut Effort,
    ) -> Option<Option<Vec<u32>>> {
        let mut map: Vec<Option<u32>> = vec![None; on_orbit.points];
        map[0] = Some(block);
        let mut reached = vec![(0u32, block)];
        let mut done = 0;
        while let Some(&(point, block)) = reached.get(done) {
            done += 1;
            effort.spend(on_orbit.images.len())?;
            for (points, blocks) in on_orbit.images.iter().zip(&self.on_blocks.images) {
                let (next, wanted) = (points[point as usize], blocks[block as usize]);
                match map[next as usize] {
                    None => {
                        map[next as usize] = Some(wanted);
                        reached.push((next, wanted));
                    }
                    Some(known) if known != wanted => return Some(None),
                    Some(_) => {}
                }
            }
        }
        Some(map.into_iter().collect())
    }
}
