//! Groups given by generators, what they are called, and the ids that they permute.

mod forests;
mod groups;
mod names;

use base::cancel::at_leisure;
use num_bigint::BigUint;

use crate::permutations::action::GroupAction;
use crate::permutations::tests::group_of;

use super::effort::Effort;
use super::form::{self, Form};

/// Permutations of 0..`points` that generate a group.
#[derive(Clone, Debug)]
struct Given {
    points: usize,
    generators: Vec<Vec<u32>>,
}

impl Given {
    fn new(points: usize, generators: Vec<Vec<u32>>) -> Self {
        assert!(generators.iter().all(|g| g.len() == points));
        Self { points, generators }
    }

    fn turn(n: usize) -> Self {
        Self::new(n, vec![turn(n)])
    }

    /// Turns and reflections.
    fn ring(n: usize) -> Self {
        let mirror = (0..n).map(|point| ((n - point) % n) as u32).collect();
        Self::new(n, vec![turn(n), mirror])
    }

    fn symmetric(n: usize) -> Self {
        let mut swap: Vec<u32> = (0..n as u32).collect();
        swap.swap(0, 1);
        Self::new(n, vec![swap, turn(n)])
    }

    /// Cycles of three.
    fn alternating(n: usize) -> Self {
        let three = |last: usize| {
            let mut images: Vec<u32> = (0..n as u32).collect();
            (images[0], images[1], images[last]) = (1, last as u32, 0);
            images
        };
        Self::new(n, (2..n).map(three).collect())
    }

    /// Both, independently, on points of their own.
    fn beside(&self, other: &Self) -> Self {
        let points = self.points + other.points;
        let all = 0..points as u32;
        let mut generators = Vec::new();
        for images in &self.generators {
            let rest = all.clone().skip(self.points);
            generators.push(images.iter().copied().chain(rest).collect());
        }
        for images in &other.generators {
            let moved = images.iter().map(|image| image + self.points as u32);
            let first = all.clone().take(self.points);
            generators.push(first.chain(moved).collect());
        }
        Self::new(points, generators)
    }

    /// One group on the points of both: generators correspond.
    fn in_step(&self, other: &Self) -> Self {
        assert_eq!(self.generators.len(), other.generators.len());
        let start = self.points as u32;
        let joined = |(left, right): (&Vec<u32>, &Vec<u32>)| {
            let right = right.iter().map(|image| start + image);
            left.iter().copied().chain(right).collect()
        };
        let generators = self.generators.iter().zip(&other.generators);
        Self::new(self.points + other.points, generators.map(joined).collect())
    }

    /// Copies of this, which `above` permutes: point (b, x) is b · points + x.
    fn wr(&self, above: &Self) -> Self {
        let (size, blocks) = (self.points, above.points);
        let all = 0..(size * blocks) as u32;
        let mut generators = Vec::new();
        for images in &self.generators {
            generators.push(
                images
                    .iter()
                    .copied()
                    .chain(all.clone().skip(size))
                    .collect(),
            );
        }
        for images in &above.generators {
            let image = |point: u32| {
                let (block, x) = (point as usize / size, point as usize % size);
                (images[block] as usize * size + x) as u32
            };
            generators.push(all.clone().map(image).collect());
        }
        Self::new(size * blocks, generators)
    }

    /// As it acts on sets: those are the points now.
    fn on(&self, sets: &[Vec<u32>]) -> Self {
        let image = |images: &Vec<u32>, set: &Vec<u32>| {
            let mut image: Vec<u32> = set.iter().map(|&point| images[point as usize]).collect();
            image.sort_unstable();
            sets.iter().position(|set| *set == image).unwrap() as u32
        };
        let on = |images: &Vec<u32>| sets.iter().map(|set| image(images, set)).collect();
        Self::new(sets.len(), self.generators.iter().map(on).collect())
    }

    fn on_pairs(&self) -> Self {
        self.on(&pairs(self.points))
    }

    /// As it acts on lists of values, given by what each point does to a list.
    fn on_lists(&self, length: usize) -> Self {
        let count = self.points.pow(length as u32);
        let digits = |mut list: usize| {
            let digit = |_| (list % self.points, list /= self.points).0;
            (0..length).map(digit).collect::<Vec<usize>>()
        };
        let image = |images: &Vec<u32>, list: usize| {
            let digits = digits(list);
            let digits = digits.iter().rev();
            digits.fold(0, |list, &digit| list * self.points as u32 + images[digit])
        };
        let on = |images: &Vec<u32>| (0..count).map(|list| image(images, list)).collect();
        Self::new(count, self.generators.iter().map(on).collect())
    }

    /// Its own elements are the points.
    fn regular(&self) -> Self {
        let mut elements = vec![(0..self.points as u32).collect::<Vec<u32>>()];
        let mut done = 0;
        let product = |left: &[u32], right: &[u32]| {
            let image = |&point: &u32| right[point as usize];
            left.iter().map(image).collect::<Vec<u32>>()
        };
        while done < elements.len() {
            for generator in &self.generators {
                let next = product(&elements[done], generator);
                if !elements.contains(&next) {
                    elements.push(next);
                }
            }
            done += 1;
        }
        let at = |element: Vec<u32>| elements.iter().position(|e| *e == element).unwrap() as u32;
        let on = |generator: &Vec<u32>| {
            let images = elements.iter().map(|e| at(product(e, generator)));
            images.collect()
        };
        Self::new(elements.len(), self.generators.iter().map(on).collect())
    }

    fn action(&self) -> GroupAction {
        GroupAction::new(self.points, self.generators.clone())
    }

    fn order(&self) -> BigUint {
        group_of(&self.action()).order().clone()
    }

    fn form(&self) -> Form {
        at_leisure(|token| {
            let effort = &mut Effort::new(token);
            Ok(form::recognise(&self.action(), &self.order(), effort))
        })
    }

    fn name(&self) -> String {
        self.form().structure(&self.order()).to_string()
    }
}

fn turn(n: usize) -> Vec<u32> {
    (0..n).map(|point| ((point + 1) % n) as u32).collect()
}

fn pairs(n: usize) -> Vec<Vec<u32>> {
    let n = n as u32;
    (0..n)
        .flat_map(|x| (x + 1..n).map(move |y| vec![x, y]))
        .collect()
}

/// The corners of a hypercube of d dimensions.
fn hypercube(d: usize) -> Given {
    let corners = 0..1u32 << d;
    let flip = corners.clone().map(|v| v ^ 1).collect();
    let round = corners
        .clone()
        .map(|v| (v << 1 | v >> (d - 1)) & ((1 << d) - 1));
    let swap = corners
        .clone()
        .map(|v| v & !3 | (v & 1) << 1 | (v & 2) >> 1);
    Given::new(1 << d, vec![flip, round.collect(), swap.collect()])
}
