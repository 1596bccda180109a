//! The names of groups.

use std::time::Instant;

use super::*;
use crate::structure::{Structure, name};

fn s(n: usize) -> Given {
    Given::symmetric(n)
}

#[test]
fn structures_are_written_as_in_the_literature() {
    let sym = Structure::Symmetric;
    let wreath = |inner, outer| Structure::Wreath(Box::new(inner), Box::new(outer));
    let product = |left, right| Structure::Product(vec![left, right]);
    let table = [
        (Structure::Trivial, "trivial"),
        (sym(4), "S4"),
        (Structure::Cyclic(10), "C10"),
        (Structure::Dihedral(10), "D10"),
        (product(sym(3), sym(3)), "S3 × S3"),
        (wreath(sym(4), sym(3)), "S4 wr S3"),
        (wreath(wreath(sym(2), sym(3)), sym(2)), "S2 wr S3 wr S2"),
        (wreath(sym(2), wreath(sym(3), sym(2))), "S2 wr (S3 wr S2)"),
        (product(wreath(sym(3), sym(2)), sym(3)), "(S3 wr S2) × S3"),
        (wreath(product(sym(3), sym(2)), sym(4)), "(S3 × S2) wr S4"),
        (Structure::Other(3840u32.into()), "a group of order 3840"),
        (
            wreath(Structure::Other(8u32.into()), sym(2)),
            "(a group of order 8) wr S2",
        ),
    ];
    for (structure, expected) in table {
        assert_eq!(structure.to_string(), expected);
    }
    let nested = name::wreath(sym(2), wreath(sym(3), sym(2)));
    assert_eq!(nested.to_string(), "S2 wr S3 wr S2");
}

#[test]
fn symmetric_groups_whatever_they_act_on() {
    for n in 2..12 {
        assert_eq!(s(n).name(), format!("S{n}"));
        assert_eq!(s(n).in_step(&s(n)).in_step(&s(n)).name(), format!("S{n}"));
    }
    for n in 4..8 {
        assert_eq!(s(n).on_pairs().name(), format!("S{n}"), "on pairs");
        let both = s(n).on_pairs().in_step(&s(n));
        assert_eq!(both.name(), format!("S{n}"), "on points and pairs");
        assert_eq!(s(n).on_lists(2).name(), format!("S{n}"), "on lists of two");
    }
    assert_eq!(s(3).regular().name(), "S3");
    assert_eq!(s(4).regular().name(), "S4");
    // The Petersen graph: pairs of five things, adjacent if disjoint.
    let pairs = pairs(5);
    let petersen = s(5).on(&pairs);
    assert_eq!((petersen.points, petersen.name()), (10, "S5".to_string()));
    // S4 and its quotient S3, on the three ways to pair four points.
    let pairings = Given::new(
        7,
        vec![vec![1, 0, 2, 3, 4, 6, 5], vec![1, 2, 3, 0, 6, 5, 4]],
    );
    assert_eq!(pairings.name(), "S4");
    // S4 with the sign of each permutation, which two more points show.
    let signs = Given::new(2, vec![vec![1, 0], vec![1, 0]]);
    assert_eq!(s(4).in_step(&signs).name(), "S4");
    assert_eq!(Given::ring(3).name(), "S3");
}

#[test]
fn rings_of_all_sizes() {
    assert_eq!(Given::turn(2).name(), "S2");
    assert_eq!(Given::turn(2).in_step(&Given::turn(2)).name(), "S2");
    for n in (3..40).chain([60, 64, 97, 360]) {
        assert_eq!(Given::turn(n).name(), format!("C{n}"));
        let double = Given::turn(n).in_step(&Given::turn(n));
        assert_eq!(double.name(), format!("C{n}"));
    }
    for n in (4..40).chain([60, 64, 97, 360]) {
        assert_eq!(Given::ring(n).name(), format!("D{n}"));
        let double = Given::ring(n).in_step(&Given::ring(n));
        assert_eq!(double.name(), format!("D{n}"));
    }
    // The ring of 12 on its own elements, and a ring that is given by two reflections.
    assert_eq!(Given::ring(12).regular().name(), "D12");
    let (n, mirror) = (10, |sum: u32| {
        (0..10).map(|x| (sum + 10 - x) % 10).collect()
    });
    assert_eq!(Given::new(n, vec![mirror(10), mirror(11)]).name(), "D10");
    // Independent turns of coprime lengths generate a cyclic group, but it splits.
    assert_eq!(Given::turn(3).beside(&Given::turn(4)).name(), "C4 × C3");
    assert_eq!(Given::turn(3).in_step(&Given::turn(4)).name(), "C4 × C3");
    assert_eq!(Given::turn(4).in_step(&Given::turn(6)).name(), "C12");
}

