//! What a group was recognised as: its structure, and its direct factors.

use num_bigint::BigUint;

use crate::forest::Forest;
use crate::pbisim::Symmetry;

/// The structure of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// One element.
    Trivial,
    /// All permutations of this many things, two or more; they may be sets of several points that
    /// move in step.
    Symmetric(usize),
    /// The turns of a ring of this many things, three or more.
    Cyclic(usize),
    /// The turns and reflections of a ring of this many things, four or more: twice as many
    /// elements.
    Dihedral(usize),
    /// A direct product of two or more factors, none of which is trivial or a direct product
    /// itself.
    Product(Vec<Structure>),
    /// The first acts within each of several blocks, the second permutes the blocks.
    Wreath(Box<Structure>, Box<Structure>),
    /// None of the above; how many elements.
    Other(BigUint),
}

/// What is known of a group.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// As an abstract group.
    pub structure: Structure,
    /// The direct factors that were found, with their structures, the finest by supports; one if it
    /// does not decompose.
    pub(crate) factors: Vec<Factor>,
}

/// A direct factor.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    /// What it is; a product where it moves rows and columns of a grid, so that its factors move
    /// the same points.
    pub(crate) structure: Structure,
    /// Elements of the whole group that generate the factor and move nothing but the points that
    /// count for it.
    pub(crate) generators: Vec<Symmetry>,
    /// If it is a symmetric group, or a wreath product of such, whatever it acts on: how it
    /// permutes ids.
    pub(crate) forest: Option<Forest>,
}

impl Recognised {
    /// One factor alone.
    pub(crate) fn of(factor: Factor) -> Self {
        Self {
            structure: factor.structure.clone(),
            factors: vec![factor],
        }
    }

    /// The direct product of `factors`, one or more.
    pub(crate) fn product(mut factors: Vec<Factor>) -> Self {
        if factors.len() == 1
            && let Some(factor) = factors.pop()
        {
            return Self::of(factor);
        }
        let structures = factors.iter().map(|factor| factor.structure.clone());
        Self {
            structure: Structure::Product(structures.collect()),
            factors,
        }
    }
}
