//! Numbers of any size in few characters: as a factorial, a power, a product of both, or roughly.

use num_bigint::BigUint;

/// The most digits of a number that is written as it is.
const MOST_DIGITS: usize = 18;

/// The most digits of a number of which a form is looked for. The time grows with the square of
/// their number at least; a thousand digits take some milliseconds.
const MOST_LOOKED_AT: usize = 4_000;

/// The whole number with these decimal digits: as it is if it has at most 18 of them. A longer one
/// is `24!`, `2^96`, `(5!)^12`, `2^40 × 40!`, or else its first digits and a power of ten.
pub fn brief(digits: &str) -> String {
    if digits.len() <= MOST_DIGITS {
        return digits.to_string();
    }
    let number = digits.parse().ok();
    let number = number.filter(|_| digits.len() <= MOST_LOOKED_AT);
    let exact = number.and_then(|number| {
        let factorial = factorial(&number).map(|n| format!("{n}!"));
        let power = || power(&number);
        factorial
            .or_else(power)
            .or_else(|| power_and_factorial(&number))
    });
    exact.unwrap_or_else(|| {
        let (first, next) = (&digits[..1], &digits[1..3]);
        format!("about {first}.{next} × 10^{}", digits.len() - 1)
    })
}

/// The number above 3 of which `number` is the factorial, if there is one.
fn factorial(number: &BigUint) -> Option<u32> {
    let mut product = BigUint::from(1u32);
    let mut n = 1;
    while product < *number {
        n += 1;
        product *= n;
    }
    (product == *number && n > 3).then_some(n)
}

/// `number` as a power with the largest exponent above 1.
fn power(number: &BigUint) -> Option<String> {
    // Two divides a k-th power in a multiple of k, which leaves few exponents to try.
    let twos = number.trailing_zeros().unwrap_or(0);
    let exponents = (2..=number.bits()).rev();
    let mut exponents = exponents.filter(|k| twos.is_multiple_of(*k));
    exponents.find_map(|k| {
        let base = root(number, u32::try_from(k).ok()?)?;
        let product = || power_and_factorial(&base).map(|product| format!("({product})"));
        let base = in_brackets(&base).or_else(product)?;
        Some(format!("{base}^{k}"))
    })
}

/// `number` as `b^n × n!`: so many symmetries have n parts with b symmetries each that can be
/// exchanged.
fn power_and_factorial(number: &BigUint) -> Option<String> {
    let one = BigUint::from(1u32);
    let mut product = BigUint::from(6u32);
    let mut found = None;
    for n in 4.. {
        product *= n;
        if product > *number {
            break;
        }
        if number % &product != BigUint::ZERO {
            continue;
        }
        let base = root(&(number / &product), n).filter(|base| *base > one);
        let base = base.and_then(|base| in_brackets(&base));
        found = base.map(|base| format!("{base}^{n} × {n}!")).or(found);
    }
    found
}

/// A base: `(5!)`, or its digits if they are few.
fn in_brackets(base: &BigUint) -> Option<String> {
    let digits = base.to_string();
    let plain = || (digits.len() <= MOST_DIGITS).then_some(digits);
    factorial(base).map(|n| format!("({n}!)")).or_else(plain)
}

/// The number of which `number` is the power with this exponent, if there is one.
fn root(number: &BigUint, exponent: u32) -> Option<BigUint> {
    let root = number.nth_root(exponent);
    (root.pow(exponent) == *number).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_factorials_powers_products_or_rough() {
        let factorial = |n: u32| (1..=n).map(BigUint::from).product::<BigUint>();
        let two = BigUint::from(2u32);
        for (number, text) in [
            (factorial(16), "20922789888000".to_string()),
            (factorial(24), "24!".to_string()),
            (factorial(170), "170!".to_string()),
            (two.pow(96), "2^96".to_string()),
            (factorial(5).pow(12), "(5!)^12".to_string()),
            (BigUint::from(15u32).pow(31), "15^31".to_string()),
            (two.pow(40) * factorial(40), "2^40 × 40!".to_string()),
            (
                factorial(4).pow(10) * factorial(10),
                "(4!)^10 × 10!".to_string(),
            ),
            (
                (two.pow(4) * factorial(20)).pow(3),
                "about 5.89 × 10^58".to_string(),
            ),
            (
                (two.pow(20) * factorial(20)).pow(3),
                "(2^20 × 20!)^3".to_string(),
            ),
            (factorial(24) + 1u32, "about 6.20 × 10^23".to_string()),
        ] {
            assert_eq!(brief(&number.to_string()), text);
        }
    }

    #[test]
    fn numbers_with_few_digits_are_as_they_are() {
        assert_eq!(brief("1"), "1");
        assert_eq!(brief("262144"), "262144");
        assert_eq!(brief("999999999999999999"), "999999999999999999");
        let long = "7".repeat(5_000);
        assert_eq!(brief(&long), "about 7.77 × 10^4999");
    }
}
