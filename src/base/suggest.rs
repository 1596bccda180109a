//! Did you mean: the nearest of some names by edit distance.

/// The candidate nearest to `name`, if one is near enough to be a slip of the keyboard.
/// Of several equally near ones, the first in the alphabet.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut rows = Rows {
        wanted: name.chars().collect(),
        ..Rows::default()
    };
    let mut limit = (rows.wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.filter(|candidate| *candidate != name) {
        if let Some(distance) = rows.distance(candidate, limit) {
            limit = distance;
            let found = (distance, candidate);
            best = Some(best.map_or(found, |best| best.min(found)));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The last rows of the table of distances between prefixes, kept for the next candidate.
#[derive(Default)]
struct Rows {
    wanted: Vec<char>,
    candidate: Vec<char>,
    before_last: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// How many characters must be inserted, left out, replaced or swapped with their neighbour to turn
    /// `wanted` into `candidate`, if no more than `limit`. Names that differ in case alone are 1 apart.
    fn distance(&mut self, candidate: &str, limit: usize) -> Option<usize> {
        self.candidate.clear();
        self.candidate.extend(candidate.chars());
        let (wanted, candidate) = (&self.wanted, &self.candidate);
        if wanted.len().abs_diff(candidate.len()) > limit {
            return None;
        }
        let same_but_case = || {
            wanted
                .iter()
                .zip(candidate)
                .all(|(a, b)| a.eq_ignore_ascii_case(b))
        };
        if wanted.len() == candidate.len() && same_but_case() {
            return Some(1);
        }
        self.last.clear();
        self.last.extend(0..=candidate.len());
        for (i, &a) in wanted.iter().enumerate() {
            self.row.clear();
            self.row.push(i + 1);
            for (j, &b) in candidate.iter().enumerate() {
                let replaced = self.last[j] + usize::from(a != b);
                let mut best = replaced.min(self.last[j + 1] + 1).min(self.row[j] + 1);
                if i > 0 && j > 0 && a == candidate[j - 1] && wanted[i - 1] == b {
                    best = best.min(self.before_last[j - 1] + 1);
                }
                self.row.push(best);
            }
            // Later rows are at least the least of two neighbouring rows.
            if self
                .row
                .iter()
                .chain(&self.last)
                .all(|&distance| distance > limit)
            {
                return None;
            }
            std::mem::swap(&mut self.before_last, &mut self.last);
            std::mem::swap(&mut self.last, &mut self.row);
        }
        let distance = self.last[candidate.len()];
        // A one-letter name is near every other one-letter name; that is no help.
        (distance <= limit && distance < wanted.len()).then_some(distance)
    }
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
