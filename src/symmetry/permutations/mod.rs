//! Permutation groups on points 0..n: order, membership, orbits, stabiliser chains.

pub(crate) mod action;
pub(crate) mod blocks;
mod bound;
mod chain;
pub(crate) mod element;
mod faithful;
pub(crate) mod order;
mod peel;
mod prescribed;
pub(crate) mod program;
pub(crate) mod random;
mod schreier_sims;
mod two_orbits;
pub(crate) mod union_find;

use std::sync::OnceLock;

use num_bigint::BigUint;

use self::action::GroupAction;
use self::chain::StabiliserChain;
use self::element::{
    ABSENT, PointPermutation, extended, is_bijection, is_identity, multiply, positions, restricted,
};
use self::faithful::faithful;
use self::peel::peel;
use self::program::Letter;
use self::schreier_sims::complete_chain;

/// The group that some permutations of the points 0..n generate, with a base and strong generating
/// set.
///
/// The base is a list of points b₁, b₂, ... such that only the identity fixes all. Level i of the
/// stabiliser chain is the group of the elements that fix b₁, ..., bᵢ (level 0 is the whole group),
/// and its basic orbit is that of bᵢ₊₁.
///
/// The chain is computed on the *faithful points* alone, orbits on which the others depend: there
/// may be 10⁵ points, the states of a hundred components, of which a hundred are then enough. The
/// chain is made when it is first needed, and so are elements on all points.
#[derive(Clone, Debug)]
pub(crate) struct PermutationGroup {
    /// The number of points, n.
    points: usize,
    /// Points from this one on are carried along: elements that differ only on these are the same
    /// element.
    counted: usize,
    /// The points that move, the faithful ones first: the chain's point i is `moved[i]`.
    moved: Vec<u32>,
    /// By point, its place in `moved`, or [`ABSENT`].
    position: Vec<u32>,
    /// The number of faithful points.
    faithful: usize,
    /// The action of the given permutations on positions in `moved`.
    action: GroupAction,
    /// The positions with which the base begins.
    first: Vec<u32>,
    order: BigUint,
    /// True if the order and the chain are proved to be right. Otherwise a proof would have taken
    /// too long, and elements are missing with a probability of about 2⁻⁶⁴: the order can only be
    /// too small.
    is_proved: bool,
    chain: OnceLock<StabiliserChain>,
    /// By element of the chain, its action on positions in `moved`.
    elements: OnceLock<Vec<PointPermutation>>,
}

impl PermutationGroup {
    /// The group that `generators`, bijections of 0..`points`, generate on 0..`counted`. The points
    /// from `counted` on are carried along: no generator takes them to counted ones, and elements
    /// that move the counted points alike are the same element. The base begins with the points
    /// `first`, except those that are fixed by all elements that fix the points before. The orbits
    /// of `first` all become faithful, which costs time if they are large. If the group is known to
    /// have at most `most` elements, giving that number saves much work.
    pub(crate) fn carrying(
        counted: usize,
        points: usize,
        generators: impl IntoIterator<Item = impl Into<Box<[u32]>>>,
        first: &[u32],
        most: Option<&BigUint>,
    ) -> Self {
        let given = GroupAction::new(points, generators);
        let mut all = given.images.iter();
        debug_assert!(all.all(|g| g.len() == points && is_bijection(g)));
        let faithful = faithful(&given, counted, first);
        let position = positions(&faithful.points, points);
        let first = first.iter().map(|&point| position[point as usize]);
        let mut group = Self {
            points,
            counted,
            first: first.filter(|&at| at != ABSENT).collect(),
            action: given.restricted(&faithful.points),
            moved: faithful.points,
            position,
            faithful: faithful.enough,
            order: BigUint::default(),
            is_proved: true,
            chain: OnceLock::new(),
            elements: OnceLock::new(),
        };
        let on_faithful = group.on_faithful();
        let peeled = peel(on_faithful.clone());
        if peeled.rest.points == group.faithful {
            let (chain, is_proved) = complete_chain(&on_faithful, &group.first, most);
            (group.order, group.is_proved) = (chain.order(), is_proved);
            group.chain = OnceLock::from(chain);
        } else {
            // A chain of the rest after peeling is no chain of the group itself: the latter is made
            // when it is needed.
            let most = most.map(|order| order / &peeled.factor);
            let (rest, is_proved) = complete_chain(&peeled.rest, &[], most.as_ref());
            (group.order, group.is_proved) = (peeled.factor * rest.order(), is_proved);
        }
        group
    }

    /// The generators as they act on the faithful positions.
    fn on_faithful(&self) -> GroupAction {
        let generators = self.action.images.iter();
        GroupAction::new(self.faithful, generators.map(|g| &g[..self.faithful]))
    }

