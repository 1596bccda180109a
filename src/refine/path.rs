//! From the parents of stored states back to the transitions that led there.

use super::check::Product;
use super::store::{Store, StoredState};
use crate::machine::RuleId;
use crate::process::event::EventId;

/// A run of the machine from its initial state, whose last step the specification does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The steps that the specification allows.
    pub steps: Vec<PathStep>,
    /// The step that it does not allow.
    pub violation: PathStep,
}

/// One transition of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// What the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming above the leaves.
    pub origin: EventId,
}

/// The path to the stored state `last`, and then `rule`, whose `event` is the violation.
pub(super) fn recover<S: StoredState>(
    product: &Product<'_>,
    store: &Store<S>,
    last: u32,
    rule: RuleId,
    event: EventId,
) -> Path {
    let mut numbers = vec![last];
    let mut number = last;
    while number != 0 {
        number = store.parent(number);
        numbers.push(number);
    }
    numbers.reverse();
    let words = product.packing.words();
    let load = |number: u32| {
        let mut state = S::zero(words);
        store.load(number, &mut state);
        state
    };
    let steps = numbers
        .windows(2)
        .filter_map(|pair| step_between(product, &load(pair[0]), &load(pair[1])))
        .collect();
    Path {
        steps,
        violation: step(product, rule, event),
    }
}

/// The first transition from one product state to the other.
fn step_between<S: StoredState>(product: &Product<'_>, from: &S, to: &S) -> Option<PathStep> {
    let mut found = None;
    let mut scratch = from.clone();
    product
        .successors
        .for_each(from, &mut scratch, &mut |rule, event, next: &S| {
            if found.is_some() {
                return;
            }
            if let Some((word, flip)) = product.follow(from, event) {
                let mut next = next.clone();
                next.flip(word, flip);
                if next.words() == to.words() {
                    found = Some(step(product, rule, event));
                }
            }
        });
    found
}

fn step(product: &Product<'_>, rule: RuleId, event: EventId) -> PathStep {
    PathStep {
        label: event,
        origin: product.machine.rules[rule].origin,
    }
}
