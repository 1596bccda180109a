//! The search for automorphisms alone, against brute force and against canonaut.

use std::collections::BTreeSet;

use canonaut::structs::{CanonautManager, DenseGraph};
use num_bigint::BigUint;
use pretty_assertions::assert_eq;

use super::super::known::VertexMoves;
use super::super::relational::{Colour, NONE, RelationalStructure, Tuple};
use super::super::search::automorphisms;
use super::{BUDGET, hypercube, neighbours};
use crate::permutations::PermutationGroup;
use crate::permutations::union_find::UnionFind;
use crate::start::Start;
use base::cancel::at_leisure;
use testkit::random::RandomNumbers;

type Edges = Vec<(usize, usize)>;

fn colour(number: u64) -> Colour {
    Colour {
        tier: (number % 2) as u8,
        kind: 0,
        number,
    }
}

fn coloured(colours: Vec<Colour>, tuples: Vec<Tuple>) -> RelationalStructure {
    at_leisure(|token| RelationalStructure::new(colours, tuples, token))
}

/// The structure of an undirected graph.
fn graph(size: usize, edges: &Edges) -> RelationalStructure {
    let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    let tuples = both.map(|(a, b)| Tuple {
        kind: 0,
        vertices: [a as u32, b as u32, NONE],
    });
    coloured(vec![colour(0); size], tuples.collect())
}

pub(super) fn dense(moves: &[(u32, u32)], size: usize) -> Vec<u32> {
    let mut images: Vec<u32> = (0..size as u32).collect();
    for &(vertex, image) in moves {
        images[vertex as usize] = image;
    }
    images
}

/// The order of the group that `known` and the automorphisms found generate.
fn order(structure: &RelationalStructure, known: &[VertexMoves]) -> BigUint {
    let found = at_leisure(|token| automorphisms(structure, known, BUDGET, token));
    assert!(found.is_complete);
    let size = structure.size();
    let known = known.iter().map(|moves| dense(moves, size));
    let mut generators: Vec<Vec<u32>> = known.collect();
    for moves in &found.generators {
        let images = dense(moves, size);
        let before = PermutationGroup::new(size, generators.clone());
        assert!(!before.contains(&images), "found twice");
        let all: Vec<u32> = (0..size as u32).collect();
        assert!(structure.keeps_tuples(&all, |vertex| images[vertex as usize]));
        generators.push(images);
    }
    PermutationGroup::new(size, generators).order().clone()
}

/// The structure as a coloured graph: the places of each tuple become vertices, in a row.
fn encoded(structure: &RelationalStructure) -> (Vec<u32>, Edges) {
    let size = structure.size();
    let tuples = (0..size as u32).flat_map(|v| structure.incidences(v).map(|(tuple, _)| *tuple));
    let tuples: BTreeSet<Tuple> = tuples.collect();
    let colours = structure.colours().iter();
    let mut colours: Vec<u32> = colours.map(|colour| colour.number as u32).collect();
    let mut edges = Vec::new();
    for tuple in &tuples {
        let places = (0..).zip(tuple.vertices).filter(|&(_, v)| v != NONE);
        for (place, vertex) in places {
            let new = colours.len();
            colours.push(1000 + 3 * u32::from(tuple.kind) + place);
            edges.push((vertex as usize, new));
            if place > 0 {
                edges.push((new - 1, new));
            }
        }
    }
    (colours, edges)
}

/// The order according to canonaut, which gets the vertices in random order.
fn order_by_canonaut((colours, edges): &(Vec<u32>, Edges), random: &mut RandomNumbers) -> f64 {
    let size = colours.len();
    let mut names: Vec<usize> = (0..size).collect();
    for at in (1..size).rev() {
        names.swap(at, random.below(at + 1));
    }
    let mut graph = DenseGraph::new(size);
    for &(a, b) in edges {
        graph.add_edge(names[a], names[b]);
    }
    let mut renamed = vec![0; size];
    for (&name, &colour) in names.iter().zip(colours) {
        renamed[name] = colour;
    }
    let mut manager = CanonautManager::new(size).with_canonization();
    manager.canonize_graph_with_colors(&graph, &renamed);
    let statistics = manager.statistics();
    statistics.group_size1 * 10_f64.powi(statistics.group_size2 as i32)
}

