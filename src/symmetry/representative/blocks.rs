//! Recognises that a group permutes blocks of leaves in every way, and does nothing else.

use num_bigint::BigUint;

use crate::forest::{self, Forest};
use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use base::index::TypedIndex;
use machine::{LeafId, Machine};

use super::sort::{BlockFamily, LeafBlock, SortPlan};

/// The reason for a group without symmetries.
pub(crate) const NO_SYMMETRY: &str = "there is no symmetry to use";

const NO_SWAPS: &str = "the symmetries form no full symmetric group on leaves";

/// See [`SortPlan::recognise`].
pub(super) fn recognise(
    machine: &Machine,
    group: &Group,
    forest: Option<&Forest>,
) -> Result<SortPlan, String> {
    if group.generators().is_empty() {
        return Err(NO_SYMMETRY.to_string());
    }
    if let Some(reason) = moved_specification(group) {
        return Err(reason);
    }
    if let Some(reason) = states_moved_in_place(machine, group) {
        return Err(reason);
    }
    let families = forest.and_then(|forest| families(group, forest));
    Ok(SortPlan {
        families: families.ok_or(NO_SWAPS)?,
        identity: group.identity().clone(),
    })
}

/// The families of blocks that the group permutes, if the ids of `forest` are such blocks.
fn families(group: &Group, forest: &Forest) -> Option<Vec<BlockFamily>> {
    let sizes = forest.families.iter().map(forest::Family::size);
    let order: BigUint = sizes.map(|size| (1..=size).product::<BigUint>()).product();
    // The exchanges of siblings generate a product of symmetric groups on blocks. Elements beyond
    // these would make one orbit of what sorting keeps apart.
    if order != *group.order() {
        return None;
    }
    let families = forest.families.iter();
    let families = families.map(|siblings| family(siblings, group.identity()));
    let families: Vec<BlockFamily> = families.collect::<Option<_>>()?;
    let blocks = families.iter().flat_map(|family| &family.blocks);
    let mut leaves: Vec<LeafId> = blocks.flat_map(|block| block.leaves.clone()).collect();
    leaves.sort_unstable();
    // A leaf of two blocks is moved by two families: its state cannot be sorted by both.
    let are_disjoint = leaves.is_sorted_by(|left, right| left < right);
    are_disjoint.then_some(families)
}

/// Why the specification is not universally symmetric, if it is not.
pub(crate) fn moved_specification(group: &Group) -> Option<String> {
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

/// The blocks that `siblings` are, if their exchanges move whole leaves and nothing else.
fn family(siblings: &forest::Family, identity: &Symmetry) -> Option<BlockFamily> {
    let base = base(&siblings.swaps)?;
    let mut blocks = vec![LeafBlock {
        leaves: base.clone(),
        swap: identity.clone(),
    }];
    for swap in &siblings.swaps {
        let leaves: Vec<LeafId> = base.iter().map(|&leaf| swap.pbisim.leaf(leaf)).collect();
        if !swaps_only(&swap.pbisim, &base, &leaves) {
            return None;
        }
        let swap = swap.clone();
        blocks.push(LeafBlock { leaves, swap });
    }
    Some(BlockFamily { blocks })
}

/// The leaves of the first sibling: those that all exchanges with it move. A single exchange does
/// not say which of its two sides is the first sibling; either will do.
fn base(swaps: &[Symmetry]) -> Option<Vec<LeafId>> {
    let first = &swaps.first()?.pbisim;
    let leaves = (0..first.leaf_count()).map(LeafId::from_usize);
    let in_base = |leaf: &LeafId| {
        let image = first.leaf(*leaf);
        match swaps.get(1) {
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
