//! The kinds of violations, and the collection of different ones that a search finds.

use rustc_hash::FxHashSet;

use super::frontier::Piece;
use super::offence::Offence;
use super::path::{Path, participants};
use super::product::{Allowance, Product, StateWords};
use lts::graph::StateId;
use machine::LeafId;
use machine::leaf::Behaviour;
use machine::successors::Scratch;
use process::acceptance::acceptance;
use process::event::EventId;

/// The kind of a violation, whatever leads to it. Two violations are different if their kinds are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ViolationKind {
    /// This event, done by these leaves.
    Event(EventId, Vec<LeafId>),
    /// Coming to rest with these offers.
    Refusal(Vec<EventId>),
    /// Coming to rest with these offers, and doing this event, which is one of them.
    Revival(Vec<EventId>, EventId),
    /// Coming to rest without offers, where each leaf offers these events by itself.
    Deadlock(Vec<Vec<EventId>>),
    /// τ for ever.
    Divergence,
}

/// Everything that the specification does not allow of `state`, divergence left out, in the order
/// in which a search finds it: events, then a refusal, or events done from a rest. Each offence
/// comes with its kind; kinds may occur several times.
pub(super) fn offences(product: &Product<'_>, state: &StateWords) -> Vec<(Offence, ViolationKind)> {
    let mut found = Vec::new();
    let mut labels = Vec::new();
    let mut scratch = Scratch::new(product.packing.words());
    product
        .successors
        .for_each(state, &mut scratch, &mut |rule, event, _: &StateWords| {
            labels.push(event);
            if product.follow(state, event) == Allowance::Refused {
                let kind = ViolationKind::Event(event, participants(product.machine, rule));
                found.push((Offence::Event(rule, event), kind));
            }
        });
    let specification = product.specification_state(state);
    let (Some(refusals), Some(offers)) = (&product.refusals, acceptance(labels)) else {
        return found;
    };
    for offence in refusals.offences(specification, &offers) {
        match offence {
            // An event that is not allowed at all was noted above.
            Offence::Revival(event) if product.follow(state, event) == Allowance::Refused => {}
            Offence::Revival(event) => {
                found.push((offence, ViolationKind::Revival(offers.clone(), event)));
            }
            _ => found.push((offence, resting(product, state, offers.clone()))),
        }
    }
    found
}

/// The kind of `offence`, which is one of `state`.
pub(super) fn kind_of(
    product: &Product<'_>,
    state: &StateWords,
    offence: Offence,
) -> Option<ViolationKind> {
    if offence == Offence::Divergence {
        return Some(ViolationKind::Divergence);
    }
    let mut all = offences(product, state).into_iter();
    all.find(|(found, _)| *found == offence)
        .map(|(_, kind)| kind)
}

/// The kind of coming to rest in `state` with `offers`.
fn resting(product: &Product<'_>, state: &StateWords, offers: Vec<EventId>) -> ViolationKind {
    if !offers.is_empty() {
        return ViolationKind::Refusal(offers);
    }
    let fields = product.packing.fields().iter();
    let leaves = product.machine.leaves.iter().zip(fields);
    let own_offers = leaves.map(|(leaf, field)| {
        let at = field.get(state);
        match &leaf.behaviour {
            // A leaf that is off is behind the states of its graph.
            Behaviour::Process(graph) if (at as usize) < graph.lts.state_count() => {
                let row = graph.lts.row(StateId(at));
                let mut events: Vec<EventId> = row.iter().map(|&(event, _)| event).collect();
                events.dedup();
                events
            }
            _ => Vec::new(),
        }
    });
    ViolationKind::Deadlock(own_offers.collect())
}

/// The different violations that a search has found.
pub(super) struct ViolationCollection {
    /// The number of violations that are wanted.
    most: usize,
    /// The kinds that were met, as they are at representatives.
    met: FxHashSet<ViolationKind>,
    /// The kinds of the violations in `paths`, once twists are undone.
    kinds: FxHashSet<ViolationKind>,
    /// The places of states of the present level with an offence of a kind that was not met before.
    level: Vec<(u64, Offence)>,
    /// The violations that were found, a shortest path for each kind.
    pub(super) paths: Vec<Path>,
}

impl ViolationCollection {
    /// An empty collection, for at most `most` violations.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            met: FxHashSet::default(),
            kinds: FxHashSet::default(),
            level: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// True if as many were found as are wanted.
    pub(super) fn is_full(&self) -> bool {
        self.paths.len() >= self.most
    }

    /// Notes the offences of states of `piece`, in the order of the states.
    pub(super) fn meet(
        &mut self,
        piece: &Piece,
        offences: &mut Vec<(u32, Offence, ViolationKind)>,
    ) {
        for (number, offence, kind) in offences.drain(..) {
            if self.met.insert(kind) {
                self.level.push((piece.place(number), offence));
            }
        }
    }

    /// True if any violation was met.
    pub(super) fn has_met(&self) -> bool {
        !self.met.is_empty()
    }

    /// True if a divergence was met.
    pub(super) fn has_divergence(&self) -> bool {
        self.met.contains(&ViolationKind::Divergence)
    }

    /// Takes the offences that were met in the present level, and adds the first `divergence` at
    /// their end.
    pub(super) fn level(&mut self, divergence: Option<(u64, Offence)>) -> Vec<(u64, Offence)> {
        let is_new = divergence.is_some() && self.met.insert(ViolationKind::Divergence);
        self.level.extend(divergence.filter(|_| is_new));
        std::mem::take(&mut self.level)
    }

    /// Adds `path`, whose violation is of this kind, unless that kind was found before.
    pub(super) fn add(&mut self, path: Path, kind: ViolationKind) {
        if self.kinds.insert(kind) {
            self.paths.push(path);
        }
    }
}

#[cfg(test)]
mod tests;
