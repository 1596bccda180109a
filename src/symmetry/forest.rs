//! Groups that permute ids like the nodes of a forest: symmetric groups, their products and wreath
//! products.

use super::pbisim::Symmetry;

/// A forest whose nodes are *ids*: the members of families. The group permutes the members of each
/// family in every way, independently of the other families, and does nothing else: S3 × S2 is two
/// families without a parent, S4 wr S3 a family of three, each member of which has a family of four
/// below it.
///
/// An id need not be a leaf: it is whatever the group permutes so, a participant with all its
/// leaves, or a value that only occurs in states.
#[derive(Clone, Debug)]
pub struct Forest {
    /// Parents come before their children.
    pub families: Vec<Family>,
}

/// Two or more siblings.
#[derive(Clone, Debug)]
pub struct Family {
    /// The family and the position of the member below which this one is.
    pub parent: Option<(usize, usize)>,
    /// By member from the second on: the symmetry that exchanges it with the first member, with all
    /// that is below the two in the order of `children`, and moves no other id. An involution.
    pub swaps: Vec<Symmetry>,
    /// By member: the families below it. All members have equally many; those at one place
    /// correspond.
    pub children: Vec<Vec<usize>>,
}

impl Family {
    /// How many members there are.
    pub fn size(&self) -> usize {
        self.children.len()
    }
}
