//! The components that prevent an operand from doing an event.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::tree::{RunningKind, RunningNode};
use super::climber::{Climber, is_parallel};
use base::diag::Result;
use base::stack::deep;
use process::event::{EventId, EventSetId, TAU, TICK};
use process::term::{Term, TermId};

/// The largest number of steps of a component that are explored for the events it could ever do.
/// Steps are counted and not states: copies that grow in number have thousands of steps in each
/// state.
const MOST_STEPS: usize = 20_000;

/// The events that a component can do some time.
#[derive(Default)]
pub(super) struct Abilities {
    pub(super) labels: FxHashSet<EventId>,
    /// The events behind its τ.
    pub(super) hidden: FxHashSet<EventId>,
}

impl Climber<'_> {
    /// The components that prevent `partners` from doing `label`. Returns `None` if all can do it.
    pub(super) fn lacking(
        &mut self,
        operands: &[Arc<RunningNode>],
        partners: &[usize],
        label: EventId,
    ) -> Result<Option<Vec<usize>>> {
        let mut on = None;
        for &j in partners {
            if self.labels(&operands[j])?.binary_search(&label).is_err() {
                let blockers = self.blockers(&operands[j], label)?;
                on.get_or_insert_with(Vec::new).extend(blockers);
            }
        }
        Ok(on)
    }

    /// The components that prevent `node` from doing `label`, which it does not offer.
    pub(super) fn blockers(&mut self, node: &RunningNode, label: EventId) -> Result<Vec<usize>> {
        let (shape, operands) = match &node.kind {
            RunningKind::Done => return Ok(Vec::new()),
            &RunningKind::Component(component) | &RunningKind::Stage(component) => {
                return Ok(vec![component]);
            }
            RunningKind::Operator(shape, operands) => (shape, operands),
        };
        if is_parallel(shape) {
            let first = (0..operands.len()).find_map(|i| {
                // Without partners the operand may not do the event at all: another one is asked.
                let partners = self.partners(shape, operands.len(), i, label)?;
                (partners.len() > 1).then_some(partners)
            });
            if let Some(partners) = first {
                let on = deep(|| self.lacking(operands, &partners, label))?;
                return Ok(on.unwrap_or_default());
            }
        }
        let mut on = Vec::new();
        for (operand, label) in self.sources(shape, operands, label) {
            if deep(|| self.can_ever(&operand, label))? {
                on.extend(deep(|| self.blockers(&operand, label))?);
            }
        }
        Ok(on)
    }

    /// The operands from which an operator has `label`, each alone, with the operand's own label.
    pub(super) fn sources(
        &self,
        shape: &Term,
        operands: &[Arc<RunningNode>],
        label: EventId,
    ) -> Vec<(Arc<RunningNode>, EventId)> {
        let all = |label| operands.iter().map(move |p| (Arc::clone(p), label));
        match shape {
            // ✓ is neither hidden nor renamed, nor in any alphabet.
            _ if label == TICK => all(label).collect(),
            Term::Hide(_, set) if self.contains(*set, label) => Vec::new(),
            Term::Project(_, set) if !self.contains(*set, label) => Vec::new(),
            Term::Rename(_, pairs) => {
                let stays = !pairs.iter().any(|&(from, _)| from == label);
                let renamed = pairs.iter().filter(|&&(_, to)| to == label);
                let before = renamed.map(|&(from, _)| from).chain(stays.then_some(label));
                before.flat_map(all).collect()
            }
            Term::Alphabetised(parts) => {
                let pairs = all(label).zip(parts.iter());
                let has = pairs.filter(|(_, (set, _))| self.contains(*set, label));
                has.map(|(operand, _)| operand).collect()
            }
            Term::Linked(_, ties, _) => {
                let is_tied = [
                    ties.iter().any(|&(from, _)| from == label),
                    ties.iter().any(|&(_, to)| to == label),
                ];
                let pairs = all(label).zip(is_tied);
                pairs.filter(|&(_, tied)| !tied).map(|(p, _)| p).collect()
            }
            _ => all(label).collect(),
        }
    }

    /// True if a component of `node` could at some time do an event that is `label` above.
    fn can_ever(&mut self, node: &RunningNode, label: EventId) -> Result<bool> {
        match &node.kind {
            RunningKind::Done => Ok(false),
            RunningKind::Component(_) | RunningKind::Stage(_) => {
                let abilities = self.abilities(node.term)?;
                // An unknown ability counts as possible, as in the ways of an event.
                Ok(abilities.is_none_or(|abilities| abilities.labels.contains(&label)))
            }
            RunningKind::Operator(shape, operands) => {
                for (operand, label) in self.sources(shape, operands, label) {
                    if deep(|| self.can_ever(&operand, label))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// All events that `term` and its successors can do; `None` if these are too many.
    pub(super) fn abilities(&mut self, term: TermId) -> Result<Option<Arc<Abilities>>> {
        if let Some(known) = self.abilities.get(&term) {
            return Ok(known.clone());
        }
        let mut found = Abilities::default();
        let mut seen = FxHashSet::from_iter([term]);
        let mut open = vec![term];
        let mut looked_at = 0;
        while let Some(next) = open.pop() {
            let steps = self.semantics.steps(self.definitions, next)?;
            looked_at += steps.len();
            if looked_at > MOST_STEPS {
                self.abilities.insert(term, None);
                return Ok(None);
            }
            for step in steps {
                found.labels.insert(step.label);
                if step.label == TAU {
                    found.hidden.insert(step.origin);
                }
                if seen.insert(step.target) {
                    open.push(step.target);
                }
            }
        }
        let found = Some(Arc::new(found));
        self.abilities.insert(term, found.clone());
        Ok(found)
    }

    pub(super) fn labels(&mut self, node: &RunningNode) -> Result<Arc<[EventId]>> {
        if let Some(known) = self.labels.get(&node.term) {
            return Ok(Arc::clone(known));
        }
        let steps = self.semantics.steps(self.definitions, node.term)?;
        let mut labels: Vec<EventId> = steps.iter().map(|step| step.label).collect();
        labels.dedup();
        let labels: Arc<[EventId]> = labels.into();
        self.labels.insert(node.term, Arc::clone(&labels));
        Ok(labels)
    }

    pub(super) fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.definitions.terms().events.contains(set, event)
    }
}
