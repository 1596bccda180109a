//! The states from which τ lead to a cycle of τ.

use super::side::MetRow;
use process::event::TAU;

/// For each state, true if some τ lead from it to a cycle of τ. `rows` has the transitions of the
/// states, as far as they are known; a state without has no τ. Takes time in proportion to the τ.
pub(super) fn leading_to_cycles(rows: &[Option<MetRow>]) -> Vec<bool> {
    // A state leads to no cycle if all its τ lead to such states: these are taken away, one by one,
    // and what is left leads to a cycle.
    let taus = |state: usize| {
        let row = rows[state].as_deref().unwrap_or_default();
        let taus = row.iter().filter(|&&(event, _)| event == TAU);
        taus.map(|&(_, target)| target.0 as usize)
    };
    let mut left = vec![0_u32; rows.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    let mut open = Vec::new();
    for (state, left) in left.iter_mut().enumerate() {
        for target in taus(state) {
            // A target that was not looked at yet has no τ that is known.
            if let Some(before) = before.get_mut(target) {
                *left += 1;
                before.push(state as u32);
            }
        }
        if *left == 0 {
            open.push(state);
        }
    }
    let mut leads = vec![true; rows.len()];
    while let Some(state) = open.pop() {
        leads[state] = false;
        for &earlier in &before[state] {
            left[earlier as usize] -= 1;
            if left[earlier as usize] == 0 {
                open.push(earlier as usize);
            }
        }
    }
    leads
}
