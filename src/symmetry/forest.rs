//! Groups that permute ids like the nodes of a forest: symmetric groups, their products and wreath
//! products.

use num_bigint::BigUint;

use super::pbisim::Symmetry;

/// A forest whose nodes are *ids*: the members of families. The group permutes the members of each
/// family in every way, independently of the other families, and does nothing else: S3 × S2 is two
/// families without a parent, S4 wr S3 a family of three, each member of which has a family of four
/// below it.
///
/// An id need not be a leaf: it is anything that the group permutes so: a participant with all its
/// leaves, or a value that only occurs in states.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    /// Parents come before their children.
    pub(crate) families: Vec<Family>,
}

/// Two or more siblings.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The member that this family is below: its family and its position there.
    pub(crate) parent: Option<(usize, usize)>,
    /// By member from the second on: the symmetry that exchanges it with the first member, together
    /// with the ids below the two, in the order of `children`, and moves no other id. It is an
    /// involution.
    pub(crate) swaps: Vec<Symmetry>,
    /// By member: the families below it. All members have equally many; those at one place
    /// correspond.
    pub(crate) children: Vec<Vec<usize>>,
}

impl Family {
    /// The number of members.
    pub(crate) fn size(&self) -> usize {
        self.children.len()
    }
}

impl Forest {
    /// All exchanges, family by family.
    pub(crate) fn swaps(&self) -> impl Iterator<Item = &Symmetry> {
        self.families.iter().flat_map(|family| &family.swaps)
    }

    /// The number of permutations of ids in the group.
    pub(crate) fn order(&self) -> BigUint {
        order_of(self.families.iter().map(Family::size))
    }
}

/// The number of permutations of ids that keep a forest with families of these sizes.
pub(crate) fn order_of(sizes: impl Iterator<Item = usize>) -> BigUint {
    sizes.map(|size| (1..=size).product::<BigUint>()).product()
}
