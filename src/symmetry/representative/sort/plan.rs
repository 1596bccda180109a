//! The plan of sortRep: families of blocks of leaves that a group permutes in every way, while it
//! moves nothing else.

use crate::forest::{Family, Forest};
use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use crate::representative::reasons::{NO_SYMMETRY, moved_specification};
use base::index::TypedIndex;
use machine::{LeafId, Machine};

const NO_SWAPS: &str = "the symmetries form no full symmetric group on leaves";

/// Families of blocks to be sorted.
#[derive(Clone, Debug)]
pub struct SortPlan {
    pub(crate) families: Vec<BlockFamily>,
    pub(crate) identity: Symmetry,
}

/// Two or more blocks of leaves. The group permutes them in every way, and keeps the contents of
/// each.
#[derive(Clone, Debug)]
pub(crate) struct BlockFamily {
    /// The blocks. The first is the base: the states of all blocks get the numbers of the base.
    pub(crate) blocks: Vec<LeafBlock>,
}

/// Leaves that move together.
#[derive(Clone, Debug)]
pub(crate) struct LeafBlock {
    /// The leaf at each place corresponds to the leaf at that place of every other block.
    pub(crate) leaves: Vec<LeafId>,
    /// The exchange of this block with the base, which moves no other leaf. The identity for the
    /// base itself.
    pub(crate) swap: Symmetry,
}

impl SortPlan {
    /// The plan for `group`, if its action on the states of `machine` is exactly this: it permutes
    /// the blocks of each family in every way, independently of the others, and moves nothing else,
    /// in the specification neither. The error is the reason why not, in one line.
    ///
    /// `forest` is the forest of ids that the group permutes, if there is one: blocks are such ids.
    pub fn recognise(
        machine: &Machine,
        group: &Group,
        forest: Option<&Forest>,
    ) -> Result<Self, String> {
        if group.generators().is_empty() {
            return Err(NO_SYMMETRY.to_string());
        }
        let moved = moved_specification(group);
        if let Some(reason) = moved.or_else(|| states_moved_in_place(machine, group)) {
            return Err(reason);
        }
        let families = forest.and_then(|forest| families(group, forest));
        Ok(Self {
            families: families.ok_or(NO_SWAPS)?,
            identity: group.identity().clone(),
        })
    }

    /// `sortRep`, or `sortRep, simultaneous` if some block has two or more leaves.
    pub fn name(&self) -> &'static str {
        if self.families.iter().all(|f| f.blocks[0].leaves.len() == 1) {
            "sortRep"
        } else {
            "sortRep, simultaneous"
        }
    }
}

impl BlockFamily {
    /// The exchange of two blocks: with s_k the swap of base and block k, (i j) = s_i s_j s_i.
    pub(super) fn exchange(&self, i: usize, j: usize) -> Symmetry {
        let (first, second) = (&self.blocks[i].swap, &self.blocks[j].swap);
        match (i, j) {
            (0, _) => second.clone(),
            (_, 0) => first.clone(),
            _ => first.then(second).then(first),
        }
    }
}

/// The families of blocks that the group permutes, if the ids of `forest` are such blocks.
fn families(group: &Group, forest: &Forest) -> Option<Vec<BlockFamily>> {
    // The exchanges of siblings generate a product of symmetric groups on blocks. If the group had
    // other elements, states that sorting keeps apart would be in one orbit.
    if forest.order() != *group.order() {
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

/// The reason that some generator keeps a leaf but moves its states, if there is such a leaf.
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

/// The beginning of a long text; a short one as it is.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// The blocks that are the members of `siblings`, if their exchanges move whole leaves and nothing
/// else.
fn family(siblings: &Family, identity: &Symmetry) -> Option<BlockFamily> {
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
/// not tell which of its two sides is the first sibling; either will do.
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

/// True if `pbisim` exchanges the leaves of two blocks, place by place, and moves nothing else.
fn swaps_only(pbisim: &Pbisim, base: &[LeafId], block: &[LeafId]) -> bool {
    let places = base.iter().zip(block);
    let exchanged = places.filter(|&(&a, &b)| a != b && pbisim.leaf(a) == b && pbisim.leaf(b) == a);
    let moved = (0..pbisim.leaf_count()).map(LeafId::from_usize);
    let moved = moved.filter(|&leaf| !pbisim.fixes(leaf)).count();
    exchanged.count() == base.len() && moved == 2 * base.len() && pbisim.then(pbisim).is_identity()
}
