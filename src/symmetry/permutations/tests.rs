//! Orders of groups from the literature, and small groups element by element.

use std::collections::BTreeSet;

use super::blocks::System;
use super::*;

impl PermutationGroup {
    /// The group that `generators` generate on 0..`points`.
    pub(crate) fn new(points: usize, generators: Vec<Vec<u32>>) -> Self {
        Self::carrying(points, points, generators, &[], None)
    }

    /// The orbits of two or more points, each ascending, in the order of their least points.
    pub(crate) fn orbits(&self) -> Vec<Vec<u32>> {
        self.action_on_points().orbits()
    }

    /// The action of the generators on all points.
    fn action_on_points(&self) -> GroupAction {
        let images = self.action.images.iter();
        GroupAction::new(
            self.points,
            images.map(|images| self.on_points(images).images().to_vec()),
        )
    }

    /// The action on some orbits together, fixed points among them, as a group of its own.
    fn on_orbits(&self, points: &[u32]) -> Self {
        group_of(&self.action_on_points().restricted(points))
    }

    /// The action on the blocks of a partition of an orbit that the group preserves.
    fn on_blocks(&self, blocks: &[Vec<u32>]) -> Self {
        let of = (0..).zip(blocks);
        let of = of.flat_map(|(number, block)| block.iter().map(move |_| number));
        let system = System {
            count: blocks.len(),
            of: of.collect(),
        };
        let on_orbit = self.action_on_points().restricted(&blocks.concat());
        group_of(&on_orbit.on_blocks(&system))
    }

    /// The minimal block systems of an orbit with several blocks of two or more points: each by its
    /// blocks, ascending. Systems with fewer blocks come first.
    fn minimal_blocks(&self, orbit: &[u32]) -> Vec<Vec<Vec<u32>>> {
        let on_orbit = self.action_on_points().restricted(orbit).different();
        let systems = blocks::minimal(&on_orbit, &mut |_| Some(())).unwrap();
        let points = |system: &System| {
            let mut blocks = blocks_of(system);
            for point in blocks.iter_mut().flatten() {
                *point = orbit[*point as usize];
            }
            blocks
        };
        systems.iter().map(points).collect()
    }
}

/// The group on the points of an action.
pub(crate) fn group_of(action: &GroupAction) -> PermutationGroup {
    PermutationGroup::carrying(
        action.points,
        action.points,
        action.images.clone(),
        &[],
        None,
    )
}

/// The blocks of a system, each ascending.
fn blocks_of(system: &System) -> Vec<Vec<u32>> {
    let mut blocks = vec![Vec::new(); system.count];
    for (point, &block) in (0..).zip(&system.of) {
        blocks[block as usize].push(point);
    }
    blocks
}

/// The permutation with these cycles over points counted from 1, as the literature writes them.
fn cycles(points: usize, cycles: &[&[u32]]) -> Vec<u32> {
    let mut images: Vec<u32> = (0..points as u32).collect();
    for cycle in cycles {
        for (at, &point) in cycle.iter().enumerate() {
            images[point as usize - 1] = cycle[(at + 1) % cycle.len()] - 1;
        }
    }
    images
}

fn turn(points: usize) -> Vec<u32> {
    (0..points as u32)
        .map(|point| (point + 1) % points as u32)
        .collect()
}

fn symmetric(points: usize) -> Vec<Vec<u32>> {
    vec![cycles(points, &[&[1, 2]]), turn(points)]
}

fn order(points: usize, generators: Vec<Vec<u32>>) -> BigUint {
    let group = PermutationGroup::new(points, generators.clone());
    assert!(generators.iter().all(|generator| group.contains(generator)));
    assert!(group.is_proved);
    group.order().clone()
}

fn factorial(n: usize) -> BigUint {
    (1..=n).product()
}