/// Canonaut 1.0 misses automorphisms of some graphs, depending on the order of the vertices: of a
/// cubic graph with 10 vertices it may find 2 where trying all permutations finds 6. So it is asked
/// again until it finds as many as the search does, which are known to be automorphisms; it must
/// never find more.
fn compare(structure: &RelationalStructure, name: &str) -> BigUint {
    let order = order(structure, &[]);
    let ours: f64 = order.to_string().parse().unwrap();
    let encoded = encoded(structure);
    let random = &mut RandomNumbers(0);
    let agrees = (0..10).any(|_| {
        let theirs = order_by_canonaut(&encoded, random);
        assert!(theirs < ours * (1.0 + 1e-9), "{name}: {ours} {theirs}");
        theirs > ours * (1.0 - 1e-9)
    });
    assert!(agrees, "{name}");
    order
}

/// All permutations of 0..size.
pub(super) fn permutations(size: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for last in 0..size as u32 {
        let longer = all.iter().flat_map(|shorter: &Vec<u32>| {
            (0..=shorter.len()).map(move |at| {
                let mut longer = shorter.clone();
                longer.insert(at, last);
                longer
            })
        });
        all = longer.collect();
    }
    all
}

/// A random structure of few vertices in few colours, with tuples of two and three.
fn random_structure(random: &mut RandomNumbers, size: usize, tuples: usize) -> RelationalStructure {
    let number = 1 + random.below(3);
    let colours = (0..size).map(|_| colour(random.below(number) as u64));
    let colours: Vec<Colour> = colours.collect();
    let vertex = |random: &mut RandomNumbers| random.below(size) as u32;
    let tuples = (0..tuples).map(|_| {
        let [a, b, c] = [0; 3].map(|_| vertex(random));
        let kind = random.below(2) as u8;
        let (kind, vertices) = if random.below(2) == 0 {
            (kind, [a, b, NONE])
        } else {
            (2, [a, b, c])
        };
        Tuple { kind, vertices }
    });
    let tuples = tuples.collect();
    coloured(colours, tuples)
}

#[test]
fn tiny_structures_have_the_automorphisms_that_trying_all_permutations_finds() {
    let mut symmetric = 0;
    for seed in 0..600 {
        let random = &mut RandomNumbers(seed);
        let size = 1 + random.below(6);
        let tuples = random.below(8);
        let structure = random_structure(random, size, tuples);
        let all: Vec<u32> = (0..size as u32).collect();
        let colours = structure.colours();
        let count = permutations(size)
            .iter()
            .filter(|images| {
                let keeps = |(v, &image): (usize, &u32)| colours[v] == colours[image as usize];
                images.iter().enumerate().all(keeps)
                    && structure.keeps_tuples(&all, |v| images[v as usize])
            })
            .count();
        assert_eq!(order(&structure, &[]), BigUint::from(count), "seed {seed}");
        symmetric += usize::from(count > 1);
    }
    assert!(symmetric > 100, "{symmetric}");
}

#[test]
fn larger_random_structures_have_the_orders_that_canonaut_finds() {
    let mut symmetric = 0;
    for seed in 0..150 {
        let random = &mut RandomNumbers(seed + 1000);
        let size = 8 + random.below(20);
        let tuples = 2 + random.below(size);
        let structure = random_structure(random, size, tuples);
        let order = compare(&structure, &format!("seed {seed}"));
        symmetric += usize::from(order > BigUint::from(1_u32));
    }
    assert!(symmetric > 75, "{symmetric}");
}

/// Structures made of the orbits of random tuples under a random permutation, which have symmetries
/// of odd shapes.
#[test]
fn structures_made_symmetric_have_the_orders_that_canonaut_finds() {
    for seed in 0..60 {
        let random = &mut RandomNumbers(seed + 2000);
        let size = 6 + random.below(12);
        let mut images: Vec<u32> = (0..size as u32).collect();
        for at in (1..size).rev() {
            images.swap(at, random.below(at + 1));
        }
        let mut tuples = Vec::new();
        for _ in 0..1 + random.below(3) {
            let mut vertices = [0; 3].map(|_| random.below(size) as u32);
            for _ in 0..60 {
                tuples.push(Tuple { kind: 0, vertices });
                vertices = vertices.map(|v| images[v as usize]);
            }
        }
        let structure = coloured(vec![colour(0); size], tuples);
        compare(&structure, &format!("seed {seed}"));
    }
}

