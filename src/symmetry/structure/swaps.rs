//! The symmetries that exchange ids.

use num_bigint::BigUint;

use crate::symmetry::forest::{Family, Forest};
use crate::symmetry::group::Group;
use crate::symmetry::pbisim::Symmetry;
use crate::symmetry::permutations::{Permutation, PermutationGroup};

use super::form::Form;
use super::tree::{Siblings, Tree};

/// Ids for which swaps are looked for: a stabiliser chain on the ids is needed, which takes half a second for so many.
const MOST_IDS: usize = 160;
/// Ids times points that the chain's elements may take, and the swaps.
const MOST_IMAGES: usize = 1 << 24;

/// How the factor of `group` that `generators` generate permutes ids, by what it is; nothing if it has no such ids,
/// or too many.
pub(super) fn forest(
    group: &Group,
    generators: &[Symmetry],
    form: &Form,
    order: &BigUint,
) -> Option<Forest> {
    let tree = Tree::new(form, generators.len())?;
    let images = generators.iter().map(|generator| group.images(generator));
    let images: Vec<Vec<u32>> = images.collect::<Option<_>>()?;
    let points = group.permutations().points();
    let swaps = swaps(&tree, points, &images, order)?;
    let families = tree.families.into_iter().zip(swaps);
    let family = |(siblings, swaps): (Siblings, Vec<Permutation>)| Family {
        parent: siblings.parent,
        swaps: swaps.iter().map(|swap| group.symmetry(swap)).collect(),
        children: siblings.children,
    };
    let families = families.map(family).collect();
    Some(Forest { families })
}

/// By family and member from the second on, the permutation of 0..`points` that exchanges it with the first; `images`
/// are the generators, by point. They generate a group of `order` elements, or there is nothing.
///
/// Ids are the only points that count, and the group is faithful on them: what exchanges ids is one element, and an
/// involution on states like on ids. The swaps generate all permutations of ids that keep the forest, as many as there
/// are elements.
pub(super) fn swaps(
    tree: &Tree,
    points: usize,
    images: &[Vec<u32>],
    order: &BigUint,
) -> Option<Vec<Vec<Permutation>>> {
    let ids = tree.ids.points;
    if tree.order() != *order || ids > MOST_IDS || ids * points > MOST_IMAGES {
        return None;
    }
    let both = |on_ids: &[u32], on_points: &[u32]| {
        let on_points = on_points.iter().map(|image| ids as u32 + image);
        on_ids.iter().copied().chain(on_points).collect()
    };
    let both = tree
        .ids
        .images
        .iter()
        .zip(images)
        .map(|(ids, points)| both(ids, points))
        .collect();
    let all: Vec<u32> = (0..ids as u32).collect();
    let chain = PermutationGroup::carrying(ids, ids + points, both, &all);
    if chain.order() != order {
        return None;
    }
    let swap = |family: usize, member: usize| {
        let element = chain.taking(&all, &tree.exchange(family, member))?;
        let images = element.images()[ids..].iter();
        let images = images.map(|image| image - ids as u32).collect();
        Some(Permutation::new(images))
    };
    let family = |number: usize| {
        let members = 1..tree.families[number].ids.len();
        members.map(|member| swap(number, member)).collect()
    };
    (0..tree.families.len()).map(family).collect()
}

/// Forests side by side.
pub(super) fn beside(forests: Vec<Forest>) -> Forest {
    let mut families = Vec::new();
    for forest in forests {
        let start = families.len();
        let moved = |family: Family| Family {
            parent: family.parent.map(|(parent, at)| (start + parent, at)),
            children: family
                .children
                .into_iter()
                .map(|below| below.into_iter().map(|family| start + family).collect())
                .collect(),
            ..family
        };
        families.extend(forest.families.into_iter().map(moved));
    }
    Forest { families }
}
