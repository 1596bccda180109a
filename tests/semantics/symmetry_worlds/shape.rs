//! Groups of permutations of points, as the symmetries of rings, cubes, trees, ...

use std::collections::BTreeSet;

use crate::symmetry_systems::dice::Dice;

/// The image of each point.
pub(crate) type Images = Vec<usize>;

/// Points and the group that permutes them.
pub(crate) struct Shape {
    /// The name of the shape.
    pub(crate) name: &'static str,
    /// The value of each point in a script. Points of different roles may have one value.
    pub(crate) values: Vec<String>,
    /// For each point, true if there is a process for it; the others are data.
    pub(crate) is_process: Vec<bool>,
    /// All elements of the group, the identity first.
    pub(crate) group: Vec<Images>,
    /// Pairs of points that share events; the group adds their images.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// True if a process without a point takes part in some events.
    pub(crate) has_shared: bool,
}

/// The number of shapes, which are used in turn, so that each is tested equally often.
pub(crate) const SHAPES: usize = 10;

impl Shape {
    /// Shape number `which`, in some size.
    pub(crate) fn random(which: usize, dice: &mut Dice) -> Self {
        match which % SHAPES {
            0 => ring("ring", 3 + dice.below(4), false),
            1 => ring("ring with reflections", 4 + dice.below(3), true),
            2 => {
                let (width, height) = dice.pick(&[(2, 3), (3, 3), (2, 2), (2, 4)]);
                torus(width, height)
            }
            3 => cube(2 + dice.below(2)),
            4 => {
                let (children, parents) = dice.pick(&[(2, 2), (3, 2), (2, 3)]);
                tree(children, parents)
            }
            5 => two_families(2 + dice.below(3), 2 + dice.below(2)),
            6 => labelled_ring(3 + dice.below(3)),
            7 => Shape {
                has_shared: true,
                ..copies("copies beside a shared process", 2 + dice.below(3))
            },
            8 => roles("two roles that move in step", 2 + dice.below(3), true),
            _ => roles("two roles that move apart", 2 + dice.below(2), false),
        }
    }

    /// Processes with the numbers from 0, permuted by the group that `generators` generate.
    fn of_processes(
        name: &'static str,
        points: usize,
        generators: &[Images],
        pairs: &[(usize, usize)],
    ) -> Self {
        Self {
            name,
            values: (0..points).map(|point| point.to_string()).collect(),
            is_process: vec![true; points],
            group: closure(points, generators),
            pairs: pairs.to_vec(),
            has_shared: false,
        }
    }
}

fn ring(name: &'static str, points: usize, reflects: bool) -> Shape {
    let mut generators = vec![turned(points, 0..points)];
    if reflects {
        generators.push((0..points).rev().collect());
    }
    Shape::of_processes(name, points, &generators, &[(0, 1)])
}

fn torus(width: usize, height: usize) -> Shape {
    let at = |x: usize, y: usize| (x % width) * height + y % height;
    let moved = |dx: usize, dy: usize| -> Images {
        (0..width * height)
            .map(|point| at(point / height + dx, point % height + dy))
            .collect()
    };
    let pairs = [(0, at(1, 0)), (0, at(0, 1))];
    let generators = [moved(1, 0), moved(0, 1)];
    Shape::of_processes("torus", width * height, &generators, &pairs)
}

fn cube(dimensions: usize) -> Shape {
    let corners = 1 << dimensions;
    let flipped: Images = (0..corners).map(|corner| corner ^ 1).collect();
    let rotated = |corner: usize| (corner << 1 | corner >> (dimensions - 1)) & (corners - 1);
    let swapped = |corner: usize| corner & !3 | (corner & 1) << 1 | (corner >> 1) & 1;
    let generators = [
        flipped,
        (0..corners).map(rotated).collect(),
        (0..corners).map(swapped).collect(),
    ];
    Shape::of_processes("cube", corners, &generators, &[(0, 1)])
}

