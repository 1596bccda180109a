//! Who waits for whom where a process has come to rest.
//!
//! From each event that a component offers the operators above it are climbed. Where one asks others to take part that do not
//! offer to, it is looked down from there which components they are. Of operands that interleave only those count that
//! could ever do the event, by exploring them; where that takes too long nothing is said, because it is no part of the verdict.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::{Kind, Node};
use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::event::{EventId, EventSetId, TAU, TICK};
use crate::process::semantics::Semantics;
use crate::process::term::{Definitions, Term, TermId};

/// A component with more states than this is not explored for the events it could ever do.
const MOST_STATES: usize = 10_000;

/// Shortest cycles are looked for from this many components at most.
const MOST_STARTS: usize = 2_000;

/// Who waits for whom.
#[derive(Default)]
pub(super) struct Waits {
    /// A component, its own event, and those who keep it from doing that; ascending.
    pub(super) found: Vec<(usize, EventId, Vec<usize>)>,
}

impl Waits {
    /// Who waits for whom in `node`.
    pub(super) fn at(definitions: &mut dyn Definitions, node: &Node) -> Result<Self> {
        let mut climber = Climber {
            definitions,
            semantics: Semantics::new(),
            labels: FxHashMap::default(),
            abilities: FxHashMap::default(),
            found: BTreeMap::new(),
        };
        climber.climb(node)?;
        let found = climber.found.into_iter().map(|((component, event), on)| {
            let on = on.into_iter().filter(|&other| other != component);
            (component, event, on.collect::<Vec<_>>())
        });
        Ok(Self {
            found: found.filter(|(.., on)| !on.is_empty()).collect(),
        })
    }

    /// A shortest cycle: components each of which waits for the next, each with what it waits to do.
    pub(super) fn cycle(&self) -> Vec<(usize, EventId)> {
        let mut edges: BTreeMap<usize, Vec<(usize, EventId)>> = BTreeMap::new();
        for (component, event, on) in &self.found {
            let to = on.iter().map(|&other| (other, *event));
            edges.entry(*component).or_default().extend(to);
        }
        let mut shortest: Vec<(usize, EventId)> = Vec::new();
        for &start in edges.keys().take(MOST_STARTS) {
            let cycle = cycle_from(&edges, start);
            if !cycle.is_empty() && (shortest.is_empty() || cycle.len() < shortest.len()) {
                shortest = cycle;
            }
        }
        shortest
    }
}

/// A shortest way from `start` back to it, breadth first; empty if there is none.
fn cycle_from(
    edges: &BTreeMap<usize, Vec<(usize, EventId)>>,
    start: usize,
) -> Vec<(usize, EventId)> {
    // By component, where it was reached from, and what that one waits to do.
    let mut from: FxHashMap<usize, (usize, EventId)> = FxHashMap::default();
    let mut open = VecDeque::from([start]);
    while let Some(component) = open.pop_front() {
        for &(other, event) in edges.get(&component).into_iter().flatten() {
            if from.contains_key(&other) {
                continue;
            }
            from.insert(other, (component, event));
            open.push_back(other);
        }
        if from.contains_key(&start) {
            break;
        }
    }
    let mut cycle = Vec::new();
    let mut at = start;
    while let Some(&(before, event)) = from.get(&at) {
        cycle.push((before, event));
        at = before;
        if at == start {
            cycle.reverse();
            return cycle;
        }
    }
    Vec::new()
}

/// An event that a component offers, and what it is called further up.
#[derive(Clone, Copy)]
struct Offer {
    component: usize,
    event: EventId,
    label: EventId,
}

struct Climber<'a> {
    definitions: &'a mut dyn Definitions,
    semantics: Semantics,
    /// The labels of the steps of terms, ascending.
    labels: FxHashMap<TermId, Rc<[EventId]>>,
    /// All labels of what terms can become.
    abilities: FxHashMap<TermId, Rc<FxHashSet<EventId>>>,
    found: BTreeMap<(usize, EventId), BTreeSet<usize>>,
}

