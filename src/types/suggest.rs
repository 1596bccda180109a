//! Did you mean: the nearest of some names by edit distance.

/// The candidate nearest to `name`, if one is near enough to be a slip of the keyboard.
/// Of several equally near ones, the first in the alphabet.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    let limit = (wanted.len() / 3).max(1);
    candidates
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| Some((distance(&wanted, candidate, limit)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many characters must be inserted, left out, replaced or swapped with their neighbour to turn
/// `wanted` into `candidate`, if no more than `limit`. Names that differ in case alone are 1 apart.
fn distance(wanted: &[char], candidate: &str, limit: usize) -> Option<usize> {
    let candidate: Vec<char> = candidate.chars().collect();
    if wanted.len().abs_diff(candidate.len()) > limit {
        return None;
    }
    let same_but_case = || wanted.iter().zip(&candidate).all(|(a, b)| a.eq_ignore_ascii_case(b));
    if wanted.len() == candidate.len() && same_but_case() {
        return Some(1);
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=candidate.len()).collect();
    for (i, a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in candidate.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == candidate[j - 1] && wanted[i - 1] == *b {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    let distance = last[candidate.len()];
    // A one-letter name is near every other one-letter name; that is no help.
    (distance <= limit && distance < wanted.len()).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name() {
        let names = ["union", "Union", "inter", "left", "right", "x", "y", "SpecME"];
        for (name, expected) in [
            ("unoin", Some("union")),
            ("UNION", Some("Union")),
            ("lefft", Some("left")),
            ("rigt", Some("right")),
            ("specme", Some("SpecME")),
            ("z", None),
            ("X", Some("x")),
            ("completely", None),
            ("intre", Some("inter")),
        ] {
            assert_eq!(nearest(name, names.into_iter()), expected, "for {name}");
        }
    }
}
