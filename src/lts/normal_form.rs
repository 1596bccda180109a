//! The normal form of a specification: deterministic, minimal and without τ, each state with its
//! minimal acceptances.
//!
//! A state of the normal form is the set of states that one trace can lead to. In the failures
//! model it says with which sets of events the specification may come to rest: the *minimal
//! acceptances* are the smallest of these sets, and a process may come to rest with a set exactly
//! if the set contains one of them (*Understanding Concurrent Systems*, section 8.1). In the
//! failures–divergences model nothing counts after a divergence, so a divergent state allows
//! everything.
//!
//! Acceptances and divergences are kept in the transition system itself. So a permutation of its
//! states and events that keeps its transitions keeps acceptances and divergences too. The states
//! of the normal form are followed by *points*: one for each set that is a minimal acceptance, with
//! each event of the set leading back to the point. τ leads to the point from each state that has
//! the acceptance. If the acceptance is the empty set, everything may be refused, and no τ is
//! needed. From a divergent state τ leads to that state. In the failures model a state may have no
//! acceptances at all, because it only diverges: from such a state τ leads to the point of the
//! empty set. No point may be bisimilar to a state, not even to one such as `RUN(A)` that offers
//! the same events for ever. So there is one point more, to which τ leads from all others: it
//! can terminate again and again, unlike any state.

use std::collections::BTreeMap;

use super::bisimulation::minimise;
use super::confluence::with_short_ways;
use super::graph::{Lts, LtsBuilder, StateId};
use super::model::Model;
use super::subsets::Subsets;
use super::tau::{divergent_states, internal};
use crate::base::index::TypedIndex;
use crate::base::number::plain;
use crate::cancel::Cancellation;
use crate::cancel::at_leisure;
use crate::diag::{Diagnostic, Result};
use crate::process::acceptance::minimal;
use crate::process::event::{EventId, TAU, TICK};
use crate::process::termination::Termination;

/// A specification in normal form. Specifications that mean the same in the model have equal normal
/// forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NormalForm {
    model: Model,
    lts: Lts,
    states: usize,
}

/// One state of a normal form that is not yet minimal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NormalState {
    /// The allowed events, each with the number of the state after it.
    pub row: Vec<(EventId, StateId)>,
    /// The sets of events, each ascending, with which the process may come to rest, or with more.
    pub acceptances: Vec<Vec<EventId>>,
    /// Whether everything is allowed; then nothing else is said.
    pub is_divergent: bool,
}

impl NormalState {
    /// A state with these transitions that may refuse everything.
    fn refusing(row: Vec<(EventId, StateId)>) -> Self {
        Self {
            row,
            acceptances: vec![Vec::new()],
            is_divergent: false,
        }
    }
}

impl NormalForm {
    /// The initial state.
    pub const INITIAL: StateId = Lts::INITIAL;

    /// The normal form of `specification` in `model`. Fails if it takes more than `limit` sets of
    /// states.
    pub fn of(
        specification: &Lts,
        model: Model,
        limit: usize,
        token: &Cancellation,
    ) -> Result<Self> {
        // Fewer states first: sets of states are what takes time.
        let specification = minimise(&with_short_ways(specification, token)?, token)?.lts;
        let count = specification.state_count();
        if !model.has_failures() && count <= limit && is_deterministic(&specification, token)? {
            // Each set would be a single state, and minimising has numbered these as it would
            // number the sets.
            return Ok(Self {
                model,
                lts: specification,
                states: count,
            });
        }
        let states = subset_construction(&specification, model, limit, token)?;
        Self::with_states(model, states, token)
    }

    /// The normal form with these states, of which the first is the initial one.
    pub fn new(model: Model, states: Vec<NormalState>) -> Self {
        at_leisure(|token| Self::with_states(model, states, token))
    }