impl Climber<'_> {
    /// The offers of components that nothing in `node` keeps from happening; notes what keeps the others.
    fn climb(&mut self, node: &Node) -> Result<Vec<Offer>> {
        match &node.kind {
            Kind::Done => Ok(Vec::new()),
            &Kind::Component(component) | &Kind::Stage(component) => {
                let labels = self.labels(node)?;
                let events = labels.iter().filter(|&&event| event != TAU);
                let offer = |&event: &EventId| Offer {
                    component,
                    event,
                    label: event,
                };
                Ok(events.map(offer).collect())
            }
            Kind::Operator(shape, operands) => {
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

    /// Adds what becomes of an offer of operand `i` to `offers`.
    fn passed(
        &mut self,
        shape: &Term,
        operands: &[Rc<Node>],
        i: usize,
        offer: Offer,
        offers: &mut Vec<Offer>,
    ) -> Result<()> {
        let label = offer.label;
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
                offers.extend(renamed.map(|label| Offer { label, ..offer }));
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

    fn note(&mut self, offer: Offer, on: Vec<usize>) {
        let key = (offer.component, offer.event);
        self.found.entry(key).or_default().extend(on);
    }

    /// The operands that have to do `label` for operand `i` to do it; nothing if it may not.
    fn partners(&self, shape: &Term, count: usize, i: usize, label: EventId) -> Option<Vec<usize>> {
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
            _ => Some(vec![i]),
        }
    }

    /// The components that keep `partners` from doing `label`; nothing if all can.
    fn lacking(
        &mut self,
        operands: &[Rc<Node>],
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

    /// The components that keep `node` from doing `label`, which it does not offer.
    fn blockers(&mut self, node: &Node, label: EventId) -> Result<Vec<usize>> {
        let (shape, operands) = match &node.kind {
            Kind::Done => return Ok(Vec::new()),
            &Kind::Component(component) | &Kind::Stage(component) => return Ok(vec![component]),
            Kind::Operator(shape, operands) => (shape, operands),
        };
        if is_parallel(shape) {
            let first = (0..operands.len()).find_map(|i| {
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

    /// The operands, with their own label, from which an operator has `label`, one of them at a time.
    fn sources(
        &self,
        shape: &Term,
        operands: &[Rc<Node>],
        label: EventId,
    ) -> Vec<(Rc<Node>, EventId)> {
        let all = |label| operands.iter().map(move |p| (Rc::clone(p), label));
        match shape {
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

    /// Whether a component of `node` could at some time do what is `label` above.
    fn can_ever(&mut self, node: &Node, label: EventId) -> Result<bool> {
        match &node.kind {
            Kind::Done => Ok(false),
            Kind::Component(_) | Kind::Stage(_) => Ok(self.abilities(node.term)?.contains(&label)),
            Kind::Operator(shape, operands) => {
                for (operand, label) in self.sources(shape, operands, label) {
                    if deep(|| self.can_ever(&operand, label))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// All labels of what `term` can become; none if it can become too much.
    fn abilities(&mut self, term: TermId) -> Result<Rc<FxHashSet<EventId>>> {
        if let Some(known) = self.abilities.get(&term) {
            return Ok(Rc::clone(known));
        }
        let mut labels = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([term]);
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            for step in self.semantics.steps(self.definitions, next)? {
                labels.insert(step.label);
                if seen.insert(step.target) {
                    open.push(step.target);
                }
            }
            if seen.len() > MOST_STATES {
                labels.clear();
                break;
            }
        }
        let labels = Rc::new(labels);
        self.abilities.insert(term, Rc::clone(&labels));
        Ok(labels)
    }

    fn labels(&mut self, node: &Node) -> Result<Rc<[EventId]>> {
        if let Some(known) = self.labels.get(&node.term) {
            return Ok(Rc::clone(known));
        }
        let steps = self.semantics.steps(self.definitions, node.term)?;
        let mut labels: Vec<EventId> = steps.iter().map(|step| step.label).collect();
        labels.dedup();
        let labels: Rc<[EventId]> = labels.into();
        self.labels.insert(node.term, Rc::clone(&labels));
        Ok(labels)
    }

    fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.definitions.terms().events.contains(set, event)
    }
}

/// Whether its operands terminate together.
fn is_parallel(term: &Term) -> bool {
    matches!(
        term,
        Term::Parallel(..) | Term::Alphabetised(_) | Term::Linked(..)
    )
}
