//! Orders of groups that are needed for nothing else, if they are not too expensive.

use num_bigint::BigUint;

use super::action::GroupAction;
use super::bound::{bound_cost, order_bound};
use super::element::is_identity;
use super::faithful::faithful;
use super::peel::{Peeled, peel};
use super::schreier_sims::{LONGEST_PROOF, complete_chain};

/// The order of the group of `action`, which is at most `bound`, and the approximate number of
/// images of points that were looked at. `None` if that would be more than `most`. The order can be
/// too small with a probability of about 2⁻⁶⁴, where a proof takes too long.
pub(crate) fn order_within(
    action: &GroupAction,
    bound: &BigUint,
    most: u64,
) -> Option<(BigUint, u64)> {
    let images = (action.points * (action.images.len() + 1)) as u64;
    if images > most {
        return None;
    }
    let Peeled { factor, rest } = reduced(action);
    if rest.images.iter().all(|images| is_identity(images)) {
        return Some((factor, images));
    }
    // A sharp bound makes a proof needless, and limits the length of the chain.
    let mut bound = bound / &factor;
    let mut steps = images;
    let looking = bound_cost(&rest);
    if looking < chain_cost(&rest, &bound) {
        steps += looking;
        let sharper = order_bound(&rest, &[]);
        bound = sharper.into_iter().chain([bound]).min()?;
    }
    steps += chain_cost(&rest, &bound);
    if steps > most {
        return None;
    }
    let (chain, _) = complete_chain(&rest, &[], Some(&bound));
    Some((factor * chain.order(), steps))
}

/// The rest of the group when points that depend on others, and symmetric groups, are taken away in
/// turn. Once the states of each component are one point, these points depend on the components,
/// whose group is then seen to be symmetric.
fn reduced(action: &GroupAction) -> Peeled {
    let mut left = action.clone();
    let mut factor = BigUint::from(1u32);
    loop {
        let faithful = faithful(&left, left.points, &[]);
        let peeled = peel(left.restricted(&faithful.points[..faithful.enough]));
        factor *= peeled.factor;
        left = peeled.rest;
        if left.points == faithful.enough {
            return Peeled { factor, rest: left };
        }
    }
}

/// The approximate number of images of points that are looked at for a chain of a group of at most
/// `order` elements. Some elements for each level, and the generators, are divided by
/// representatives of all levels; a proof divides elements for each point of the basic orbits, or
/// is left out if it is too long. Each level at least halves the order. Measured on alternating
/// groups: 0.2 seconds for 4·10⁷ (100 points, with a proof), 0.1 for 6·10⁷ (400 points, without).
fn chain_cost(group: &GroupAction, order: &BigUint) -> u64 {
    let points = group.points as u64;
    let levels = order.bits().min(points);
    let elements = levels + group.images.len() as u64;
    let sifting = points.saturating_mul(levels * elements);
    let proof = points.saturating_mul(levels * levels * levels);
    let is_tried = proof < LONGEST_PROOF as u64;
    sifting.saturating_add(if is_tried { proof / 4 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::super::PermutationGroup;
    use super::*;

    fn order(generators: &[Vec<u32>], bound: &BigUint, most: u64) -> Option<BigUint> {
        let action = GroupAction::new(generators[0].len(), generators.to_vec());
        order_within(&action, bound, most).map(|(order, _)| order)
    }

    /// Generators of three groups: the alternating group of an even number of points, a tower of
    /// exchanges, and a turn.
    fn groups(points: u32) -> [Vec<Vec<u32>>; 3] {
        let three = [1, 2, 0].into_iter().chain(3..points).collect();
        let turn = [0].into_iter().chain(2..points).chain([1]).collect();
        let exchange = [1, 0].into_iter().chain(2..points).collect();
        let round = (1..points).chain([0]).collect();
        let by_two = (0..points).map(|point| (point + 2) % points).collect();
        [vec![three, turn], vec![exchange, by_two], vec![round]]
    }

    #[test]
    fn orders_are_those_of_the_groups() {
        for points in [4, 10, 40] {
            let all: BigUint = (1..=points).product();
            for generators in groups(points) {
                let group = PermutationGroup::new(points as usize, generators.clone());
                let found = order(&generators, &all, u64::MAX);
                assert_eq!(found.as_ref(), Some(group.order()));
            }
        }
    }

    #[test]
    fn components_and_their_states_need_no_chain() {
        let count = 300;
        // The numbers 0..count are components; the states of each are the next two points in a row.
        let lifted = |image: &dyn Fn(u32) -> u32| -> Vec<u32> {
            let states = (0..2 * count).map(|state| count + 2 * image(state / 2) + state % 2);
            (0..count).map(image).chain(states).collect()
        };
        let exchange = lifted(&|i| if i < 2 { 1 - i } else { i });
        let turn = lifted(&|i| (i + 1) % count);
        let mut swap: Vec<u32> = (0..3 * count).collect();
        swap.swap(count as usize, count as usize + 1);
        let all: BigUint = (1..=3 * count).product();
        let found = order(&[exchange, turn, swap], &all, 10_000);
        let expected = (1..=count).product::<BigUint>() << count;
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn what_takes_too_long_is_not_computed() {
        let all: BigUint = (1..=100_u32).product();
        let [alternating, exchanges, turn] = groups(100);
        let within = |generators: &[Vec<u32>], most| order(generators, &all, most);
        assert_eq!(within(&alternating, 1_000_000), None);
        assert_eq!(within(&alternating, 1_000_000_000), Some(&all / 2_u32));
        assert_eq!(within(&turn, 1_000_000), Some(100_u32.into()));
        let wreath = BigUint::from(50 * 2_u64.pow(50));
        assert_eq!(within(&exchanges, 1_000_000), Some(wreath));
        assert_eq!(within(&exchanges, 100), None);
    }
}
