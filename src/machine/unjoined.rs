//! Events of a parallel that never happen, because an operand that has to join them never can.
//!
//! The visible events of a node of the operator tree are bounded from above: a leaf does those of
//! its graph, and the bounds of operands give the bound of their operator, without a state of the
//! whole. So an event that is missing in the bound certainly never happens.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::Machine;
use super::leaf::Behaviour;
use super::skeleton::unfolded;
use super::tree::{Control, NodeId, NodeKind, TreeNode};
use base::diag::Result;
use base::index::IndexVec;
use process::event::{EventId, EventSetId, EventTable};
use process::operator::Operator;
use process::term::{Definitions, Term};

/// Events that no operand of a parallel ever does, though some could.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unjoined {
    /// The parallel.
    pub node: NodeId,
    /// The operands that have to join these events and can do none of them, from left to right.
    pub operands: Vec<NodeId>,
    /// The events, ascending.
    pub events: Vec<EventId>,
    /// The events that the first of these operands can do on the channels of the events, ascending.
    pub instead: Vec<EventId>,
}

/// By event that some operand can do and has to do with others, the operands that have to join it
/// and never can.
type Joined = BTreeMap<EventId, Vec<usize>>;

/// The most events that are looked at in all. Of a larger machine nothing is reported.
const MOST_LOOKED_AT: usize = 1_000_000;

/// The events that the parallels of `machine` never do for want of an operand. An event counts only
/// if nothing else happens on its channel where the channel is joined, because processes that
/// forbid some values of a channel are common. So are `STOP`, `RUN` and `CHAOS` as operands that
/// forbid all but their own events, also inside of an operand, and operands that are written as
/// prefixes in the parallel. Empty for a machine that is too large to be looked at.
pub fn unjoined(definitions: &mut dyn Definitions, machine: &Machine) -> Result<Vec<Unjoined>> {
    let mut looking = Looking::new(machine, &definitions.terms().events);
    for (id, node) in machine.nodes.iter_enumerated() {
        let Some(bound) = looking.bound(id, node) else {
            return Ok(Vec::new());
        };
        looking.bounds.push(bound);
    }
    let mut slips = Vec::new();
    for unjoined in looking.found {
        let mut is_meant = false;
        for &operand in &unjoined.operands {
            is_meant |= is_written_there(definitions, machine, operand)
                || blocks_on_purpose(definitions, machine, operand, &unjoined.events)?;
        }
        if !is_meant {
            slips.push(unjoined);
        }
    }
    Ok(slips)
}

/// True if the operand is written where it joins, as in `P [| {a, b} |] (b -> STOP)`: then all that
/// it does is in sight.
fn is_written_there(definitions: &dyn Definitions, machine: &Machine, operand: NodeId) -> bool {
    let term = machine.nodes[operand].term;
    matches!(definitions.terms().get(term), Term::Prefix(_))
}

/// True if the operand is `STOP`, `RUN` and the like, or a parallel of a process that does some of
/// the events with such an operand, which keeps it from doing them.
fn blocks_on_purpose(
    definitions: &mut dyn Definitions,
    machine: &Machine,
    operand: NodeId,
    events: &[EventId],
) -> Result<bool> {
    let mut open = vec![operand];
    while let Some(id) = open.pop() {
        let node = &machine.nodes[id];
        let head = unfolded(definitions, node.term)?;
        let terms = definitions.terms();
        let head = terms.get(head);
        if matches!(
            head,
            Term::Stop | Term::Skip | Term::Run(_) | Term::Chaos(_)
        ) {
            return Ok(true);
        }
        let joins = |set: &EventSetId| {
            let set = terms.events.set(*set);
            events.iter().any(|event| set.binary_search(event).is_ok())
        };
        let joins = match node.operator() {
            Some(Operator::Parallel(set)) => joins(set),
            Some(Operator::Alphabetised(sets)) => sets.iter().any(joins),
            _ => false,
        };
        if joins {
            open.extend(&node.operands);
        }
    }
    Ok(false)
}

struct Looking<'a> {
    machine: &'a Machine,
    events: &'a EventTable,
    /// The visible events that each node may do, ascending.
    bounds: IndexVec<NodeId, Vec<EventId>>,
    /// The number of events that may still be looked at.
    left: Cell<usize>,
    found: Vec<Unjoined>,
}

impl<'a> Looking<'a> {
    /// The state before anything has been looked at.
    fn new(machine: &'a Machine, events: &'a EventTable) -> Self {
        Self {
            machine,
            events,
            bounds: IndexVec::new(),
            left: Cell::new(MOST_LOOKED_AT),
            found: Vec::new(),
        }
    }

