//! What sortRep sorts: families of blocks of leaves.

use crate::forest::Forest;
use crate::group::Group;
use crate::pbisim::Symmetry;
use machine::{LeafId, Machine};

use crate::representative::blocks;

/// Families of blocks to be sorted.
#[derive(Clone, Debug)]
pub struct SortPlan {
    pub(in crate::representative) families: Vec<BlockFamily>,
    pub(in crate::representative) identity: Symmetry,
}

/// Two or more blocks of leaves. The group permutes them in every way, and keeps what is in them.
#[derive(Clone, Debug)]
pub(in crate::representative) struct BlockFamily {
    /// The first one is the base: the states of all are numbered as there.
    pub(in crate::representative) blocks: Vec<LeafBlock>,
}

/// Leaves that move together.
#[derive(Clone, Debug)]
pub(in crate::representative) struct LeafBlock {
    /// The leaf at each place corresponds to the leaf at that place of every other block.
    pub(in crate::representative) leaves: Vec<LeafId>,
    /// Exchanges this block with the base, and moves no other leaf; of the base itself, the
    /// identity.
    pub(in crate::representative) swap: Symmetry,
}

impl SortPlan {
    /// The plan for `group`, if its action on the states of `machine` is exactly this: it permutes
    /// the blocks of each family in every way, independently of the others, and moves nothing else,
    /// in the specification neither. Otherwise the reason in one line.
    ///
    /// `forest` is how the group permutes ids, if it does: blocks are such ids.
    pub fn recognise(
        machine: &Machine,
        group: &Group,
        forest: Option<&Forest>,
    ) -> Result<Self, String> {
        blocks::recognise(machine, group, forest)
    }

    /// `sortRep`, or `sortRep, simultaneous` if some block has two or more leaves.
    pub fn name(&self) -> &'static str {
        if self.families.iter().all(|f| f.blocks[0].leaves.len() == 1) {
            "sortRep"
        } else {
            "sortRep, simultaneous"
        }
    }

    /// The families, each with the leaves of its blocks.
    pub fn families(&self) -> Vec<Vec<&[LeafId]>> {
        let families = self.families.iter();
        families.map(BlockFamily::leaves).collect()
    }
}

impl BlockFamily {
    fn leaves(&self) -> Vec<&[LeafId]> {
        self.blocks.iter().map(|block| &*block.leaves).collect()
    }

    /// Exchanges two blocks: with s_k the swap of base and block k, (i j) = s_i s_j s_i.
    pub(super) fn exchange(&self, i: usize, j: usize) -> Symmetry {
        let (first, second) = (&self.blocks[i].swap, &self.blocks[j].swap);
        match (i, j) {
            (0, _) => second.clone(),
            (_, 0) => first.clone(),
            _ => first.then(second).then(first),
        }
    }
}