    fn chain(&self) -> &StabiliserChain {
        self.chain.get_or_init(|| {
            // Because the order is known, the chain is complete as soon as it attains the order,
            // and needs no proof.
            let order = Some(&self.order);
            complete_chain(&self.on_faithful(), &self.first, order).0
        })
    }

    /// The number of points, including the fixed ones.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// The number of elements.
    pub(crate) fn order(&self) -> &BigUint {
        &self.order
    }

    /// The points that the chain is computed on, ascending: an element that fixes these fixes all
    /// points.
    pub(crate) fn faithful_points(&self) -> Vec<u32> {
        let mut points = self.moved[..self.faithful].to_vec();
        points.sort_unstable();
        points
    }

    /// True if `images`, by point, is an element, as far as the counted points go.
    pub(crate) fn contains(&self, images: &[u32]) -> bool {
        let Some(mut images) = self.on_moved(images) else {
            return false;
        };
        let (on_faithful, others) = images.split_at_mut(self.faithful);
        let mut letters = Vec::new();
        self.chain().sift(on_faithful, 0, &mut letters);
        if !is_identity(on_faithful) {
            return false;
        }
        if others.is_empty() {
            return true;
        }
        // The product of the letters is the only element with these images of the faithful points.
        self.multiply_by(others, letters);
        (self.faithful as u32..)
            .zip(others)
            .filter(|&(at, _)| (self.moved[at as usize] as usize) < self.counted)
            .all(|(at, image)| *image == at)
    }

    /// The images of the positions in `moved`, if `images` is a permutation of the points that
    /// moves no others and takes faithful points to faithful points.
    fn on_moved(&self, images: &[u32]) -> Option<Box<[u32]>> {
        if images.len() != self.points || !is_bijection(images) {
            return None;
        }
        let mut fixed = (0..).zip(&self.position).filter(|&(_, &at)| at == ABSENT);
        if !fixed.all(|(point, _)| images[point as usize] == point) {
            return None;
        }
        let images = restricted(images, &self.moved, &self.position);
        let stays = |&image: &u32| (image as usize) < self.faithful;
        images[..self.faithful].iter().all(stays).then_some(images)
    }

    /// The base points, all different. None is fixed by all elements that fix the base points
    /// before it.
    pub(crate) fn base(&self) -> Vec<u32> {
        let base = self.chain().base().into_iter();
        base.map(|at| self.moved[at as usize]).collect()
    }

    /// The orbit of base point `level` under the elements that fix the base points before it. The
    /// base point comes first.
    pub(crate) fn basic_orbit(&self, level: usize) -> Vec<u32> {
        let orbit = self.chain().levels[level].orbit.iter();
        orbit.map(|&at| self.moved[at as usize]).collect()
    }

    /// An element that fixes the base points before `level` and takes that of `level` to `point`;
    /// `None` if `point` is not in its basic orbit. Every element is in exactly one way a product
    /// of representatives, one of each level, the last level first.
    pub(crate) fn representative(&self, level: usize, point: u32) -> Option<PointPermutation> {
        let at = self.position[point as usize];
        let in_orbit =
            |at: u32| (at as usize) < self.faithful && self.chain().levels[level].contains(at);
        // A fixed point has a position beyond all faithful ones.
        if !in_orbit(at) {
            return None;
        }
        Some(self.multiplied(self.chain().word(level, at)))
    }

    /// Elements that generate the group of the elements that fix the base points before `level`.
    pub(crate) fn stabiliser_generators(&self, level: usize) -> Vec<PointPermutation> {
        let generators = self.chain().levels.get(level);
        let generators = generators.map_or(&[][..], |level| &level.generators);
        let element = |&of: &u32| self.on_points(self.elements()[of as usize].images());
        generators.iter().map(element).collect()
    }

    fn elements(&self) -> &[PointPermutation] {
        self.elements.get_or_init(|| {
            let steps = self.chain().steps();
            let program = &self.chain().program;
            program.evaluate(&self.action, &steps)
        })
    }

    /// The permutation of all points with these images of the positions in `moved`.
    fn on_points(&self, images: &[u32]) -> PointPermutation {
        extended(images, &self.moved, self.points)
    }

    /// The product of these elements of the chain, on all points.
    fn multiplied(&self, letters: impl IntoIterator<Item = Letter>) -> PointPermutation {
        let mut images: Vec<u32> = (0..self.moved.len() as u32).collect();
        self.multiply_by(&mut images, letters);
        self.on_points(&images)
    }

    /// Replaces `images` by their product with these elements of the chain.
    fn multiply_by(&self, images: &mut [u32], letters: impl IntoIterator<Item = Letter>) {
        for letter in letters {
            let element = &self.elements()[letter.of as usize];
            multiply(images, element.action(letter.inverted));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
