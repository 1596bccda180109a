//! The stabilisers that searches for least images pass through, grown as states ask for them.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::permutations::PermutationGroup;
use crate::permutations::element::{PointPermutation, multiply};
use crate::permutations::program::Letter;
use crate::permutations::union_find::UnionFind;
use base::mix::mix;

/// Pointwise stabilisers of a group on points 0..n, each reached from a larger one by fixing the
/// least point of one of its orbits.
///
/// Each stabiliser is stored once, however it is reached: it is the stabiliser of all points that
/// it fixes, so equal fixed points mean equal stabilisers.
#[derive(Clone, Default, Debug)]
pub(super) struct StabiliserTree {
    /// Points from this one on are carried along: they are in no orbit.
    counted: usize,
    /// The stabilisers; the whole group comes first.
    nodes: Vec<StabiliserNode>,
    /// By fixed points, with a bit for each counted point, the node.
    known: FxHashMap<Box<[u64]>, u32>,
    /// The size of the tables in bytes.
    bytes: usize,
}

/// The node of the whole group.
pub(super) const ROOT: u32 = 0;

/// The orbit number of a point that the stabiliser fixes.
pub(super) const FIXED: u32 = u32::MAX;

/// One stabiliser.
#[derive(Clone, Debug)]
pub(super) struct StabiliserNode {
    /// An upper bound of its order: the order of the whole group divided by the orbits fixed on the
    /// way. Exact wherever the order of the group is.
    most: BigUint,
    generators: Vec<PointPermutation>,
    /// By counted point, its orbit's number, or [`FIXED`]. Large orbits have low numbers.
    pub(super) orbit_of: Box<[u32]>,
    /// By counted point, a random number: the same for points of one orbit.
    pub(super) weight: Box<[u64]>,
    /// By counted point, its place in its orbit.
    place: Box<[u32]>,
    orbits: Vec<Orbit>,
}

/// An orbit of two or more points.
#[derive(Clone, Debug)]
struct Orbit {
    /// The points, ascending.
    points: Box<[u32]>,
    /// The stabiliser of the least point, once a search has come this way.
    edge: Option<Edge>,
}

/// The step from a stabiliser to that of one more point.
#[derive(Clone, Debug)]
struct Edge {
    child: u32,
    /// By place in the orbit, the first letter of a word that leads to the least point; the least
    /// point has none.
    letters: Box<[Option<Letter>]>,
    /// By place in the orbit, the element that the word multiplies to, by point, once it was
    /// needed.
    carriers: Vec<Option<Box<[u32]>>>,
}

impl StabiliserTree {
    /// The tree with the whole group alone, which has at most `most` elements, on the points
    /// 0..`counted` and others that are carried along.
    pub(super) fn new(counted: usize, generators: Vec<PointPermutation>, most: BigUint) -> Self {
        let mut tree = Self {
            counted,
            ..Self::default()
        };
        tree.add(generators, most);
        tree
    }

    /// The size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets all but the whole group. Least images do not depend on the stabilisers in the tree.
    pub(super) fn prune(&mut self) {
        let root = self.nodes.swap_remove(ROOT as usize);
        *self = Self::new(self.counted, root.generators, root.most);
    }

    /// The stabiliser of this number.
    pub(super) fn node(&self, node: u32) -> &StabiliserNode {
        &self.nodes[node as usize]
    }

    /// The stabiliser of the least point of an orbit of `node`.
    pub(super) fn descend(&mut self, node: u32, orbit: u32) -> u32 {
        let entry = &self.nodes[node as usize].orbits[orbit as usize];
        match &entry.edge {
            Some(edge) => edge.child,
            None => self.grow(node, orbit),
        }
    }

    /// Makes the carrier of `point`, if need be. `descend` must have been called for its orbit.
    pub(super) fn prepare(&mut self, node: u32, point: u32) {
        let node = &mut self.nodes[node as usize];
        let place = node.place[point as usize] as usize;
        let orbit = &mut node.orbits[node.orbit_of[point as usize] as usize];
        if let Some(edge) = &mut orbit.edge
            && edge.carriers[place].is_none()
        {
            let carrier = multiplied(&node.generators, &edge.letters, &node.place, point);
            self.bytes += size_of_val(&*carrier);
            edge.carriers[place] = Some(carrier);
        }
    }

    /// An element of `node` that takes `point` to the least point of its orbit, by point. `prepare`
    /// must have been called for it.
    pub(super) fn carrier(&self, node: u32, point: u32) -> &[u32] {
        let node = &self.nodes[node as usize];
        let orbit = &node.orbits[node.orbit_of[point as usize] as usize];
        let carriers = orbit.edge.as_ref().map(|edge| &edge.carriers);
        let carrier = carriers.and_then(|all| all[node.place[point as usize] as usize].as_deref());
        carrier.unwrap_or_else(|| unreachable!("a carrier that is not prepared"))
    }

