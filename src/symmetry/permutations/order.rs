//! Orders of groups of which nothing else is asked, as long as they are not too expensive.

use num_bigint::BigUint;

use super::bound::{bound_cost, order_bound};
use super::element::is_identity;
use super::faithful::faithful;
use super::peel::{Peeled, peel};
use super::schreier_sims::{LONGEST_PROOF, complete_chain};

/// The order of the group that `generators` (by point, the image) generate on 0..`points`, which is
/// at most `bound`, and about how many images of points were looked at. `None` if that would be
/// more than `most`. As [`super::PermutationGroup::is_proved`] says, the order can be too small
/// with a probability of about 2⁻⁶⁴.
pub(crate) fn order_within(
    points: usize,
    generators: Vec<Vec<u32>>,
    bound: &BigUint,
    most: u64,
) -> Option<(BigUint, u64)> {
    let images = (points * (generators.len() + 1)) as u64;
    if images > most {
        return None;
    }
    let generators: Vec<Box<[u32]>> = generators.into_iter().map(Into::into).collect();
    let rest = reduced(points, generators);
    if rest.generators.iter().all(|images| is_identity(images)) {
        return Some((rest.factor, images));
    }
    // A sharp bound makes a proof needless, and bounds the length of the chain.
    let mut bound = bound / &rest.factor;
    let mut steps = images;
    let looking = bound_cost(rest.points, &rest.generators);
    if looking < chain_cost(&rest, &bound) {
        steps += looking;
        let sharper = order_bound(rest.points, &rest.generators, &[]);
        bound = sharper.into_iter().chain([bound]).min()?;
    }
    steps += chain_cost(&rest, &bound);
    if steps > most {
        return None;
    }
    let (chain, _) = complete_chain(rest.points, &rest.generators, &[], Some(&bound));
    Some((rest.factor * chain.order(), steps))
}

/// What is left when points that depend on others and symmetric groups are taken away in turn. Once
/// the states of components are one point for each component, these depend on the components, which
/// then are symmetric for all to see.
fn reduced(points: usize, generators: Vec<Box<[u32]>>) -> Peeled {
    let mut left = Peeled {
        factor: BigUint::from(1u32),
        points,
        generators,
    };
    loop {
        let (points, generators) = on_faithful(left.points, &left.generators);
        let peeled = peel(points, &generators);
        let is_done = peeled.points == points;
        left = Peeled {
            factor: left.factor * &peeled.factor,
            ..peeled
        };
        if is_done {
            return left;
        }
    }
}

/// How many points are faithful, and by generator and faithful point, the image.
fn on_faithful(points: usize, generators: &[Box<[u32]>]) -> (usize, Vec<Box<[u32]>>) {
    let faithful = faithful(points, points, generators, &[]);
    let mut position = vec![u32::MAX; points];
    for (at, &point) in (0..).zip(&faithful.points) {
        position[point as usize] = at;
    }
    let renumbered = |generator: &[u32]| {
        let chosen = faithful.points[..faithful.enough].iter();
        let images = chosen.map(|&point| position[generator[point as usize] as usize]);
        images.collect()
    };
    let generators = generators.iter().map(|generator| renumbered(generator));
    (faithful.enough, generators.collect())
}

/// About how many images of points are looked at for a chain of a group of at most `order`
/// elements: some elements for each level, and the generators, are divided by representatives of
/// all levels; a proof does that for each point of the basic orbits, or is left out if it is too
/// long. Each level at least halves the order. Measured on alternating groups: 0.2 seconds for
/// 4·10⁷ (100 points, with a proof), 0.1 for 6·10⁷ (400 points, without).
fn chain_cost(group: &Peeled, order: &BigUint) -> u64 {
    let points = group.points as u64;
    let levels = order.bits().min(points);
    let elements = levels + group.generators.len() as u64;
    let sifting = points.saturating_mul(levels * elements);
    let proof = points.saturating_mul(levels * levels * levels);
    let is_tried = proof < LONGEST_PROOF as u64;
    sifting.saturating_add(if is_tried { proof / 4 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generators of the alternating group of an even number of points, a tower of exchanges,
    /// and a turn.
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
                let group =
                    super::super::PermutationGroup::new(points as usize, generators.clone());
                let found = order_within(points as usize, generators, &all, u64::MAX);
                assert_eq!(found.map(|(order, _)| order).as_ref(), Some(group.order()));
            }
        }
    }

    #[test]
    fn components_and_their_states_need_no_chain() {
        let count = 300;
        // 0..count are components; the states of one are the next two points in a row.
        let lifted = |image: &dyn Fn(u32) -> u32| -> Vec<u32> {
            let states = (0..2 * count).map(|state| count + 2 * image(state / 2) + state % 2);
            (0..count).map(image).chain(states).collect()
        };
        let exchange = lifted(&|i| if i < 2 { 1 - i } else { i });
        let turn = lifted(&|i| (i + 1) % count);
        let mut swap: Vec<u32> = (0..3 * count).collect();
        swap.swap(count as usize, count as usize + 1);
        let all: BigUint = (1..=3 * count).product();
        let found = order_within(900, vec![exchange, turn, swap], &all, 10_000);
        let expected = (1..=count).product::<BigUint>() << count;
        assert_eq!(found.map(|(order, _)| order), Some(expected));
    }

    #[test]
    fn what_takes_too_long_is_not_computed() {
        let all: BigUint = (1..=100_u32).product();
        let [alternating, exchanges, turn] = groups(100);
        let within = |generators: &[Vec<u32>], most| {
            order_within(100, generators.to_vec(), &all, most).map(|(order, _)| order)
        };
        assert_eq!(within(&alternating, 1_000_000), None);
        assert_eq!(within(&alternating, 1_000_000_000), Some(&all / 2_u32));
        assert_eq!(within(&turn, 1_000_000), Some(100_u32.into()));
        let wreath = BigUint::from(50 * 2_u64.pow(50));
        assert_eq!(within(&exchanges, 1_000_000), Some(wreath));
        assert_eq!(within(&exchanges, 100), None);
    }
}
