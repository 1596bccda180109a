//! Whether symmetries are worth looking for, as far as that can be known beforehand.

use crate::lts::normal_form::NormalForm;
use crate::machine::Machine;

/// A search of fewer states takes no noticeable time. Symmetries are looked for all the same,
/// because users want to see them.
const FEW_STATES: u64 = 1000;

/// How many states are searched in the time that it takes to look at one state of a component.
/// Measured on components of 1,000 to 200,000 states: 2 to 17 microseconds to look at one, 0.2 to
/// 0.3 to search one.
const STATES_IN_THE_TIME: u64 = 8;

/// Whether looking for symmetries of a check of `machine` against `specification` may take less
/// time than they save. It takes more where the components are nearly all there is: one large
/// component, say, perhaps beside tiny ones. Looking for symmetries looks at each state of each
/// component, and what the components reach together is bounded by the product of their numbers of
/// states.
pub fn may_pay(machine: &Machine, specification: &NormalForm) -> bool {
    let sizes = || machine.leaves.iter().map(|leaf| leaf.state_count() as u64);
    let states = sizes().fold(1, u64::saturating_mul);
    let pairs = states.saturating_mul(specification.state_count() as u64);
    states < FEW_STATES || pairs > STATES_IN_THE_TIME.saturating_mul(sizes().sum())
}