    fn grow(&mut self, node: u32, orbit: u32) -> u32 {
        let parent = &self.nodes[node as usize];
        let points = &parent.orbits[orbit as usize].points;
        let letters = words(&parent.generators, points, &parent.place);
        let stabiliser = stabiliser(parent, self.counted, points[0]);
        let most = &parent.most / points.len();
        let child = self.add(stabiliser, most);
        self.bytes += letters.len() * size_of::<(Option<Letter>, Option<Box<[u32]>>)>();
        let edge = Edge {
            child,
            carriers: vec![None; letters.len()],
            letters,
        };
        self.nodes[node as usize].orbits[orbit as usize].edge = Some(edge);
        child
    }

    /// The node of the stabiliser with these generators, a new one if need be.
    fn add(&mut self, generators: Vec<PointPermutation>, most: BigUint) -> u32 {
        let node = StabiliserNode::new(self.counted, generators, most);
        let mut fixed = vec![0; self.counted.div_ceil(u64::BITS as usize)];
        for (point, &orbit) in node.orbit_of.iter().enumerate() {
            let bit = u64::from(orbit == FIXED);
            fixed[point / u64::BITS as usize] |= bit << (point % u64::BITS as usize);
        }
        let next = self.nodes.len() as u32;
        // The key of a stabiliser is the set of points that it fixes, in whatever order they were
        // fixed.
        let number = *self.known.entry(fixed.into()).or_insert(next);
        if number == next {
            self.bytes += node.bytes();
            self.nodes.push(node);
        }
        number
    }
}

impl StabiliserNode {
    fn new(counted: usize, generators: Vec<PointPermutation>, most: BigUint) -> Self {
        let mut orbits = UnionFind::new(counted);
        for generator in &generators {
            orbits.union_all(&generator.images()[..counted]);
        }
        let mut orbits = orbits.members();
        orbits.sort_by_key(|orbit| (std::cmp::Reverse(orbit.len()), orbit[0]));
        let mut node = Self {
            most,
            generators,
            orbit_of: vec![FIXED; counted].into(),
            weight: (0..counted as u64).map(mix).collect(),
            place: vec![0; counted].into(),
            orbits: Vec::with_capacity(orbits.len()),
        };
        for (number, points) in (0..).zip(orbits) {
            for (place, &point) in (0..).zip(&points) {
                node.orbit_of[point as usize] = number;
                // Weights are equal within an orbit: so a sum of weights is the same for all images
                // of a set.
                node.weight[point as usize] = mix(u64::from(points[0]));
                node.place[point as usize] = place;
            }
            let points = points.into();
            node.orbits.push(Orbit { points, edge: None });
        }
        node
    }

    /// The number of orbits of two or more points.
    pub(super) fn orbits(&self) -> usize {
        self.orbits.len()
    }

    fn bytes(&self) -> usize {
        let generators = self.generators.iter();
        let generators: usize = generators.map(|g| 2 * size_of_val(g.images())).sum();
        let by_point = size_of::<u32>() * 3 + size_of::<u64>();
        generators + by_point * self.orbit_of.len() + self.orbits.len() * size_of::<Orbit>()
    }
}

/// Generators of the group of those elements of `node` that fix `point`, which some element moves.
fn stabiliser(node: &StabiliserNode, counted: usize, point: u32) -> Vec<PointPermutation> {
    let points = node.generators.first().map_or(0, |g| g.images().len());
    let images = node.generators.iter().map(PointPermutation::images);
    // Some element moves `point`, so it is the first base point, and level 1 is its stabiliser. A
    // chain that attains the bound needs no proof.
    let group = PermutationGroup::carrying(counted, points, images, &[point], Some(&node.most));
    debug_assert_eq!(group.base()[0], point);
    group.stabiliser_generators(1)
}

/// By place in an orbit, the first letter of a shortest word that leads to its least point.
fn words(generators: &[PointPermutation], points: &[u32], place: &[u32]) -> Box<[Option<Letter>]> {
    let mut letters = vec![None; points.len()];
    let mut open = vec![points[0]];
    let mut done = 0;
    while let Some(&point) = open.get(done) {
        done += 1;
        for (number, generator) in (0..).zip(generators) {
            for inverted in [false, true] {
                // The search goes from the least point outwards, and each letter leads back towards
                // it.
                let from = generator.action(!inverted)[point as usize];
                let letter = &mut letters[place[from as usize] as usize];
                if from != points[0] && letter.is_none() {
                    let of = number;
                    *letter = Some(Letter { of, inverted });
                    open.push(from);
                }
            }
        }
    }
    letters.into()
}

/// The word that leads from `point` to the least point of its orbit, as one element.
fn multiplied(
    generators: &[PointPermutation],
    letters: &[Option<Letter>],
    place: &[u32],
    mut point: u32,
) -> Box<[u32]> {
    let points = generators.first().map_or(0, |g| g.images().len());
    let mut images: Box<[u32]> = (0..points as u32).collect();
    while let Some(letter) = letters[place[point as usize] as usize] {
        let next = generators[letter.of as usize].action(letter.inverted);
        multiply(&mut images, next);
        point = next[point as usize];
    }
    images
}
