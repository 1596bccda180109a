//! The ids that a group permutes like the nodes of a forest.

use num_bigint::BigUint;

use crate::forest::order_of;
use crate::permutations::action::GroupAction;

use super::form::{Form, FormFactor};

/// Families of ids, and the action of the group on the ids.
#[derive(Clone, Debug)]
pub(super) struct IdTree {
    /// Parents before their children.
    pub(super) families: Vec<Siblings>,
    pub(super) ids: GroupAction,
    /// By point of the action, the family and position of the id that it is, if it is an id at the
    /// bottom of the forest.
    places: Vec<Option<(usize, usize)>>,
}

#[derive(Clone, Debug)]
pub(super) struct Siblings {
    /// The member that this family is below: its family and its position there.
    pub(super) parent: Option<(usize, usize)>,
    /// By member, its id.
    pub(super) ids: Vec<u32>,
    /// By member, the families below it.
    pub(super) children: Vec<Vec<usize>>,
}

impl Siblings {
    /// A copy of this family below `parent`, with other `ids`; the numbers of its children grow by
    /// `by`.
    pub(super) fn copied(&self, parent: Option<(usize, usize)>, ids: Vec<u32>, by: usize) -> Self {
        let mut children = self.children.clone();
        children.iter_mut().flatten().for_each(|child| *child += by);
        Self {
            parent,
            ids,
            children,
        }
    }
}

impl IdTree {
    /// The ids of a symmetric group, or of products and wreath products of such, with this many
    /// generators; `None` for other groups.
    pub(super) fn new(form: &Form, generators: usize) -> Option<Self> {
        match form {
            Form::Plain(..) => None,
            Form::Symmetric { action, member } => Some(Self::of_family(action, member)),
            Form::Elsewhere(points, form) => {
                let mut tree = Self::new(form, generators)?;
                // The points of this action are no ids, so none of them has a place.
                tree.places = vec![None; *points];
                Some(tree)
            }
            Form::Product(factors) => Self::of_product(factors, generators),
            Form::Wreath {
                inner,
                outer,
                fibre,
            } => {
                let outer = Self::new(outer, generators)?;
                let inner = Self::new(inner, fibre.inner_generators)?;
                Self::of_wreath(outer, &inner, fibre)
            }
        }
    }

    fn of_family(action: &GroupAction, member: &[Option<u32>]) -> Self {
        let siblings = Siblings {
            parent: None,
            ids: (0..action.points as u32).collect(),
            children: vec![Vec::new(); action.points],
        };
        let place = |member: &Option<u32>| member.map(|member| (0, member as usize));
        Self {
            families: vec![siblings],
            ids: action.clone(),
            places: member.iter().map(place).collect(),
        }
    }

    fn of_product(factors: &[FormFactor], generators: usize) -> Option<Self> {
        let mut tree = Self {
            families: Vec::new(),
            ids: GroupAction::new(0, vec![Vec::<u32>::new(); generators]),
            places: Vec::new(),
        };
        for factor in factors {
            let part = Self::new(&factor.form, generators)?;
            let start = tree.families.len();
            tree.hang(&part.families, None);
            // `hang` has numbered the new ids from the end of those of all families, and they are
            // put there.
            tree.ids = tree.ids.beside(&part.ids);
            for (&point, &place) in factor.points.iter().zip(&part.places) {
                let point = point as usize;
                tree.places.resize(tree.places.len().max(point + 1), None);
                tree.places[point] = place.map(|(family, at)| (start + family, at));
            }
        }
        Some(tree)
    }

    /// The tree with a copy of `inner` below each id at the bottom of `outer`; these ids must be
    /// the blocks.
    fn of_wreath(outer: Self, inner: &Self, fibre: &super::fibre::Fibre) -> Option<Self> {
        let below: Option<Vec<(usize, usize)>> = outer.places.iter().copied().collect();
        let below = below?;
        let (above, copy) = (outer.ids.points as u32, inner.ids.points as u32);
        let start = outer.families.len();
        let mut tree = outer;
        // Copies hang in the order of blocks, so that the lower ids are numbered by block · copy +
        // id.
        for &place in &below {
            tree.hang(&inner.families, Some(place));
        }
        for (number, images) in tree.ids.images.iter_mut().enumerate() {
            let blocks = fibre.blocks[number].iter().zip(&fibre.within[number]);
            let lower = blocks.flat_map(|(block, &within)| {
                let images = inner.ids.images[within as usize].iter();
                images.map(move |image| above + block * copy + image)
            });
            *images = images.iter().copied().chain(lower).collect();
        }
        tree.ids.points += below.len() * inner.ids.points;
        let place = |&coordinates: &Option<(u32, u32)>| {
            let (block, x) = coordinates?;
            let (family, at) = inner.places.get(x as usize).copied().flatten()?;
            // The copies are numbered in the order in which they were hung.
            Some((start + block as usize * inner.families.len() + family, at))
        };
        tree.places = fibre.coordinates.iter().map(place).collect();
        Some(tree)
    }

    /// Adds a copy of `families`, whose ids get the numbers after all others, below a member of a
    /// family or below nothing. The ids themselves are not added.
    fn hang(&mut self, families: &[Siblings], below: Option<(usize, usize)>) {
        let start = self.families.len();
        let first = self.families.iter().map(|family| family.ids.len());
        let first = first.sum::<usize>() as u32;
        for (number, family) in families.iter().enumerate() {
            if let (None, Some((parent, at))) = (family.parent, below) {
                self.families[parent].children[at].push(start + number);
            }
            let parent = family.parent.map(|(parent, at)| (start + parent, at));
            let ids = family.ids.iter().map(|id| first + id).collect();
            self.families
                .push(family.copied(parent.or(below), ids, start));
        }
    }
}

/// By id of 0..`ids`, the members of `families`: its image when the first member of a family is
/// exchanged with the one at `position`, and the ids below the two in the order of their families.
pub(super) fn exchange(
    families: &[Siblings],
    ids: usize,
    family: usize,
    position: usize,
) -> Vec<u32> {
    let mut images: Vec<u32> = (0..ids as u32).collect();
    let mut open = vec![((family, 0), (family, position))];
    while let Some((left, right)) = open.pop() {
        let id = |(family, at): (usize, usize)| families[family].ids[at];
        images.swap(id(left) as usize, id(right) as usize);
        let children = |(family, at): (usize, usize)| &families[family].children[at];
        for (&left, &right) in children(left).iter().zip(children(right)) {
            let members = 0..families[left].ids.len();
            open.extend(members.map(|at| ((left, at), (right, at))));
        }
    }
    images
}

/// The number of permutations of ids that keep a forest of these families.
pub(super) fn order(families: &[Siblings]) -> BigUint {
    order_of(families.iter().map(|family| family.ids.len()))
}
