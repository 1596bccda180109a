//! What it costs to look for symmetries, compared with a search that does without.

use lts::normal_form::NormalForm;
use machine::Machine;

/// Looking at as few transitions and rules takes no noticeable time. Symmetries are looked for at
/// once, because users want to see them.
const LITTLE_WORK: u64 = 20_000;

/// How many transitions are searched in the time that it takes to look at one transition of a
/// component. Measured on components of 1,000 to 200,000 states, and on a specification of
/// 2,000,000: 2 to 17 microseconds to look at the transitions of one, 0.2 to 0.3 to search them.
const SEARCHED_IN_THE_TIME: u64 = 8;

/// A search of as few states is over at once.
const FEW_STATES: u64 = 1000;

/// How many bytes it takes to look at one transition or rule. Measured on a specification of
/// 14,700,000 transitions.
const BYTES_TO_LOOK: u64 = 1300;

/// Looking for symmetries looks at each transition of each component and of the specification, and
/// at each rule: how many there are.
fn looked_at(machine: &Machine, specification: &NormalForm) -> u64 {
    let leaves = machine.leaves.iter();
    let transitions: u64 = leaves.map(|leaf| leaf.transition_count() as u64).sum();
    let specified = specification.lts().transition_count() as u64;
    transitions + specified + machine.rules.len() as u64
}

/// How many states a search without symmetries meets in the time that it takes to look for
/// symmetries of a check of `machine` against `specification`; `None` if that time is short.
pub fn searched_meanwhile(machine: &Machine, specification: &NormalForm) -> Option<u64> {
    let looked_at = looked_at(machine, specification);
    if looked_at < LITTLE_WORK {
        return None;
    }
    // Each state of the whole does at most what all components do, taken together.
    let of_each = machine.leaves.iter().map(|leaf| {
        let states = u64::from(leaf.state_count()).max(1);
        (leaf.transition_count() as u64).div_ceil(states)
    });
    let transitions = SEARCHED_IN_THE_TIME.saturating_mul(looked_at);
    Some((transitions / of_each.sum::<u64>().max(1)).max(FEW_STATES))
}

/// How many bytes it takes to look for symmetries of a check of `machine` against `specification`.
pub fn bytes_to_look(machine: &Machine, specification: &NormalForm) -> u64 {
    BYTES_TO_LOOK.saturating_mul(looked_at(machine, specification))
}
