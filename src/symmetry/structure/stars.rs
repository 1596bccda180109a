//! From exchanges of siblings to a forest whose members correspond by their exchanges with the
//! first one.

use std::collections::VecDeque;

use super::conjugates::SiblingExchange;
use super::moved::Moved;
use super::tree::{IdTree, Siblings};

/// Families, parents first, each with the exchanges of its first member with the others.
#[derive(Clone, Default, Debug)]
pub(super) struct Stars {
    pub(super) families: Vec<Siblings>,
    /// By family and member from the second on.
    pub(super) swaps: Vec<Vec<Moved>>,
}

impl Stars {
    /// The families of `tree`, in another order, their members and children arranged so that those
    /// below two members correspond by the exchange of the two. By family of the tree, `exchanges`
    /// connect all its members.
    ///
    /// Only what is below first members is taken from there, and carried to the others by the
    /// exchanges with these.
    pub(super) fn new(tree: &IdTree, exchanges: &[Vec<SiblingExchange>]) -> Option<Self> {
        let mut stars = Self::default();
        for (number, family) in tree.families.iter().enumerate() {
            if family.parent.is_none() {
                stars.grow(tree, exchanges, number, None)?;
            }
        }
        Some(stars)
    }

    /// Adds a family of `tree` and all that is below it; `None` if exchanges are missing. Recursive
    /// as deep as the tree, whose size is exponential in that.
    fn grow(
        &mut self,
        tree: &IdTree,
        exchanges: &[Vec<SiblingExchange>],
        family: usize,
        parent: Option<(usize, usize)>,
    ) -> Option<()> {
        let number = self.families.len();
        let Siblings { ids, children, .. } = &tree.families[family];
        self.families.push(Siblings {
            parent,
            ids: ids.clone(),
            children: vec![Vec::new(); ids.len()],
        });
        let swaps = swaps(ids, &exchanges[family])?;
        self.swaps.push(swaps.clone());
        for &child in &children[0] {
            let start = self.families.len();
            self.families[number].children[0].push(start);
            self.grow(tree, exchanges, child, Some((number, 0)))?;
        }
        // What is below the first member is complete now, and copied to each other one.
        let below = number + 1..self.families.len();
        for (member, swap) in (1..).zip(&swaps) {
            // Copies keep their order, so each comes the same number of families after its
            // original.
            let by = self.families.len() - below.start;
            let children = self.families[number].children[0].iter();
            self.families[number].children[member] = children.map(|child| child + by).collect();
            for lower in below.clone() {
                let carried = self.families[lower].carried(swap, by, number, member);
                self.families.push(carried);
                let swaps = self.swaps[lower].iter();
                let carried = swaps.map(|lower| lower.conjugated(|object| swap.image(object)));
                self.swaps.push(carried.collect());
            }
        }
        Some(())
    }

    /// Whether the first `ids` objects are the members, and the exchanges do to them what they
    /// should: exchange two members, and what is below them in the order of the families there, and
    /// move no others.
    pub(super) fn are_right(&self, ids: u32) -> bool {
        let members = self.families.iter().flat_map(|family| &family.ids);
        let mut members: Vec<u32> = members.copied().collect();
        members.sort_unstable();
        members.into_iter().eq(0..ids) && self.exchange_members(ids)
    }

    fn exchange_members(&self, ids: u32) -> bool {
        self.swaps.iter().enumerate().all(|(family, swaps)| {
            let first = self.subtree(family, 0);
            (1..).zip(swaps).all(|(member, swap)| {
                let other = self.subtree(family, member);
                let mut pairs = first.iter().zip(&other);
                let moved = swap.pairs().partition_point(|&(object, _)| object < ids);
                moved == first.len() + other.len()
                    && first.len() == other.len()
                    && pairs.all(|(&x, &y)| x != y && swap.image(x) == y && swap.image(y) == x)
            })
        })
    }

    /// The ids of a member and of all that is below it.
    fn subtree(&self, family: usize, member: usize) -> Vec<u32> {
        let mut subtree = Vec::new();
        let mut open = vec![(family, member)];
        while let Some((family, member)) = open.pop() {
            let family = &self.families[family];
            subtree.push(family.ids[member]);
            for &child in &family.children[member] {
                let members = 0..self.families[child].ids.len();
                open.extend(members.map(|member| (child, member)));
            }
        }
        subtree
    }
}

impl Siblings {
    /// A family below the first member of family `top`, carried by `swap` to below another
    /// `member`. What is there comes `by` later.
    fn carried(&self, swap: &Moved, by: usize, top: usize, member: usize) -> Self {
        let parent = self.parent.map(|(parent, at)| match parent == top {
            true => (top, member),
            false => (parent + by, at),
        });
        let later = |children: &Vec<usize>| children.iter().map(|child| child + by).collect();
        Self {
            parent,
            ids: self.ids.iter().map(|&id| swap.image(id)).collect(),
            children: self.children.iter().map(later).collect(),
        }
    }
}

/// The exchanges of the first of `ids` with the others, one by one, from those of a tree on them.
fn swaps(ids: &[u32], tree: &[SiblingExchange]) -> Option<Vec<Moved>> {
    let member = |id: u32| ids.iter().position(|&other| other == id);
    let mut beside = vec![Vec::new(); ids.len()];
    for exchange in tree {
        let (left, right) = (member(exchange.ids.0)?, member(exchange.ids.1)?);
        beside[left].push((right, &exchange.element));
        beside[right].push((left, &exchange.element));
    }
    let mut swaps: Vec<Option<Moved>> = vec![None; ids.len()];
    let mut open = VecDeque::from([0]);
    while let Some(member) = open.pop_front() {
        for &(next, exchange) in &beside[member] {
            if next == 0 || swaps[next].is_some() {
                continue;
            }
            // (0 q) is (0 p) conjugated by (p q).
            swaps[next] = Some(match &swaps[member] {
                Some(swap) => swap.conjugated(|object| exchange.image(object)),
                None => exchange.clone(),
            });
            open.push_back(next);
        }
    }
    swaps.into_iter().skip(1).collect()
}
