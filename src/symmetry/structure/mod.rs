//! The structure of a group as an abstract group, as far as it can be recognised: `S4`, `C10`, `S3
//! × S2`, `S4 wr S3`.

mod conjugates;
mod effort;
mod factors;
mod fibre;
mod form;
mod moved;
mod name;
mod recognised;
mod rings;
mod sets;
mod stars;
mod supports;
mod swaps;
mod tree;

use num_bigint::BigUint;

use base::cancel::Cancellation;
use base::diag::Result;

use super::forest::Forest;
use super::group::Group;

use self::effort::Effort;
use self::factors::split;

pub(crate) use self::recognised::Factor;
pub use self::recognised::{Recognised, Structure};

/// Recognises `group`: splits it by the faithful points that its elements move, and looks at the
/// action of each factor on its orbits, on their blocks, and on sets of points. Gives up after a
/// fixed number of steps for all factors together: the factors that are left are
/// [`Structure::Other`] then. The factors are listed in the order of the product; the group of one
/// element has none. Returns an error if `token` says that work may not go on.
pub fn recognise(group: &Group, token: &Cancellation) -> Result<Recognised> {
    let mut effort = Effort::new(token);
    let (mut factors, mut names) = (Vec::new(), Vec::new());
    for part in split(group, &mut effort) {
        let form = form::recognise(&part.action, &part.order, &mut effort);
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

/// The order and the structure of the product of the groups of all permutations of so many things.
pub fn of_symmetric_factors(sizes: impl Iterator<Item = usize>) -> (BigUint, Structure) {
    let mut whole = BigUint::from(1_u32);
    let mut factors = Vec::new();
    for things in sizes.filter(|&things| things > 1) {
        let order: BigUint = (1..=things).product();
        whole *= &order;
        factors.push((order, Structure::Symmetric(things)));
    }
    (whole, name::product(factors))
}

/// The forests of all factors as one forest; `None` if some factor has none.
pub fn forest(recognised: &Recognised) -> Option<Forest> {
    let forests = recognised.factors.iter().map(|f| f.forest.clone());
    let forests: Vec<Forest> = forests.collect::<Option<_>>()?;
    Some(swaps::beside(forests.into_iter()))
}

#[cfg(test)]
mod tests;