/// S_m wr S_n: permutes n blocks of m points, and the points of each.
fn wreath(m: usize, n: usize) -> Vec<Vec<u32>> {
    let extended = |images: Vec<u32>| {
        let rest = images.len() as u32..(m * n) as u32;
        images.into_iter().chain(rest).collect::<Vec<u32>>()
    };
    let mut generators: Vec<Vec<u32>> = symmetric(m).into_iter().map(extended).collect();
    for blocks in symmetric(n) {
        let image = |point: usize| blocks[point / m] as usize * m + point % m;
        generators.push((0..m * n).map(|point| image(point) as u32).collect());
    }
    generators
}

#[test]
fn the_classical_families() {
    for n in [2, 3, 4, 5, 9, 20] {
        assert_eq!(order(n, symmetric(n)), factorial(n), "S{n}");
        assert_eq!(order(n, vec![turn(n)]), n.into(), "C{n}");
    }
    for n in [3, 4, 5, 9, 12, 200] {
        let mirror = (0..n).map(|point| ((n - point) % n) as u32).collect();
        assert_eq!(order(n, vec![turn(n), mirror]), (2 * n).into(), "D{n}");
    }
    for n in [3, 4, 5, 8, 12, 25, 50] {
        let threes = (3..=n as u32).map(|last| cycles(n, &[&[1, 2, last]]));
        assert_eq!(order(n, threes.collect()), factorial(n) / 2u32, "A{n}");
    }
    assert_eq!(order(100, symmetric(100)), factorial(100));
    assert_eq!(order(0, Vec::new()), 1u32.into());
    assert_eq!(order(7, vec![(0..7).collect()]), 1u32.into());
}

#[test]
fn a_square_as_in_the_readme() {
    let (turned, mirrored) = (turn(4), cycles(4, &[&[2, 4]]));
    let group = PermutationGroup::carrying(4, 4, vec![turned, mirrored], &[0], None);
    assert_eq!(group.base(), [0, 1]);
    let orbits = [0, 1].map(|level| BTreeSet::from_iter(group.basic_orbit(level)));
    assert_eq!(
        orbits,
        [BTreeSet::from([0, 1, 2, 3]), BTreeSet::from([1, 3])]
    );
    assert_eq!(*group.order(), 8u32.into());
    let stabiliser = group.stabiliser_generators(1);
    assert!(stabiliser.iter().all(|g| g.images() == [0, 3, 2, 1]));
    assert!(!stabiliser.is_empty());
    assert!(group.contains(&cycles(4, &[&[1, 3]])));
    assert!(!group.contains(&cycles(4, &[&[1, 2]])));
}

#[test]
fn many_generators() {
    let n = 40;
    let neighbours = (1..n as u32).map(|point| cycles(n, &[&[point, point + 1]]));
    assert_eq!(order(n, neighbours.collect()), factorial(n));
    let pairs = (1..n as u32).step_by(2);
    let pairs = pairs.map(|point| cycles(n, &[&[point, point + 1]]));
    assert_eq!(order(n, pairs.collect()), BigUint::from(1u32) << (n / 2));
}

#[test]
fn hypercubes_and_wreath_products() {
    for d in 1..=7usize {
        // A vertex is a set of d bits; one generator flips a bit, one exchanges two bits, one
        // rotates all bits.
        let vertices = 0..1u32 << d;
        let flip = vertices.clone().map(|v| v ^ 1).collect();
        let round = vertices
            .clone()
            .map(|v| (v << 1 | v >> (d - 1)) & ((1 << d) - 1))
            .collect();
        let mut generators = vec![flip, round];
        if d > 1 {
            let swap = vertices.map(|v| v & !3 | (v & 1) << 1 | (v & 2) >> 1);
            generators.push(swap.collect());
        }
        assert_eq!(
            order(1 << d, generators),
            factorial(d) << d,
            "hypercube of {d} dimensions"
        );
    }
    for (m, n) in [(2, 3), (3, 2), (4, 3), (5, 5), (10, 4)] {
        let expected = factorial(m).pow(n as u32) * factorial(n);
        assert_eq!(order(m * n, wreath(m, n)), expected, "S{m} wr S{n}");
    }
}

