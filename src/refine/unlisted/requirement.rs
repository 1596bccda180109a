//! The states of a requirement, made as they are met. Those of a specification are the sets of
//! terms that it can be after a trace.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::leading_to_cycles;
use super::rows::{TermRow, TermRows};
use base::cancel::Cancellation;
use base::diag::Result;
use lts::graph::StateId;
use lts::model::Model;
use process::acceptance::{acceptance, is_subset, minimal};
use process::event::{EventId, TAU, TICK};
use process::term::{Definitions, TermId};
use process::termination::Termination;

/// The requirement that a process is to meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// To refine this process in a model without revivals.
    Refines(TermId, Model),
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
pub(super) struct RequirementStates<'r> {
    requirement: &'r Requirement,
    sets: SpecificationSets,
}

/// The state of deadlock freedom after a ✓; before, it is state 0.
const TERMINATED: u32 = 1;

impl<'r> RequirementStates<'r> {
    /// No states yet, of a requirement on whose terms at most `most` work may be done.
    pub(super) fn new(requirement: &'r Requirement, most: u64) -> Self {
        Self {
            requirement,
            sets: SpecificationSets {
                terms: TermRows::within(most),
                all: Vec::new(),
                numbers: FxHashMap::default(),
                size: 0,
            },
        }
    }

    /// The state at the start. It is free if a specification diverges there.
    pub(super) fn initial(&mut self, definitions: &mut dyn Definitions) -> Result<RequiredNext> {
        match self.requirement {
            Requirement::Refines(specification, model) => {
                let start = self.sets.terms.visit(definitions, *specification)?;
                self.sets
                    .met(definitions, vec![start], model.has_divergences())
            }
            _ => Ok(RequiredNext::Allowed(0)),
        }
    }

    /// The state after a visible event, or ✓.
    pub(super) fn after(
        &mut self,
        definitions: &mut dyn Definitions,
        state: u32,
        event: EventId,
    ) -> Result<RequiredNext> {
        Ok(match self.requirement {
            Requirement::Refines(_, model) => {
                self.sets
                    .after(definitions, state, event, model.has_divergences())?
            }
            Requirement::DeadlockFree(_) if event == TICK => RequiredNext::Allowed(TERMINATED),
            Requirement::DeadlockFree(_) | Requirement::DivergenceFree => RequiredNext::Allowed(0),
            Requirement::Lacks(trace, _) if event != trace[state as usize] => RequiredNext::Free,
            Requirement::Lacks(trace, _) => match state as usize + 1 < trace.len() {
                true => RequiredNext::Allowed(state + 1),
                false => RequiredNext::Refused,
            },
        })
    }

    /// True if it matters with which offers a process comes to rest.
    pub(super) fn sees_rests(&self) -> bool {
        match self.requirement {
            Requirement::Refines(_, model) => model.has_failures(),
            Requirement::DeadlockFree(_) => true,
            Requirement::DivergenceFree | Requirement::Lacks(..) => false,
        }
    }

    /// True if the process may come to rest with these offers, ascending, in `state`.
    pub(super) fn allows_rest(
        &mut self,
        definitions: &mut dyn Definitions,
        state: u32,
        offers: &[EventId],
    ) -> Result<bool> {
        match self.requirement {
            Requirement::Refines(..) => {
                let sets = self.sets.acceptances(state, definitions.cancellation())?;
                Ok(sets.iter().any(|set| is_subset(set, offers)))
            }
            // A terminated process may refuse everything if its ✓ was a signal.
            _ if state == TERMINATED => {
                Ok(definitions.terms().termination() == Termination::Signal)
            }
            _ => Ok(!offers.is_empty()),
        }
    }

    /// True if a process must not diverge in any of the states.
    pub(super) fn forbids_divergence(&self) -> bool {
        match self.requirement {
            Requirement::Refines(_, model)
            | Requirement::DeadlockFree(model)
            | Requirement::Lacks(_, model) => model.has_divergences(),
            Requirement::DivergenceFree => true,
        }
    }

    /// The number of states met.
    pub(super) fn met(&self) -> usize {
        match self.requirement {
            Requirement::Refines(..) => self.sets.all.len(),
            Requirement::DeadlockFree(_) | Requirement::DivergenceFree => 1,
            Requirement::Lacks(trace, _) => trace.len(),
        }
    }

