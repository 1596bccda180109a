//! A subgroup that is small enough for its elements to be listed.

use crate::machine::Machine;
use crate::symmetry::group::Group;
use crate::symmetry::notation;
use crate::symmetry::pbisim::Symmetry;
use crate::symmetry::representative::GeneralPlan;

/// How many symmetries a subgroup is put together from, at most.
const MOST_CANDIDATES: usize = 32;

/// A subgroup of `group` over which least images can be taken: its generators and their conjugates are added as long
/// as that stays so. Conjugates, because a transposition and a turn, which generate all permutations, become neighbouring
/// transpositions, and a few of those generate all permutations of a few.
pub(super) fn part(machine: &Machine, group: &Group) -> Group {
    let states = group.identity().specification.len();
    let generated = |generators: &[Symmetry]| Group::new(machine, states, generators.to_vec());
    let mut part = generated(&[]);
    let (mut kept, mut names): (Vec<Symmetry>, Vec<String>) = (Vec::new(), Vec::new());
    for (candidate, name) in candidates(group) {
        if part.contains(&candidate) {
            continue;
        }
        kept.push(candidate);
        let larger = generated(&kept);
        if GeneralPlan::fits(machine, &larger).is_ok() {
            part = larger;
            names.push(name);
        } else {
            kept.pop();
        }
    }
    part.named(names)
}

/// The generators and their conjugates by generators, breadth first, each with a name.
fn candidates(group: &Group) -> Vec<(Symmetry, String)> {
    let generators = group.generators().iter().enumerate();
    let named = generators.map(|(number, g)| (g.clone(), group.name(number)));
    let generators: Vec<(Symmetry, String)> = named.collect();
    let mut candidates = generators.clone();
    let mut next = 0;
    while let Some((symmetry, name)) = candidates.get(next).cloned() {
        next += 1;
        for (by, by_name) in &generators {
            let conjugate = by.inverse().then(&symmetry).then(by);
            let is_known = candidates.iter().any(|(known, _)| *known == conjugate);
            if candidates.len() < MOST_CANDIDATES && !is_known {
                candidates.push((conjugate, conjugate_name(&name, by_name)));
            }
        }
    }
    candidates
}

/// What the conjugate of one symmetry by another is called: `(B C)` by `(A B)` is `(A C)`; where they are not cycles
/// of the same things it is written as a power, `g^h`.
fn conjugate_name(name: &str, by: &str) -> String {
    let cycles = |text: &str| match notation::parse(text) {
        Ok(permutations) if permutations.len() == 1 => permutations.into_iter().next(),
        _ => None,
    };
    let conjugate = || {
        let (moved, by) = (cycles(name)?, cycles(by)?);
        let image = |value: &String| {
            let cycle = by.iter().find(|cycle| cycle.contains(value))?;
            let at = cycle.iter().position(|other| other == value)?;
            Some(cycle[(at + 1) % cycle.len()].clone())
        };
        let image = |value: &String| image(value).unwrap_or_else(|| value.clone());
        let cycle = |cycle: &Vec<String>| {
            let mut values: Vec<String> = cycle.iter().map(image).collect();
            let first = (0..values.len()).min_by_key(|&at| &values[at]);
            values.rotate_left(first.unwrap_or_default());
            format!("({})", values.join(" "))
        };
        Some(moved.iter().map(cycle).collect::<String>())
    };
    // Symmetries whose names have nothing in common may all the same move the same things.
    let conjugate = conjugate().filter(|conjugate| conjugate != name);
    conjugate.unwrap_or_else(|| format!("{name}^{by}"))
}

#[cfg(test)]
mod tests {
    use super::conjugate_name;

    #[test]
    fn conjugates_are_named_by_their_cycles() {
        assert_eq!(conjugate_name("(P1 P2)", "(P1 P2 P3)"), "(P2 P3)");
        assert_eq!(conjugate_name("(B C)", "(A B)"), "(A C)");
        assert_eq!(conjugate_name("(A B)(C D)", "(B E)"), "(A E)(C D)");
        assert_eq!(conjugate_name("(A B)", "(c.1 c.2)"), "(A B)^(c.1 c.2)");
        assert_eq!(conjugate_name("generator 1", "(A B)"), "generator 1^(A B)");
    }
}
