//! The cost of looking for symmetries, compared with a search that does without.

use lts::normal_form::NormalForm;
use machine::Machine;

/// A number of transitions and rules; looking at fewer takes no noticeable time. Then symmetries
/// are looked for at once, because users want to see them.
const LITTLE_WORK: u64 = 20_000;

/// The number of transitions that are searched in the time that it takes to look at one transition
/// of a component. Measured on components of 1,000 to 200,000 states, and on a specification of
/// 2,000,000: looking at the transitions of one state takes 2 to 17 microseconds, searching them
/// 0.2 to 0.3.
const SEARCHED_IN_THE_TIME: u64 = 8;

/// A number of states; a search of fewer is over at once.
const FEW_STATES: u64 = 1000;

/// The number of bytes that it takes to look at one transition or rule. Measured on a specification
/// of 14,700,000 transitions.
const BYTES_TO_LOOK: u64 = 1300;

/// The number of transitions and rules that looking for symmetries looks at: each transition of
/// each component and of the specification, and each rule.
fn looked_at(machine: &Machine, specification: &NormalForm) -> u64 {
    let leaves = machine.leaves.iter();
    let transitions: u64 = leaves.map(|leaf| leaf.transition_count() as u64).sum();
    let specified = specification.lts().transition_count() as u64;
    transitions + specified + machine.rules.len() as u64
}

/// The number of states that a search without symmetries meets in the time that it takes to look
/// for symmetries of a check of `machine` against `specification`; `None` if that time is short.
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

/// The number of bytes that it takes to look for symmetries of a check of `machine` against
/// `specification`.
pub fn bytes_to_look(machine: &Machine, specification: &NormalForm) -> u64 {
    BYTES_TO_LOOK.saturating_mul(looked_at(machine, specification))
}
