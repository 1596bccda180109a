//! Recognises that a group permutes blocks of leaves in every way, and does nothing else.

use num_bigint::BigUint;

use crate::base::index::TypedIndex;
use crate::machine::{LeafId, Machine};
use crate::symmetry::group::Group;
use crate::symmetry::pbisim::{Pbisim, Symmetry};

use super::sort::{Block, Family, SortPlan};
use super::swaps::Swaps;

/// The reason for a group without symmetries.
pub(in crate::symmetry) const NO_SYMMETRY: &str = "there is no symmetry to use";

const NO_SWAPS: &str = "the symmetries form no full symmetric group on leaves";

/// See [`SortPlan::recognise`].
///
/// The families are found by their swaps, and then each generator is compared with the permutation of blocks
/// that it should be. So G acts as a subgroup of the product of symmetric groups on the families, and because
/// the swaps, which are elements of G, generate that product, as the whole of it.
pub(super) fn recognise(machine: &Machine, group: &Group) -> Result<SortPlan, String> {
    let generators = group.generators();
    let Some(identity) = generators.first().map(|first| first.then(&first.inverse())) else {
        return Err(NO_SYMMETRY.to_string());
    };
    if let Some(reason) = moved_specification(group) {
        return Err(reason);
    }
    if let Some(reason) = states_moved_in_place(machine, group) {
        return Err(reason);
    }
    let orbits = group.leaf_orbits();
    if !may_be_full(machine, group, &orbits) {
        return Err(NO_SWAPS.to_string());
    }
    let swaps = Swaps::new(generators, &orbits);
    let families = families(&swaps, generators, &orbits, &identity).or_else(|| {
        let swaps = swaps.with_longer(&orbits);
        families(&swaps, generators, &orbits, &identity)
    });
    let families = families.ok_or(NO_SWAPS)?;
    Ok(SortPlan { families, identity })
}

/// Whether the group has elements enough to permute each orbit of leaves in every way. What it does to leaves of one state
/// alone makes no elements.
fn may_be_full(machine: &Machine, group: &Group, orbits: &[Vec<LeafId>]) -> bool {
    let counts = |orbit: &&Vec<LeafId>| machine.leaves[orbit[0]].state_count() > 1;
    let largest = orbits.iter().filter(counts).map(Vec::len).max();
    let largest = largest.unwrap_or_default();
    (1..=largest).product::<BigUint>() <= *group.order()
}

/// The families that `swaps` generate on `orbits`, if the generators do nothing else.
fn families(
    swaps: &Swaps<'_>,
    generators: &[Symmetry],
    orbits: &[Vec<LeafId>],
    identity: &Symmetry,
) -> Option<Vec<Family>> {
    let mut families: Vec<Family> = Vec::new();
    let mut places = vec![None; identity.pbisim.leaf_count()];
    for orbit in orbits {
        if places[orbit[0].index()].is_none() {
            let family = family(swaps, generators, orbit, identity)?;
            enter(&family, families.len(), &mut places)?;
            families.push(family);
        }
    }
    let permutes = |generator| permutes_blocks(&families, &places, generator);
    (!families.is_empty() && generators.iter().all(permutes)).then_some(families)
}

/// Why the specification is not universally symmetric, if it is not.
pub(in crate::symmetry) fn moved_specification(group: &Group) -> Option<String> {
    let mut generators = group.generators().iter();
    let number = generators.position(|generator| !generator.fixes_specification())?;
    Some(format!(
        "the specification is not universally symmetric: {} moves its states",
        group.name(number)
    ))
}

/// A leaf that some generator leaves where it is, but not in its states.
fn states_moved_in_place(machine: &Machine, group: &Group) -> Option<String> {
    for (number, generator) in group.generators().iter().enumerate() {
        let stays = |leaf: &LeafId| generator.pbisim.leaf(*leaf) == *leaf;
        let moved = |leaf: &LeafId| !generator.pbisim.fixes(*leaf);
        if let Some(leaf) = machine.leaves.indices().filter(stays).find(moved) {
            return Some(format!(
                "{} changes states of leaf {}, {}, without exchanging it",
                group.name(number),
                leaf.index() + 1,
                excerpt(&machine.leaves[leaf].expression)
            ));
        }
    }
    None
}

/// The beginning of a long text.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// The family that `orbit` belongs to.
fn family(
    swaps: &Swaps<'_>,
    generators: &[Symmetry],
    orbit: &[LeafId],
    identity: &Symmetry,
) -> Option<Family> {
    let swap = swaps.of(orbit)?;
    let stars = stars(spanning_swaps(swap, generators, orbit)?, orbit);
    let base = base(&stars)?;
    let first = Block {
        leaves: base.clone(),
        swap: identity.clone(),
    };
    let mut blocks = vec![first];
    for swap in stars {
        let leaves: Vec<LeafId> = base.iter().map(|&leaf| swap.pbisim.leaf(leaf)).collect();
        if !swaps_only(&swap.pbisim, &base, &leaves) {
            return None;
        }
        blocks.push(Block { leaves, swap });
    }
    Some(Family { blocks })
}

