//! What a group is as an abstract group, as far as it can be recognised: `S4`, `C10`, `S3 × S2`, `S4 wr S3`.

mod conjugates;
mod effort;
mod factors;
mod fibre;
mod form;
mod moved;
mod name;
mod rings;
mod sets;
mod stars;
mod supports;
mod swaps;
mod tree;

use crate::diag::Result;
use crate::process::work::Pace;
use num_bigint::BigUint;

use super::forest::Forest;
use super::group::Group;
use super::pbisim::Symmetry;

use self::effort::Effort;
use self::factors::split;
use self::form::recognise as recognised;

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
    /// What it is; a product where it moves rows and columns of a grid, so that its factors move the same points.
    pub structure: Structure,
    /// Elements of the whole group that generate the factor and move nothing but the points that count for it.
    pub generators: Vec<Symmetry>,
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

/// Recognises `group`: splits it by the faithful points that its elements move, and looks at what each factor does on
/// its orbits, on their blocks, and on sets of points. Gives up on a factor after a fixed number of steps, a second
/// or two: it is [`Structure::Other`] then. The factors are listed as they are in the product; the group of one
/// element has none. Nobody may wait for it any more: that is an error.
pub fn recognise(group: &Group, pace: &mut Pace<'_>) -> Result<Recognised> {
    let mut effort = Effort::new(pace);
    let (mut factors, mut names) = (Vec::new(), Vec::new());
    for part in split(group, &mut effort) {
        let form = recognised(&part.action, &part.order, &mut effort);
        effort.goes_on()?;
        names.extend(form.names(&part.order));
        let factor = Factor {
            structure: form.structure(&part.order),
            forest: swaps::forest(group, &part.generators, &form, &part.order),
            generators: part.generators,
        };
        factors.push((part.order, factor));
    }
    effort.goes_on()?;
    factors.sort_by_cached_key(|(order, factor)| name::rank(order, &factor.structure));
    Ok(Recognised {
        structure: name::product(names),
        factors: factors.into_iter().map(|(_, factor)| factor).collect(),
    })
}

/// The forests of all factors as one; nothing if some factor has none.
pub fn forest(recognised: &Recognised) -> Option<Forest> {
    let forests = recognised.factors.iter().map(|f| f.forest.clone());
    Some(swaps::beside(forests.collect::<Option<Vec<Forest>>>()?))
}

#[cfg(test)]
mod tests;
