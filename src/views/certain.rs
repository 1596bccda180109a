//! The moves that a partial state has whatever is out of sight, for freedom from deadlocks and for
//! priorities.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::model::{Partial, PartialModel};
use super::scene::{EventNumber, LocalId};
use super::tree::StructureNode;
use super::value::Id;
use base::diag::Result;
use base::order::ascending;

/// An event that all processes in sight that have to agree certainly offer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CertainEvent {
    pub(super) event: EventNumber,
    /// True if it is hidden, so that no other process has to agree.
    pub(super) is_hidden: bool,
    /// The nodes over all identities at which an identity out of sight may have to agree.
    pub(super) asked_at: BTreeSet<OfAll>,
}

impl CertainEvent {
    /// An event that one process certainly offers.
    fn of_one(event: EventNumber) -> Self {
        Self {
            event,
            is_hidden: false,
            asked_at: BTreeSet::new(),
        }
    }
}

/// A node over all identities.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum OfAll {
    /// A node `[| A |] i : IDS @ P(i)`, by the number of its set, which no other node has.
    Sync(usize),
    /// A node `|| i : IDS @ [A(i)] P(i)`, by its number.
    Alphabetised(usize),
}

/// An event with a node at which an identity may hinder it.
pub(super) type SharedEvent = (EventNumber, OfAll);