fn ring(size: usize) -> Edges {
    (0..size).map(|i| (i, (i + 1) % size)).collect()
}

fn torus(width: usize, height: usize) -> Edges {
    let at = |x: usize, y: usize| x % width + width * (y % height);
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let edges = cells.flat_map(|(x, y)| [(at(x, y), at(x + 1, y)), (at(x, y), at(x, y + 1))]);
    edges.collect()
}

fn petersen() -> Edges {
    let spokes = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    spokes.collect()
}

/// The Shrikhande graph: strongly regular, with the parameters of the rook's graph.
fn shrikhande() -> Edges {
    let steps = [(0, 1), (1, 0), (1, 1)];
    let cells = (0..4).flat_map(|y| (0..4).map(move |x| (x, y)));
    let edges = cells.flat_map(|(x, y)| {
        let to = move |(dx, dy): (usize, usize)| (x + 4 * y, (x + dx) % 4 + 4 * ((y + dy) % 4));
        steps.map(to)
    });
    edges.collect()
}

fn rook() -> Edges {
    let all = (0..16_usize).flat_map(|a| (0..a).map(move |b| (a, b)));
    all.filter(|(a, b)| a / 4 == b / 4 || a % 4 == b % 4)
        .collect()
}

/// A random graph in which every vertex has `degree` neighbours: ends are paired at random until no
/// edge is a loop or repeated.
fn regular(random: &mut RandomNumbers, size: usize, degree: usize) -> Edges {
    loop {
        let mut ends: Vec<usize> = (0..size * degree).map(|end| end / degree).collect();
        for at in (1..ends.len()).rev() {
            ends.swap(at, random.below(at + 1));
        }
        let pairs = ends.chunks(2).map(|p| (p[0].min(p[1]), p[0].max(p[1])));
        let edges: BTreeSet<(usize, usize)> = pairs.collect();
        if edges.len() * 2 == size * degree && edges.iter().all(|(a, b)| a != b) {
            return edges.into_iter().collect();
        }
    }
}

fn is_connected(size: usize, edges: &Edges) -> bool {
    let mut classes = UnionFind::new(size);
    for &(a, b) in edges {
        classes.union(a as u32, b as u32);
    }
    (0..size as u32).all(|vertex| classes.find(vertex) == 0)
}

/// The number of automorphisms of a graph, by trying all images of each vertex that fit those of
/// the vertices before it.
fn count(size: usize, edges: &Edges) -> u64 {
    let mut adjacent = vec![vec![false; size]; size];
    for &(a, b) in edges {
        (adjacent[a][b], adjacent[b][a]) = (true, true);
    }
    // Neighbours follow each other, so that few images fit.
    let mut vertices: Vec<usize> = Vec::new();
    while vertices.len() < size {
        let near = |&v: &usize| vertices.iter().any(|&before| adjacent[before][v]);
        let new = (0..size).filter(|v| !vertices.contains(v));
        let next = new.clone().find(near).or(new.clone().next());
        vertices.extend(next);
    }
    let mut count = 0;
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(images) = open.pop() {
        let Some(&vertex) = vertices.get(images.len()) else {
            count += 1;
            continue;
        };
        for image in (0..size).filter(|image| !images.contains(image)) {
            let mut before = vertices.iter().zip(&images);
            if before.all(|(&v, &w)| adjacent[v][vertex] == adjacent[w][image]) {
                open.push([&images[..], &[image]].concat());
            }
        }
    }
    count
}

/// The graphs side by side.
fn union(parts: &[(usize, Edges)]) -> (usize, Edges) {
    let mut all = (0, Edges::new());
    for (size, edges) in parts {
        all.1
            .extend(edges.iter().map(|(a, b)| (a + all.0, b + all.0)));
        all.0 += size;
    }
    all
}

