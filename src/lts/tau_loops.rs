//! Factoring by τ-loops: states that can reach each other by τ become one state.
//!
//! After some τ, all states of a loop can do the same, so nothing but the number of τ changes. A
//! loop is a divergence, which stays as a τ from the one state to itself. Afterwards there are no
//! other τ-cycles. Takes linear time.

use std::borrow::Cow;

use super::graph::{Lts, StateId};
use super::partition::RefinablePartition;
use super::tau::{components, reachable_by};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;

/// `lts` with each τ-loop as one state.
pub(super) fn tau_loop_factor<'l>(lts: &'l Lts, token: &Cancellation) -> Result<Cow<'l, Lts>> {
    let component = components(lts, token)?;
    let count = component.iter().max().map_or(0, |&last| last as usize + 1);
    if count == lts.state_count() {
        return Ok(Cow::Borrowed(lts));
    }
    let initial = component[Lts::INITIAL.index()];
    let loops = RefinablePartition::new(component, token)?;
    let factored = reachable_by(count, initial, |number, row| {
        for &member in loops.items(number) {
            let steps = lts.row(StateId(member)).iter();
            token.look(1 + steps.len())?;
            row.extend(steps.map(|&(event, target)| (event, loops.sets()[target.index()])));
        }
        Ok(())
    })?;
    Ok(Cow::Owned(factored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::lts;
    use base::cancel::at_leisure;
    use process::event::{EventId, TAU};

    const A: EventId = EventId(2);

    fn factored(lts: &Lts) -> Lts {
        at_leisure(|token| tau_loop_factor(lts, token)).into_owned()
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
