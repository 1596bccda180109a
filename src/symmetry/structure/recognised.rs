//! The recognised structure of a group, and its direct factors.

use num_bigint::BigUint;

use crate::forest::Forest;
use crate::pbisim::Symmetry;

/// The structure of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// One element.
    Trivial,
    /// All permutations of this many things, two or more. The things may be sets of several points
    /// that move in step.
    Symmetric(usize),
    /// The turns of a ring of this many things, three or more.
    Cyclic(usize),
    /// The turns and reflections of a ring of this many things, four or more: twice as many
    /// elements.
    Dihedral(usize),
    /// A direct product of two or more factors, none of which is trivial or a direct product
    /// itself.
    Product(Vec<Structure>),
    /// A wreath product: the first structure acts within each of several blocks, the second
    /// permutes the blocks.
    Wreath(Box<Structure>, Box<Structure>),
    /// None of the above; the number is that of its elements.
    Other(BigUint),
}

/// A group as far as it was recognised.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// The structure as an abstract group.
    pub structure: Structure,
    /// The direct factors that were found, with their structures, the finest decomposition by
    /// supports; one factor if the group does not decompose.
    pub(crate) factors: Vec<Factor>,
}

/// A direct factor.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    /// The structure; a product where it moves rows and columns of a grid, so that its factors move
    /// the same points.
    pub(crate) structure: Structure,
    /// Elements of the whole group that generate the factor and move nothing but the points that
    /// count for it.
    pub(crate) generators: Vec<Symmetry>,
    /// The forest of ids that it permutes, if it is a symmetric group, or a wreath product of such,
    /// whatever it acts on.
    pub(crate) forest: Option<Forest>,
}

impl Recognised {
    /// The structure of one factor alone.
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