    /// The normal form with these states, of which the first is the initial one.
    pub(super) fn with_states(
        model: Model,
        states: Vec<NormalState>,
        token: &Cancellation,
    ) -> Result<Self> {
        let lts = minimise(&with_points(states, token)?, token)?.lts;
        // Minimising has numbered states and points in one order.
        let is_point = points(&lts, token)?;
        let is_state = |state: &StateId| !is_point[state.index()];
        // The initial state is no point, so it remains number 0.
        let (states, points): (Vec<StateId>, Vec<StateId>) = lts.states().partition(is_state);
        let count = states.len();
        Ok(Self {
            model,
            lts: renumbered(&lts, &[states, points].concat(), token)?,
            states: count,
        })
    }

    /// The specification of deadlock freedom: at rest, the process offers one of `events`, or ✓.
    /// After a ✓ that is a signal the process may refuse everything; after a ✓ that is an event it
    /// must not come to rest.
    pub fn deadlock_free(events: &[EventId], model: Model, termination: Termination) -> Self {
        let mut alive = NormalState::refusing(anything(events));
        let events = alive.row.iter().map(|&(event, _)| event);
        alive.acceptances = events.map(|event| vec![event]).collect();
        let mut terminated = NormalState::refusing(Vec::new());
        if termination == Termination::Event {
            terminated.acceptances.clear();
        }
        Self::new(model, vec![alive, terminated])
    }

    /// The specification of freedom from divergence: anything over `events` but divergence.
    pub fn divergence_free(events: &[EventId]) -> Self {
        let states = [anything(events), Vec::new()].map(NormalState::refusing);
        Self::new(Model::FailuresDivergences, states.into())
    }

    /// The specification of processes that do not have `trace`, which is not empty: anything over
    /// `events` but that trace.
    pub fn all_but(trace: &[EventId], events: &[EventId], model: Model) -> Self {
        let anything_else = StateId::from_usize(trace.len());
        let mut states: Vec<NormalState> = Vec::new();
        for (done, &next) in trace.iter().enumerate() {
            let mut row = anything(events);
            row.retain(|&(event, _)| event != next);
            row.iter_mut().for_each(|step| step.1 = anything_else);
            if done + 1 < trace.len() {
                row.push((next, StateId::from_usize(done + 1)));
            }
            states.push(NormalState::refusing(row));
        }
        states.push(NormalState {
            is_divergent: true,
            ..NormalState::refusing(Vec::new())
        });
        Self::new(model, states)
    }

    /// The model it is a normal form in.
    pub fn model(&self) -> Model {
        self.model
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.states
    }

    /// How many states and points there are: the states of [`Self::lts`].
    pub fn point_count(&self) -> usize {
        self.lts.state_count()
    }

    /// The state after `event` in `state`, if it is allowed there; `event` is visible or ✓.
    pub fn successor(&self, state: StateId, event: EventId) -> Option<StateId> {
        let row = self.lts.row(state);
        let at = row.binary_search_by_key(&event, |&(e, _)| e).ok()?;
        Some(row[at].1)
    }

    /// The allowed events of `state`, ascending, each with the state after it.
    pub fn row(&self, state: StateId) -> &[(EventId, StateId)] {
        let row = self.lts.row(state);
        &row[row.partition_point(|&(event, _)| event == TAU)..]
    }

    /// Whether everything is allowed in `state`, divergence and what comes after it included.
    pub fn is_divergent(&self, state: StateId) -> bool {
        // Beside the events there may be as many points.
        self.lts.row(state).binary_search(&(TAU, state)).is_ok()
    }

    /// The minimal acceptances of `state`, each ascending: if a process comes to rest there, it
    /// must offer all events of one of them. Returns `None` if the process may refuse everything.
    /// In the failures model the list may be empty: then the process must not come to rest.
    pub fn acceptances(&self, state: StateId) -> Option<Vec<Vec<EventId>>> {
        let mut points = internal(&self.lts, state).filter(|&point| point != state);
        let first = points.next()?;
        let events = |point| self.row(point).iter().map(|&(event, _)| event).collect();
        let sets = [first].into_iter().chain(points).map(events);
        // The point of the empty set says that there are no acceptances (`with_points`).
        Some(sets.filter(|set: &Vec<EventId>| !set.is_empty()).collect())
    }

    /// As a transition system: the states, then the points.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }
}

