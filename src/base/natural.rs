//! The order in which people look for names: by text, but numbers by value.

use std::cmp::Ordering;

/// Compares names: `a.2` comes before `a.10`, and `a.-1` before `a.0`. Equal only if the texts are.
pub fn natural_order(left: &str, right: &str) -> Ordering {
    parts(left).cmp(parts(right)).then_with(|| left.cmp(right))
}

/// A piece of a text. Numbers go before any other text in their place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    /// A number below zero: more digits go first, and then greater digits.
    Negative(std::cmp::Reverse<(usize, &'a str)>),
    /// Zero or above: the number of digits, without leading zeros, and the digits.
    Number((usize, &'a str)),
    Character(char),
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    let mut in_word = false;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        // A minus behind a name or a number subtracts.
        let after_sign = rest.strip_prefix('-').filter(|_| !in_word);
        let (is_negative, from) = match after_sign {
            Some(after) if after.starts_with(|c: char| c.is_ascii_digit()) => (true, after),
            _ => (false, rest),
        };
        let count = from.bytes().take_while(u8::is_ascii_digit).count();
        in_word = count > 0 || first.is_alphanumeric();
        if count == 0 {
            rest = &rest[first.len_utf8()..];
            return Some(Part::Character(first));
        }
        let (digits, after) = from.split_at(count);
        rest = after;
        // The number of digits decides first, so leading zeros must not count; `natural_order`
        // compares texts that differ in them alone.
        let digits = digits.trim_start_matches('0');
        let number = (digits.len(), digits);
        Some(if is_negative {
            Part::Negative(std::cmp::Reverse(number))
        } else {
            Part::Number(number)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_by_value() {
        let sorted = [
            "P2",
            "P10",
            "a",
            "a.-10",
            "a.-2",
            "a.0",
            "a.2",
            "a.2.1",
            "a.10",
            "a.(1, 9)",
            "a.b",
            "b",
            "b.99999999999999999999",
            "b.100000000000000000000",
            "τ",
            "✓",
        ];
        let mut texts: Vec<&str> = sorted.iter().rev().copied().collect();
        texts.sort_by(|a, b| natural_order(a, b));
        assert_eq!(texts, sorted);
    }

    #[test]
    fn only_equal_texts_are_equal() {
        assert_eq!(natural_order("a.01", "a.1"), Ordering::Less);
        assert_eq!(natural_order("x-1", "x-2"), Ordering::Less);
        assert_eq!(natural_order("a", "a"), Ordering::Equal);
    }
}