/// Checks the orders of S_k wr S_m wr S_n.
#[test]
fn wreath_towers() {
    for (k, m, n) in [(2, 2, 2), (3, 3, 3), (5, 4, 3), (10, 2, 6)] {
        let blocks = wreath(m, n);
        let size = k * m * n;
        let extended = |images: Vec<u32>| {
            let rest = images.len() as u32..size as u32;
            images.into_iter().chain(rest).collect::<Vec<u32>>()
        };
        let mut generators: Vec<Vec<u32>> = symmetric(k).into_iter().map(extended).collect();
        for images in blocks {
            let image = |point: usize| images[point / k] as usize * k + point % k;
            generators.push((0..size).map(|point| image(point) as u32).collect());
        }
        let below = factorial(k).pow(m as u32) * factorial(m);
        let expected = below.pow(n as u32) * factorial(n);
        assert_eq!(order(size, generators), expected, "{k} {m} {n}");
    }
}

/// Generators as the literature gives them: Conway and Sloane, *Sphere Packings, Lattices and
/// Groups*.
#[test]
fn mathieu_groups() {
    let eleven: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let four: [&[u32]; 2] = [&[3, 7, 11, 8], &[4, 10, 5, 6]];
    let m11 = vec![cycles(11, &[eleven]), cycles(11, &four)];
    assert_eq!(order(11, m11), 7920u32.into());
    let two: [&[u32]; 6] = [&[1, 12], &[2, 11], &[3, 6], &[4, 8], &[5, 9], &[7, 10]];
    let m12 = vec![cycles(12, &[eleven]), cycles(12, &four), cycles(12, &two)];
    assert_eq!(order(12, m12), 95040u32.into());
    let mut turn: Vec<u32> = (0..23).map(|point| (point + 1) % 23).collect();
    turn.push(23);
    let five: [&[u32]; 4] = [
        &[3, 17, 10, 7, 9],
        &[4, 13, 14, 19, 5],
        &[8, 18, 11, 12, 23],
        &[15, 20, 22, 21, 16],
    ];
    let two: [&[u32]; 12] = [
        &[1, 24],
        &[2, 23],
        &[3, 12],
        &[4, 16],
        &[5, 18],
        &[6, 10],
        &[7, 20],
        &[8, 14],
        &[9, 21],
        &[11, 17],
        &[13, 22],
        &[15, 19],
    ];
    let m23 = [&turn, &cycles(24, &five)].map(|images| images[..23].to_vec());
    assert_eq!(order(23, m23.to_vec()), 10_200_960u32.into());
    let stabiliser = PermutationGroup::carrying(23, 23, m23.to_vec(), &[22], None);
    let m22 = stabiliser.stabiliser_generators(1);
    let m22 = m22.iter().map(|images| images.images()[..22].to_vec());
    assert_eq!(order(22, m22.collect()), 443_520u32.into());
    let m24 = vec![turn, cycles(24, &five), cycles(24, &two)];
    assert_eq!(order(24, m24), 244_823_040u32.into());
}

/// The six faces of the cube, numbered as in the manual of GAP.
fn rubik() -> Vec<Vec<u32>> {
    let faces: [[[u32; 4]; 5]; 6] = [
        [
            [1, 3, 8, 6],
            [2, 5, 7, 4],
            [9, 33, 25, 17],
            [10, 34, 26, 18],
            [11, 35, 27, 19],
        ],
        [
            [9, 11, 16, 14],
            [10, 13, 15, 12],
            [1, 17, 41, 40],
            [4, 20, 44, 37],
            [6, 22, 46, 35],
        ],
        [
            [17, 19, 24, 22],
            [18, 21, 23, 20],
            [6, 25, 43, 16],
            [7, 28, 42, 13],
            [8, 30, 41, 11],
        ],
        [
            [25, 27, 32, 30],
            [26, 29, 31, 28],
            [3, 38, 43, 19],
            [5, 36, 45, 21],
            [8, 33, 48, 24],
        ],
        [
            [33, 35, 40, 38],
            [34, 37, 39, 36],
            [3, 9, 46, 32],
            [2, 12, 47, 29],
            [1, 14, 48, 27],
        ],
        [
            [41, 43, 48, 46],
            [42, 45, 47, 44],
            [14, 22, 30, 38],
            [15, 23, 31, 39],
            [16, 24, 32, 40],
        ],
    ];
    let face = |face: &[[u32; 4]; 5]| cycles(48, &face.each_ref().map(|cycle| &cycle[..]));
    faces.iter().map(face).collect()
}

