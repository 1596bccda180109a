//! Resolutions: a process refines its resolution exactly if it is deterministic.
//!
//! A resolution follows one run of the process for each trace, and always on to a state at rest. So
//! it is deterministic, and the process can do and refuse everything that the resolution can do and
//! refuse after a trace. Let the resolution offer A after the trace s, and let the process agree
//! with the resolution before that. If the process can do an event that is not in A, it can also
//! refuse that event, as the resolution does. If the process comes to rest without some event of A,
//! it can refuse an event that the resolution does. In both cases the process is not deterministic;
//! in all others it is, as far as s goes. So *a process is deterministic if and only if it refines
//! its resolution*, and a shortest counterexample to one statement is a shortest one to the other
//! (Roscoe, *Understanding Concurrent Systems*, section 10.5, has the refinement checks behind
//! this).
//!
//! `refine::determinism` follows process and resolution together, without listing either. This file
//! is used only where that does not decide.
//!
//! A resolution has at most as many states as the process, while the normal form of the process
//! could have exponentially many. A process that never comes to rest has no resolution. In the
//! failures–divergences model it is not deterministic either. In the failures model it is compared
//! with its own normal form, changed so that it has to offer everything.

use rustc_hash::FxHashMap;

use super::graph::{Lts, StateId};
use super::model::Model;
use super::normal_form::{NormalForm, NormalState};
use super::tau::{components, internal, targets_first, visible};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::number::plain;
use process::event::EventId;

/// The normal form that `process` refines in `model` exactly if it is deterministic in that model.
/// The model is that of failures or that of failures and divergences. A state with the acceptances
/// `Some([])` allows nothing: the process can diverge there, so any behaviour is wrong.
///
/// Takes linear time, unless the process diverges and the model is that of failures. Then it fails
/// if the normal form of the process takes more than `limit` sets of states.
pub fn resolution(
    process: &Lts,
    model: Model,
    limit: usize,
    token: &Cancellation,
) -> Result<NormalForm> {
    let states = resolved(process, token)?;
    let rests = states.iter().all(|state| !state.acceptances.is_empty());
    if rests || model.has_divergences() {
        return NormalForm::with_states(model, states, token);
    }
    let normal = NormalForm::of(process, model, limit, token);
    let normal = normal.map_err(|error| match error.code {
        "large-specification" => Box::new(too_large(limit)),
        _ => error,
    });
    offering_all(&normal?, token)
}

/// The message for a process whose normal form is needed and has more than `limit` states.
fn too_large(limit: usize) -> Diagnostic {
    let message = format!(
        "the normal form of the process has more than {}",
        plain(limit, "state")
    );
    Diagnostic::undecided("large-process", message)
        .note("where a process never comes to rest, determinism in failures is decided on its normal form, which can take exponentially many states")
        .hint("ask for `:[deterministic [FD]]`, which needs none, check a smaller instance with -D, or allow more with --max-leaf-states")
}

/// The states of a resolution. A state without acceptances and events stands for states of the
/// process that never come to rest.
fn resolved(process: &Lts, token: &Cancellation) -> Result<Vec<NormalState>> {
    let rests = rests(process, token)?;
    // The number of each state: by the state of the process at rest, or by `None` if there is none.
    let mut numbers: FxHashMap<Option<StateId>, StateId> = FxHashMap::default();
    let mut found = vec![rests[Lts::INITIAL.index()]];
    numbers.insert(found[0], StateId(0));
    let mut states = Vec::new();
    while let Some(&state) = found.get(states.len()) {
        token.step()?;
        let offers = state.and_then(|state| process.acceptance(state));
        let mut row: Vec<(EventId, StateId)> = Vec::new();
        for &(event, target) in state.map_or(&[][..], |state| visible(process, state)) {
            let is_offered = offers.as_ref().is_some_and(|o| o.contains(&event));
            let is_first = row.last().is_none_or(|&(last, _)| last != event);
            // Whichever transition is followed, the theorem holds; the first makes runs repeatable.
            if is_offered && is_first {
                let rest = rests[target.index()];
                let number = *numbers.entry(rest).or_insert_with(|| {
                    found.push(rest);
                    StateId::from_usize(found.len() - 1)
                });
                row.push((event, number));
            }
        }
        states.push(NormalState {
            row,
            acceptances: offers.into_iter().collect(),
            after_rests: Vec::new(),
            is_divergent: false,
        });
    }
    Ok(states)
}

/// For each state, a state at rest that τ lead to, or itself; `None` if there is none.
fn rests(process: &Lts, token: &Cancellation) -> Result<Vec<Option<StateId>>> {
    let components = components(process, token)?;
    let component = |state: StateId| components[state.index()] as usize;
    // By strong component along τ: all states of one lead to the same states at rest.
    let mut rests: Vec<Option<StateId>> = vec![None; process.state_count()];
    for state in targets_first(process, token)? {
        token.look(1 + process.row(state).len())?;
        // On a cycle of τ some targets have no entry yet, but those are in the component of
        // `state`, whose entry they share. All other components are complete.
        let mut targets = internal(process, state).map(|target| rests[component(target)]);
        let rest = match process.acceptance(state) {
            Some(_) => Some(state),
            None => targets.find_map(|rest| rest),
        };
        let known = &mut rests[component(state)];
        *known = known.or(rest);
    }
    let states = process.states();
    Ok(states.map(|state| rests[component(state)]).collect())
}

/// The normal form `process`, changed so that each state that can come to rest has to offer all its
/// events.
fn offering_all(process: &NormalForm, token: &Cancellation) -> Result<NormalForm> {
    let states = (0..process.state_count()).map(StateId::from_usize);
    let state = |state| {
        let row = process.row(state).to_vec();
        let events = row.iter().map(|&(event, _)| event).collect();
        let rests = process
            .acceptances(state)
            .is_none_or(|sets| !sets.is_empty());
        NormalState {
            row,
            acceptances: if rests { vec![events] } else { Vec::new() },
            after_rests: Vec::new(),
            is_divergent: false,
        }
    };
    NormalForm::with_states(process.model(), states.map(state).collect(), token)
}

#[cfg(test)]
mod tests;
