//! The search for the least image of one set of points.

use crate::permutations::element::multiply;

use super::sets::{ImageOrigin, PointSets, START};
use super::tree::{FIXED, ROOT, StabiliserTree};

/// Finds the least image of a set that has one point of each slot.
///
/// Breadth first down the tree of stabilisers. At each level there are the *candidates*, images of
/// the set that may still become the least. They are compared by the stabiliser: for each candidate
/// it chooses the orbit of which the candidate has the fewest points, and the least choice wins.
/// The children of a candidate are its images with one point of that orbit taken to the least one,
/// which the next stabiliser fixes. The sum of the weights of a child's points decides if it stays;
/// sets that have equally many points of each orbit of that stabiliser have equal sums.
///
/// Choice and sum are the same for all images of a set under the stabiliser they belong to, so the
/// candidates of each level are, up to elements of its stabiliser, the same for all sets of an
/// orbit. The last stabiliser moves none of their points: there the candidates themselves are the
/// same for all sets of an orbit. Several are left if sets that differ have equal sums by accident;
/// then the first of them wins.
#[derive(Clone, Debug, Default)]
pub(super) struct ImageSearch {
    candidates: PointSets,
    children: PointSets,
    /// By level, the node of its stabiliser.
    path: Vec<u32>,
    /// The steps that the candidates of all levels but the last come from.
    origins: Vec<ImageOrigin>,
    /// By orbit, the number of its points that a candidate has. All zero between uses.
    counts: Vec<u32>,
}

/// Children are merged when they are this many times as many as were left by the last merge, and at
/// least `MERGE_FIRST`.
const MERGE_FACTOR: usize = 4;
const MERGE_FIRST: usize = 1 << 12;

impl ImageSearch {
    /// The least image of `set`, by slot; `slots` are by point.
    pub(super) fn least(
        &mut self,
        tree: &mut StabiliserTree,
        slots: &[u32],
        set: &[u32],
    ) -> &[u32] {
        self.run(tree, slots, set);
        self.candidates.set(self.candidates.first())
    }

    /// An element of the group that takes `set` to its least image, as a permutation of
    /// 0..`points`.
    pub(super) fn element(
        &mut self,
        tree: &mut StabiliserTree,
        slots: &[u32],
        set: &[u32],
        points: usize,
    ) -> Vec<u32> {
        self.run(tree, slots, set);
        let mut origin = self.candidates.origin(self.candidates.first());
        let mut word = Vec::new();
        while origin.before != START {
            word.push(origin.point);
            origin = self.origins[origin.before as usize];
        }
        let mut images: Vec<u32> = (0..points as u32).collect();
        // Origins lead back from the last candidate, so the word begins with the last level.
        for (&node, &point) in self.path.iter().zip(word.iter().rev()) {
            multiply(&mut images, tree.carrier(node, point));
        }
        images
    }

    /// Leaves the candidates of the last level in `candidates`.
    fn run(&mut self, tree: &mut StabiliserTree, slots: &[u32], set: &[u32]) {
        self.path.clear();
        self.origins.clear();
        self.candidates.start(set);
        let mut node = ROOT;
        while let Some(orbit) = self.choose(tree, node) {
            let child = tree.descend(node, orbit);
            self.path.push(node);
            self.branch(tree, [node, child], orbit, slots);
            node = child;
        }
    }

    /// The orbit of `node` in which points are to be taken to the least; `None` if it fixes all
    /// points of all candidates. Only candidates for which it is chosen are kept.
    fn choose(&mut self, tree: &StabiliserTree, node: u32) -> Option<u32> {
        let orbit_of = &*tree.node(node).orbit_of;
        self.counts
            .resize(tree.node(node).orbits().max(self.counts.len()), 0);
        let counts = &mut self.counts;
        let mut least = NONE;
        self.candidates.keep_least(|set| {
            let choice = rarest(counts, orbit_of, set);
            least = least.min(choice);
            choice
        });
        (least != NONE).then_some(least as u32)
    }

    /// Replaces the candidates by their images in which a point of the orbit has been taken to the
    /// least one. Keeps the images with the least sum of weights under the stabiliser of that
    /// point.
    fn branch(
        &mut self,
        tree: &mut StabiliserTree,
        [node, child]: [u32; 2],
        orbit: u32,
        slots: &[u32],
    ) {
        let first = self.origins.len() as u32;
        // Candidates of earlier levels are overwritten; their origins are kept for `element`.
        self.origins.extend(self.candidates.origins());
        let children = &mut self.children;
        children.clear(self.candidates.width());
        let mut least = u64::MAX;
        let mut merge_at = MERGE_FIRST;
        for (before, at) in (first..).zip(0..self.candidates.len()) {
            let set = self.candidates.set(at);
            for &point in set {
                if tree.node(node).orbit_of[point as usize] != orbit {
                    continue;
                }
                // Carriers are multiplied out only for points that some state has needed.
                tree.prepare(node, point);
                let carrier = tree.carrier(node, point);
                let weight = &tree.node(child).weight;
                let origin = ImageOrigin { before, point };
                let sum = children.push_image(set, carrier, slots, weight, origin);
                if sum > least {
                    children.pop();
                } else if sum < least {
                    least = sum;
                    children.keep_last();
                }
                if children.len() >= merge_at {
                    children.merge();
                    merge_at = MERGE_FIRST.max(children.len() * MERGE_FACTOR);
                }
            }
        }
        children.merge();
        std::mem::swap(&mut self.candidates, &mut self.children);
    }
}

/// The choice if there is nothing to choose.
const NONE: u64 = u64::MAX;

/// The orbit of which the set has the fewest points, but at least one: the number of points in the
/// high half, the first such orbit in the low half. `counts` are all zero before and after.
fn rarest(counts: &mut [u32], orbit_of: &[u32], set: &[u32]) -> u64 {
    let orbits = set.iter().map(|&point| orbit_of[point as usize]);
    let orbits = orbits.filter(|&orbit| orbit != FIXED);
    for orbit in orbits.clone() {
        counts[orbit as usize] += 1;
    }
    let mut least = NONE;
    for orbit in orbits {
        // The count is taken at the orbit's first point, so a second point finds zero.
        let count = std::mem::take(&mut counts[orbit as usize]);
        if count != 0 {
            least = least.min(u64::from(count) << u32::BITS | u64::from(orbit));
        }
    }
    least
}