#[test]
fn rubiks_cube() {
    let group = PermutationGroup::new(48, rubik());
    assert_eq!(*group.order(), 43_252_003_274_489_856_000u128.into());
    let orbits: Vec<usize> = group.orbits().iter().map(Vec::len).collect();
    assert_eq!(orbits, [24, 24]);
    // One edge turned over in its place, or one corner turned, cannot be reached by turning faces.
    assert!(!group.contains(&cycles(48, &[&[7, 18]])));
    assert!(!group.contains(&cycles(48, &[&[8, 19, 25]])));
    assert!(group.contains(&cycles(48, &[&[7, 18], &[5, 26]])));
}

/// The action of S_m on `copies` sets of tuples of `length` different values each.
fn on_tuples(m: usize, length: usize, copies: usize) -> (usize, Vec<Vec<u32>>) {
    let mut tuples: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |tuple: &Vec<u32>| {
            let new = (0..m as u32).filter(|value| !tuple.contains(value));
            let new = new.map(|value| [&tuple[..], &[value]].concat());
            new.collect::<Vec<_>>()
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    let count = tuples.len();
    let image = |images: &[u32], tuple: &Vec<u32>| {
        let image: Vec<u32> = tuple.iter().map(|&value| images[value as usize]).collect();
        tuples.binary_search(&image).unwrap()
    };
    let lifted = |images: Vec<u32>| {
        let once: Vec<usize> = tuples.iter().map(|tuple| image(&images, tuple)).collect();
        let all =
            (0..copies).flat_map(|copy| once.iter().map(move |at| (at + copy * count) as u32));
        all.collect()
    };
    let generators = symmetric(m).into_iter().map(lifted).collect();
    (count * copies, generators)
}

#[test]
fn few_points_are_enough_where_the_others_depend_on_them() {
    // There are 10 000 points in 500 orbits of pairs: one orbit is enough.
    let (points, generators) = on_tuples(5, 2, 500);
    let group = PermutationGroup::new(points, generators.clone());
    assert_eq!((points, group.faithful_points().len()), (10_000, 20));
    assert_eq!(*group.order(), 120u32.into());
    assert!(group.contains(&generators[0]));
    let mut other = generators[0].clone();
    let (left, right) = (9_999, 9_000);
    other.swap(left, right);
    assert!(
        !group.contains(&other),
        "it differs far from the faithful points"
    );
    // Values, pairs and triples are permuted: the values are enough.
    let parts = [(1, 3), (2, 4), (3, 2)].map(|(length, copies)| on_tuples(7, length, copies));
    let mut generators = vec![Vec::new(), Vec::new()];
    let mut points = 0;
    for (count, part) in parts {
        for (whole, images) in generators.iter_mut().zip(part) {
            whole.extend(images.iter().map(|image| image + points as u32));
        }
        points += count;
    }
    let group = PermutationGroup::new(points, generators);
    assert_eq!(group.faithful_points(), (0..7).collect::<Vec<u32>>());
    assert_eq!(*group.order(), factorial(7));
    assert_eq!(group.orbits().len(), 9);
}

#[test]
fn orbits_that_only_seem_to_depend_on_each_other_are_all_faithful() {
    // Two orbits of two, moved by different generators.
    assert_eq!(
        order(4, vec![vec![1, 0, 2, 3], vec![0, 1, 3, 2]]),
        4u32.into()
    );
    // S4 and its quotient S3, which acts on the three ways to pair four points: only S4 is
    // faithful.
    let pairings = vec![vec![1, 0, 2, 3, 4, 6, 5], vec![1, 2, 3, 0, 6, 5, 4]];
    let group = PermutationGroup::new(7, pairings);
    assert_eq!(*group.order(), 24u32.into());
    // S3 × S4 on 3 and 4 points is another group on the same orbits.
    let product = vec![
        vec![1, 0, 2, 3, 4, 5, 6],
        vec![0, 1, 2, 3, 4, 6, 5],
        vec![1, 2, 3, 0, 4, 5, 6],
        vec![0, 1, 2, 3, 5, 6, 4],
    ];
    assert_eq!(order(7, product), 144u32.into());
}

/// All elements, by multiplication.
fn brute_force(points: usize, generators: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![(0..points as u32).collect()];
    let mut known: BTreeSet<Vec<u32>> = found.iter().cloned().collect();
    while let Some(element) = found.pop() {
        for generator in generators {
            let mut next = element.clone();
            multiply(&mut next, generator);
            if known.insert(next.clone()) {
                found.push(next);
            }
        }
    }
    known
}

/// Every permutation of 0..`points`.
fn all_permutations(points: usize) -> BTreeSet<Vec<u32>> {
    if points < 2 {
        return BTreeSet::from([(0..points as u32).collect()]);
    }
    brute_force(points, &symmetric(points))
}

/// Random generators with some structure: each is a product of few disjoint cycles.
fn random_generators(seed: u64, points: usize) -> Vec<Vec<u32>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let count = 1 + below(3);
    let mut generators = Vec::new();
    for _ in 0..count {
        let mut images: Vec<u32> = (0..points as u32).collect();
        for _ in 0..1 + below(4) {
            let (left, right) = (below(points), below(points));
            images.swap(left, right);
        }
        generators.push(images);
    }
    generators
}

