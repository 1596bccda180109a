//! Permutations given by the objects that they move, which are few of many.

use crate::permutations::element::cycles;

/// A permutation of 0..n, given by the objects that it moves: a conjugate takes time linear in
/// their number, not in n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Moved {
    /// Each object that moves and its image, ascending.
    pairs: Vec<(u32, u32)>,
}

impl Moved {
    /// Makes a permutation from the objects that move, each once, and their images.
    fn new(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        Self { pairs }
    }

    /// The objects that move and their images, ascending.
    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The image of `object`.
    pub(super) fn image(&self, object: u32) -> u32 {
        let found = self.pairs.binary_search_by_key(&object, |&(from, _)| from);
        found.map_or(object, |at| self.pairs[at].1)
    }

    /// The conjugate by the element `by` of the same group: if this permutation takes x to y, the
    /// conjugate takes the image of x under `by` to that of y.
    pub(super) fn conjugated(&self, by: impl Fn(u32) -> u32) -> Self {
        let pairs = self.pairs.iter();
        Self::new(pairs.map(|&(from, to)| (by(from), by(to))).collect())
    }
}

/// The part of an element of order 2ᵃ·m, m odd, whose order is 2ᵃ: a power of the element.
/// `element` has the image of each object.
///
/// The power's exponent is 1 modulo the highest power of two that divides the length of any cycle,
/// and 0 modulo their odd parts. On a cycle of length 2ᵃ·o it is o times the inverse of o modulo
/// 2ᵃ: large orders are not computed.
pub(super) fn two_part(element: &[u32]) -> Moved {
    let mut pairs = Vec::new();
    for cycle in cycles(element).filter(|cycle| cycle.len() % 2 == 0) {
        let length = cycle.len();
        let odd = length >> length.trailing_zeros();
        let two = length / odd;
        // Modulo `odd` this is 0, modulo `two` it is 1.
        let step = odd * (inverse(odd) & (two - 1)) % length;
        for (at, &object) in cycle.iter().enumerate() {
            pairs.push((object, cycle[(at + step) % length]));
        }
    }
    Moved::new(pairs)
}

/// The inverse of an odd number modulo 2 to the number of bits, by Newton's iteration: three bits
/// are right at first, and each round doubles their number.
fn inverse(odd: usize) -> usize {
    let mut inverse = odd;
    for _ in 0..5 {
        let error = 2usize.wrapping_sub(odd.wrapping_mul(inverse));
        inverse = inverse.wrapping_mul(error);
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Moved {
        /// The permutation with these images of 0..n.
        pub(crate) fn of(element: &[u32]) -> Self {
            Self::new(element::moved(element).collect())
        }
    }
    use crate::permutations::element::{self, PointPermutation};

    #[test]
    fn inverses_modulo_powers_of_two() {
        for odd in (1usize..1000).step_by(2) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    /// Cycles of these lengths, one after the other.
    fn cycles(lengths: &[u32]) -> PointPermutation {
        let mut images: Vec<u32> = Vec::new();
        for length in lengths {
            let start = images.len() as u32;
            images.extend((0..*length).map(|at| start + (at + 1) % length));
        }
        PointPermutation::new(images.into())
    }

    #[test]
    fn the_part_whose_order_is_a_power_of_two_is_a_power() {
        for lengths in [&[6, 3, 1][..], &[12, 10, 5, 2], &[24, 9, 14, 4], &[7, 5]] {
            let element = cycles(lengths);
            let objects = element.images().len();
            let found = two_part(element.images());
            let order = lengths.iter().fold(1u32, |order, &length| {
                let common = (1..=order)
                    .rev()
                    .find(|d| order % d == 0 && length % d == 0);
                order / common.unwrap() * length
            });
            let two = 1 << order.trailing_zeros();
            let powers = (0..order).filter(|power| power % two == 1 % two);
            let exponent = powers.into_iter().find(|power| power % (order / two) == 0);
            let power = (0..exponent.unwrap())
                .fold(PointPermutation::identity(objects), |product, _| {
                    product.then(&element)
                });
            assert_eq!(found, Moved::of(power.images()), "{lengths:?}");
        }
    }

    #[test]
    fn conjugates_move_the_images() {
        let (element, by) = (cycles(&[2, 1, 3]), cycles(&[4, 2]));
        let moved = Moved::of(element.images()).conjugated(|object| by.apply(object));
        let expected = by.inverse().then(&element).then(&by);
        assert_eq!(moved, Moved::of(expected.images()));
        assert!((0..6).all(|object| moved.image(object) == expected.apply(object)));
    }
}
