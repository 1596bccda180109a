//! Climbs from the offers of components to the operators that prevent them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::tree::{RunningKind, RunningNode};
use super::blockers::Abilities;
use base::diag::Result;
use base::stack::deep;
use process::event::{EventId, EventSetId, TAU, TICK};
use process::semantics::Semantics;
use process::term::{Definitions, Term, TermId};

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
            RunningKind::Operator(shape, operands) => {
                let mut offers = Vec::new();
                for (i, operand) in operands.iter().enumerate() {
                    for offer in deep(|| self.climb(operand))? {
                        self.passed(shape, operands, i, offer, &mut offers)?;
                    }
                }
                Ok(offers)
            }
        }
    }

    /// Adds to `offers` the form that an offer of operand `i` takes above its operator.
    fn passed(
        &mut self,
        shape: &Term,
        operands: &[Arc<RunningNode>],
        i: usize,
        offer: ComponentOffer,
        offers: &mut Vec<ComponentOffer>,
    ) -> Result<()> {
        let label = offer.label;
        // Only parallels make a ✓ wait for the ✓ of other operands.
        if label == TICK && !is_parallel(shape) {
            offers.push(offer);
            return Ok(());
        }
        match shape {
            Term::Hide(_, set) if self.contains(*set, label) => {}
            Term::Project(_, set) if !self.contains(*set, label) => {}
            Term::Rename(_, pairs) => {
                let images = pairs.iter().filter(|&&(from, _)| from == label);
                let images: Vec<EventId> = images.map(|&(_, to)| to).collect();
                let stays = images.is_empty().then_some(label);
                let renamed = images.into_iter().chain(stays);
                offers.extend(renamed.map(|label| ComponentOffer { label, ..offer }));
            }
            Term::Linked(_, ties, _) if label != TICK => {
                let other = &operands[1 - i];
                let partners: Vec<EventId> = ties
                    .iter()
                    .filter_map(|&(from, to)| match i {
                        0 if from == label => Some(to),
                        1 if to == label => Some(from),
                        _ => None,
                    })
                    .collect();
                if partners.is_empty() {
                    offers.push(offer);
                }
                let labels = self.labels(other)?;
                if !partners.iter().any(|p| labels.contains(p)) {
                    for partner in partners {
                        let on = self.blockers(other, partner)?;
                        self.note(offer, on);
                    }
                }
            }
            _ => {
                let Some(partners) = self.partners(shape, operands.len(), i, label) else {
                    return Ok(());
                };
                let on = self.lacking(operands, &partners, label)?;
                match on {
                    Some(on) => self.note(offer, on),
                    None => offers.push(offer),
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, offer: ComponentOffer, on: Vec<usize>) {
        let key = (offer.component, offer.event);
        self.found.entry(key).or_default().extend(on);
    }

    /// The operands that have to join operand `i` in `label`. `None` if it may not do that.
    pub(super) fn partners(
        &self,
        shape: &Term,
        count: usize,
        i: usize,
        label: EventId,
    ) -> Option<Vec<usize>> {
        let everyone = || (0..count).collect();
        let shared_by = |set: EventSetId| match self.contains(set, label) {
            true => everyone(),
            false => vec![i],
        };
        match shape {
            _ if label == TICK => Some(everyone()),
            &Term::Parallel(set, _)
            | &Term::SynchronisingChoice(set, _)
            | &Term::SynchronisingInterrupt(_, set, _) => Some(shared_by(set)),
            Term::Alphabetised(operands) => {
                let has = |&j: &usize| self.contains(operands[j].0, label);
                has(&i).then(|| (0..count).filter(has).collect())
            }
            // All other operators let an operand do its events alone.
            _ => Some(vec![i]),
        }
    }
}

/// True if its operands terminate together.
pub(super) fn is_parallel(term: &Term) -> bool {
    matches!(
        term,
        Term::Parallel(..) | Term::Alphabetised(_) | Term::Linked(..)
    )
}