/// Transitions by each of `events` back to state 0, and by ✓ to state 1.
fn anything(events: &[EventId]) -> Vec<(EventId, StateId)> {
    let mut row: Vec<_> = events.iter().map(|&event| (event, StateId(0))).collect();
    row.push((TICK, StateId(1)));
    row
}

/// The transition system of `states` and their points, as the head of this file describes it.
fn with_points(states: Vec<NormalState>, token: &Cancellation) -> Result<Lts> {
    // The point of each acceptance; the point of the empty set stands for having no acceptance.
    let mut points: BTreeMap<Vec<EventId>, StateId> = BTreeMap::new();
    let mut rows = Vec::with_capacity(states.len());
    let mut point_rows = Vec::new();
    let ticking = StateId::from_usize(states.len());
    for (number, state) in states.into_iter().enumerate() {
        token.look(1 + state.row.len() + state.acceptances.len())?;
        if state.is_divergent {
            rows.push(vec![(TAU, StateId::from_usize(number))]);
            continue;
        }
        let sets = match &minimal(state.acceptances, token)?[..] {
            [] => vec![Vec::new()],
            [only] if only.is_empty() => Vec::new(),
            sets => sets.to_vec(),
        };
        let mut row = state.row;
        for set in sets {
            let point = *points.entry(set).or_insert_with_key(|set| {
                let point = StateId::from_usize(ticking.index() + 1 + point_rows.len());
                let events = set.iter().map(|&event| (event, point));
                point_rows.push([(TAU, ticking)].into_iter().chain(events).collect());
                point
            });
            row.push((TAU, point));
        }
        rows.push(row);
    }
    // Without other points nothing leads to this one, and every state has to be reachable.
    if !point_rows.is_empty() {
        rows.push(vec![(TICK, ticking)]);
    }
    rows.append(&mut point_rows);
    built(rows.into_iter(), token)
}

/// The system of these rows.
fn built(rows: impl Iterator<Item = Vec<(EventId, StateId)>>, token: &Cancellation) -> Result<Lts> {
    let mut lts = LtsBuilder::new();
    for row in rows {
        token.look(1 + row.len())?;
        lts.push(row);
    }
    Ok(lts.finish())
}

/// By state of a system with points, whether it is a point: τ leads to it from another state.
fn points(lts: &Lts, token: &Cancellation) -> Result<Vec<bool>> {
    let mut is_point = vec![false; lts.state_count()];
    for state in lts.states() {
        token.look(1)?;
        for point in internal(lts, state).filter(|&point| point != state) {
            is_point[point.index()] = true;
        }
    }
    Ok(is_point)
}

/// `lts` with state `order[i]` as state i.
fn renumbered(lts: &Lts, order: &[StateId], token: &Cancellation) -> Result<Lts> {
    let mut numbers = vec![StateId(0); order.len()];
    for (number, &state) in order.iter().enumerate() {
        numbers[state.index()] = StateId::from_usize(number);
    }
    let row = |&state| {
        let row = lts.row(state).iter();
        row.map(|&(event, target)| (event, numbers[target.index()]))
            .collect()
    };
    built(order.iter().map(row), token)
}

/// Whether no state does τ, or one event to several states.
fn is_deterministic(lts: &Lts, token: &Cancellation) -> Result<bool> {
    for state in lts.states() {
        let row = lts.row(state);
        token.look(1 + row.len())?;
        let has_tau = row.first().is_some_and(|step| step.0 == TAU);
        if has_tau || row.windows(2).any(|steps| steps[0].0 == steps[1].0) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The deterministic system over τ-closed sets of states.
fn subset_construction(
    lts: &Lts,
    model: Model,
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
        }
        states.push(state);
        if subsets.len() > limit {
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

/// The message for a specification that can be in more than `limit` sets of states.
pub(crate) fn too_large(limit: usize) -> Diagnostic {
    let message = format!(
        "the normal form of the specification has more than {}",
        plain(limit, "state")
    );
    Diagnostic::undecided("large-specification", message)
        .note("a specification is made deterministic, which can take exponentially many states")
        .hint("write the specification with less internal choice and hiding")
}

#[cfg(test)]
mod tests;