#[test]
fn small_groups_element_by_element() {
    let everything = all_permutations(6);
    assert_eq!(everything.len(), 720);
    for seed in 0..300 {
        let generators = random_generators(seed, 6);
        let elements = brute_force(6, &generators);
        let group = PermutationGroup::new(6, generators);
        assert_eq!(*group.order(), elements.len().into(), "seed {seed}");
        for permutation in &everything {
            assert_eq!(
                group.contains(permutation),
                elements.contains(permutation),
                "seed {seed}: {permutation:?}"
            );
        }
    }
}

#[test]
fn chain_and_bound_agree_with_counting() {
    let mut sharp = 0;
    for seed in 0..300 {
        let generators = random_generators(seed, 7);
        let order: BigUint = brute_force(7, &generators).len().into();
        let action = GroupAction::new(7, generators);
        let (chain, is_proved) = complete_chain(&action, &[], None);
        assert!(is_proved && chain.order() == order, "seed {seed}");
        for bound in [order.clone(), 2u32 * &order, &order + 1u32] {
            let (known, is_proved) = complete_chain(&action, &[], Some(&bound));
            assert!(
                is_proved && known.order() == order,
                "seed {seed}: at most {bound}"
            );
        }
        let bound = bound::order_bound(&action, &chain.base()).unwrap();
        assert!(bound >= order, "seed {seed}: {bound} < {order}");
        sharp += usize::from(bound == order);
    }
    assert!(sharp > 200, "the bound was sharp only {sharp} times");
}

