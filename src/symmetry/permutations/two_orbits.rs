//! How a group moves points relative to those of one orbit: the orbits of pairs of points.

/// For an orbit B and a set H of points on which the group acts too: the orbits of the group on
/// pairs (y, b) with y in H and b in B. They are found without any stabiliser chain: by a
/// representative for each b the pair is carried to some (x, b₀) with the first point of B, and two
/// x that an edge of B's graph connects are in one orbit of the stabiliser of b₀.
pub(super) struct TwoOrbits {
    /// By x: a name for the orbit of (x, b₀), the least y with (y, b₀) in that orbit.
    classes: Vec<u32>,
    /// By position of b in the orbit and y: the x such that (y, b) is in the orbit of (x, b₀).
    carried: Vec<Box<[u32]>>,
}

/// A generator as it acts on B and on H.
#[derive(Clone, Copy)]
pub(super) struct GeneratorAction<'a> {
    /// By position in B, the position of the image.
    pub(super) orbit: &'a [u32],
    /// By point of H, its image.
    pub(super) points: &'a [u32],
    /// The points of H that it moves.
    pub(super) moved: &'a [u32],
}

impl TwoOrbits {
    /// Of the group whose generators do `actions`, transitive on the `size` positions of B, on the
    /// `points` points of H. Time and memory as [`cost`].
    pub(super) fn new(size: usize, points: usize, actions: &[GeneratorAction]) -> Self {
        // By position b, the inverse of a representative that takes b₀ to b, on H.
        let mut carried: Vec<Box<[u32]>> = vec![Box::default(); size];
        carried[0] = (0..points as u32).collect();
        let mut reached = vec![0];
        let mut is_reached = vec![false; size];
        is_reached[0] = true;
        let mut done = 0;
        while let Some(&position) = reached.get(done) {
            done += 1;
            for action in actions {
                let next = action.orbit[position] as usize;
                if !std::mem::replace(&mut is_reached[next], true) {
                    let mut there = vec![0; points];
                    for (&image, &back) in action.points.iter().zip(&carried[position]) {
                        // First back by the generator, then as from the position before.
                        there[image as usize] = back;
                    }
                    carried[next] = there.into();
                    reached.push(next);
                }
            }
        }
        let mut classes = UnionFind::new(points);
        for action in actions {
            for (position, &next) in action.orbit.iter().enumerate() {
                let (here, there) = (&carried[position], &carried[next as usize]);
                let mut connect = |point: usize| {
                    classes.union(here[point], there[action.points[point] as usize]);
                };
                if next as usize == position {
                    // Where nothing moves, (y, b) stays as it is.
                    action.moved.iter().for_each(|&y| connect(y as usize));
                } else {
                    (0..points).for_each(&mut connect);
                }
            }
        }
        Self {
            classes: classes.all(),
            carried,
        }
    }

    /// By y: a name for the orbit of y under the stabiliser of the point of B at `position`.
    pub(super) fn stabiliser_orbits(&self, position: usize) -> Vec<u32> {
        let carried = self.carried[position].iter();
        carried.map(|&x| self.classes[x as usize]).collect()
    }

    /// Whether elements that fix every point of H fix every point of B: because different points of
    /// B are related differently to H. If g fixes all y, then (y, b) and (y, bg) are in one orbit
    /// for all y. The other way round it need not be so: the answer no proves nothing.
    pub(super) fn separates(&self) -> bool {
        // Being related alike is an equivalence that the transitive group preserves, so b₀ stands
        // for all.
        let alike = |carried: &[u32]| {
            let mut pairs = carried.iter().zip(&self.classes);
            pairs.all(|(&x, &class)| self.classes[x as usize] == class)
        };
        !self.carried[1..].iter().any(|carried| alike(carried))
    }
}

/// Pairs that are never exceeded: 128 megabytes.
const MOST_PAIRS: usize = 1 << 25;

/// About how many steps [`TwoOrbits::new`] takes; more than any limit if it would need too much
/// memory.
pub(super) fn cost(size: usize, points: usize, actions: &[GeneratorAction]) -> usize {
    let of = |action: &GeneratorAction| {
        let moved = action.orbit.iter().zip(0..);
        let moved = moved.filter(|(image, at)| *image != at).count();
        moved * points + (size - moved) * action.moved.len() + size
    };
    if size.saturating_mul(points) > MOST_PAIRS {
        return usize::MAX;
    }
    size * points + actions.iter().map(of).sum::<usize>()
}

/// A partition of 0..n that becomes coarser (union-find). The least point of a class names it.
pub(crate) struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// Every point alone.
    pub(crate) fn new(points: usize) -> Self {
        let parents = (0..points as u32).collect();
        Self { parents }
    }

    /// The name of the class of `point`.
    pub(crate) fn find(&mut self, mut point: u32) -> u32 {
        while self.parents[point as usize] != point {
            let above = self.parents[self.parents[point as usize] as usize];
            self.parents[point as usize] = above;
            point = above;
        }
        point
    }

    /// Puts two classes together.
    pub(crate) fn union(&mut self, left: u32, right: u32) {
        let (left, right) = (self.find(left), self.find(right));
        // Not by rank: the name of a class has to be its least point.
        let (least, other) = (left.min(right), left.max(right));
        self.parents[other as usize] = least;
    }

    /// By point, the name of its class.
    pub(crate) fn all(mut self) -> Vec<u32> {
        (0..self.parents.len() as u32)
            .map(|point| self.find(point))
            .collect()
    }

    /// The classes of two or more points, each ascending, in the order of their names.
    pub(crate) fn members(self) -> Vec<Vec<u32>> {
        let names = self.all();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
        for (point, name) in (0..).zip(names) {
            members[name as usize].push(point);
        }
        members.retain(|class| class.len() > 1);
        members
    }
}