#[test]
fn products_in_a_fixed_order() {
    let table = [
        (s(2).beside(&s(3)), "S3 × S2"),
        (s(3).beside(&s(2)).beside(&s(3)), "S3 × S3 × S2"),
        (Given::turn(6).beside(&s(3)), "C6 × S3"),
        (s(3).wr(&s(2)).beside(&s(3)), "(S3 wr S2) × S3"),
        (s(3).beside(&s(3).wr(&s(2))), "(S3 wr S2) × S3"),
        (Given::ring(6).beside(&Given::turn(12)), "C12 × D6"),
        (s(3).in_step(&Given::new(3, vec![vec![0, 1, 2]; 2])), "S3"),
        (Given::new(5, Vec::new()), "trivial"),
        (Given::new(5, vec![vec![0, 1, 2, 3, 4]]), "trivial"),
    ];
    for (given, expected) in table {
        assert_eq!(given.name(), expected);
    }
}

/// Two parts split off from each other, but no generator moves one part alone.
#[test]
fn products_with_mixed_generators() {
    let mut mixed = s(4).beside(&s(3)).beside(&Given::turn(5));
    let generators = mixed.generators.clone();
    for (number, generator) in mixed.generators.iter_mut().enumerate() {
        let other = &generators[(number + 2) % generators.len()];
        *generator = generator
            .iter()
            .map(|&image| other[image as usize])
            .collect();
    }
    let order = mixed.order();
    assert_eq!(order, BigUint::from(24u32 * 6 * 5));
    assert_eq!(mixed.name(), "S4 × S3 × C5");
    // Three exchanges of which only an even number is done: every two are independent.
    let even = Given::new(6, vec![vec![1, 0, 3, 2, 4, 5], vec![0, 1, 3, 2, 5, 4]]);
    assert_eq!(even.name(), "S2 × S2");
    // A point that both factors move, such as a state of the specification, does not keep them
    // together.
    let signs = Given::new(2, vec![vec![1, 0], vec![0, 1], vec![1, 0], vec![0, 1]]);
    assert_eq!(
        signs.in_step(&s(3).beside(&s(3))).order(),
        BigUint::from(36u32)
    );
    assert_eq!(signs.in_step(&s(3).beside(&s(3))).name(), "S3 × S3");
    // A grid: one factor moves the rows, the other the columns.
    let grid = |rows: &Given, columns: &Given| {
        let cells = columns.points * rows.points;
        let mut generators = Vec::new();
        for images in &rows.generators {
            let image = |cell: usize| {
                images[cell / columns.points] as usize * columns.points + cell % columns.points
            };
            generators.push((0..cells).map(|cell| image(cell) as u32).collect());
        }
        for images in &columns.generators {
            let image = |cell: usize| {
                cell / columns.points * columns.points + images[cell % columns.points] as usize
            };
            generators.push((0..cells).map(|cell| image(cell) as u32).collect());
        }
        Given::new(cells, generators)
    };
    assert_eq!(grid(&s(3), &s(5)).name(), "S5 × S3");
    assert_eq!(grid(&s(3), &grid(&s(4), &s(3))).name(), "S4 × S3 × S3");
    assert_eq!(grid(&s(3).wr(&s(2)), &s(4)).name(), "(S3 wr S2) × S4");
    assert_eq!(grid(&s(2), &s(2)).name(), "S2 × S2");
}