#[test]
fn larger_groups_have_the_order_that_counting_gives() {
    for seed in 0..60 {
        // Several orbits, on which the same small group acts in different ways.
        let small = random_generators(seed, 5);
        let (pairs, triples) = (pairs_of(5), 25);
        let lift = |images: &Vec<u32>| {
            let pair = pairs.iter().map(|&(x, y)| images[x] * 5 + images[y]);
            let values = images.iter().map(|image| image + triples);
            pair.chain(values).collect::<Vec<u32>>()
        };
        let generators: Vec<Vec<u32>> = small.iter().map(lift).collect();
        let elements = brute_force(30, &generators);
        let group = PermutationGroup::new(30, generators);
        assert_eq!(*group.order(), elements.len().into(), "seed {seed}");
        assert!(elements.iter().all(|element| group.contains(element)));
    }
}

fn pairs_of(n: usize) -> Vec<(usize, usize)> {
    (0..n).flat_map(|x| (0..n).map(move |y| (x, y))).collect()
}

/// Every element is one product of representatives, and each product is an element.
#[test]
fn the_chain_gives_every_element_once() {
    let (points, tuples) = on_tuples(4, 2, 3);
    for (points, generators, first) in [
        (points, tuples, vec![]),
        (6, wreath(2, 3), vec![]),
        (6, wreath(2, 3), vec![4, 5, 1]),
        (8, vec![turn(8)], vec![3]),
    ] {
        let elements = brute_force(points, &generators);
        let group = PermutationGroup::carrying(points, points, generators, &first, None);
        let mut products = vec![PointPermutation::identity(points)];
        let base = group.base();
        assert!(first.is_empty() || base[0] == first[0]);
        for level in (0..base.len()).rev() {
            let orbit = group.basic_orbit(level);
            assert_eq!(orbit[0], base[level]);
            let representatives: Vec<PointPermutation> = orbit
                .iter()
                .map(|&point| group.representative(level, point).unwrap())
                .collect();
            for (representative, &point) in representatives.iter().zip(&orbit) {
                assert_eq!(representative.apply(base[level]), point);
                let fixes = |&point: &u32| representative.apply(point) == point;
                assert!(base[..level].iter().all(fixes));
            }
            let times = |product: &PointPermutation| {
                let by = |representative: &PointPermutation| product.then(representative);
                representatives.iter().map(by).collect::<Vec<_>>()
            };
            products = products.iter().flat_map(times).collect();
        }
        assert_eq!(products.len(), elements.len());
        let products: BTreeSet<Vec<u32>> = products.iter().map(|p| p.images().to_vec()).collect();
        assert_eq!(products, elements);
    }
}

#[test]
fn stabilisers_are_generated_by_what_is_said_to() {
    let group = PermutationGroup::carrying(9, 9, wreath(3, 3), &[0, 1, 2, 3], None);
    assert_eq!(
        group.base()[..3],
        [0, 1, 3],
        "2 is fixed by what fixes 0 and 1"
    );
    let elements = brute_force(9, &wreath(3, 3));
    for level in 0..=group.base().len() {
        let generators: Vec<Vec<u32>> = group
            .stabiliser_generators(level)
            .iter()
            .map(|g| g.images().to_vec())
            .collect();
        let fixes = |images: &&Vec<u32>| {
            let base = group.base();
            base[..level]
                .iter()
                .all(|&point| images[point as usize] == point)
        };
        let stabiliser: BTreeSet<Vec<u32>> = elements.iter().filter(fixes).cloned().collect();
        assert_eq!(brute_force(9, &generators), stabiliser, "level {level}");
    }
}

/// All partitions of 0..n into blocks of one size: two or more blocks of two or more points.
fn equal_partitions(n: usize) -> Vec<Vec<Vec<u32>>> {
    fn extend(left: &[u32], size: usize, found: &mut Vec<Vec<Vec<u32>>>, so_far: &[Vec<u32>]) {
        let Some((&first, others)) = left.split_first() else {
            found.push(so_far.to_vec());
            return;
        };
        for mask in 0u32..1 << others.len() {
            if mask.count_ones() as usize + 1 == size {
                let inside = |at: usize| mask >> at & 1 == 1;
                let (mut block, mut rest) = (vec![first], Vec::new());
                for (at, &point) in others.iter().enumerate() {
                    if inside(at) { &mut block } else { &mut rest }.push(point);
                }
                extend(&rest, size, found, &[so_far, &[block]].concat());
            }
        }
    }
    let mut found = Vec::new();
    for size in (2..n).filter(|&size| n.is_multiple_of(size)) {
        let all: Vec<u32> = (0..n as u32).collect();
        extend(&all, size, &mut found, &[]);
    }
    found
}

