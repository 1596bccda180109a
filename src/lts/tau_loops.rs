//! Factoring by τ-loops: states that can reach each other by τ become one state.
//!
//! The states of a loop can all do the same after some τ, so nothing but the number of τ changes. A
//! loop is a divergence, which stays as a τ from the one state to itself. Afterwards there are no
//! other τ-cycles. Takes linear time.

use super::graph::Lts;
use super::tau::{UnnumberedRow, components, reachable};
use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;

/// `lts` with each τ-loop as one state.
pub(super) fn tau_loop_factor(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let component = components(lts, token)?;
    let count = component.iter().max().map_or(0, |&last| last as usize + 1);
    let mut rows: Vec<UnnumberedRow> = vec![UnnumberedRow::new(); count];
    for state in lts.states() {
        let row = lts.row(state).iter();
        token.look(1 + row.len())?;
        let row = row.map(|&(event, target)| (event, component[target.index()]));
        rows[component[state.index()] as usize].extend(row);
    }
    reachable(&mut rows, component[Lts::INITIAL.index()], token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::at_leisure;
    use crate::lts::graph::tests::lts;
    use crate::process::event::{EventId, TAU};

    const A: EventId = EventId(2);

    fn factored(lts: &Lts) -> Lts {
        at_leisure(|token| tau_loop_factor(lts, token))
    }

    #[test]
    fn a_loop_becomes_one_divergent_state() {
        let round = lts(&[&[(TAU, 1)], &[(TAU, 0), (A, 2)], &[]]);
        assert_eq!(factored(&round), lts(&[&[(TAU, 0), (A, 1)], &[]]));
    }

    #[test]
    fn other_internal_steps_stay() {
        let choice = lts(&[&[(TAU, 1), (TAU, 2)], &[(A, 0)], &[]]);
        assert_eq!(factored(&choice), choice);
    }
}
