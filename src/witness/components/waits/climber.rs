//! Climbs from the offers of components to the operators that prevent them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::tree::{RunningKind, RunningNode};
use super::blockers::Abilities;
use base::diag::Result;
use base::stack::deep;
use process::event::{EventId, TAU, TICK};
use process::operator::Operator;
use process::semantics::Semantics;
use process::term::{Definitions, TermId};

/// Each event that a component of `node` offers and others prevent, with those others and maybe the
/// component itself.
pub(super) fn who_waits(
    definitions: &mut dyn Definitions,
    node: &RunningNode,
) -> Result<BTreeMap<(usize, EventId), BTreeSet<usize>>> {
    let mut climber = Climber::new(definitions);
    climber.climb(node)?;
    Ok(climber.found)
}

/// An event that a component offers, and its label further up.
#[derive(Clone, Copy)]
struct ComponentOffer {
    component: usize,
    event: EventId,
    label: EventId,
}

pub(super) struct Climber<'a> {
    pub(super) definitions: &'a mut dyn Definitions,
    pub(super) semantics: Semantics,
    /// The labels of the steps of terms, ascending.
    pub(super) labels: FxHashMap<TermId, Arc<[EventId]>>,
    /// All events that terms can do some time; `None` for a term with too many successors.
    pub(super) abilities: FxHashMap<TermId, Option<Arc<Abilities>>>,
    found: BTreeMap<(usize, EventId), BTreeSet<usize>>,
}

impl<'a> Climber<'a> {
    pub(super) fn new(definitions: &'a mut dyn Definitions) -> Self {
        Self {
            definitions,
            semantics: Semantics::new(),
            labels: FxHashMap::default(),
            abilities: FxHashMap::default(),
            found: BTreeMap::new(),
        }
    }

    /// The offers of components that nothing in `node` prevents. Notes the components that prevent
    /// other offers.
    fn climb(&mut self, node: &RunningNode) -> Result<Vec<ComponentOffer>> {
        match &node.kind {
            RunningKind::Done => Ok(Vec::new()),
            &RunningKind::Component(component) | &RunningKind::Stage(component) => {
                let labels = self.labels(node)?;
                let events = labels.iter().filter(|&&event| event != TAU);
                let offer = |&event: &EventId| ComponentOffer {
                    component,
                    event,
                    label: event,
                };
                Ok(events.map(offer).collect())
            }
            RunningKind::Operator(operator, _, operands) => {
                let mut offers = Vec::new();
                for (i, operand) in operands.iter().enumerate() {
                    for offer in deep(|| self.climb(operand))? {
                        self.passed(operator, operands, i, offer, &mut offers)?;
                    }
                }
                Ok(offers)
            }
        }
    }

    /// Adds to `offers` the form that an offer of operand `i` takes above its operator.
    fn passed(
        &mut self,
        operator: &Operator,
        operands: &[Arc<RunningNode>],
        i: usize,
        offer: ComponentOffer,
        offers: &mut Vec<ComponentOffer>,
    ) -> Result<()> {
        let label = offer.label;
        let tied = operator.tied(i, label);
        if !tied.is_empty() {
            let other = &operands[1 - i];
            let labels = self.labels(other)?;
            if !tied.iter().any(|partner| labels.contains(partner)) {
                for partner in tied {
                    let on = self.blockers(other, partner)?;
                    self.note(offer, on);
                }
            }
            return Ok(());
        }
        let events = &self.definitions.terms().events;
        let is_joined = operator.joins(events, label);
        let together = match is_joined {
            true => operator.together(events, operands.len(), label),
            false => vec![i],
        };
        let mut above = match label {
            TICK => vec![TICK],
            _ => operator.above(events, label).into_vec(),
        };
        // A hidden event waits for no other operand, and only parallels make a ✓ wait for that of
        // others.
        above.retain(|&label| label != TAU);
        let is_passed_on = matches!(operator, Operator::Rename(_) | Operator::Linked(_));
        if is_joined || label != TICK && !is_passed_on && !above.is_empty() {
            if !together.contains(&i) {
                return Ok(());
            }
            if let Some(on) = self.lacking(operands, &together, label)? {
                self.note(offer, on);
                return Ok(());
            }
        }
        offers.extend(
            above
                .into_iter()
                .map(|label| ComponentOffer { label, ..offer }),
        );
        Ok(())
    }

    fn note(&mut self, offer: ComponentOffer, on: Vec<usize>) {
        let key = (offer.component, offer.event);
        self.found.entry(key).or_default().extend(on);
    }

    /// The operands that all have to do `label` if one does. Returns `None` if any one does it
    /// alone.
    pub(super) fn together(
        &self,
        operator: &Operator,
        count: usize,
        label: EventId,
    ) -> Option<Vec<usize>> {
        let events = &self.definitions.terms().events;
        let joined = operator.joins(events, label);
        let together = joined.then(|| operator.together(events, count, label));
        together.filter(|together| together.len() > 1)
    }
}