/// Generators of small groups, many of them random, with the numbers of points that they permute.
fn small_groups() -> Vec<(usize, Vec<Vec<u32>>)> {
    let dihedral = vec![turn(8), (0..8).map(|point| (8 - point) % 8).collect()];
    let signs = [1, 2, 4].map(|bit| (0..8).map(|point| point ^ bit).collect());
    let mut groups = vec![
        (6, vec![turn(6)]),
        (8, dihedral),
        (8, signs.to_vec()),
        (6, wreath(2, 3)),
        (6, wreath(3, 2)),
        (8, wreath(4, 2)),
        (7, vec![turn(7)]),
        (5, symmetric(5)),
    ];
    for seed in 0..400 {
        groups.push((6, random_generators(seed, 6)));
        groups.push((8, random_generators(seed, 8)));
    }
    groups
}

#[test]
fn block_systems_are_those_of_brute_force() {
    let mut transitive = 0;
    for (points, generators) in small_groups() {
        let group = PermutationGroup::new(points, generators.clone());
        if group.orbits() != [(0..points as u32).collect::<Vec<u32>>()] {
            continue;
        }
        transitive += 1;
        let mut expected = equal_partitions(points);
        let image = |block: &Vec<u32>, images: &Vec<u32>| {
            let mut image: Vec<u32> = block.iter().map(|&x| images[x as usize]).collect();
            image.sort_unstable();
            image
        };
        let preserves = |system: &Vec<Vec<u32>>, images: &Vec<u32>| {
            system
                .iter()
                .all(|block| system.contains(&image(block, images)))
        };
        expected.retain(|system| generators.iter().all(|images| preserves(system, images)));
        let action = GroupAction::new(points, generators);
        let all = blocks::systems(&action, 100, &mut |_| Some(())).unwrap();
        let all: BTreeSet<Vec<Vec<u32>>> = all.iter().map(blocks_of).collect();
        assert_eq!(all, expected.iter().cloned().collect(), "{action:?}");
        let refines = |finer: &Vec<Vec<u32>>, coarser: &Vec<Vec<u32>>| {
            let inside = |block: &Vec<u32>| {
                let mut above = coarser.iter();
                above.any(|above| block.iter().all(|point| above.contains(point)))
            };
            finer != coarser && finer.iter().all(inside)
        };
        let is_minimal = |system: &&Vec<Vec<u32>>| !all.iter().any(|finer| refines(finer, system));
        let least: BTreeSet<Vec<Vec<u32>>> = all.iter().filter(is_minimal).cloned().collect();
        let orbit: Vec<u32> = (0..points as u32).collect();
        let found = group.minimal_blocks(&orbit);
        assert_eq!(found.len(), least.len());
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), least);
    }
    assert!(transitive > 60, "{transitive}");
}

#[test]
fn actions_on_orbits_and_blocks() {
    let (points, generators) = on_tuples(4, 1, 2);
    let group = PermutationGroup::new(
        points + 1,
        vec![
            [&generators[0][..], &[8]].concat(),
            [&generators[1][..], &[8]].concat(),
        ],
    );
    for orbits in [
        &[0, 1, 2, 3][..],
        &[4, 5, 6, 7],
        &[0, 1, 2, 3, 4, 5, 6, 7],
        &[7, 6, 5, 4, 8],
    ] {
        assert_eq!(*group.on_orbits(orbits).order(), factorial(4), "{orbits:?}");
    }
    assert_eq!(*group.on_orbits(&[8]).order(), 1u32.into());
    let tower = PermutationGroup::new(12, wreath(4, 3));
    let orbit: Vec<u32> = (0..12).collect();
    let blocks = tower.minimal_blocks(&orbit);
    assert_eq!(blocks, [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]]);
    assert_eq!(*tower.on_blocks(&blocks[0]).order(), factorial(3));
}

