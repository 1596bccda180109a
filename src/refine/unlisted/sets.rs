//! The states of a specification: the sets of states of its process that it can be in after a
//! trace. They are the states of its normal form, made as they are met.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::leading_to_cycles;
use super::requirement::RequiredNext;
use super::side::{MetRow, SideRows, UnlistedSide};
use base::cancel::Cancellation;
use base::diag::Result;
use lts::graph::{Lts, StateId};
use lts::model::Model;
use process::acceptance::{acceptance, is_subset, minimal};
use process::event::{EventId, TAU};
use process::term::{Definitions, TermId};

/// The sets that were met, by number. All are closed under τ.
pub(super) struct SpecificationSets<'m> {
    process: SideRows<'m>,
    model: Model,
    all: Vec<SpecificationSet>,
    numbers: FxHashMap<Rc<[StateId]>, u32>,
    size: usize,
}

struct SpecificationSet {
    /// Its states, ascending.
    members: Rc<[StateId]>,
    /// The sets after events, as far as these were asked for.
    next: FxHashMap<EventId, RequiredNext>,
    /// The minimal sets of events with which it comes to rest, once they were asked for.
    acceptances: Option<Rc<[Vec<EventId>]>>,
}

impl<'m> SpecificationSets<'m> {
    /// No sets yet, of a process on which at most `most` work may be done.
    pub(super) fn new(
        definitions: &mut dyn Definitions,
        side: UnlistedSide<'m>,
        model: Model,
        most: u64,
    ) -> Result<Self> {
        Ok(Self {
            process: SideRows::new(definitions, side, most)?,
            model,
            all: Vec::new(),
            numbers: FxHashMap::default(),
            size: 0,
        })
    }

    pub(super) fn model(&self) -> Model {
        self.model
    }

    /// The number of sets met.
    pub(super) fn met(&self) -> usize {
        self.all.len()
    }

    /// The number of states in the sets met, each counted in every set.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The set at the start.
    pub(super) fn initial(&mut self, definitions: &mut dyn Definitions) -> Result<RequiredNext> {
        self.meet(definitions, vec![Lts::INITIAL])
    }

    /// Allows any work from now on.
    pub(super) fn allow_all(&mut self) {
        self.process.allow_all();
    }

    /// The terms of the states of `set`; none if states are no terms.
    pub(super) fn terms(&self, set: u32) -> Vec<TermId> {
        let members = self.all[set as usize].members.iter();
        members
            .filter_map(|&state| self.process.term(state))
            .collect()
    }

    /// The set of the states that are `terms`, closed under τ.
    pub(super) fn of_terms(
        &mut self,
        definitions: &mut dyn Definitions,
        terms: &[TermId],
    ) -> Result<RequiredNext> {
        let states = terms.iter();
        let states = states.map(|&term| self.process.state_of(definitions, term));
        let states = states.collect::<Result<Vec<StateId>>>()?;
        self.meet(definitions, states)
    }

    /// The set after a visible event, or ✓.
    pub(super) fn after(
        &mut self,
        definitions: &mut dyn Definitions,
        set: u32,
        event: EventId,
    ) -> Result<RequiredNext> {
        if let Some(&next) = self.all[set as usize].next.get(&event) {
            return Ok(next);
        }
        let members = Rc::clone(&self.all[set as usize].members);
        let mut targets = Vec::new();
        for &state in &*members {
            let Some(row) = self.process.row(definitions, state)? else {
                return Ok(RequiredNext::TooMuch);
            };
            let steps = row.iter().filter(|&&(label, _)| label == event);
            targets.extend(steps.map(|&(_, target)| target));
        }
        let next = self.meet(definitions, targets)?;
        self.all[set as usize].next.insert(event, next);
        Ok(next)
    }

    /// True if a process may come to rest with these offers, ascending, where the specification is
    /// in `set`.
    pub(super) fn allows_rest(
        &mut self,
        set: u32,
        offers: &[EventId],
        token: &Cancellation,
    ) -> Result<bool> {
        let acceptances = self.acceptances(set, token)?;
        Ok(acceptances.iter().any(|least| is_subset(least, offers)))
    }

    /// True if all states of the set `small` are in the set `large`.
    pub(super) fn is_within(&self, small: u32, large: u32) -> bool {
        let [small, large] = [small, large].map(|set| &self.all[set as usize].members);
        if small.len() > large.len() {
            return false;
        }
        let mut large = large.iter();
        small.iter().all(|state| large.any(|other| other == state))
    }

    /// The set of all that the states `open` become by τ. If divergences are seen, a set that can
    /// diverge allows everything.
    fn meet(
        &mut self,
        definitions: &mut dyn Definitions,
        mut open: Vec<StateId>,
    ) -> Result<RequiredNext> {
        let mut closed: FxHashSet<StateId> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            let Some(row) = self.process.row(definitions, state)? else {
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
        if self.model.has_divergences() && self.diverges(&members) {
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

    fn acceptances(&mut self, set: u32, token: &Cancellation) -> Result<Rc<[Vec<EventId>]>> {
        if let Some(known) = &self.all[set as usize].acceptances {
            return Ok(Rc::clone(known));
        }
        let rows = self.all[set as usize].members.iter();
        let rows = rows.filter_map(|&state| self.process.known().get(state.0 as usize)?.as_ref());
        let rests = rows.filter_map(|row| acceptance(row.iter().map(|&(event, _)| event)));
        let found: Rc<[Vec<EventId>]> = minimal(rests.collect(), token)?.into();
        self.all[set as usize].acceptances = Some(Rc::clone(&found));
        Ok(found)
    }

    /// True if one of `members`, which are closed under τ, leads to a cycle of τ.
    fn diverges(&self, members: &[StateId]) -> bool {
        let place = |state: &StateId| members.binary_search(state).ok();
        let taus = members.iter().map(|&state| {
            let row = self.process.known().get(state.0 as usize)?.as_deref()?;
            let taus = row.iter().filter(|(event, _)| *event == TAU);
            let taus = taus.filter_map(|(_, target)| Some((TAU, StateId(place(target)? as u32))));
            Some(taus.collect())
        });
        let rows: Vec<Option<MetRow>> = taus.collect();
        leading_to_cycles(&rows).contains(&true)
    }
}
