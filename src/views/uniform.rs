//! Processes that are the same in all instances: all their events, and every set of their
//! structure, are found with a few identities in sight, without a test that depends on others.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::comparison::Comparison;
use super::evaluation_place::EvaluationPlace;
use super::interpreter::Interpreter;
use super::tree::{FamilyStructure, ProcessPlace, StructureNode};
use super::value::{Local, PartialValue, SetValue};
use base::diag::{Diagnostic, Result};
use syntax::ast::ExprId;

/// A process in which no identity out of sight is named.
pub(super) struct UniformProcess {
    node: StructureNode,
    sets: Vec<Rc<SetValue>>,
    /// The events of each component if nothing hinders it; empty for a call that stays closed.
    events: Vec<BTreeSet<PartialValue>>,
    /// The calls that stay closed ([`Interpreter::closed`]), from left to right.
    pub(super) calls: Vec<Local>,
}

/// The largest number of states of a component that is followed.
const MOST_STATES: usize = 20_000;

impl Interpreter<'_> {
    /// The process `expression`.
    pub(super) fn uniform(&mut self, expression: ExprId) -> Result<UniformProcess> {
        let mut structure = FamilyStructure::default();
        let node = self.structure(expression, &mut structure)?;
        self.followed(node, structure)
    }

    /// The process that the call `local` stands for.
    pub(super) fn uniform_call(&mut self, local: &Local) -> Result<UniformProcess> {
        let mut structure = FamilyStructure::default();
        let (body, frame) = self.opened(local)?;
        let node = self.node(body, &frame, Some(local.clone()), &mut structure)?;
        match self.oracle.given() {
            0 => self.followed(node, structure),
            _ => Err(not_uniform(&self.place)),
        }
    }

    /// The process with this structure, with all events of its components.
    fn followed(
        &mut self,
        node: StructureNode,
        structure: FamilyStructure,
    ) -> Result<UniformProcess> {
        if node.has_priorities() {
            // Priorities are not monotone.
            return Err(self.refused("a chain with priorities is not followed for all sizes"));
        }
        if structure.own.iter().any(|own| !own.is_empty()) {
            return Err(self.refused("all identities take part here, not only a link of a chain"));
        }
        let (mut events, mut calls) = (Vec::new(), Vec::new());
        for begins in structure.servers {
            match &begins[..] {
                [call] if self.is_closed(call) => {
                    calls.push(call.clone());
                    events.push(BTreeSet::new());
                }
                _ => events.push(self.all_events(begins)?),
            }
        }
        let process = UniformProcess {
            node,
            sets: structure.sets,
            events,
            calls,
        };
        for event in process.events.iter().flatten() {
            process.sets_with(event, &mut self.comparison())?;
        }
        Ok(process)
    }

    /// All events of a component that begins in one of these states.
    fn all_events(&mut self, begins: Vec<Local>) -> Result<BTreeSet<PartialValue>> {
        let mut known: BTreeSet<Local> = begins.iter().cloned().collect();
        let mut open = begins;
        let mut events = BTreeSet::new();
        while let Some(local) = open.pop() {
            if known.len() > MOST_STATES {
                return Err(self.refused("a component has too many states to follow them all"));
            }
            if local.values.iter().any(|value| value.others() > 0) {
                return Err(not_uniform(&self.place));
            }
            let mut runs = self.offers(&local)?;
            let Some(run) = runs.pop().filter(|run| runs.is_empty() && !run.is_mixed) else {
                return Err(not_uniform(&self.place));
            };
            for (event, next) in run.offers {
                if event.others() > 0 {
                    return Err(not_uniform(&self.place));
                }
                events.insert(event);
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Ok(events)
    }
}

impl UniformProcess {
    /// All events of its components, hidden ones included.
    pub(super) fn events(&self) -> impl Iterator<Item = &PartialValue> {
        self.events.iter().flatten()
    }

    /// For each set of the process, true if `event` is in it.
    pub(super) fn sets_with(
        &self,
        event: &PartialValue,
        values: &mut Comparison,
    ) -> Result<Vec<bool>> {
        let sets = self.sets.iter();
        let known: Result<Vec<bool>> = sets.map(|set| is_in(set, event, values)).collect();
        match values.oracle.given() {
            0 => known,
            _ => Err(not_uniform(values.place)),
        }
    }

    /// All events that the process may do, without those of its closed calls.
    pub(super) fn alphabet(&self, values: &mut Comparison) -> Result<BTreeSet<PartialValue>> {
        self.alphabet_of(&self.node, values)
    }

    fn alphabet_of(
        &self,
        node: &StructureNode,
        values: &mut Comparison,
    ) -> Result<BTreeSet<PartialValue>> {
        let mut all = BTreeSet::new();
        match node {
            StructureNode::Leaf(ProcessPlace::Server(number)) => {
                all = self.events[*number].clone();
            }
            StructureNode::Hide(set, inner) => {
                for event in self.alphabet_of(inner, values)? {
                    if !is_in(&self.sets[*set], &event, values)? {
                        all.insert(event);
                    }
                }
            }
            StructureNode::Sync(_, operands) => {
                for operand in operands {
                    all.append(&mut self.alphabet_of(operand, values)?);
                }
            }
            StructureNode::Alphabetised(operands) => {
                for (alphabet, operand) in operands {
                    for event in self.alphabet_of(operand, values)? {
                        if is_in(&self.sets[*alphabet], &event, values)? {
                            all.insert(event);
                        }
                    }
                }
            }
            // Such a node was refused when the process was followed, or stands in specifications
            // only.
            StructureNode::Prioritise(..)
            | StructureNode::Member(_)
            | StructureNode::Leaf(ProcessPlace::Own(..))
            | StructureNode::SyncOfAll(..)
            | StructureNode::AlphabetisedOfAll(..) => return Err(not_uniform(values.place)),
        }
        Ok(all)
    }
}

/// True if `event` is in the set. Fails if that is not known.
fn is_in(set: &SetValue, event: &PartialValue, values: &mut Comparison) -> Result<bool> {
    let known = values.contains(set, event)?;
    known.ok_or_else(|| not_uniform(values.place))
}

fn not_uniform(place: &EvaluationPlace) -> Box<Diagnostic> {
    place.refused("what this does depends on more than a link of the chain and the next ones")
}
