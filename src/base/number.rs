//! Numbers for people: thousands separators, sizes, times.

use super::brief::brief;

/// The number with thousands separators: `1,234,567`.
pub fn thousands(number: u64) -> String {
    grouped(&number.to_string())
}

/// A number of any size, given by its decimal digits: with thousands separators, or if it is long
/// as a factorial, a power or roughly.
pub fn any_size(digits: &str) -> String {
    match brief(digits) {
        whole if whole == digits => grouped(digits),
        brief => brief,
    }
}

/// The digits with thousands separators.
fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun: `1 state`, `1,234 states`. The plural is the noun with an `s`.
pub fn counted(number: u64, noun: &str) -> String {
    counted_as(number, noun, &format!("{noun}s"))
}

/// A number and its noun, with a plural of its own: `1 leaf`, `2 leaves`.
pub fn counted_as(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", thousands(number))
}

/// A number of any size, given by its decimal digits, and its noun: `1 leaf`, `24! leaves`.
pub fn all_counted_as(digits: &str, one: &str, many: &str) -> String {
    let noun = if digits == "1" { one } else { many };
    format!("{} {noun}", any_size(digits))
}

/// A number without separators, and its noun: `1 state`, `1000000 states`. Messages have numbers in
/// this form, because they may be copied to a command line.
pub fn plain(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// A size in a fitting unit: `512 bytes`, `26.5 MiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if number < 1024 {
        return counted(number, "byte");
    }
    let mut size = number as f64 / 1024.0;
    let mut unit = 0;
    // Rounded before it is compared, so that there are never 1024.0 of a unit that has a next one.
    while (size * 10.0).round() >= 10_240.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// A time: `0.02 s`, `3 min 25 s`.
pub fn seconds(time: f64) -> String {
    // Rounded before it is compared and before it is split, so that there are never 60 seconds.
    if (time * 100.0).round() < 6000.0 {
        return format!("{time:.2} s");
    }
    let whole = time.round() as u64;
    format!("{} min {} s", thousands(whole / 60), whole % 60)
}

/// The rate per second. Returns `None` if the time is too short to measure.
pub fn per_second(number: u64, time: f64) -> Option<u64> {
    (time >= 0.001).then(|| (number as f64 / time) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_stand_between_groups_of_three() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (579_733, "579,733"),
            (55_000_000, "55,000,000"),
        ];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
        assert_eq!(grouped("1307674368000"), "1,307,674,368,000");
        assert_eq!(counted(1, "leaf state"), "1 leaf state");
        assert_eq!(counted(1200, "state"), "1,200 states");
        assert_eq!(all_counted_as("1", "symmetry", "symmetries"), "1 symmetry");
        assert_eq!(any_size("20922789888000"), "20,922,789,888,000");
        assert_eq!(any_size("620448401733239439360000"), "24!");
        assert_eq!(plain(1, "state"), "1 state");
        assert_eq!(plain(1200, "state"), "1200 states");
    }

    #[test]
    fn sizes_and_times_have_the_unit_that_fits() {
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(27_827_184), "26.5 MiB");
        assert_eq!(bytes((1 << 20) - 60), "1023.9 KiB");
        assert_eq!(bytes((1 << 20) - 1), "1.0 MiB");
        assert_eq!(bytes(u64::MAX), "16777216.0 TiB");
        assert_eq!(seconds(0.018), "0.02 s");
        assert_eq!(seconds(59.99), "59.99 s");
        assert_eq!(seconds(59.996), "1 min 0 s");
        assert_eq!(seconds(205.2), "3 min 25 s");
        assert_eq!(per_second(1000, 0.5), Some(2000));
        assert_eq!(per_second(1000, 0.0), None);
    }
}
