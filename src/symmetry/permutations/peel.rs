//! The part of a group's order that transpositions among its generators account for, found without
//! a chain.

use num_bigint::BigUint;

use super::action::GroupAction;
use super::blocks::{System, finest};
use super::element::{is_identity, moved};

/// The rest of a group when symmetric groups are taken away.
pub(super) struct Peeled {
    /// The order of the group is this factor times that of the rest.
    pub(super) factor: BigUint,
    pub(super) rest: GroupAction,
}

/// Replaces blocks by points, for as long as some generators only exchange two points. The blocks
/// are those of the finest block system that has the two points of each exchange in one block. The
/// conjugates of the transpositions connect each block, so all permutations of the points of a
/// block are in the group; the elements that move no block are the products of such. So the order
/// is the product of their number and the order of the group on the blocks. Of symmetric groups and
/// their direct and wreath products nothing is left, in time linear in the points; 5000 equal
/// components are too many for a chain.
pub(super) fn peel(mut rest: GroupAction) -> Peeled {
    let mut factor = BigUint::from(1u32);
    loop {
        let transposed = rest.images.iter().filter_map(|images| transposed(images));
        let transposed: Vec<(u32, u32)> = transposed.collect();
        if transposed.is_empty() {
            return Peeled { factor, rest };
        }
        // Blocks become points, on which other generators may be transpositions: so there are
        // several rounds. The kernel on blocks is the product of their symmetric groups: its order
        // is the factor.
        let blocks = System::new(finest(&rest, &transposed));
        let mut sizes = vec![0usize; blocks.count];
        for &block in &blocks.of {
            sizes[block as usize] += 1;
        }
        factor *= product_of_factorials(sizes);
        rest = rest.on_blocks(&blocks);
        rest.images.retain(|images| !is_identity(images));
    }
}

/// The two points that a permutation exchanges, if it does nothing else.
fn transposed(images: &[u32]) -> Option<(u32, u32)> {
    let mut moved = moved(images);
    let (first, second) = (moved.next()?, moved.next()?);
    moved.next().is_none().then_some((first.0, second.0))
}

/// The product of the factorials of `numbers`. Each different factorial is computed once.
fn product_of_factorials(mut numbers: Vec<usize>) -> BigUint {
    numbers.sort_unstable();
    let alike = numbers.chunk_by(|left, right| left == right);
    let power = |alike: &[usize]| (1..=alike[0]).product::<BigUint>().pow(alike.len() as u32);
    alike.map(power).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peeled(points: usize, generators: &[&[u32]]) -> (u32, usize, bool) {
        let left = peel(GroupAction::new(points, generators.iter().copied()));
        let is_identity = |g: &[u32]| (0..).zip(g).all(|(x, &y)| x == y);
        let factor = left.factor.try_into().expect("a small order");
        let rest = left.rest;
        let is_nothing = rest.images.iter().all(|g| is_identity(g));
        (factor, rest.points, is_nothing)
    }

    #[test]
    fn symmetric_groups_and_their_products_leave_nothing() {
        assert_eq!(peeled(3, &[]), (1, 3, true));
        assert_eq!(peeled(4, &[&[1, 0, 2, 3], &[1, 2, 3, 0]]), (24, 1, true));
        let two_and_three: [&[u32]; 3] = [&[1, 0, 2, 3, 4], &[0, 1, 3, 2, 4], &[0, 1, 3, 4, 2]];
        assert_eq!(peeled(5, &two_and_three), (12, 2, true));
        let wreath: [&[u32]; 2] = [&[1, 0, 2, 3], &[2, 3, 0, 1]];
        assert_eq!(peeled(4, &wreath), (8, 1, true), "S2 wr S2");
    }

    #[test]
    fn what_has_no_transposition_is_left() {
        assert_eq!(peeled(3, &[&[1, 2, 0]]), (1, 3, false));
        assert_eq!(peeled(4, &[&[1, 0, 3, 2]]), (1, 4, false), "in step");
        // S2 wr C3: the blocks turn.
        let ring: [&[u32]; 2] = [&[1, 0, 2, 3, 4, 5], &[2, 3, 4, 5, 0, 1]];
        assert_eq!(peeled(6, &ring), (8, 3, false));
    }
}