#[test]
fn well_known_graphs_have_their_groups() {
    let complete = |size: usize| {
        (0..size)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .collect()
    };
    let graphs: Vec<(&str, usize, Edges, &str)> = vec![
        ("Petersen", 10, petersen(), "120"),
        ("cube", 8, hypercube(3), "48"),
        ("cube of 5 dimensions", 32, hypercube(5), "3840"),
        ("cube of 7 dimensions", 128, hypercube(7), "645120"),
        ("ring", 17, ring(17), "34"),
        ("torus", 30, torus(5, 6), "120"),
        ("square torus", 25, torus(5, 5), "200"),
        ("Shrikhande", 16, shrikhande(), "192"),
        ("rook", 16, rook(), "1152"),
        ("complete", 20, complete(20), "2432902008176640000"),
        ("nothing", 0, Edges::new(), "1"),
        ("no edges", 6, Edges::new(), "720"),
    ];
    for (name, size, edges, expected) in graphs {
        let structure = graph(size, &edges);
        assert_eq!(order(&structure, &[]).to_string(), expected, "{name}");
        if size > 0 {
            compare(&structure, name);
        }
    }
}

#[test]
fn unions_of_graphs_that_look_alike_are_told_apart() {
    let (rook, shrikhande) = ((16, rook()), (16, shrikhande()));
    let mixed = [rook.clone(), shrikhande.clone(), rook, shrikhande];
    let (size, edges) = union(&mixed);
    let order = compare(&graph(size, &edges), "strongly regular");
    assert_eq!(order, BigUint::from(2_u64 * 1152 * 1152 * 2 * 192 * 192));
    let (size, edges) = union(&[(6, ring(6)), (3, ring(3)), (3, ring(3)), (10, petersen())]);
    compare(&graph(size, &edges), "rings");
    let (size, edges) = union(&vec![(8, hypercube(3)); 4]);
    compare(&graph(size, &edges), "cubes");
}

#[test]
fn random_regular_graphs_have_the_orders_that_canonaut_finds() {
    for seed in 0..40 {
        let random = &mut RandomNumbers(seed + 3000);
        let size = 8 + 2 * random.below(20);
        let edges = regular(random, size, 3);
        let structure = graph(size, &edges);
        let one = compare(&structure, &format!("seed {seed}"));
        assert_eq!(one, BigUint::from(count(size, &edges)), "seed {seed}");
        if is_connected(size, &edges) {
            let (size, edges) = union(&[(size, edges.clone()), (size, edges)]);
            let two = compare(&graph(size, &edges), "two");
            assert_eq!(two, &one * &one * 2_u32, "seed {seed}");
        }
    }
}

#[test]
fn machines_over_graphs_have_the_groups_of_the_graphs() {
    for seed in 0..25 {
        let random = &mut RandomNumbers(seed + 4000);
        let size = 4 + random.below(8);
        let all = (0..size).flat_map(|a| (0..a).map(move |b| (a, b)));
        let mut edges: Edges = all.filter(|_| random.below(3) == 0).collect();
        edges.push((0, 1));
        edges.sort_unstable();
        edges.dedup_by_key(|&mut (a, b)| (a.min(b), a.max(b)));
        let used: Vec<usize> = (0..size)
            .filter(|v| edges.iter().any(|(a, b)| a == v || b == v))
            .collect();
        // Vertices without edges are no part of the machine, because they would do nothing.
        let number = |v: &usize| used.iter().position(|u| u == v).unwrap();
        let edges: Edges = edges.iter().map(|(a, b)| (number(a), number(b))).collect();
        let order = order(&graph(used.len(), &edges), &[]);
        let check = neighbours(used.len(), &edges);
        for start in [Start::Any, Start::Fixed] {
            let found = check.detect(start).generators;
            assert_eq!(*check.group(found).order(), order, "seed {seed}");
        }
    }
}

#[test]
fn what_known_automorphisms_generate_is_not_found_again() {
    let structure = graph(32, &hypercube(5));
    let all = at_leisure(|token| automorphisms(&structure, &[], BUDGET, token)).generators;
    assert!(
        at_leisure(|token| automorphisms(&structure, &all, BUDGET, token))
            .generators
            .is_empty()
    );
    // Turns alone, reflections alone, or nothing but the identity: the missing generators are
    // found, each once.
    for known in [&all[..1], &all[1..], &all[..0]] {
        assert_eq!(order(&structure, known), BigUint::from(3840_u32));
    }
    assert_eq!(
        order(&structure, &[VertexMoves::new()]),
        BigUint::from(3840_u32)
    );
    // A turn of the four cubes takes the automorphisms found in one cube to the others.
    let (size, edges) = union(&vec![(8, hypercube(3)); 4]);
    let structure = graph(size, &edges);
    let turn: VertexMoves = (0..32).map(|v| (v, (v + 8) % 32)).collect();
    let found =
        at_leisure(|token| automorphisms(&structure, std::slice::from_ref(&turn), BUDGET, token))
            .generators;
    assert!(found.len() <= 5, "{}", found.len());
    assert_eq!(
        order(&structure, &[turn]),
        BigUint::from(48_u64.pow(4) * 24)
    );
}

