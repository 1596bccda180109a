//! Lists of sets of points, without repetition.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Sets with one point for each of some slots, and the steps that they come from.
#[derive(Clone, Debug, Default)]
pub(super) struct PointSets {
    /// The number of slots.
    width: usize,
    /// By set and slot, the point.
    points: Vec<u32>,
    /// By set, the step that it comes from.
    origins: Vec<ImageOrigin>,
    /// Scratch of `merge`: sets by hash.
    order: Vec<(u64, u32)>,
}

/// A step that led to an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImageOrigin {
    /// The set before.
    pub(super) before: u32,
    /// The point that was taken to the least one of its orbit.
    pub(super) point: u32,
}

/// The number in place of a set before the first.
pub(super) const START: u32 = u32::MAX;

/// The most different sets that are compared with each other; more are hashed.
const COMPARED: usize = 8;

impl PointSets {
    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    /// The number of slots.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The points of a set, by slot.
    pub(super) fn set(&self, at: usize) -> &[u32] {
        &self.points[at * self.width..][..self.width]
    }

    /// The step that a set comes from.
    pub(super) fn origin(&self, at: usize) -> ImageOrigin {
        self.origins[at]
    }

    /// The steps that the sets come from.
    pub(super) fn origins(&self) -> &[ImageOrigin] {
        &self.origins
    }

    /// The lexicographically first set.
    pub(super) fn first(&self) -> usize {
        let sets = 0..self.len();
        sets.min_by_key(|&at| self.set(at)).unwrap_or(0)
    }

    /// Removes all sets. The next sets have `width` slots.
    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.points.clear();
        self.origins.clear();
    }

    /// Leaves only the set `set`.
    pub(super) fn start(&mut self, set: &[u32]) {
        self.clear(set.len());
        self.points.extend_from_slice(set);
        self.origins.push(ImageOrigin {
            before: START,
            point: 0,
        });
    }

    /// Adds the image of `set` under `carrier`, and returns the sum of the weights of its points.
    /// The lists other than the set are by point.
    #[inline]
    pub(super) fn push_image(
        &mut self,
        set: &[u32],
        carrier: &[u32],
        slots: &[u32],
        weight: &[u64],
        origin: ImageOrigin,
    ) -> u64 {
        let start = self.points.len();
        self.points.resize(start + set.len(), 0);
        let image = &mut self.points[start..];
        let mut sum = 0u64;
        for &point in set {
            let point = carrier[point as usize];
            image[slots[point as usize] as usize] = point;
            sum = sum.wrapping_add(weight[point as usize]);
        }
        self.origins.push(origin);
        sum
    }

    /// Removes the last set.
    pub(super) fn pop(&mut self) {
        self.truncate(self.len() - 1);
    }

    /// Removes all but the last set.
    pub(super) fn keep_last(&mut self) {
        self.keep(self.len() - 1, 0);
        self.truncate(1);
    }

    /// Keeps the sets for which `key` is least.
    pub(super) fn keep_least(&mut self, mut key: impl FnMut(&[u32]) -> u64) {
        let mut least = u64::MAX;
        let mut kept = 0;
        for at in 0..self.len() {
            let key = key(self.set(at));
            if key < least {
                (least, kept) = (key, 0);
            }
            if key == least {
                self.keep(at, kept);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Keeps each set once. Of many sets, some may be left twice by accident, which costs time
    /// only.
    pub(super) fn merge(&mut self) {
        let mut kept = 0;
        for at in 0..self.len() {
            if (0..kept).any(|other| self.set(other) == self.set(at)) {
                continue;
            }
            if kept == COMPARED {
                // The sets between the kept ones and this one repeat kept ones; hashing finds that
                // again.
                self.merge_by_hash();
                return;
            }
            self.keep(at, kept);
            kept += 1;
        }
        self.truncate(kept);
    }

    fn merge_by_hash(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..self.len()).map(|at| (hash(self.set(at)), at as u32)));
        order.sort_unstable();
        order.dedup_by(|next, kept| {
            next.0 == kept.0 && self.set(next.1 as usize) == self.set(kept.1 as usize)
        });
        // The sets are put back in their order, because `keep` may only move a set towards the
        // front.
        order.sort_unstable_by_key(|&(_, at)| at);
        for (kept, &(_, at)) in order.iter().enumerate() {
            self.keep(at as usize, kept);
        }
        self.truncate(order.len());
        self.order = order;
    }

    /// Puts set `at` in the place of set `to`, which is not after it.
    fn keep(&mut self, at: usize, to: usize) {
        if at != to {
            let start = at * self.width;
            self.points
                .copy_within(start..start + self.width, to * self.width);
            self.origins[to] = self.origins[at];
        }
    }

    fn truncate(&mut self, sets: usize) {
        self.points.truncate(sets * self.width);
        self.origins.truncate(sets);
    }
}

fn hash(set: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    set.iter().for_each(|&point| hasher.write_u32(point));
    hasher.finish()
}
