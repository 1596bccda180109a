//! What a group is as an abstract group, as far as it can be recognised: `S4`, `C10`, `S3 × S2`, `S4 wr S3`.

use std::fmt;

use num_bigint::BigUint;

use super::forest::Forest;
use super::group::Group;

/// The structure of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// One element.
    Trivial,
    /// All permutations of so many things, two or more; they may be sets of several points that move in step.
    Symmetric(usize),
    /// The turns of a ring of so many things, three or more.
    Cyclic(usize),
    /// The turns and reflections of a ring of so many things, four or more: twice as many elements.
    Dihedral(usize),
    /// A direct product of two or more factors, none of which is trivial or such a product.
    Product(Vec<Structure>),
    /// The first acts within each of several blocks, the second permutes the blocks.
    Wreath(Box<Structure>, Box<Structure>),
    /// Nothing of the above; how many elements.
    Other(BigUint),
}

impl fmt::Display for Structure {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

/// What is known of a group.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// As an abstract group.
    pub structure: Structure,
    /// The direct factors that were found, with their structures, the finest by supports; one if it does not decompose.
    pub factors: Vec<Factor>,
}

/// A direct factor.
#[derive(Clone, Debug)]
pub struct Factor {
    /// What it is.
    pub structure: Structure,
    /// Elements of the whole group that generate the factor and move nothing but the points that count for it.
    pub generators: Vec<super::pbisim::Symmetry>,
    /// If it is a symmetric group, or a wreath product of such, whatever it acts on: how it permutes ids.
    pub forest: Option<Forest>,
}

impl Recognised {
    /// One factor alone.
    pub fn of(factor: Factor) -> Self {
        Self {
            structure: factor.structure.clone(),
            factors: vec![factor],
        }
    }

    /// The direct product of `factors`, one or more.
    pub fn product(mut factors: Vec<Factor>) -> Self {
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

/// Recognises `group`.
pub fn recognise(_group: &Group) -> Recognised {
    todo!()
}

/// The joint forest of the factors, if all have one.
pub fn forest(_group: &Group, _recognised: &Recognised) -> Option<Forest> {
    todo!()
}