impl PartialModel<'_> {
    /// True if the process can certainly go on in `state`, unless an identity out of sight hinders
    /// an event on which all have to agree. The nodes where it may do so are then added to
    /// `shared`.
    pub(super) fn certainly_moves(
        &mut self,
        state: &Partial,
        shared: &mut BTreeSet<SharedEvent>,
    ) -> Result<bool> {
        let scene = self.scene_of(state)?;
        let built = Rc::clone(&self.scenes[scene].built);
        // Priorities around the whole process do not stop it, because some possible event has the
        // highest priority. Hiding does not stop it either.
        let mut process = &built.implementation;
        while let StructureNode::Hide(_, inner) | StructureNode::Prioritise(_, inner) = process {
            process = inner;
        }
        let events = self.certain(scene, process, state)?;
        if events.iter().any(|certain| certain.asked_at.is_empty()) {
            return Ok(true);
        }
        // An event that names identities would be another event for each of them.
        let plain = |certain: &&CertainEvent| self.events[certain.event].named().is_empty();
        let found = events.iter().find(plain);
        if let Some(certain) = found {
            let nodes = certain.asked_at.iter();
            shared.extend(nodes.map(|&node| (certain.event, node)));
        }
        Ok(found.is_some())
    }

    pub(super) fn certain(
        &mut self,
        scene: usize,
        node: &StructureNode,
        state: &Partial,
    ) -> Result<Vec<CertainEvent>> {
        Ok(match node {
            StructureNode::Leaf(place) => {
                let events = self.certain_of(scene, state[self.at(*place)])?;
                events.into_iter().map(CertainEvent::of_one).collect()
            }
            StructureNode::Hide(set, process) => {
                let mut events = self.certain(scene, process, state)?;
                for certain in &mut events {
                    certain.is_hidden |= self.is_member(scene, *set, certain.event)?;
                }
                events
            }
            StructureNode::Sync(set, operands) => {
                let all = self.of_each(scene, operands.iter(), state)?;
                self.agreed(all, false, |model, _, event| {
                    model.is_member(scene, *set, event)
                })?
            }
            StructureNode::SyncOfAll(set, operands) => {
                let all = self.of_each(scene, operands.iter(), state)?;
                let mut events = self.agreed(all, false, |model, _, event| {
                    model.is_member(scene, *set, event)
                })?;
                for certain in events.iter_mut().filter(|certain| !certain.is_hidden) {
                    if self.is_member(scene, *set, certain.event)? {
                        certain.asked_at.insert(OfAll::Sync(*set));
                    }
                }
                events
            }
            StructureNode::Alphabetised(operands) => {
                self.certain_in_alphabets(scene, operands, state)?
            }
            StructureNode::AlphabetisedOfAll(number, operands) => {
                let mut events = self.certain_in_alphabets(scene, operands, state)?;
                for certain in events.iter_mut().filter(|certain| !certain.is_hidden) {
                    if self.may_ask_outside(scene, *number, certain.event)? {
                        certain.asked_at.insert(OfAll::Alphabetised(*number));
                    }
                }
                events
            }
            StructureNode::Prioritise(levels, process) => {
                let events = self.certain(scene, process, state)?;
                self.not_below(scene, levels, events)?
            }
            // Members stand only in specifications.
            StructureNode::Member(_) => Vec::new(),
        })
    }

    /// The events of a process with priorities that nothing can block.
    fn not_below(
        &mut self,
        scene: usize,
        levels: &[usize],
        events: Vec<CertainEvent>,
    ) -> Result<Vec<CertainEvent>> {
        let mut free = Vec::new();
        for certain in events {
            let is_free =
                certain.is_hidden || self.level(scene, levels, certain.event)?.unwrap_or(0) == 0;
            free.extend(is_free.then_some(certain));
        }
        Ok(free)
    }

    /// The events that operands with alphabets certainly do together.
    fn certain_in_alphabets(
        &mut self,
        scene: usize,
        operands: &[(usize, StructureNode)],
        state: &Partial,
    ) -> Result<Vec<CertainEvent>> {
        let processes = operands.iter().map(|(_, operand)| operand);
        let all = self.of_each(scene, processes, state)?;
        self.agreed(all, true, |model, number, event| {
            model.is_member(scene, operands[number].0, event)
        })
    }

    fn of_each<'n>(
        &mut self,
        scene: usize,
        operands: impl Iterator<Item = &'n StructureNode>,
        state: &Partial,
    ) -> Result<Vec<Vec<CertainEvent>>> {
        operands
            .map(|operand| self.certain(scene, operand, state))
            .collect()
    }

    /// The events of operands on which all operands that have to agree do. These are the operands
    /// for which `asked` is true. `all` has the events of each operand. If `only_asked`, no other
    /// operand can do them.
    fn agreed(
        &mut self,
        all: Vec<Vec<CertainEvent>>,
        only_asked: bool,
        asked: impl Fn(&mut Self, usize, EventNumber) -> Result<bool>,
    ) -> Result<Vec<CertainEvent>> {
        let mut agreed = Vec::new();
        for (number, events) in all.iter().enumerate() {
            'events: for certain in events {
                if certain.is_hidden {
                    agreed.push(certain.clone());
                    continue;
                }
                let mut joint = certain.clone();
                let is_asked = asked(self, number, certain.event)?;
                if only_asked && !is_asked {
                    continue;
                }
                for (other, others) in all.iter().enumerate() {
                    if other == number || !is_asked || !asked(self, other, certain.event)? {
                        continue;
                    }
                    let of_other = others
                        .iter()
                        .find(|event| event.event == certain.event && !event.is_hidden);
                    match of_other {
                        Some(of_other) => joint.asked_at.extend(of_other.asked_at.iter().copied()),
                        None => continue 'events,
                    }
                }
                agreed.push(joint);
            }
        }
        Ok(ascending(agreed))
    }

    /// The events that a process certainly offers: those that it offers for all answers to open
    /// tests, and for all its own choices.
    fn certain_of(&mut self, scene: usize, local: LocalId) -> Result<BTreeSet<EventNumber>> {
        let state = self.locals[local].clone();
        let runs = self.scenes[scene].runs(local, &state)?;
        let mut certain: Option<BTreeSet<EventNumber>> = None;
        for run in runs.iter() {
            let mut offered = BTreeSet::new();
            if !run.is_mixed {
                let events = run.offers.iter().map(|(event, _)| event);
                let in_sight = |id: &Id| matches!(id, Id::Seen(_));
                let events = events.filter(|event| event.named().iter().all(in_sight));
                offered.extend(events.map(|event| self.events.intern(event.clone())));
            }
            certain = Some(match certain {
                None => offered,
                Some(before) => before.intersection(&offered).copied().collect(),
            });
        }
        Ok(certain.unwrap_or_default())
    }
}
