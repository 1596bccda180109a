//! Deciding on ✓: a process that can terminate may refuse everything else, because termination is a signal.

use super::graph::{Lts, StateId};
use crate::process::event::{EventId, TAU, TICK};

/// `lts` where a state that can do more than terminate decides on that by a τ, after which it can do nothing else; nothing
/// if there is no such state. In every context of parallels this means the same: termination cannot be held up by refusing
/// ✓, because the environment does not take part in it.
pub fn deciding(lts: &Lts) -> Option<Lts> {
    let mixes = |state: StateId| {
        let row = lts.row(state);
        let terminations = row.iter().filter(|&&(event, _)| event == TICK).count();
        terminations != 0 && terminations != row.len()
    };
    if !lts.states().any(mixes) {
        return None;
    }
    let decided = StateId(lts.state_count() as u32);
    let mut after = Vec::new();
    let mut rows: Vec<Vec<(EventId, StateId)>> = Vec::with_capacity(lts.state_count() + 1);
    for state in lts.states() {
        let mut row = lts.row(state).to_vec();
        if mixes(state) {
            for step in row.iter_mut().filter(|step| step.0 == TICK) {
                after.push(*step);
                *step = (TAU, decided);
            }
        }
        rows.push(row);
    }
    rows.push(after);
    Some(Lts::from_rows(rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::graph::tests::lts;

    const A: EventId = EventId(2);

    #[test]
    fn a_choice_of_termination_is_made_inside() {
        // a -> SKIP [] SKIP
        let choice = lts(&[&[(TICK, 2), (A, 1)], &[(TICK, 2)], &[]]);
        let expected = lts(&[&[(TAU, 3), (A, 1)], &[(TICK, 2)], &[], &[(TICK, 2)]]);
        assert_eq!(deciding(&choice), Some(expected));
        assert_eq!(deciding(&lts(&[&[(A, 1)], &[(TICK, 2)], &[]])), None);
    }
}
