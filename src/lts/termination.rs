//! Deciding on ✓: a process that can terminate may refuse everything else, because termination is a signal.

use super::graph::{Lts, LtsBuilder, StateId};
use crate::diag::Result;
use crate::process::event::{EventId, TAU, TICK};
use crate::process::work::Pace;

/// `lts` where a state that can do more than terminate decides on that by a τ, after which it can do nothing else; nothing
/// if there is no such state. In every context of parallels this means the same: termination cannot be held up by refusing
/// ✓, because the environment does not take part in it.
pub fn deciding(lts: &Lts, pace: &mut Pace<'_>) -> Result<Option<Lts>> {
    let mixes = |state: StateId| {
        let row = lts.row(state);
        let terminations = row.iter().filter(|&&(event, _)| event == TICK).count();
        terminations != 0 && terminations != row.len()
    };
    let mut has_mixed = false;
    for state in lts.states() {
        pace.look(1 + lts.row(state).len())?;
        has_mixed |= mixes(state);
    }
    if !has_mixed {
        return Ok(None);
    }
    let decided = StateId(lts.state_count() as u32);
    let mut after = Vec::new();
    let mut rows = LtsBuilder::new();
    for state in lts.states() {
        pace.look(1 + lts.row(state).len())?;
        let mut row: Vec<(EventId, StateId)> = lts.row(state).to_vec();
        if mixes(state) {
            for step in row.iter_mut().filter(|step| step.0 == TICK) {
                after.push(*step);
                *step = (TAU, decided);
            }
        }
        rows.push(row);
    }
    rows.push(after);
    Ok(Some(rows.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::graph::tests::lts;
    use crate::process::work::at_leisure;
    use crate::process::work::tests::asked;

    const A: EventId = EventId(2);

    #[test]
    fn a_choice_of_termination_is_made_inside() {
        // a -> SKIP [] SKIP
        let choice = lts(&[&[(TICK, 2), (A, 1)], &[(TICK, 2)], &[]]);
        let expected = lts(&[&[(TAU, 3), (A, 1)], &[(TICK, 2)], &[], &[(TICK, 2)]]);
        let decided = |lts: &Lts| at_leisure(|pace| deciding(lts, pace));
        assert_eq!(decided(&choice), Some(expected));
        assert_eq!(decided(&lts(&[&[(A, 1)], &[(TICK, 2)], &[]])), None);
    }

    #[test]
    fn it_is_made_as_long_as_there_is_time() {
        let row = |next: u32| vec![(TICK, StateId(0)), (A, StateId(next % 1000))];
        let many = Lts::from_rows((1..=1000).map(row).collect());
        // Each row is looked at twice.
        assert_eq!(asked(|pace| deciding(&many, pace)), 2 * 3 * 1000 / 64);
    }
}
