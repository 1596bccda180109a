//! The sets of states that a specification can be in, as the states of its normal form.

use super::after_rests::after_rests;
use super::{NormalState, Together, too_large};
use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::graph::{Lts, StateId};
use crate::lts::model::Model;
use crate::lts::subsets::Subsets;
use crate::lts::tau::divergent_states;
use crate::process::event::EventId;

/// The deterministic system over τ-closed sets of states.
pub(super) fn subset_construction(
    lts: &Lts,
    model: Model,
    together: &mut Together<'_>,
    limit: usize,
    token: &Cancellation,
) -> Result<Vec<NormalState>> {
    let divergent = if model.has_divergences() {
        divergent_states(lts, token)?
    } else {
        vec![false; lts.state_count()]
    };
    let mut subsets = Subsets::new(lts, token)?;
    let mut states = Vec::new();
    let mut after = 0;
    while states.len() < subsets.len() {
        let members = subsets.members(states.len());
        let mut state = NormalState {
            is_divergent: members.iter().any(|state| divergent[state.index()]),
            ..NormalState::refusing(Vec::new())
        };
        // Nothing counts after a divergence, so the sets after it need not be found.
        if !state.is_divergent {
            let row = subsets.row(&members)?.into_iter();
            state.row = row.map(|(event, set)| (event, StateId(set))).collect();
            if model.has_failures() {
                state.acceptances = acceptances(lts, &members, subsets.token())?;
            }
            if model.remembers_refusals() {
                let steps = after_rests(&mut subsets, &members, &state.row, together, limit)?;
                after += steps.len();
                state.after_rests = steps;
            }
        }
        states.push(state);
        // Steps after rests take as much as states, and there may be as many.
        if subsets.len() > limit || after > limit {
            return too_large(limit).into();
        }
    }
    Ok(states)
}

/// The sets of events with which `members` come to rest, each once.
fn acceptances(lts: &Lts, members: &[StateId], token: &Cancellation) -> Result<Vec<Vec<EventId>>> {
    let mut sets: Vec<Vec<EventId>> = Vec::new();
    for &state in members {
        token.look(1 + lts.row(state).len())?;
        sets.extend(lts.acceptance(state));
    }
    // There may be as many sets as members, for each of very many sets of members.
    token.sort(&mut sets)?;
    sets.dedup();
    Ok(sets)
}
