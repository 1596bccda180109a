//! Which symmetries make a difference to what can be reached, and do not repeat each other there.

use crate::base::index::IndexVec;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::machine::{LeafId, Machine};
use crate::symmetry::group::Group;
use crate::symmetry::pbisim::Symmetry;
use crate::symmetry::permutations::PermutationGroup;

use super::reachable::{Reachable, moves_something_reachable};

/// Those of `found` that with `known` and the others do all that is done to states that can be reached. Elements that
/// move nothing reachable are a normal subgroup, because what counts as reachable is closed under all: so orbits stay.
pub(super) fn effective(
    machine: &Machine,
    mut reachable: Reachable,
    known: &[Symmetry],
    mut found: Vec<Symmetry>,
    token: &Cancellation,
) -> Result<Vec<Symmetry>> {
    reachable.close_under(known.iter().chain(&found), token)?;
    found.retain(|symmetry| moves_something_reachable(&reachable, symmetry));
    let Some(first) = found.first() else {
        return Ok(found);
    };
    let states = first.specification.len();
    let all: Vec<Symmetry> = known.iter().chain(&found).cloned().collect();
    let points = Points::new(&reachable, states);
    token.look(all.len() * points.count)?;
    if all.iter().all(|symmetry| points.hold(symmetry)) {
        return Ok(found);
    }
    token.look(all.len() * points.count)?;
    let images: Vec<Vec<u32>> = all.iter().map(|symmetry| points.images(symmetry)).collect();
    token.check()?;
    let of = |generators: &[Vec<u32>]| PermutationGroup::new(points.count, generators.to_vec());
    if of(&images).order() == Group::new(machine, states, all).order() {
        return Ok(found);
    }
    let (known, images) = images.split_at(known.len());
    let mut kept = known.to_vec();
    let mut group = of(&kept);
    let mut left = Vec::new();
    for (symmetry, image) in found.into_iter().zip(images) {
        token.check()?;
        if !group.contains(image) {
            kept.push(image.clone());
            group = of(&kept);
            left.push(symmetry);
        }
    }
    Ok(left)
}

/// The states of the leaves that can be reached, and those of the specification.
struct Points {
    /// By leaf and state; none of leaves that are always in one state.
    numbers: IndexVec<LeafId, Vec<Option<u32>>>,
    /// Where the states of the specification start.
    specification: u32,
    count: usize,
}

impl Points {
    fn new(reachable: &Reachable, specification_states: usize) -> Self {
        let mut next = 0;
        let mut number = || {
            next += 1;
            next - 1
        };
        let of_leaf = |states: &Vec<bool>| {
            let counts = states.iter().filter(|&&is| is).count() > 1;
            let number = |&is: &bool| (is && counts).then(&mut number);
            states.iter().map(number).collect()
        };
        let numbers = reachable.states().iter().map(of_leaf).collect();
        Self {
            numbers,
            specification: next,
            count: next as usize + specification_states,
        }
    }

    /// Whether all leaf states that move are points.
    fn hold(&self, symmetry: &Symmetry) -> bool {
        self.numbers.iter_enumerated().all(|(leaf, numbers)| {
            let stays = symmetry.pbisim.leaf(leaf) == leaf;
            let images = (0..).zip(symmetry.pbisim.states(leaf).iter());
            numbers
                .iter()
                .zip(images)
                .all(|(number, (state, &image))| number.is_some() || stays && state == image)
        })
    }

    /// By point, the image. The points are closed under the symmetry.
    fn images(&self, symmetry: &Symmetry) -> Vec<u32> {
        let mut images: Vec<u32> = (0..self.count as u32).collect();
        for (leaf, numbers) in self.numbers.iter_enumerated() {
            let (to, states) = (symmetry.pbisim.leaf(leaf), symmetry.pbisim.states(leaf));
            for (state, number) in numbers.iter().enumerate() {
                let image = self.numbers[to][states[state] as usize];
                if let (Some(number), Some(image)) = (number, image) {
                    images[*number as usize] = image;
                }
            }
        }
        for state in 0..symmetry.specification.len() as u32 {
            let to = symmetry.specification(StateId(state)).0;
            images[(self.specification + state) as usize] = self.specification + to;
        }
        images
    }
}
