//! Actions of one group on different things: orbits, blocks, and sets of points.

use rustc_hash::{FxHashMap, FxHashSet};

use super::element::{is_identity, positions, restricted};
use super::union_find::UnionFind;

/// An action of a group on 0..`points` that its generators give. Actions derived from it have the
/// same generators in the same order, so that they can be put together again.
#[derive(Clone, Debug)]
pub(crate) struct GroupAction {
    pub(crate) points: usize,
    /// By generator and point, the image.
    pub(crate) images: Vec<Box<[u32]>>,
}

impl GroupAction {
    /// The action of these generators.
    pub(crate) fn new(
        points: usize,
        generators: impl IntoIterator<Item = impl Into<Box<[u32]>>>,
    ) -> Self {
        let images = generators.into_iter().map(Into::into).collect();
        Self { points, images }
    }

    /// This action with only the generators that move something, without repetitions.
    pub(crate) fn different(&self) -> Self {
        let mut seen: FxHashSet<&Box<[u32]>> = FxHashSet::default();
        let moving = self.images.iter().filter(|images| !is_identity(images));
        Self::new(
            self.points,
            moving.filter(|images| seen.insert(images)).cloned(),
        )
    }

    /// The partition of the points into orbits.
    pub(super) fn classes(&self) -> UnionFind {
        let mut classes = UnionFind::new(self.points);
        for images in &self.images {
            classes.union_all(images);
        }
        classes
    }

    /// The orbits of two or more points, each ascending, in the order of their least points.
    pub(crate) fn orbits(&self) -> Vec<Vec<u32>> {
        self.classes().members()
    }

    /// The action on `points` alone, each listed once, which the group permutes: point i of the
    /// result is `points[i]`.
    pub(crate) fn restricted(&self, points: &[u32]) -> Self {
        let position = positions(points, self.points);
        let images = self.images.iter();
        Self::new(
            points.len(),
            images.map(|images| restricted(images, points, &position)),
        )
    }

    /// The action on the points of both actions, those of `other` behind.
    pub(crate) fn beside(&self, other: &Self) -> Self {
        let start = self.points as u32;
        let images = self.images.iter().zip(&other.images);
        let joined = images.map(|(left, right)| {
            let right = right.iter().map(|image| image + start);
            left.iter().copied().chain(right).collect::<Box<[u32]>>()
        });
        Self::new(self.points + other.points, joined)
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
                // The key of a set is its members in ascending order.
                image.sort_unstable();
                let next = sets.len() as u32;
                let number = *numbers.entry(image.clone()).or_insert(next);
                if number == next {
                    sets.push(image);
                }
                images.push(number);
            }
            // The limit is checked after each set, so that large orbits are given up early.
            if sets.len() > limit {
                return None;
            }
            done += 1;
        }
        Some(Self::new(sets.len(), images))
    }
}
