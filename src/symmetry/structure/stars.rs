//! Turns exchanges of siblings into a forest whose members correspond by their exchanges with the
//! first one.

use std::collections::VecDeque;

use crate::permutations::element::moved;

use super::conjugates::SiblingExchange;
use super::moved::Moved;
use super::tree::{IdTree, Siblings, exchange};

/// Families, parents first, each with the exchanges of its first member with the others.
#[derive(Clone, Default, Debug)]
pub(super) struct Stars {
    pub(super) families: Vec<Siblings>,
    /// By family and member from the second on, its exchange with the first member.
    pub(super) swaps: Vec<Vec<Moved>>,
}

impl Stars {
    /// The families of `tree`, in another order, with members and children arranged so that the
    /// families below two members correspond by the exchange of the two. By family of the tree,
    /// `exchanges` connect all its members.
    ///
    /// Only the families below first members are taken from the tree. They are carried to the other
    /// members by the exchanges with these.
    pub(super) fn new(tree: &IdTree, exchanges: &[Vec<SiblingExchange>]) -> Option<Self> {
        let mut stars = Self::default();
        for (number, family) in tree.families.iter().enumerate() {
            if family.parent.is_none() {
                stars.grow(tree, exchanges, number, None)?;
            }
        }
        Some(stars)
    }

    /// Adds a family of `tree` and all families below it; `None` if exchanges are missing. The
    /// recursion is as deep as the tree, whose size is exponential in its depth.
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
        // The families below the first member are complete now, and are copied to each other
        // member.
        let below = number + 1..self.families.len();
        for (member, swap) in (1..).zip(&swaps) {
            // Copies keep their order, so each comes the same number of families after its
            // original.
            let by = self.families.len() - below.start;
            let children = self.families[number].children[0].iter();
            self.families[number].children[member] = children.map(|child| child + by).collect();
            for lower in below.clone() {
                let family = &self.families[lower];
                let parent = family.parent.map(|(parent, at)| match parent == number {
                    true => (number, member),
                    false => (parent + by, at),
                });
                let ids = family.ids.iter().map(|&id| swap.image(id)).collect();
                self.families.push(family.copied(parent, ids, by));
                let swaps = self.swaps[lower].iter();
                let carried = swaps.map(|lower| lower.conjugated(|object| swap.image(object)));
                self.swaps.push(carried.collect());
            }
        }
        Some(())
    }

    /// True if the first `ids` objects are the members, and each exchange is right on them: it
    /// exchanges two members, and the ids below these in the order of their families, and moves no
    /// others.
    pub(super) fn are_right(&self, ids: u32) -> bool {
        let members = self.families.iter().flat_map(|family| &family.ids);
        let mut members: Vec<u32> = members.copied().collect();
        members.sort_unstable();
        let exchanges = |family: usize, member: usize, swap: &Moved| {
            let images = exchange(&self.families, ids as usize, family, member);
            let swapped = swap.pairs().iter().copied();
            moved(&images).eq(swapped.take_while(|&(object, _)| object < ids))
        };
        let mut families = self.swaps.iter().enumerate();
        members.into_iter().eq(0..ids)
            && families.all(|(family, swaps)| {
                let mut swaps = (1..).zip(swaps);
                swaps.all(|(member, swap)| exchanges(family, member, swap))
            })
    }
}

/// The exchanges of the first of `ids` with the others, found one by one from the exchanges of a
/// tree on them.
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
