//! The normal form of a specification: deterministic, minimal and without τ, each state with the
//! rests that it allows.
//!
//! A state of the normal form is the set of states that one trace can lead to. In the failures
//! model it has the sets of events with which the specification may come to rest: the *minimal
//! acceptances* are the smallest of these sets, and a process may come to rest with a set exactly
//! if the set contains one of them (*Understanding Concurrent Systems*, section 8.1). Where
//! divergences count, nothing counts after one, so a divergent state allows everything.
//!
//! The finer models see the event that is done after a rest. `README.md` defines the states of
//! their normal forms, and proves that these decide refinement. A state has sets of events; a
//! process may come to rest with any union of them. In refusal testing it also has the target of an
//! event after a rest, if that differs from the target of the event from all states of the set.

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

/// The events that a process may offer together in one state, which include all it offers.
pub trait Offerable {
    /// True if it may offer both events.
    fn both(&mut self, one: EventId, other: EventId) -> bool;

    /// True if it may offer all of `events`, of which it may offer any two.
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

/// A specification in normal form. Specifications with equal meaning in the model have equal normal
/// forms, except in refusal testing, where some differ in their behaviour after rests that no
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
    /// The sets of events, each ascending, with which the process may come to rest. In the models
    /// of failures it may also offer more; in the finer models it may also offer a union of some of
    /// the sets.
    pub acceptances: Vec<Vec<EventId>>,
    /// In the models of refusal testing, the targets of events after rests that differ from those
    /// in the row.
    pub after_rests: Vec<AfterRest>,
    /// True if everything is allowed; the other fields are then empty.
    pub is_divergent: bool,
}

/// The targets of events after a rest. Of the entries of a state that have an event, and all of
/// whose offers the process has offered, the one with most offers counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AfterRest {
    /// The events that the process must have offered at least, ascending.
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

    /// The normal form for comparison with processes that offer no more in one state than
    /// `offerable` allows: in the models of refusal testing other rests are left out.
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
        if !model.has_failures() && count <= limit && specification.is_deterministic(token)? {
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

    /// The normal form of the process in which each event is renamed to its image. The images of
    /// different events are different, and τ and ✓ are their own.
    pub fn renamed(
        &self,
        image: impl Fn(EventId) -> EventId,
        token: &Cancellation,
    ) -> Result<Self> {
        Ok(Self {
            model: self.model,
            lts: self.lts.renamed(image, token)?,
            states: self.states,
        })
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

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.states
    }

    /// The number of states and points: the states of [`Self::lts`].
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

    /// True if everything is allowed in `state`, including divergence and any behaviour after it.
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

    /// The sets of events, each ascending, of which the process may offer any union at rest in
    /// `state`, in a model that sees revivals. It may offer nothing only if the empty set is one of
    /// them.
    pub fn rests(&self, state: StateId) -> Vec<Vec<EventId>> {
        let points = internal(&self.lts, state).filter(|&point| is_rest(&self.lts, point));
        let events = |point| self.row(point).iter().map(|&(event, _)| event).collect();
        points.map(events).collect()
    }

    /// The targets of events from `state` after rests that differ from [`Self::successor`]. Empty
    /// except in the models of refusal testing.
    pub fn after_rests(&self, state: StateId) -> Vec<AfterRest> {
        let points = internal(&self.lts, state).filter(|&point| point != state);
        points
            .filter_map(|point| after_rest_at(&self.lts, point))
            .collect()
    }

    /// The normal form as a transition system: the states, then the points.
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

/// The message for a specification with too many cases after rests.
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
