//! What given permutations do on orbits, on blocks and on sets of points: actions of one group on
//! different things.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::PermutationGroup;
use super::blocks::{self, System};
use super::element::{is_identity, multiply};
use super::faithful;
use super::order::order_within;
use super::random::Pool;

/// An action of a group on 0..`points` that its generators give. Actions made of this one have the
/// same generators in the same order, so that they can be put together again.
#[derive(Clone, Debug)]
pub(crate) struct GroupAction {
    pub(crate) points: usize,
    /// By generator and point, the image.
    pub(crate) images: Vec<Box<[u32]>>,
}

impl GroupAction {
    /// The generators without those that move nothing and without repetitions.
    fn different(&self) -> Vec<Box<[u32]>> {
        let mut seen: FxHashSet<&Box<[u32]>> = FxHashSet::default();
        let moving = self.images.iter().filter(|images| !is_identity(images));
        moving
            .filter(|images| seen.insert(images))
            .cloned()
            .collect()
    }

    /// What the group is on these points.
    #[cfg(test)]
    pub(crate) fn group(&self) -> PermutationGroup {
        let generators = self.different().into_iter().map(Vec::from);
        PermutationGroup::new(self.points, generators.collect())
    }

    /// How many elements of the group, which has at most `bound`, are different here; and about how
    /// many images of points were looked at. `None` if that would be more than `most`.
    pub(crate) fn order(&self, bound: &BigUint, most: u64) -> Option<(BigUint, u64)> {
        let generators = self.different().into_iter().map(Vec::from);
        order_within(self.points, generators.collect(), bound, most)
    }

    /// The orbits of two or more points, each ascending, in the order of their least points.
    pub(crate) fn orbits(&self) -> Vec<Vec<u32>> {
        faithful::orbits(self.points, &self.images)
    }

    /// On `points` alone, each once, which the group permutes: point i of the result is
    /// `points[i]`.
    pub(crate) fn restricted(&self, points: &[u32]) -> Self {
        let mut position = vec![0; self.points];
        for (at, &point) in (0..).zip(points) {
            position[point as usize] = at;
        }
        let restricted = |images: &[u32]| {
            let image = |&point: &u32| position[images[point as usize] as usize];
            points.iter().map(image).collect()
        };
        Self {
            points: points.len(),
            images: self
                .images
                .iter()
                .map(|images| restricted(images))
                .collect(),
        }
    }

    /// On the blocks of a system.
    pub(crate) fn on_blocks(&self, system: &System) -> Self {
        Self {
            points: system.count,
            images: blocks::on_blocks(&self.images, system),
        }
    }

    /// On the points of both, those of `other` behind.
    pub(crate) fn beside(&self, other: &Self) -> Self {
        let start = self.points as u32;
        let images = self.images.iter().zip(&other.images);
        let joined = |left: &[u32], right: &[u32]| {
            let right = right.iter().map(|image| image + start);
            left.iter().copied().chain(right).collect()
        };
        Self {
            points: self.points + other.points,
            images: images.map(|(left, right)| joined(left, right)).collect(),
        }
    }

    /// The action on the images of `set`, which is ascending; `None` if there are more than
    /// `limit`.
    pub(crate) fn on_set(&self, set: Vec<u32>, limit: usize) -> Option<Self> {
        let mut numbers = FxHashMap::from_iter([(set.clone(), 0)]);
        let mut sets = vec![set];
        let mut images = vec![Vec::new(); self.images.len()];
        let mut done = 0;
        while done < sets.len() {
            for (generator, images) in self.images.iter().zip(&mut images) {
                let image = sets[done].iter().map(|&point| generator[point as usize]);
                let mut image: Vec<u32> = image.collect();
                // A set is known by its members in ascending order.
                image.sort_unstable();
                let next = sets.len() as u32;
                let number = *numbers.entry(image.clone()).or_insert(next);
                if number == next {
                    sets.push(image);
                }
                images.push(number);
            }
            // Asked after each set, so that large orbits are given up early.
            if sets.len() > limit {
                return None;
            }
            done += 1;
        }
        Some(Self {
            points: sets.len(),
            images: images.into_iter().map(Into::into).collect(),
        })
    }

