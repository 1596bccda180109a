//! The normal form of a specification: deterministic, minimal and without τ, each state with what
//! it says of coming to rest.
//!
//! A state of the normal form is the set of states that one trace can lead to. In the failures
//! model it says with which sets of events the specification may come to rest: the *minimal
//! acceptances* are the smallest of these sets, and a process may come to rest with a set exactly
//! if the set contains one of them (*Understanding Concurrent Systems*, section 8.1). Where
//! divergences count, nothing counts after one, so a divergent state allows everything.
//!
//! The finer models see which event is done from a rest. `README.md` says what the states of their
//! normal forms are, and proves that these decide refinement: a state says of which sets all sets
//! are unions with which a process may come to rest, and in refusal testing also where an event
//! leads to after a rest, if that is not where it leads to from all states of the set.

mod after_rests;
mod points;
mod sets;

use super::bisimulation::minimise;
use super::confluence::with_short_ways;
use super::graph::{Lts, StateId};
use super::model::Model;
use super::tau::internal;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::number::plain;
use points::{after_rest_at, is_rest, renumbered, with_points};
use process::event::{EventId, TAU, TICK};
use process::termination::Termination;
use sets::subset_construction;

/// What a process may offer in one state: whatever it does offer is said to be possible.
pub trait Offerable {
    /// Whether it may offer both events.
    fn both(&mut self, one: EventId, other: EventId) -> bool;

    /// Whether it may offer all of `events`, any two of which it may offer, as far as was looked.
    fn all(&mut self, events: &[EventId]) -> bool;
}

/// A process of which nothing is known.
struct Anything;

impl Offerable for Anything {
    fn both(&mut self, _: EventId, _: EventId) -> bool {
        true
    }

    fn all(&mut self, _: &[EventId]) -> bool {
        true
    }
}

/// A specification in normal form. Specifications that mean the same in the model have equal normal
/// forms, refusal testing apart: there some are told apart by what they do after rests that no
/// process can show.
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
    /// The sets of events, each ascending, with which the process may come to rest: or with more in
    /// the models of failures, or with a union of some in the finer models.
    pub acceptances: Vec<Vec<EventId>>,
    /// In the models of refusal testing, where events lead to after rests, if not to where the row
    /// says.
    pub after_rests: Vec<AfterRest>,
    /// Whether everything is allowed; then nothing else is said.
    pub is_divergent: bool,
}

/// Where events lead to after a rest: of those entries of a state that have the event, and of whose
/// offers the process has offered all, the one with most offers counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AfterRest {
    /// What the process must have offered at least, ascending.
    pub offers: Vec<EventId>,
    /// Some of the offers, ascending, with the state after each.
    pub row: Vec<(EventId, StateId)>,
}

impl NormalState {
    /// A state with these transitions that may refuse everything.
    fn refusing(row: Vec<(EventId, StateId)>) -> Self {
        Self {
            row,
            acceptances: vec![Vec::new()],
            after_rests: Vec::new(),
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
        Self::beside(&mut Anything, specification, model, limit, token)
    }

    /// The same for processes that offer no more in one state than `offerable` says: in the models
    /// of refusal testing other rests are left out.
    pub fn beside(
        offerable: &mut dyn Offerable,
        specification: &Lts,
        model: Model,
        limit: usize,
        token: &Cancellation,
    ) -> Result<Self> {
        // Fewer states first: sets of states are what takes time. Strong bisimilarity keeps what
        // any model sees.
        let specification = match model.sees_revivals() {
            true => minimise(specification, token)?.lts,
            false => minimise(&with_short_ways(specification, token)?, token)?.lts,
        };
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
        let states = subset_construction(&specification, model, offerable, limit, token)?;
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
        let lts = minimise(&with_points(states, model, token)?, token)?.lts;
        // Minimising has numbered states and points in one order.
        let is_point = points::points(&lts, token)?;
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

    /// The minimal acceptances of `state` in a model of failures, each ascending: if a process
    /// comes to rest there, it must offer all events of one of them. Returns `None` if the process
    /// may refuse everything. In the failures model the list may be empty: then the process must
    /// not come to rest.
    pub fn acceptances(&self, state: StateId) -> Option<Vec<Vec<EventId>>> {
        let mut points = internal(&self.lts, state).filter(|&point| point != state);
        let first = points.next()?;
        let events = |point| self.row(point).iter().map(|&(event, _)| event).collect();
        let sets = [first].into_iter().chain(points).map(events);
        // The point of the empty set says that there are no acceptances (`with_points`).
        Some(sets.filter(|set: &Vec<EventId>| !set.is_empty()).collect())
    }

    /// The sets of events, each ascending, with whose unions a process may come to rest in `state`,
    /// in a model that sees revivals: with no offers only if the empty set is one of them.
    pub fn rests(&self, state: StateId) -> Vec<Vec<EventId>> {
        let points = internal(&self.lts, state).filter(|&point| is_rest(&self.lts, point));
        let events = |point| self.row(point).iter().map(|&(event, _)| event).collect();
        points.map(events).collect()
    }

    /// Where events lead to from `state` after rests, if not to where [`Self::successor`] says.
    /// There is something only in the models of refusal testing.
    pub fn after_rests(&self, state: StateId) -> Vec<AfterRest> {
        let points = internal(&self.lts, state).filter(|&point| point != state);
        points
            .filter_map(|point| after_rest_at(&self.lts, point))
            .collect()
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

/// The message for a specification that says too much of what comes after rests.
fn too_many_rests() -> Diagnostic {
    let message = "the specification says too much of what comes after rests";
    Diagnostic::undecided("large-specification", message)
        .note("in the models R and RD what comes after an event depends on what was offered before it, and each union of what the specification offers at rest counts, unless the implementation cannot offer it")
        .hint("write the specification with less internal choice, or ask in the models V and VD, which forget what was offered")
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
