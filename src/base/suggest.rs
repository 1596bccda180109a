//! Did you mean: the nearest of some names by edit distance.

use strsim::osa_distance;

/// The candidate nearest to `name`, if one is near enough to be a slip of the keyboard.
/// Of several equally near ones, the first in the alphabet.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.filter(|candidate| *candidate != name) {
        if let Some(distance) = distance(name, candidate, limit) {
            limit = distance;
            let found = (distance, candidate);
            best = Some(best.map_or(found, |best| best.min(found)));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of characters to insert, leave out, replace or swap to turn `name` into `candidate`.
/// Names that differ in case alone are 1 apart. `None` if more than `limit`.
fn distance(name: &str, candidate: &str, limit: usize) -> Option<usize> {
    if candidate.eq_ignore_ascii_case(name) {
        return Some(1);
    }
    let length = name.chars().count();
    // Each character that `name` lacks costs one. Most candidates end here, without a table of
    // distances.
    let foreign = candidate.chars().filter(|&sign| !name.contains(sign));
    if length.abs_diff(candidate.chars().count()) > limit || foreign.count() > limit {
        return None;
    }
    // A one-letter name is near every other one-letter name; that is no help.
    let distance = osa_distance(name, candidate);
    (distance <= limit && distance < length).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name() {
        let names = [
            "union", "Union", "inter", "left", "right", "x", "y", "SpecME",
        ];
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
