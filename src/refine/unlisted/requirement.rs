//! The states of a requirement, made as they are met.

use super::sets::SpecificationSets;
use super::side::UnlistedSide;
use base::diag::Result;
use lts::model::Model;
use process::event::{EventId, TICK};
use process::term::{Definitions, TermId};
use process::termination::Termination;

/// The requirement that a process is to meet.
#[derive(Clone, Debug)]
pub enum Requirement<'m> {
    /// To refine this process in a model without revivals.
    Refines(UnlistedSide<'m>, Model),
    /// Never to come to rest unable to do anything; in a model with divergences, never to diverge
    /// either.
    DeadlockFree(Model),
    /// Never to diverge.
    DivergenceFree,
    /// Not to have this trace, which is not empty; in a model with divergences, not to diverge
    /// before its end either.
    Lacks(Vec<EventId>, Model),
}

/// The state of a requirement after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequiredNext {
    /// The requirement does not allow the event.
    Refused,
    /// It allows the event and everything after it.
    Free,
    /// It allows the event, and is in this state then.
    Allowed(u32),
    /// More transitions would have to be looked at than are allowed.
    TooMuch,
}

/// The states of a requirement that were met.
pub(super) enum RequirementStates<'r> {
    /// Those of a specification: the sets of its states.
    Sets(Box<SpecificationSets<'r>>),
    /// Those of another requirement, which are known from the start.
    Property(&'r Requirement<'r>),
}

/// The state of deadlock freedom after a ✓; before, it is state 0.
const TERMINATED: u32 = 1;

impl<'r> RequirementStates<'r> {
    /// No states yet, of a requirement on whose process at most `most` work may be done.
    pub(super) fn new(
        definitions: &mut dyn Definitions,
        requirement: &'r Requirement<'r>,
        most: u64,
    ) -> Result<Self> {
        Ok(match requirement {
            &Requirement::Refines(side, model) => {
                let sets = SpecificationSets::new(definitions, side, model, most)?;
                Self::Sets(Box::new(sets))
            }
            property => Self::Property(property),
        })
    }

    /// The state at the start. It is free if a specification diverges there.
    pub(super) fn initial(&mut self, definitions: &mut dyn Definitions) -> Result<RequiredNext> {
        match self {
            Self::Sets(sets) => sets.initial(definitions),
            Self::Property(_) => Ok(RequiredNext::Allowed(0)),
        }
    }

    /// The state after a visible event, or ✓.
    pub(super) fn after(
        &mut self,
        definitions: &mut dyn Definitions,
        state: u32,
        event: EventId,
    ) -> Result<RequiredNext> {
        let requirement = match self {
            Self::Sets(sets) => return sets.after(definitions, state, event),
            Self::Property(requirement) => requirement,
        };
        Ok(match requirement {
            Requirement::DeadlockFree(_) if event == TICK => RequiredNext::Allowed(TERMINATED),
            Requirement::Lacks(trace, _) if event != trace[state as usize] => RequiredNext::Free,
            Requirement::Lacks(trace, _) => match state as usize + 1 < trace.len() {
                true => RequiredNext::Allowed(state + 1),
                false => RequiredNext::Refused,
            },
            _ => RequiredNext::Allowed(0),
        })
    }

    /// Allows any work from now on.
    pub(super) fn allow_all(&mut self) {
        if let Self::Sets(sets) = self {
            sets.allow_all();
        }
    }

    /// The terms of which `state` is a set; none if it is no such set.
    pub(super) fn terms(&self, state: u32) -> Vec<TermId> {
        match self {
            Self::Sets(sets) => sets.terms(state),
            Self::Property(_) => Vec::new(),
        }
    }

    /// The state that is the set of `terms`, if `state` is such a set, and else `state` itself.
    pub(super) fn of_terms(
        &mut self,
        definitions: &mut dyn Definitions,
        state: u32,
        terms: &[TermId],
    ) -> Result<RequiredNext> {
        match self {
            Self::Sets(sets) => sets.of_terms(definitions, terms),
            Self::Property(_) => Ok(RequiredNext::Allowed(state)),
        }
    }

    /// True if it matters with which offers a process comes to rest.
    pub(super) fn sees_rests(&self) -> bool {
        match self {
            Self::Sets(sets) => sets.model().has_failures(),
            Self::Property(requirement) => matches!(requirement, Requirement::DeadlockFree(_)),
        }
    }

    /// True if the process may come to rest with these offers, ascending, in `state`.
    pub(super) fn allows_rest(
        &mut self,
        definitions: &mut dyn Definitions,
        state: u32,
        offers: &[EventId],
    ) -> Result<bool> {
        match self {
            Self::Sets(sets) => sets.allows_rest(state, offers, definitions.cancellation()),
            // A terminated process may refuse everything if its ✓ was a signal.
            Self::Property(_) if state == TERMINATED => {
                Ok(definitions.terms().termination() == Termination::Signal)
            }
            Self::Property(_) => Ok(!offers.is_empty()),
        }
    }

    /// True if a process must not diverge in any of the states.
    pub(super) fn forbids_divergence(&self) -> bool {
        match self {
            Self::Sets(sets) => sets.model().has_divergences(),
            Self::Property(
                Requirement::Refines(_, model)
                | Requirement::DeadlockFree(model)
                | Requirement::Lacks(_, model),
            ) => model.has_divergences(),
            Self::Property(Requirement::DivergenceFree) => true,
        }
    }

    /// True if `strict` forbids whatever `state` forbids: in `strict` the specification can be in
    /// no state that it cannot be in here.
    pub(super) fn is_within(&self, strict: u32, state: u32) -> bool {
        match self {
            Self::Sets(sets) => sets.is_within(strict, state),
            Self::Property(_) => strict == state,
        }
    }

    /// The number of states met.
    pub(super) fn met(&self) -> usize {
        match self {
            Self::Sets(sets) => sets.met(),
            Self::Property(Requirement::Lacks(trace, _)) => trace.len(),
            Self::Property(_) => 1,
        }
    }

    /// The number of states of the specification in the states met, each counted in every state.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Sets(sets) => sets.size(),
            Self::Property(_) => 0,
        }
    }
}
