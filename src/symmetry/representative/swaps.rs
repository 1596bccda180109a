//! Looks for symmetries that exchange leaves in pairs, among products of generators.
//!
//! Section 6.3: a full set of simple swap pbisims follows from a few cycles. Words are tried on the leaves alone,
//! and multiplied out, states and events included, only when one is wanted.

use crate::base::index::TypedIndex;
use crate::machine::LeafId;
use crate::symmetry::pbisim::Symmetry;

/// By leaf, where it goes.
type Leaves = Vec<u32>;

/// A power of a product of generators that moves leaves in pairs only.
#[derive(Clone, Debug)]
struct Swap {
    /// Generators from left to right.
    word: Vec<usize>,
    power: u64,
    leaves: Leaves,
}

/// Simple swaps known for a group.
#[derive(Clone, Debug)]
pub(super) struct Swaps<'a> {
    generators: &'a [Symmetry],
    known: Vec<Swap>,
}

/// How many products of two generators are tried.
const PAIRS: usize = 1000;
/// How many random products are tried, and how long they are at most.
const RANDOM_WORDS: usize = 300;
const LONGEST_WORD: usize = 12;

impl<'a> Swaps<'a> {
    /// Looks at the generators and their products in pairs: of a transposition and a cycle, that is enough.
    pub(super) fn new(generators: &'a [Symmetry], orbits: &[Vec<LeafId>]) -> Self {
        let mut swaps = Self {
            generators,
            known: Vec::new(),
        };
        let count = generators.len();
        let single = (0..count).map(|first| vec![first]);
        let pairs = (0..count * count)
            .take(PAIRS)
            .map(|pair| vec![pair / count, pair % count]);
        swaps.try_words(single.chain(pairs), orbits);
        swaps
    }

    /// Looks at some longer products as well.
    pub(super) fn with_longer(mut self, orbits: &[Vec<LeafId>]) -> Self {
        self.try_words(random_words(self.generators.len()), orbits);
        self
    }

    fn try_words(&mut self, words: impl Iterator<Item = Vec<usize>>, orbits: &[Vec<LeafId>]) {
        let leaves: Vec<Leaves> = self.generators.iter().map(leaves_of).collect();
        for word in words {
            self.try_word(word, &leaves, orbits);
        }
    }

    /// Keeps the involution among the powers of `word` if it exchanges at most two leaves of each orbit.
    fn try_word(&mut self, word: Vec<usize>, leaves: &[Leaves], orbits: &[Vec<LeafId>]) {
        let product = word.iter().fold(None, |product: Option<Leaves>, &next| {
            Some(match product {
                None => leaves[next].clone(),
                Some(product) => after(&product, &leaves[next]),
            })
        });
        let Some((power, leaves)) = product.and_then(|product| involution(&product)) else {
            return;
        };
        let moved =
            |orbit: &Vec<LeafId>| orbit.iter().filter(|leaf| moves(&leaves, **leaf)).count();
        if orbits.iter().all(|orbit| moved(orbit) <= 2) {
            self.known.push(Swap {
                word,
                power,
                leaves,
            });
        }
    }

    /// The known swap that moves a leaf of `orbit` and as few leaves as possible.
    pub(super) fn of(&self, orbit: &[LeafId]) -> Option<Symmetry> {
        let here = |swap: &&Swap| orbit.iter().any(|&leaf| moves(&swap.leaves, leaf));
        let size = |swap: &&Swap| {
            swap.leaves
                .iter()
                .zip(0..)
                .filter(|&(&to, at)| to != at)
                .count()
        };
        let best = self.known.iter().filter(here).min_by_key(size)?;
        let mut word = best.word.iter().map(|&next| &self.generators[next]);
        let first = word.next()?.clone();
        let product = word.fold(first, |product, next| product.then(next));
        Some(power(&product, best.power))
    }
}

/// The same words on every run.
fn random_words(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut seed = 1u64;
    let mut below = move |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    (0..RANDOM_WORDS).map(move |_| {
        let length = 3 + below(LONGEST_WORD - 2);
        (0..length).map(|_| below(count)).collect()
    })
}

fn leaves_of(symmetry: &Symmetry) -> Leaves {
    let count = symmetry.pbisim.leaf_count();
    let image = |leaf| symmetry.pbisim.leaf(LeafId::from_usize(leaf)).0;
    (0..count).map(image).collect()
}

fn after(first: &Leaves, then: &Leaves) -> Leaves {
    first.iter().map(|&leaf| then[leaf as usize]).collect()
}

fn moves(leaves: &Leaves, leaf: LeafId) -> bool {
    leaves[leaf.index()] != leaf.0
}

/// The power of `leaves` that is an involution, and which power that is; nothing if its order is odd, or too large
/// for a number. Of the cyclic group of order n there is one involution, the power n / 2.
fn involution(leaves: &Leaves) -> Option<(u64, Leaves)> {
    let mut order = 1u64;
    let mut cycles: Vec<Vec<u32>> = Vec::new();
    let mut seen = vec![false; leaves.len()];
    for start in 0..leaves.len() as u32 {
        let mut cycle = Vec::new();
        let mut leaf = start;
        while !std::mem::replace(&mut seen[leaf as usize], true) {
            cycle.push(leaf);
            leaf = leaves[leaf as usize];
        }
        if cycle.len() > 1 {
            order = least_common_multiple(order, cycle.len() as u64)?;
            cycles.push(cycle);
        }
    }
    if order % 2 == 1 {
        return None;
    }
    let mut image: Leaves = (0..leaves.len() as u32).collect();
    for cycle in cycles {
        let by = (order / 2 % cycle.len() as u64) as usize;
        for (at, &leaf) in cycle.iter().enumerate() {
            image[leaf as usize] = cycle[(at + by) % cycle.len()];
        }
    }
    Some((order / 2, image))
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// `symmetry` so many times, at least once.
fn power(symmetry: &Symmetry, times: u64) -> Symmetry {
    let mut result: Option<Symmetry> = None;
    for bit in (0..u64::BITS - times.leading_zeros()).rev() {
        result = result.map(|result| result.then(&result));
        if times >> bit & 1 == 1 {
            result = Some(result.map_or_else(|| symmetry.clone(), |r| r.then(symmetry)));
        }
    }
    result.unwrap_or_else(|| symmetry.clone())
}