/// Conjugates of `swap` whose pairs of leaves of `orbit` form a tree on all of it.
///
/// Each new pair joins two parts of the orbit, and each pair found is conjugated by each generator. If that ends
/// with several parts, the generators permute the parts, so that the group is imprimitive on the orbit: it is not
/// the full symmetric group.
fn spanning_swaps(
    swap: Symmetry,
    generators: &[Symmetry],
    orbit: &[LeafId],
) -> Option<Vec<(LeafId, LeafId, Symmetry)>> {
    let mut part: Vec<usize> = (0..orbit.len()).collect();
    let at = |leaf: LeafId| orbit.binary_search(&leaf).ok();
    let first = *orbit.iter().find(|&&leaf| swap.pbisim.leaf(leaf) != leaf)?;
    let mut open = vec![(first, swap.pbisim.leaf(first), swap)];
    let mut next = 0;
    join(&mut part, at(open[0].0)?, at(open[0].1)?);
    while let Some((a, b, swap)) = open.get(next).cloned() {
        next += 1;
        for generator in generators {
            let (a, b) = (generator.pbisim.leaf(a), generator.pbisim.leaf(b));
            if join(&mut part, at(a)?, at(b)?) {
                open.push((a, b, generator.inverse().then(&swap).then(generator)));
            }
        }
    }
    part.iter().all(|&p| p == part[0]).then_some(open)
}

/// Makes one part of those that `a` and `b` are in; whether they were two.
fn join(part: &mut [usize], a: usize, b: usize) -> bool {
    let (kept, lost) = (part[a], part[b]);
    if kept == lost {
        return false;
    }
    part.iter_mut()
        .filter(|p| **p == lost)
        .for_each(|p| *p = kept);
    true
}

/// From swaps along a tree to the swaps of the first leaf of `orbit` with each other one, in the order of the orbit.
fn stars(mut tree: Vec<(LeafId, LeafId, Symmetry)>, orbit: &[LeafId]) -> Vec<Symmetry> {
    let mut known: Vec<(LeafId, Option<Symmetry>)> = vec![(orbit[0], None)];
    let mut next = 0;
    while let Some((leaf, star)) = known.get(next).cloned() {
        next += 1;
        let beside = |(a, b, _): &mut (LeafId, LeafId, Symmetry)| *a == leaf || *b == leaf;
        for (a, b, swap) in tree.extract_if(.., beside) {
            let other = if a == leaf { b } else { a };
            // (1 p)(p q)(1 p) = (1 q)
            let swap = match &star {
                Some(star) => star.then(&swap).then(star),
                None => swap,
            };
            known.push((other, Some(swap)));
        }
    }
    known.sort_by_key(|&(leaf, _)| leaf);
    known.into_iter().filter_map(|(_, star)| star).collect()
}

/// The block that all of `stars` move. A single swap does not tell its two sides apart, which makes no difference.
fn base(stars: &[Symmetry]) -> Option<Vec<LeafId>> {
    let first = &stars.first()?.pbisim;
    let leaves = (0..first.leaf_count()).map(LeafId::from_usize);
    let in_base = |leaf: &LeafId| {
        let image = first.leaf(*leaf);
        match stars.get(1) {
            Some(second) => image != *leaf && second.pbisim.leaf(*leaf) != *leaf,
            None => *leaf < image,
        }
    };
    Some(leaves.filter(in_base).collect())
}

/// Whether `pbisim` exchanges the leaves of two blocks, place by place, and all else stays.
fn swaps_only(pbisim: &Pbisim, base: &[LeafId], block: &[LeafId]) -> bool {
    let places = base.iter().zip(block);
    let exchanged = places.filter(|&(&a, &b)| a != b && pbisim.leaf(a) == b && pbisim.leaf(b) == a);
    let moved = (0..pbisim.leaf_count()).map(LeafId::from_usize);
    let moved = moved.filter(|&leaf| !pbisim.fixes(leaf)).count();
    exchanged.count() == base.len() && moved == 2 * base.len() && pbisim.then(pbisim).is_identity()
}

/// Where a leaf stands: family, block, place in the block.
type Place = Option<(usize, usize, usize)>;

/// Enters the leaves of the family of this number; nothing if one is there already.
fn enter(family: &Family, number: usize, places: &mut [Place]) -> Option<()> {
    for (block, leaves) in family.blocks.iter().map(|block| &block.leaves).enumerate() {
        for (place, leaf) in leaves.iter().enumerate() {
            let entry = &mut places[leaf.index()];
            if entry.replace((number, block, place)).is_some() {
                return None;
            }
        }
    }
    Some(())
}

/// Whether `generator` carries each block of each family onto a block of the same family, place by place and with
/// the states numbered as in the base, and fixes all leaves of no family.
fn permutes_blocks(families: &[Family], places: &[Place], generator: &Symmetry) -> bool {
    let pbisim = &generator.pbisim;
    (0..places.len()).all(|leaf| {
        let leaf = LeafId::from_usize(leaf);
        let to = pbisim.leaf(leaf);
        match (places[leaf.index()], places[to.index()]) {
            (None, _) => pbisim.fixes(leaf),
            (Some((family, block, place)), Some((to_family, to_block, to_place))) => {
                let blocks = &families[family].blocks;
                let first = pbisim.leaf(blocks[block].leaves[0]);
                family == to_family
                    && place == to_place
                    && blocks[to_block].leaves[0] == first
                    && same_numbers(&blocks[block], &blocks[to_block], leaf, to, pbisim)
            }
            _ => false,
        }
    })
}

/// Whether `pbisim` carries each state of `leaf` in `block` to the one of `to` in `to_block` that has the same number
/// in the base.
fn same_numbers(
    block: &Block,
    to_block: &Block,
    leaf: LeafId,
    to: LeafId,
    pbisim: &Pbisim,
) -> bool {
    let here = block.swap.pbisim.states(leaf);
    let there = to_block.swap.pbisim.states(to);
    let images = pbisim.states(leaf).iter();
    here.iter()
        .zip(images)
        .all(|(&number, &image)| there[image as usize] == number)
}
