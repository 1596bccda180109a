//! Scattering of numbers, for sums that tell multisets apart.

/// The finaliser of splitmix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*): a bijection that changes half of the bits for any change of its argument. The
/// result is equal on every run and machine.
#[inline]
pub fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