    /// The events that `node` may do. Notes its unjoined events. Returns `None` if too many events
    /// have been looked at.
    fn bound(&mut self, id: NodeId, node: &TreeNode) -> Option<Vec<EventId>> {
        let operands = node.operands.iter();
        let operands: Vec<&[EventId]> = operands.map(|&id| &self.bounds[id][..]).collect();
        self.look(1 + operands.iter().map(|operand| operand.len()).sum::<usize>())?;
        let events = self.events;
        let joined = match node.operator() {
            Some(Operator::Parallel(set)) => {
                let sets = vec![*set; operands.len()];
                Some(self.joined(&sets, &operands, |_| operands.len())?)
            }
            Some(Operator::Alphabetised(sets)) => {
                self.look(sets.iter().map(|&set| events.set(set).len()).sum())?;
                let mut members: BTreeMap<EventId, usize> = BTreeMap::new();
                for &event in sets.iter().flat_map(|&set| events.set(set)) {
                    *members.entry(event).or_default() += 1;
                }
                Some(self.joined(sets, &operands, |event| members[&event])?)
            }
            Some(Operator::Linked(pairs) | Operator::Rename(pairs)) => {
                self.look(pairs.len())?;
                None
            }
            _ => None,
        };
        let mut bound = match node.operator() {
            Some(operator) => operator.alphabet(events, &operands),
            None => operands.concat(),
        };
        match &node.kind {
            NodeKind::Leaf(leaf) => {
                if let Behaviour::Process(graph) = &self.machine.leaves[*leaf].behaviour {
                    bound.extend(graph.events());
                    self.look(bound.len())?;
                }
            }
            NodeKind::Controlled(_, Control::Stage(stage)) => {
                bound.extend(stage.transitions.iter().map(|&(event, ..)| event));
            }
            _ => {}
        }
        if let Some(joined) = joined {
            self.note(id, node, &joined);
        }
        bound.retain(|event| event.is_visible());
        bound.sort_unstable();
        bound.dedup();
        Some(bound)
    }

    /// Counts this many events as looked at. Returns `None` if these are too many.
    fn look(&self, count: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(count)?);
        Some(())
    }

    /// For each event that some operand can do and has in its set, the operands that have to join
    /// it and never can. `members` gives the number of operands that have an event in their sets.
    /// Returns `None` if too many events have been looked at.
    fn joined(
        &self,
        sets: &[EventSetId],
        operands: &[&[EventId]],
        members: impl Fn(EventId) -> usize,
    ) -> Option<Joined> {
        let events = self.events;
        let mut able: BTreeMap<EventId, usize> = BTreeMap::new();
        for (&set, operand) in sets.iter().zip(operands) {
            for &event in operand.iter().filter(|&&e| events.contains(set, e)) {
                *able.entry(event).or_default() += 1;
            }
        }
        let mut joined = Joined::new();
        for (event, able) in able {
            let mut lacking = Vec::new();
            // All operands are tested only for events that some operand lacks, which are few.
            if able < members(event) {
                self.look(operands.len())?;
                let each = sets.iter().zip(operands).enumerate();
                let has_to = each.filter(|(_, (set, _))| events.contains(**set, event));
                let cannot = has_to.filter(|(_, (_, can))| can.binary_search(&event).is_err());
                lacking = cannot.map(|(number, _)| number).collect();
            }
            joined.insert(event, lacking);
        }
        Some(joined)
    }

    /// Notes the events of `joined` on whose channels nothing happens.
    fn note(&mut self, id: NodeId, node: &TreeNode, joined: &Joined) {
        let events = self.events;
        let mut channels: BTreeMap<&str, Vec<EventId>> = BTreeMap::new();
        for &event in joined.keys() {
            channels
                .entry(events.channel(event))
                .or_default()
                .push(event);
        }
        let mut found: BTreeMap<Vec<usize>, Vec<EventId>> = BTreeMap::new();
        for blocked in channels.into_values() {
            if blocked.iter().all(|event| !joined[event].is_empty()) {
                for event in blocked {
                    let lacking = joined[&event].clone();
                    found.entry(lacking).or_default().push(event);
                }
            }
        }
        for (lacking, events) in found {
            let is_of_them = |event: &EventId| {
                let mut channels = events.iter().map(|&blocked| self.events.channel(blocked));
                channels.any(|channel| channel == self.events.channel(*event))
            };
            let operands: Vec<NodeId> = lacking.iter().map(|&n| node.operands[n]).collect();
            let instead = operands.first().map(|&first| &self.bounds[first][..]);
            let instead = instead.unwrap_or_default().iter().copied();
            self.found.push(Unjoined {
                instead: instead.filter(is_of_them).collect(),
                node: id,
                operands,
                events,
            });
        }
    }
}

#[cfg(test)]
mod tests;
