//! The sets of states that a specification can be in, as the states of its normal form.

use super::after_rests::after_rests;
use super::{NormalState, Offerable, too_large};
use crate::graph::{Lts, StateId};
use crate::model::Model;
use crate::subsets::Subsets;
use crate::tau::divergent_states;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use process::event::EventId;

/// The deterministic system over τ-closed sets of states.
pub(super) fn subset_construction(
    lts: &Lts,
    model: Model,
    offerable: &mut dyn Offerable,
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
    // Acceptances take memory like states.
    let mut room = limit;
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
                state.after_rests =
                    after_rests(&mut subsets, &members, &state.row, offerable, &mut room)?;
            }
        }
        states.push(state);
        if subsets.len() > limit {
            return too_large(limit).into();
        }
    }
    Ok(states)
}

/// The sets of events that `members` offer at rest, each once.
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
