//! Exchanges of siblings: some are found among a few elements, and by conjugation all that are
//! needed.

use crate::permutations::action::GroupAction;
use crate::permutations::random::random_elements;
use crate::permutations::union_find::UnionFind;

use super::moved::{Moved, two_part};
use super::tree::IdTree;

/// Elements that exchange two siblings and the ids below them, in some way or other, and move no
/// other id.
pub(super) struct Exchanges<'a> {
    tree: &'a IdTree,
    /// The group on *objects*: first the ids of the tree, whose nodes all elements take to nodes,
    /// then points.
    objects: &'a GroupAction,
    /// By id, its family; and by id, the id that it is below.
    families: Vec<u32>,
    parents: Vec<Option<u32>>,
    /// Siblings that the exchanges connect.
    classes: UnionFind,
    found: Vec<SiblingExchange>,
    /// The number of objects that all of them move, counted for each.
    moved: usize,
}

/// An element that exchanges two siblings.
#[derive(Clone, Debug)]
pub(super) struct SiblingExchange {
    pub(super) ids: (u32, u32),
    pub(super) element: Moved,
}

/// The most random elements that are looked at, and the most steps that this takes: half a second.
const MOST_RANDOM: usize = 1 << 15;
const MOST_STEPS: usize = 1 << 28;
/// The most objects that the exchanges may move together.
const MOST_MOVED: usize = 1 << 24;

impl<'a> Exchanges<'a> {
    pub(super) fn new(tree: &'a IdTree, objects: &'a GroupAction) -> Self {
        let ids = tree.ids.points;
        let mut families = vec![0; ids];
        let mut parents = vec![None; ids];
        let all = &tree.families;
        for (number, family) in (0..).zip(all) {
            for &id in &family.ids {
                families[id as usize] = number;
                parents[id as usize] = family.parent.map(|(above, at)| all[above].ids[at]);
            }
        }
        Self {
            tree,
            objects,
            families,
            parents,
            classes: UnionFind::new(ids),
            found: Vec::new(),
            moved: 0,
        }
    }

    /// Looks at the generators.
    pub(super) fn try_generators(&mut self) {
        for images in &self.objects.images {
            self.try_element(images);
        }
    }

    /// Looks at random elements until the exchanges connect all siblings. About one element of S_n
    /// in 2.5 √n has a power that exchanges two things; of a wreath product of S_m and S_n, about
    /// one in 4mn.
    pub(super) fn try_random(&mut self) {
        let most = MOST_RANDOM.min(MOST_STEPS / (self.objects.points + 1));
        for images in random_elements(self.objects, most) {
            self.try_element(&images);
            if self.is_complete() {
                return;
            }
        }
    }

    /// Looks at the part of order two of the element with these images, and at its conjugates.
    pub(super) fn try_element(&mut self, images: &[u32]) {
        // Ids are few, so the element is first tested on them for being an exchange.
        let on_ids = two_part(&images[..self.tree.ids.points]);
        let Some(ids) = self.exchanged(&on_ids) else {
            return;
        };
        if self.classes.find(ids.0) == self.classes.find(ids.1) {
            return;
        }
        let element = two_part(images);
        self.add(SiblingExchange { ids, element });
    }

    /// The siblings that an element exchanges if it moves no other ids but those below them.
    ///
    /// If it moves an id whose parent stays, it takes the id to a sibling. The other ids that it
    /// moves are below such ids, and are moved along.
    fn exchanged(&self, on_ids: &Moved) -> Option<(u32, u32)> {
        let stays = |&&(id, _): &&(u32, u32)| {
            let parent = self.parents[id as usize];
            parent.is_none_or(|parent| on_ids.image(parent) == parent)
        };
        let mut tops = on_ids.pairs().iter().filter(stays);
        // An exchange has two ids at the top, each the image of the other; if there are more, other
        // siblings move too.
        let (&(first, second), Some(_), None) = (tops.next()?, tops.next(), tops.next()) else {
            return None;
        };
        let are_siblings = self.families[first as usize] == self.families[second as usize];
        let returns = |&(id, image): &(u32, u32)| on_ids.image(image) == id;
        (are_siblings && on_ids.pairs().iter().all(returns)).then_some((first, second))
    }

    /// Adds an exchange, and the conjugates that connect siblings which were not connected before.
    ///
    /// Each exchange kept is conjugated by each generator. So in the end the generators permute the
    /// classes of siblings. All siblings can be permuted freely, hence the siblings of a family are
    /// all in one class or each in a class of its own. Where the group takes one family to another,
    /// the same holds for both.
    fn add(&mut self, exchange: SiblingExchange) {
        let mut done = self.found.len();
        self.keep(exchange);
        while done < self.found.len() && self.moved <= MOST_MOVED {
            for images in &self.objects.images {
                let SiblingExchange { ids, element } = &self.found[done];
                let image = |object: u32| images[object as usize];
                // The conjugate exchanges the images of the two ids, so it is only computed if
                // these were not connected before.
                let ids = (image(ids.0), image(ids.1));
                if self.classes.find(ids.0) != self.classes.find(ids.1) {
                    let element = element.conjugated(image);
                    self.keep(SiblingExchange { ids, element });
                }
            }
            done += 1;
        }
    }

    fn keep(&mut self, exchange: SiblingExchange) {
        self.classes.union(exchange.ids.0, exchange.ids.1);
        self.moved += exchange.element.pairs().len();
        self.found.push(exchange);
    }

    /// True if the exchanges connect all siblings.
    pub(super) fn is_complete(&mut self) -> bool {
        self.missing().is_none()
    }

    /// The first family whose members are not all connected.
    pub(super) fn missing(&mut self) -> Option<usize> {
        let classes = &mut self.classes;
        let mut families = self.tree.families.iter();
        families.position(|family| {
            let first = classes.find(family.ids[0]);
            family.ids.iter().any(|&id| classes.find(id) != first)
        })
    }

    /// By family, the exchanges of its members, which form a tree on these.
    pub(super) fn by_family(self) -> Vec<Vec<SiblingExchange>> {
        let mut by_family = vec![Vec::new(); self.tree.families.len()];
        for exchange in self.found {
            let family = self.families[exchange.ids.0 as usize];
            by_family[family as usize].push(exchange);
        }
        by_family
    }
}