    /// All block systems with several blocks of two or more points, at most `limit`, ascending by
    /// the number of blocks. The group is transitive. `spend` gets how many images will be looked
    /// at, and returns `None` if those are too many.
    pub(crate) fn systems(
        &self,
        limit: usize,
        spend: &mut impl FnMut(usize) -> Option<()>,
    ) -> Option<Vec<System>> {
        blocks::all(self.points, &self.different(), limit, spend)
    }

    /// `count` elements that are nearly random, none of them the identity, fewer in a tiny group.
    /// They are the same on every run.
    pub(crate) fn random(&self, count: usize) -> Vec<Box<[u32]>> {
        let mut elements: Vec<Box<[u32]>> = Vec::new();
        self.any_random(count, |images| {
            elements.push(images.into());
            false
        });
        elements
    }

    /// Whether `is_wanted` holds of one of these; it is asked about one after the other until then.
    pub(crate) fn any_random(
        &self,
        count: usize,
        mut is_wanted: impl FnMut(&[u32]) -> bool,
    ) -> bool {
        let generators = self.different();
        if generators.is_empty() {
            return false;
        }
        let mut program = super::element::Program::default();
        let numbered = generators.into_iter().enumerate();
        let numbered = numbered.map(|(number, images)| (images, program.given(number)));
        let mut pool = Pool::new(numbered.collect(), &mut program);
        let next = |_| pool.next(&mut program).map(|(images, _)| images);
        let mut elements = (0..count).map_while(next);
        elements.any(|images| is_wanted(&images))
    }
}

/// `element` conjugated: what it does to x is done to the image of x under `by`.
pub(crate) fn conjugate(element: &[u32], by: &[u32]) -> Box<[u32]> {
    let mut images: Box<[u32]> = vec![0; element.len()].into();
    for (&point, &image) in by.iter().zip(element) {
        images[point as usize] = by[image as usize];
    }
    images
}

/// First `left`, then `right`.
pub(crate) fn times(left: &[u32], right: &[u32]) -> Box<[u32]> {
    let mut images: Box<[u32]> = left.into();
    multiply(&mut images, right);
    images
}

impl PermutationGroup {
    /// The action on some orbits together, as a group of its own: its point i is `points[i]`. The
    /// caller gives whole orbits (fixed points are orbits too).
    #[must_use]
    #[cfg(test)]
    pub(crate) fn on_orbits(&self, points: &[u32]) -> Self {
        self.action().restricted(points).group()
    }

    /// The action on the blocks of a partition of an orbit that the group preserves, such as one of
    /// [`Self::minimal_blocks`]: point i is block i.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn on_blocks(&self, blocks: &[Vec<u32>]) -> Self {
        let points: Vec<u32> = blocks.concat();
        let of = (0..).zip(blocks);
        let of = of.flat_map(|(number, block)| block.iter().map(move |_| number));
        let system = System {
            count: blocks.len(),
            of: of.collect(),
        };
        let on_orbit = self.action().restricted(&points);
        on_orbit.on_blocks(&system).group()
    }

    /// The minimal block systems of an orbit with several blocks of two or more points: of each
    /// system its blocks, ascending. Systems with fewer blocks come first.
    #[cfg(test)]
    pub(crate) fn minimal_blocks(&self, orbit: &[u32]) -> Vec<Vec<Vec<u32>>> {
        let on_orbit = self.action().restricted(orbit);
        let systems = blocks::minimal(on_orbit.points, &on_orbit.different(), &mut |_| Some(()));
        let points = |system: &System| {
            let mut blocks = system.blocks();
            for point in blocks.iter_mut().flatten() {
                *point = orbit[*point as usize];
            }
            blocks
        };
        systems.iter().flatten().map(points).collect()
    }

    /// What the generators do on all points.
    #[cfg(test)]
    fn action(&self) -> GroupAction {
        let generators = self.generators.iter();
        GroupAction {
            points: self.points,
            images: generators
                .map(|generator| self.on_points(generator).images().into())
                .collect(),
        }
    }
}
