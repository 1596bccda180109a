//! The symmetries that exchange ids.

use num_bigint::BigUint;

use crate::forest::{Family, Forest};
use crate::group::Group;
use crate::pbisim::Symmetry;
use crate::permutations::PermutationGroup;
use crate::permutations::action::GroupAction;
use crate::permutations::element::PointPermutation;

use super::conjugates::Exchanges;
use super::form::Form;
use super::moved::Moved;
use super::stars::Stars;
use super::tree::{self, IdTree, Siblings};

/// Swaps times points: each swap becomes a map of them, of some ten bytes a point.
const MOST_IMAGES: usize = 1 << 24;
/// Ids for which a stabiliser chain is made if nothing else helps, which takes half a second for so
/// many; and ids times objects that its elements may take.
const MOST_CHAINED: usize = 160;
const MOST_CHAIN_IMAGES: usize = 1 << 24;

/// How the factor of `group` that `generators` generate permutes ids, by its `form`; `None` if it
/// has no such ids, or too many.
pub(super) fn forest(
    group: &Group,
    generators: &[Symmetry],
    form: &Form,
    order: &BigUint,
) -> Option<Forest> {
    let tree = IdTree::new(form, generators.len())?;
    let images = generators.iter().map(|generator| group.images(generator));
    let points = group.permutations().points();
    let action = GroupAction::new(points, images.collect::<Option<Vec<_>>>()?);
    let stars = swaps(&tree, &action, order)?;
    let ids = tree.ids.points as u32;
    let symmetry = |swap: &Moved| group.symmetry(&on_points(swap, ids, points));
    let family = |(siblings, swaps): (Siblings, Vec<Moved>)| Family {
        parent: siblings.parent,
        swaps: swaps.iter().map(symmetry).collect(),
        children: siblings.children,
    };
    let families = stars.families.into_iter().zip(stars.swaps);
    let families = families.map(family).collect();
    Some(Forest { families })
}

/// By family and member from the second on, the element that exchanges it with the first, on ids
/// and on the points of `action` behind them. `None` unless that is a group of `order` elements.
///
/// Ids are the only points that count, and the group is faithful on them: what exchanges ids is one
/// element, and an involution on states like on ids. The swaps generate all permutations of ids
/// that keep the forest, as many as there are elements.
///
/// Costs a conjugate for each swap, and looks at each pair of a swap and a generator. If no
/// generator exchanges two siblings, other elements are searched for some that do.
pub(super) fn swaps(tree: &IdTree, action: &GroupAction, order: &BigUint) -> Option<Stars> {
    let swaps = tree.families.iter().map(|family| family.ids.len() - 1);
    // Equal orders: the group does all that keeps the forest, and nothing else.
    if tree::order(&tree.families) != *order || swaps.sum::<usize>() * action.points > MOST_IMAGES {
        return None;
    }
    let objects = tree.ids.beside(action);
    let mut exchanges = Exchanges::new(tree, &objects);
    exchanges.try_generators();
    if !exchanges.is_complete() {
        exchanges.try_random();
    }
    if !exchanges.is_complete() {
        try_chain(&mut exchanges, tree, &objects, order)?;
    }
    let stars = Stars::new(tree, &exchanges.by_family())?;
    let are_all = tree::order(&stars.families) == *order;
    (are_all && stars.are_right(tree.ids.points as u32)).then_some(stars)
}

/// Looks for what is missing in a stabiliser chain on ids: a random element is hardly ever an
/// exchange if the group is made of many small ones.
fn try_chain(
    exchanges: &mut Exchanges,
    tree: &IdTree,
    objects: &GroupAction,
    order: &BigUint,
) -> Option<()> {
    let ids = tree.ids.points;
    if ids > MOST_CHAINED || ids * objects.points > MOST_CHAIN_IMAGES {
        return None;
    }
    let all: Vec<u32> = (0..ids as u32).collect();
    let generators = objects.images.iter().cloned();
    let chain = PermutationGroup::carrying(ids, objects.points, generators, &all, None);
    if chain.order() != order {
        return None;
    }
    while let Some(family) = exchanges.missing() {
        let element = chain.taking(&all, &tree::exchange(&tree.families, ids, family, 1))?;
        exchanges.try_element(element.images());
        // What was found connects nothing new: without this check the loop would not end.
        if exchanges.missing() == Some(family) {
            return None;
        }
    }
    Some(())
}

/// What `swap` does to the `points` behind the ids.
pub(super) fn on_points(swap: &Moved, ids: u32, points: usize) -> PointPermutation {
    let mut images: Box<[u32]> = (0..points as u32).collect();
    // Ids come before points, and go to ids.
    let first = swap.pairs().partition_point(|&(object, _)| object < ids);
    for &(object, image) in &swap.pairs()[first..] {
        images[(object - ids) as usize] = image - ids;
    }
    PointPermutation::new(images)
}

/// Forests side by side.
pub(super) fn beside(forests: impl Iterator<Item = Forest>) -> Forest {
    let mut all = Forest::default();
    for forest in forests {
        let start = all.families.len();
        for mut family in forest.families {
            let parent = family.parent.iter_mut().map(|(parent, _)| parent);
            let children = family.children.iter_mut().flatten();
            parent.chain(children).for_each(|number| *number += start);
            all.families.push(family);
        }
    }
    all
}
