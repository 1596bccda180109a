//! The order in which refused candidates are shown: first those that explain most.

use std::cmp::Reverse;
use std::sync::Arc;

use super::candidates::PermutableValues;
use super::refusal::{Refusal, Why};

/// A candidate by the image of each value, and the reason why it does not hold.
pub(super) type Rejected = (Vec<usize>, Arc<Refusal>);

/// `rejected`, ordered for a reader. Of a model that is almost symmetric a reader wants to know
/// which value is the odd one, and what that value does differently. So for each value that stays
/// in all symmetries, a candidate comes first that exchanges it with a value that does not stay; of
/// several such candidates, the one that comes nearest to being a symmetry. Where all values stay,
/// the nearest candidates come first.
pub(super) fn most_telling_first(
    outcome: &PermutableValues,
    rejected: Vec<Rejected>,
) -> Vec<Rejected> {
    let mut left = rejected;
    // The sort is stable: equally telling candidates keep the order in which they were tried.
    left.sort_by_key(|(images, why)| {
        let moved = moved(images).count();
        let is_exchange = exchanges_fixed_with_free(outcome, images);
        // The turn of a whole ring comes before turns of its parts.
        let is_whole = moved == images.len();
        (Reverse((is_exchange, nearness(why), is_whole)), moved)
    });
    if outcome.free.is_empty() && outcome.turning.is_empty() {
        return left;
    }
    let mut first = Vec::new();
    let mut explained = vec![false; outcome.fixed.len()];
    for (at, &value) in outcome.fixed.iter().enumerate() {
        let moves = |(images, _): &Rejected| images[value] != value;
        if !explained[at]
            && let Some(place) = left.iter().position(moves)
        {
            let telling = left.remove(place);
            for (other, explained) in outcome.fixed.iter().zip(&mut explained) {
                *explained |= telling.0[*other] != *other;
            }
            first.push(telling);
        }
    }
    first.extend(left);
    first
}

fn moved(images: &[usize]) -> impl Iterator<Item = usize> {
    let numbered = images.iter().enumerate();
    numbered.filter_map(|(value, &image)| (value != image).then_some(value))
}

/// True if two values change places, of which one stays in all symmetries and the other does not.
fn exchanges_fixed_with_free(outcome: &PermutableValues, images: &[usize]) -> bool {
    let moved: Vec<usize> = moved(images).collect();
    let fixed = moved.iter().filter(|value| outcome.fixed.contains(value));
    moved.len() == 2 && fixed.count() == 1
}

/// The nearness of a refused candidate to being a symmetry; greater is nearer. A candidate that
/// keeps the machine, but not the specification or the initial state, is nearer than one that some
/// process does not keep. The longer the trace that shows the difference, the nearer.
fn nearness(why: &Refusal) -> (u8, usize) {
    match &why.why {
        Why::Initial => (4, 0),
        Why::Specification(found) => (3, found.trace.len()),
        Why::Behaviour(found) => (2, found.trace.len()),
        Why::States(..) | Why::NotAsked => (2, 0),
        Why::Set { .. } | Why::Priority { .. } | Why::Renaming(..) => (1, 0),
        Why::NoPartner(_) | Why::Machine(_) => (1, 0),
        Why::Operators | Why::OperandCount(..) => (1, 0),
        Why::NoSuchEvent(..) | Why::Limit(_) => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisimilarity::DistinguishingTrace;
    use crate::proof_rule::ProofRule;
    use process::event::TAU;

    fn rejected(images: &[usize], why: Why) -> Rejected {
        let refusal = Refusal {
            rule: ProofRule::Operational,
            left: "P".to_string(),
            right: "Q".to_string(),
            span: None,
            why,
        };
        (images.to_vec(), Arc::new(refusal))
    }

    fn after(steps: usize) -> Why {
        Why::Behaviour(some_trace(steps))
    }

    fn some_trace(steps: usize) -> DistinguishingTrace {
        DistinguishingTrace {
            trace: vec![TAU; steps],
            image_trace: vec![TAU; steps],
            event: TAU,
            image: TAU,
            on_left: true,
        }
    }

    fn order(outcome: &PermutableValues, all: &[Rejected]) -> Vec<Vec<usize>> {
        let ordered = most_telling_first(outcome, all.to_vec());
        ordered.into_iter().map(|(images, _)| images).collect()
    }

    #[test]
    fn a_value_that_stays_is_compared_with_one_that_does_not() {
        let outcome = PermutableValues {
            free: vec![vec![0, 1, 3]],
            fixed: vec![2],
            ..PermutableValues::default()
        };
        // The turn of all values is broken later, but tells less about the odd one.
        let all = [
            rejected(&[1, 2, 3, 0], after(5)),
            rejected(&[2, 1, 0, 3], after(3)),
        ];
        assert_eq!(order(&outcome, &all), [all[1].0.clone(), all[0].0.clone()]);
    }

    #[test]
    fn each_value_that_stays_is_explained() {
        let outcome = PermutableValues {
            free: vec![vec![0, 1]],
            fixed: vec![2, 3],
            ..PermutableValues::default()
        };
        let all = [
            rejected(&[2, 1, 0, 3], Why::Operators),
            rejected(&[0, 1, 3, 2], after(9)),
            rejected(&[3, 1, 2, 0], after(1)),
            rejected(&[0, 2, 1, 3], after(4)),
        ];
        let expected = [3, 2, 0, 1].map(|at: usize| all[at].0.clone());
        assert_eq!(order(&outcome, &all), expected);
    }

    #[test]
    fn where_all_stay_the_nearest_to_hold_comes_first() {
        let outcome = PermutableValues {
            fixed: vec![0, 1, 2],
            ..PermutableValues::default()
        };
        let specification = Why::Specification(some_trace(0));
        let all = [
            rejected(&[1, 0, 2], after(4)),
            rejected(&[1, 2, 0], after(4)),
            rejected(&[0, 2, 1], Why::Operators),
        ];
        let expected = [1, 0, 2].map(|at: usize| all[at].0.clone());
        assert_eq!(order(&outcome, &all), expected);
        let with_specification = [all[1].clone(), rejected(&[2, 1, 0], specification)];
        assert_eq!(order(&outcome, &with_specification)[0], [2, 1, 0]);
    }
}