/// Tries every choice of images of some points: an element is found if and only if some element has
/// these images.
#[test]
fn elements_with_prescribed_images() {
    let (points, tuples) = on_tuples(4, 1, 2);
    for (points, generators) in [
        (points, tuples),
        (6, wreath(2, 3)),
        (
            7,
            vec![
                cycles(7, &[&[1, 2, 3], &[5, 6]]),
                cycles(7, &[&[2, 3], &[5, 6]]),
            ],
        ),
        (6, vec![turn(6)]),
    ] {
        let elements = brute_force(points, &generators);
        let group = PermutationGroup::new(points, generators);
        for from in [&[0][..], &[5], &[4, 1], &[5, 0, 3], &[3, 2, 1, 0]] {
            for code in 0..points.pow(from.len() as u32) {
                let digit = |at: u32| (code / points.pow(at) % points) as u32;
                let to: Vec<u32> = (0..from.len() as u32).map(digit).collect();
                let takes = |images: &[u32]| {
                    let mut pairs = from.iter().zip(&to);
                    pairs.all(|(&from, &to)| images[from as usize] == to)
                };
                match group.taking(from, &to) {
                    Some(found) => {
                        assert!(takes(found.images()) && elements.contains(found.images()));
                    }
                    None => assert!(!elements.iter().any(|images| takes(images))),
                }
            }
        }
    }
    // Points that are carried along follow: here two points that show the sign.
    let (swap, turned) = (vec![1, 0, 2, 4, 3], vec![1, 2, 0, 3, 4]);
    let group = PermutationGroup::carrying(3, 5, vec![swap, turned], &[], None);
    let found = group.taking(&[0, 1, 2], &[2, 1, 0]).unwrap();
    assert_eq!(found.images(), [2, 1, 0, 4, 3]);
    assert_eq!(group.taking(&[0, 3], &[0, 4]), None, "not counted");
}

#[test]
fn what_is_no_permutation_is_not_contained() {
    let group = PermutationGroup::new(4, vec![vec![1, 0, 2, 3]]);
    assert!(group.contains(&[1, 0, 2, 3]));
    for images in [
        &[1, 0, 2][..],
        &[0, 0, 2, 3],
        &[1, 0, 3, 2],
        &[1, 0, 2, 7],
        &[2, 1, 0, 3],
    ] {
        assert!(!group.contains(images), "{images:?}");
    }
    assert_eq!(group.representative(0, 3), None);
    assert_eq!(group.orbits(), [[0, 1]]);
}

#[test]
fn a_great_many_points() {
    let (points, generators) = on_tuples(100, 1, 1000);
    let group = PermutationGroup::new(points, generators);
    assert_eq!((points, group.faithful_points().len()), (100_000, 100));
    assert_eq!(*group.order(), factorial(100));
    let turned = |point: usize| (point / 1000 * 1000 + (point + 1) % 1000) as u32;
    let ring: Vec<u32> = (0..100_000).map(turned).collect();
    let group = PermutationGroup::new(100_000, vec![ring.clone()]);
    assert_eq!(*group.order(), 1000u32.into());
    assert!(group.is_proved && group.contains(&ring));
    let all = 3000;
    let group = PermutationGroup::new(all, symmetric(all));
    assert_eq!(*group.order(), factorial(all), "without a chain");
}

#[test]
fn what_is_too_long_to_prove_is_said_and_right_all_the_same() {
    // S8 acts on its own elements, and on nothing else.
    let (points, generators) = on_tuples(8, 8, 1);
    let group = PermutationGroup::new(points, generators);
    assert!(!group.is_proved);
    assert_eq!((points, group.order()), (40320, &factorial(8)));
}