/// Two generators of all permutations of `count` blocks of `size` vertices: an exchange of two, and
/// a turn.
fn blocks(count: u32, size: u32) -> [VertexMoves; 2] {
    let exchange = (0..2 * size).map(|v| (v, (v + size) % (2 * size)));
    let turn = (0..count * size).map(|v| (v, (v + size) % (count * size)));
    [exchange.collect(), turn.collect()]
}

#[test]
fn products_of_known_automorphisms_are_not_new() {
    let structure = graph(200, &Edges::new());
    let found = at_leisure(|token| automorphisms(&structure, &blocks(200, 1), BUDGET, token));
    assert!(found.is_complete);
    assert_eq!(found.generators, Vec::<VertexMoves>::new());
    // With the turn alone, the exchanges are missing; one of them is enough.
    let turn = [blocks(200, 1)[1].clone()];
    assert_eq!(
        at_leisure(|token| automorphisms(&structure, &turn, BUDGET, token))
            .generators
            .len(),
        1
    );
}

#[test]
fn what_is_new_in_a_wreath_product_is_found_once() {
    for count in [2, 3, 100] {
        let pairs: Edges = (0..count).map(|pair| (2 * pair, 2 * pair + 1)).collect();
        let structure = graph(2 * count, &pairs);
        let known = blocks(count as u32, 2);
        let found = at_leisure(|token| automorphisms(&structure, &known, BUDGET, token)).generators;
        assert_eq!(found.len(), 1, "{count}");
        // The exchange of all pairs at once does not imply that each can be exchanged alone.
        let flip = (0..2 * count as u32).map(|v| (v, v ^ 1)).collect();
        let [exchange, turn] = known;
        let found =
            at_leisure(|token| automorphisms(&structure, &[exchange, turn, flip], BUDGET, token))
                .generators;
        assert_eq!(found.len(), 1, "{count}");
    }
}

#[test]
fn what_takes_too_long_to_tell_is_not_left_out() {
    // Alternating groups have no transposition, so that their orders take a chain.
    let structure = graph(100, &Edges::new());
    let three = (0..3).map(|v| (v, (v + 1) % 3)).collect();
    let turn = (0..99).map(|v| (v + 1, (v + 1) % 99 + 1)).collect();
    let known: [VertexMoves; 2] = [three, turn];
    let found = at_leisure(|token| automorphisms(&structure, &known, BUDGET, token)).generators;
    assert_eq!(found.len(), 1);
    // The budget suffices for the search and little more.
    let needed = at_leisure(|token| automorphisms(&structure, &known, BUDGET, token)).steps;
    let hurried = at_leisure(|token| automorphisms(&structure, &known, needed + 1, token));
    assert!(hurried.is_complete);
    let generators: Vec<VertexMoves> = known.iter().chain(&hurried.generators).cloned().collect();
    let images = generators.iter().map(|moves| dense(moves, 100)).collect();
    let all: BigUint = (1..=100_u32).product();
    assert_eq!(*PermutationGroup::new(100, images).order(), all);
}

#[test]
fn steps_grow_at_most_with_the_square_of_the_components() {
    let steps = |count: usize| {
        let pairs: Edges = (0..count).map(|pair| (2 * pair, 2 * pair + 1)).collect();
        let found =
            at_leisure(|token| automorphisms(&graph(2 * count, &pairs), &[], BUDGET, token));
        assert!(found.is_complete);
        found.steps
    };
    // Each generator costs as many steps as there are vertices, so the cost grows as the square.
    let (few, many) = (steps(100), steps(400));
    assert!(many < 17 * few, "{few} {many}");
}
