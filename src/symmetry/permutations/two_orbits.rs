//! The relations of points to those of one orbit: the orbits of a group on pairs of points.

use std::ops::Deref;

use super::union_find::UnionFind;

/// For an orbit B and a set H of points on which the group acts too: the orbits of the group on
/// pairs (y, b) with y in H and b in B. They are found without any stabiliser chain: a
/// representative for each b carries the pair to some (x, b₀), where b₀ is the first point of B,
/// and two x that an edge of B's graph connects are in one orbit of the stabiliser of b₀.
pub(super) struct TwoOrbits {
    /// By x: a name for the orbit of (x, b₀), the least y with (y, b₀) in that orbit.
    classes: Vec<u32>,
    /// By position of b in the orbit and y: the x such that (y, b) is in the orbit of (x, b₀).
    carried: Vec<Box<[u32]>>,
}

/// The actions of the generators on B and on H.
pub(super) struct BothActions<'a, P> {
    /// By generator and position in B, the position of the image.
    pub(super) orbit: &'a [Box<[u32]>],
    /// By generator and point of H, its image.
    pub(super) points: &'a [P],
    /// By generator, the points of H that it moves.
    pub(super) moved: &'a [Vec<u32>],
}

/// The most pairs: 128 megabytes.
const MOST_PAIRS: usize = 1 << 25;

impl TwoOrbits {
    /// The orbits for the group whose generators act as in `actions`: transitively on the `size`
    /// positions of B, and on the `points` points of H. Takes its steps off `effort`; `None` if
    /// there are too few, or if it would need too much memory.
    pub(super) fn new<P: Deref<Target = [u32]>>(
        (size, points): (usize, usize),
        actions: &BothActions<'_, P>,
        effort: &mut usize,
    ) -> Option<Self> {
        let generators = actions.orbit.iter().zip(actions.points).zip(actions.moved);
        let steps = generators.clone().map(|((orbit, _), moved)| {
            let moves = (0..).zip(&**orbit).filter(|(at, image)| at != *image);
            let moves = moves.count();
            moves * points + (size - moves) * moved.len() + size
        });
        if size.saturating_mul(points) > MOST_PAIRS {
            return None;
        }
        *effort = effort.checked_sub(size * points + steps.sum::<usize>())?;
        // By position b, the inverse of a representative that takes b₀ to b, on H.
        let mut carried: Vec<Box<[u32]>> = vec![Box::default(); size];
        carried[0] = (0..points as u32).collect();
        let mut reached = vec![0];
        let mut is_reached = vec![false; size];
        is_reached[0] = true;
        let mut done = 0;
        while let Some(&position) = reached.get(done) {
            done += 1;
            for ((orbit, images), _) in generators.clone() {
                let next = orbit[position] as usize;
                if !std::mem::replace(&mut is_reached[next], true) {
                    let mut there = vec![0; points];
                    for (&image, &back) in images.iter().zip(&carried[position]) {
                        // Goes back by the generator first, then as from the position before.
                        there[image as usize] = back;
                    }
                    carried[next] = there.into();
                    reached.push(next);
                }
            }
        }
        let mut classes = UnionFind::new(points);
        for ((orbit, images), moved) in generators {
            for (position, &next) in orbit.iter().enumerate() {
                let (here, there) = (&carried[position], &carried[next as usize]);
                let mut connect = |point: usize| {
                    classes.union(here[point], there[images[point] as usize]);
                };
                if next as usize == position {
                    // Where the generator moves nothing, (y, b) stays as it is.
                    moved.iter().for_each(|&y| connect(y as usize));
                } else {
                    (0..points).for_each(&mut connect);
                }
            }
        }
        let classes = classes.all();
        Some(Self { classes, carried })
    }

    /// By y, a name for the orbit of y under the stabiliser of the point of B at `position`.
    pub(super) fn stabiliser_orbits(&self, position: usize) -> Vec<u32> {
        let carried = self.carried[position].iter();
        carried.map(|&x| self.classes[x as usize]).collect()
    }

    /// True if different points of B are related differently to H: then elements that fix every
    /// point of H fix every point of B. For if g fixes all y, then (y, b) and (y, bg) are in one
    /// orbit for all y. If false, the elements may still fix B.
    pub(super) fn separates(&self) -> bool {
        // Being related alike is an equivalence that the transitive group preserves, so it is
        // enough to look at b₀.
        let alike = |carried: &[u32]| {
            let mut pairs = carried.iter().zip(&self.classes);
            pairs.all(|(&x, &class)| self.classes[x as usize] == class)
        };
        !self.carried[1..].iter().any(|carried| alike(carried))
    }
}