/// A tree. Parents come after all children.
fn tree(children: usize, parents: usize) -> Shape {
    let leaves = children * parents;
    let points = leaves + parents;
    let within = |cycle: std::ops::Range<usize>| turned(points, cycle);
    // The parent itself goes where its children go.
    let exchanged = |by: &dyn Fn(usize) -> usize| -> Images {
        (0..points)
            .map(|point| match point < leaves {
                true => by(point / children) * children + point % children,
                false => leaves + by(point - leaves),
            })
            .collect()
    };
    let swap = |parent: usize| if parent < 2 { 1 - parent } else { parent };
    let generators = [
        within(0..2),
        within(0..children),
        exchanged(&swap),
        exchanged(&|parent| (parent + 1) % parents),
    ];
    Shape::of_processes("tree", points, &generators, &[(leaves, 0)])
}

fn two_families(first: usize, second: usize) -> Shape {
    let points = first + second;
    let generators = [
        turned(points, 0..2),
        turned(points, 0..first),
        turned(points, first..first + 2),
        turned(points, first..points),
    ];
    Shape::of_processes("two families", points, &generators, &[(0, first)])
}

/// A ring with labels, which are no processes and turn with the processes.
fn labelled_ring(length: usize) -> Shape {
    let turned = |point: usize| point / length * length + (point % length + 1) % length;
    let turn: Images = (0..2 * length).map(turned).collect();
    let pairs = [(0, 1), (0, length)];
    let mut shape = Shape::of_processes("ring with labels", 2 * length, &[turn], &pairs);
    for label in 0..length {
        shape.values[length + label] = format!("L{label}");
        shape.is_process[length + label] = false;
    }
    shape
}

fn copies(name: &'static str, count: usize) -> Shape {
    let generators = [turned(count, 0..2), turned(count, 0..count)];
    Shape::of_processes(name, count, &generators, &[(0, 1)])
}

/// Two roles, both with the numbers from 0 for their processes.
fn roles(name: &'static str, count: usize, in_step: bool) -> Shape {
    let points = 2 * count;
    let both = |cycle: std::ops::Range<usize>| {
        let second = cycle.start + count..cycle.end + count;
        then(&turned(points, cycle), &turned(points, second))
    };
    let generators = if in_step {
        vec![both(0..2), both(0..count)]
    } else {
        let starts = [0, count].into_iter();
        let cycles = starts.flat_map(|start| [start..start + 2, start..start + count]);
        cycles.map(|cycle| turned(points, cycle)).collect()
    };
    let mut shape = Shape::of_processes(name, points, &generators, &[(0, count)]);
    for point in 0..points {
        shape.values[point] = (point % count).to_string();
    }
    shape
}

/// The permutation that maps each point of `cycle` to the next, and the last to the first.
fn turned(points: usize, cycle: std::ops::Range<usize>) -> Images {
    let turn = |point: usize| match point {
        point if point + 1 == cycle.end && cycle.contains(&point) => cycle.start,
        point if cycle.contains(&point) => point + 1,
        point => point,
    };
    (0..points).map(turn).collect()
}

/// The product of two permutations: first `first`, then `second`.
fn then(first: &[usize], second: &[usize]) -> Images {
    first.iter().map(|&point| second[point]).collect()
}

/// The group that `generators` generate, the identity first.
fn closure(points: usize, generators: &[Images]) -> Vec<Images> {
    let mut elements: Vec<Images> = vec![(0..points).collect()];
    let mut known: BTreeSet<Images> = elements.iter().cloned().collect();
    let mut next = 0;
    while next < elements.len() {
        for generator in generators {
            let product = then(&elements[next], generator);
            if known.insert(product.clone()) {
                elements.push(product);
            }
        }
        next += 1;
    }
    elements
}

/// The groups have the orders of their names.
#[test]
fn groups_have_their_orders() {
    let orders =
        |shapes: &[Shape]| -> Vec<usize> { shapes.iter().map(|s| s.group.len()).collect() };
    let shapes = [
        ring("", 5, false),
        ring("", 5, true),
        torus(2, 3),
        cube(2),
        cube(3),
    ];
    assert_eq!(orders(&shapes), [5, 10, 6, 8, 48]);
    let shapes = [tree(2, 2), tree(3, 2), tree(2, 3), two_families(4, 3)];
    assert_eq!(orders(&shapes), [8, 72, 48, 144]);
    let shapes = [
        labelled_ring(4),
        copies("", 4),
        roles("", 3, true),
        roles("", 3, false),
    ];
    assert_eq!(orders(&shapes), [4, 24, 6, 36]);
}
