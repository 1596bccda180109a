//! The group of the automorphisms that were known before a search: what it can leave out.

use super::search::Moves;
use crate::symmetry::permutations::PermutationGroup;
use crate::symmetry::permutations::two_orbits::Classes;

/// The group that the known automorphisms generate, with those that were found beyond it. If none were known, it is not
/// needed: what is found is new then.
pub(super) struct KnownGroup {
    /// By generator and vertex, the image.
    generators: Vec<Vec<u32>>,
    /// The vertices of the first path.
    base: Vec<u32>,
    group: Option<Stabilisers>,
}

struct Stabilisers {
    group: PermutationGroup,
    /// By level of the path: how many base points of the group stand before it.
    levels: Vec<usize>,
    /// By level of the path: the orbit of its vertex under the elements that fix those before.
    images: Vec<Vec<u32>>,
}

impl KnownGroup {
    pub(super) fn new(size: usize, known: &[Vec<u32>], base: Vec<u32>) -> Self {
        let is_identity = |images: &[u32]| images.iter().zip(0..).all(|(&image, v)| image == v);
        let generators = known.iter().filter(|images| !is_identity(images));
        let generators: Vec<Vec<u32>> = generators.cloned().collect();
        debug_assert!(generators.iter().all(|images| images.len() == size));
        let mut known = Self {
            generators,
            base,
            group: None,
        };
        known.rebuild();
        known
    }

    fn rebuild(&mut self) {
        if let Some(first) = self.generators.first() {
            let size = first.len();
            let group = PermutationGroup::with_base(size, self.generators.clone(), &self.base);
            self.group = Some(Stabilisers::new(group, &self.base));
        }
    }

    /// The orbit of the vertex of `level` under the elements that fix those before.
    pub(super) fn images(&self, level: usize) -> &[u32] {
        let group = self.group.as_ref();
        group.map_or(&[], |group| &group.images[level])
    }

    /// Joins the orbits of the elements that fix the path before `level`.
    pub(super) fn join_orbits(&self, level: usize, orbits: &mut Classes) {
        let Some(known) = &self.group else { return };
        for generator in known.group.stabiliser_generators(known.levels[level]) {
            for (vertex, &image) in (0..).zip(generator.images()) {
                orbits.union(vertex, image);
            }
        }
    }

    /// Adds an automorphism, unless it is known. The cost is that of a new stabiliser chain, for each once the order
    /// has at least doubled.
    pub(super) fn add(&mut self, moves: &Moves) -> bool {
        let Some(known) = &self.group else {
            return true;
        };
        let mut images: Vec<u32> = (0..known.group.points() as u32).collect();
        for &(vertex, image) in moves {
            images[vertex as usize] = image;
        }
        let is_new = !known.group.contains(&images);
        if is_new {
            self.generators.push(images);
            self.rebuild();
        }
        is_new
    }
}

impl Stabilisers {
    fn new(group: PermutationGroup, base: &[u32]) -> Self {
        let points = group.base();
        let mut before = 0;
        let mut levels = Vec::with_capacity(base.len());
        let mut images = Vec::with_capacity(base.len());
        for &vertex in base {
            levels.push(before);
            let is_moved = points.get(before) == Some(&vertex);
            images.push(if is_moved {
                group.basic_orbit(before)
            } else {
                Vec::new()
            });
            before += usize::from(is_moved);
        }
        Self {
            group,
            levels,
            images,
        }
    }
}