    /// The number of terms in the states met, each counted in every state.
    pub(super) fn size(&self) -> usize {
        self.sets.size
    }
}

/// Sets of terms that a specification can be after a trace, closed under τ.
struct SpecificationSets {
    terms: TermRows,
    all: Vec<SpecificationSet>,
    numbers: FxHashMap<Rc<[StateId]>, u32>,
    size: usize,
}

struct SpecificationSet {
    /// Its terms, ascending.
    members: Rc<[StateId]>,
    /// The sets after events, as far as these were asked for.
    next: FxHashMap<EventId, RequiredNext>,
    /// The minimal sets of events with which it comes to rest, once they were asked for.
    acceptances: Option<Rc<[Vec<EventId>]>>,
}

impl SpecificationSets {
    /// The set that these terms and all that they become by τ are. If it `sees_divergence`, a set
    /// that can diverge allows everything.
    fn met(
        &mut self,
        definitions: &mut dyn Definitions,
        mut open: Vec<StateId>,
        sees_divergence: bool,
    ) -> Result<RequiredNext> {
        let mut closed: FxHashSet<StateId> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            let Some(row) = self.terms.row(definitions, state)? else {
                return Ok(RequiredNext::TooMuch);
            };
            for &(event, target) in &*row {
                if event == TAU && closed.insert(target) {
                    open.push(target);
                }
            }
        }
        let mut members: Vec<StateId> = closed.into_iter().collect();
        members.sort_unstable();
        if members.is_empty() {
            return Ok(RequiredNext::Refused);
        }
        if let Some(&number) = self.numbers.get(&*members) {
            return Ok(RequiredNext::Allowed(number));
        }
        if sees_divergence && self.diverges(&members) {
            return Ok(RequiredNext::Free);
        }
        let number = self.all.len() as u32;
        let members: Rc<[StateId]> = members.into();
        self.size += members.len();
        self.numbers.insert(Rc::clone(&members), number);
        self.all.push(SpecificationSet {
            members,
            next: FxHashMap::default(),
            acceptances: None,
        });
        Ok(RequiredNext::Allowed(number))
    }

    fn after(
        &mut self,
        definitions: &mut dyn Definitions,
        set: u32,
        event: EventId,
        sees_divergence: bool,
    ) -> Result<RequiredNext> {
        if let Some(&next) = self.all[set as usize].next.get(&event) {
            return Ok(next);
        }
        let members = Rc::clone(&self.all[set as usize].members);
        let mut targets = Vec::new();
        for &state in &*members {
            let Some(row) = self.terms.row(definitions, state)? else {
                return Ok(RequiredNext::TooMuch);
            };
            let steps = row.iter().filter(|&&(label, _)| label == event);
            targets.extend(steps.map(|&(_, target)| target));
        }
        let next = self.met(definitions, targets, sees_divergence)?;
        self.all[set as usize].next.insert(event, next);
        Ok(next)
    }

    fn acceptances(&mut self, set: u32, token: &Cancellation) -> Result<Rc<[Vec<EventId>]>> {
        if let Some(known) = &self.all[set as usize].acceptances {
            return Ok(Rc::clone(known));
        }
        let rows = self.all[set as usize].members.iter();
        let rows = rows.filter_map(|&state| self.terms.known().get(state.0 as usize)?.as_ref());
        let rests = rows.filter_map(|row| acceptance(row.iter().map(|&(event, _)| event)));
        let found: Rc<[Vec<EventId>]> = minimal(rests.collect(), token)?.into();
        self.all[set as usize].acceptances = Some(Rc::clone(&found));
        Ok(found)
    }

    /// True if one of `members`, which are closed under τ, leads to a cycle of τ.
    fn diverges(&self, members: &[StateId]) -> bool {
        let place = |state: &StateId| members.binary_search(state).ok();
        let taus = members.iter().map(|&state| {
            let row = self.terms.known().get(state.0 as usize)?.as_deref()?;
            let taus = row.iter().filter(|(event, _)| *event == TAU);
            let taus = taus.filter_map(|(_, target)| Some((TAU, StateId(place(target)? as u32))));
            Some(taus.collect())
        });
        let rows: Vec<Option<TermRow>> = taus.collect();
        leading_to_cycles(&rows).contains(&true)
    }
}
