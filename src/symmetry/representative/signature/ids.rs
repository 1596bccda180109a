//! The ids of a forest by number, and their images when siblings are exchanged.

use crate::forest::Forest;

/// The members of all families, numbered family by family.
#[derive(Clone, Default, Debug)]
pub(super) struct Ids {
    pub(super) families: Vec<IdFamily>,
    /// By id, its family.
    family: Vec<u32>,
    /// By id: its number among the ids of its kind: those that the group can take it to.
    pub(super) slot: Vec<u32>,
}

/// A family.
#[derive(Clone, Debug)]
pub(super) struct IdFamily {
    /// The id of member 0; the others follow.
    pub(super) first: usize,
    pub(super) size: usize,
    /// The id that the family is below.
    pub(super) parent: Option<usize>,
    /// The position of the family among those below the parent.
    pub(super) place: usize,
    /// The kind, as the number of its first family. Families that the group can take to each other
    /// are of one kind.
    pub(super) kind: usize,
    /// The number of ids in all families of this kind.
    pub(super) alike: usize,
    /// By member, the families below it.
    pub(super) children: Vec<Vec<usize>>,
}

impl IdFamily {
    /// The ids of the members.
    pub(super) fn ids(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.size
    }
}

impl Ids {
    /// The ids of `forest`. The error is the reason why `forest` is not a forest, in one line.
    pub(super) fn new(forest: &Forest) -> Result<Self, String> {
        let mut ids = Self::default();
        for (number, family) in forest.families.iter().enumerate() {
            if family.size() < 2 || family.swaps.len() + 1 != family.size() {
                return Err(format!("family {number} of ids has too few exchanges"));
            }
            let (parent, place, kind) = match family.parent {
                None => (None, 0, number),
                Some(above) => ids.below(number, above)?,
            };
            let first = ids.family.len();
            ids.family
                .extend(std::iter::repeat_n(number as u32, family.size()));
            // The first family of a kind is not in the list yet.
            let before = ids.families.get(kind).map_or(0, |like| like.alike);
            let alike = before + family.size();
            ids.slot.extend(before as u32..alike as u32);
            ids.families.push(IdFamily {
                first,
                size: family.size(),
                parent,
                place,
                kind,
                alike: 0,
                children: family.children.clone(),
            });
            ids.families[kind].alike = alike;
        }
        ids.have_equal_subtrees()?;
        Ok(ids)
    }

    /// The parent of family `number`, which is below a member of an earlier family; its position
    /// among the families there, and its kind.
    fn below(
        &self,
        number: usize,
        (above, member): (usize, usize),
    ) -> Result<(Option<usize>, usize, usize), String> {
        let missing = || format!("family {number} of ids is not below an earlier one");
        let parent = self.families.get(above).ok_or_else(missing)?;
        let listed = parent.children.get(member).ok_or_else(missing)?.iter();
        let mut listed = listed.enumerate();
        let place = listed.find(|&(_, &child)| child == number);
        let (place, _) = place.ok_or_else(missing)?;
        // The group takes the first member of the first family of a kind to every other, together
        // with the families below: so there is a family of this one's kind at the same place there.
        let origin = &self.families[parent.kind].children[0];
        let kind = *origin.get(place).ok_or_else(missing)?;
        if kind > number {
            return Err(format!("family {number} of ids comes before its like"));
        }
        Ok((Some(parent.first + member), place, kind))
    }

    fn have_equal_subtrees(&self) -> Result<(), String> {
        for (number, family) in self.families.iter().enumerate() {
            let alike = &self.families[family.kind];
            let places = alike.children[0].len();
            let below = |child: &usize| {
                let child = self.families.get(*child);
                child.is_some_and(|child| child.parent.is_some())
            };
            let fits =
                |children: &Vec<usize>| children.len() == places && children.iter().all(below);
            if alike.size != family.size || !family.children.iter().all(fits) {
                return Err(format!(
                    "the members of family {number} of ids are not alike"
                ));
            }
        }
        Ok(())
    }

    /// The number of ids.
    pub(super) fn count(&self) -> usize {
        self.family.len()
    }

    /// The family of `id`.
    pub(super) fn family(&self, id: usize) -> usize {
        self.family[id] as usize
    }

    /// The position of `id` in its family.
    pub(super) fn member(&self, id: usize) -> usize {
        id - self.families[self.family(id)].first
    }

    /// The families of `id` and of its ancestors, from the root down, each with the member there.
    pub(super) fn path(&self, id: usize) -> Vec<(usize, usize)> {
        let mut path = vec![(self.family(id), self.member(id))];
        let mut at = id;
        while let Some(parent) = self.families[self.family(at)].parent {
            path.push((self.family(parent), self.member(parent)));
            at = parent;
        }
        path.reverse();
        path
    }

    /// By id, its image when members `j` and `k` of `family` are exchanged with all ids below them.
    pub(super) fn exchange(&self, family: usize, j: usize, k: usize) -> Vec<u32> {
        let mut images: Vec<u32> = (0..self.count() as u32).collect();
        let family = &self.families[family];
        images.swap(family.first + j, family.first + k);
        let below = |member: usize| family.children[member].iter().copied();
        let mut open: Vec<(usize, usize)> = below(j).zip(below(k)).collect();
        while let Some((left, right)) = open.pop() {
            let (left, right) = (&self.families[left], &self.families[right]);
            for member in 0..left.size {
                images.swap(left.first + member, right.first + member);
                let below = |family: &IdFamily| family.children[member].clone().into_iter();
                open.extend(below(left).zip(below(right)));
            }
        }
        images
    }

    /// By id, its image when the members of every family are put in `order`, together with all ids
    /// below them. `order` has, by place (the id that stands there now), the member of the family
    /// that goes there. Lower families are ordered first.
    pub(super) fn images(&self, order: &[u32], family_images: &mut [u32], images: &mut [u32]) {
        for (number, family) in self.families.iter().enumerate() {
            if family.parent.is_none() {
                family_images[number] = number as u32;
            }
            // Families above come first in the list, and have set the image of this family.
            let image = &self.families[family_images[number] as usize];
            for place in 0..family.size {
                let member = order[family.first + place] as usize;
                images[family.first + member] = (image.first + place) as u32;
                let below = family.children[member].iter();
                for (&child, &image) in below.zip(&image.children[place]) {
                    family_images[child] = image as u32;
                }
            }
        }
    }
}
