//! Termination as a signal: a process that can terminate may refuse everything else.

use super::graph::{Lts, StateId};
use crate::process::event::{EventId, TAU, TICK};

/// What the environment can count on in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stability {
    /// It can do τ, so nothing is promised.
    Unstable,
    /// It does one of its visible events, if the environment wants one.
    Stable,
    /// It can terminate, and may refuse everything but that, whatever else it can do.
    Terminating,
}

/// The stability of a state with these transitions, ascending by event.
pub fn stability(row: &[(EventId, StateId)]) -> Stability {
    let has = |event| row.iter().any(|&(e, _)| e == event);
    match (has(TICK), row.first()) {
        (true, _) => Stability::Terminating,
        (false, Some(&(TAU, _))) => Stability::Unstable,
        (false, _) => Stability::Stable,
    }
}

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

    const A: EventId = EventId(2);

    fn lts(rows: &[&[(EventId, u32)]]) -> Lts {
        let row = |row: &&[(EventId, u32)]| row.iter().map(|&(e, s)| (e, StateId(s))).collect();
        Lts::from_rows(rows.iter().map(row).collect())
    }

    #[test]
    fn a_choice_of_termination_is_made_inside() {
        // a -> SKIP [] SKIP
        let choice = lts(&[&[(TICK, 2), (A, 1)], &[(TICK, 2)], &[]]);
        let expected = lts(&[&[(TAU, 3), (A, 1)], &[(TICK, 2)], &[], &[(TICK, 2)]]);
        assert_eq!(deciding(&choice), Some(expected));
        assert_eq!(deciding(&lts(&[&[(A, 1)], &[(TICK, 2)], &[]])), None);
    }

    #[test]
    fn termination_comes_before_internal_steps() {
        let to = |event| (event, StateId(0));
        assert_eq!(stability(&[to(TAU), to(TICK)]), Stability::Terminating);
        assert_eq!(stability(&[to(TICK), to(A)]), Stability::Terminating);
        assert_eq!(stability(&[to(TAU), to(A)]), Stability::Unstable);
        assert_eq!(stability(&[to(A)]), Stability::Stable);
        assert_eq!(stability(&[]), Stability::Stable);
    }
}