#[test]
fn wreath_products_and_towers() {
    let table = [
        (s(4).wr(&s(3)), "S4 wr S3"),
        (s(2).wr(&s(2)), "D4"),
        (s(2).wr(&s(3)).wr(&s(2)), "S2 wr S3 wr S2"),
        (s(2).wr(&s(3).wr(&s(2))), "S2 wr S3 wr S2"),
        (s(3).wr(&s(3)).wr(&s(3)), "S3 wr S3 wr S3"),
        (s(3).wr(&s(2)).wr(&s(2)), "S3 wr S2 wr S2"),
        (s(3).wr(&Given::turn(5)), "S3 wr C5"),
        (Given::turn(4).wr(&s(3)), "C4 wr S3"),
        (s(2).wr(&Given::ring(5)), "S2 wr D5"),
        (Given::turn(3).wr(&Given::ring(7)), "C3 wr D7"),
        (s(3).beside(&s(2)).wr(&s(4)), "(S3 × S2) wr S4"),
        (
            s(2).wr(&s(3)).beside(&s(2)).wr(&s(2)),
            "((S2 wr S3) × S2) wr S2",
        ),
        (
            s(3).wr(&s(2)).beside(&s(3).wr(&s(2))),
            "(S3 wr S2) × (S3 wr S2)",
        ),
    ];
    for (given, expected) in table {
        assert_eq!(given.name(), expected);
        // The same group in step on two sets of points, and on pairs of points.
        assert_eq!(given.in_step(&given).name(), expected, "in step");
    }
    let parents = Given::new(3, [vec![vec![0, 1, 2]; 2], s(3).generators].concat());
    assert_eq!(
        parents.in_step(&s(4).wr(&s(3))).name(),
        "S4 wr S3",
        "with parents"
    );
    assert_eq!(s(3).wr(&s(3)).on_pairs().name(), "S3 wr S3", "on pairs");
}

#[test]
fn hypercubes() {
    assert_eq!(hypercube(2).name(), "D4");
    for d in 3..9 {
        assert_eq!(hypercube(d).name(), format!("S2 wr S{d}"));
    }
    // The edges of the hypercube.
    let edges = |d: usize| {
        let edge = |v: u32, bit: usize| vec![v, v | 1 << bit];
        let upwards = |v: u32| (0..d).filter(move |bit| v >> bit & 1 == 0);
        let edges = (0..1u32 << d).flat_map(|v| upwards(v).map(move |bit| edge(v, bit)));
        edges.collect::<Vec<_>>()
    };
    assert_eq!(hypercube(4).on(&edges(4)).name(), "S2 wr S4");
    // A rook on a board of four times four: rows, columns, and these exchanged.
    let board: Vec<Vec<u32>> = (0..16).map(|cell| vec![cell / 4, 4 + cell % 4]).collect();
    assert_eq!(s(4).wr(&s(2)).on(&board).name(), "S4 wr S2");
}

#[test]
fn other_groups() {
    // i and j as they multiply 1, i, j, k, -1, -i, -j, -k from the right.
    let quaternions = Given::new(
        8,
        vec![vec![1, 4, 7, 2, 5, 0, 3, 6], vec![2, 3, 4, 5, 6, 7, 0, 1]],
    );
    assert_eq!(quaternions.order(), BigUint::from(8u32));
    assert_eq!(quaternions.name(), "a group of order 8");
    assert_eq!(Given::alternating(5).name(), "a group of order 60");
    assert_eq!(Given::alternating(4).name(), "a group of order 12");
    assert_eq!(
        Given::alternating(5).on_pairs().name(),
        "a group of order 60"
    );
    assert_eq!(Given::alternating(9).name(), "a group of order 181440");
    let wreath = Given::alternating(5).wr(&s(2));
    assert_eq!(wreath.name(), "(a group of order 60) wr S2");
}

#[test]
fn recognition_is_quick() {
    let mut large = s(12).in_step(&s(12)).in_step(&s(12));
    for _ in 0..5 {
        large = large.beside(&s(5));
    }
    let start = Instant::now();
    assert_eq!(large.name(), "S12 × S5 × S5 × S5 × S5 × S5");
    let seconds = start.elapsed().as_secs_f64();
    // Even a build without optimisation takes less time on a machine that does other things too.
    assert!(seconds < 2.0, "{seconds} s");
    assert_eq!(s(3000).name(), "S3000");
    assert_eq!(s(10).wr(&s(20)).wr(&s(10)).name(), "S10 wr S20 wr S10");
}
