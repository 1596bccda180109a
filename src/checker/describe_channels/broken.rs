//! Candidates for symmetries that two components break, because the one is not the image of the
//! other.

use rustc_hash::FxHashMap;

use base::index::TypedIndex;
use base::source::SourceMap;
use machine::{LeafId, Machine};
use process::event::{EventId, EventTable};
use report::channels::BrokenSymmetry;
use report::message::place;
use symmetry::Rejection;
use symmetry::refusal::Why;

use super::groups::EventGroup;

/// The candidates that break at components of different orbits, in the order in which they were
/// refused.
pub(super) struct BrokenCandidates<'r> {
    broken: Vec<BrokenCandidate<'r>>,
}

/// A candidate, and of the two components that differ the one that breaks more candidates, or both:
/// of several that differ from one alone, it is this one that is odd.
struct BrokenCandidate<'r> {
    rejection: &'r Rejection,
    leaves: Vec<LeafId>,
}

impl<'r> BrokenCandidates<'r> {
    /// Those among `rejected` that break at components of different `orbits`. Where other
    /// symmetries take the two components to each other, they are alike for all that.
    pub(super) fn of(machine: &Machine, rejected: &'r [Rejection], orbits: &[usize]) -> Self {
        let called = |text: &str| {
            let leaves = machine.leaves.iter_enumerated();
            let called = leaves.filter(|(_, leaf)| leaf.expression == text);
            called.map(|(leaf, _)| leaf).collect::<Vec<LeafId>>()
        };
        let mut broken: Vec<(&Rejection, [Vec<LeafId>; 2])> = Vec::new();
        for rejection in rejected {
            let sides = [&rejection.why.left, &rejection.why.right].map(|side| called(side));
            let orbit = |leaf: &LeafId| orbits[leaf.index()];
            let [left, right] = &sides;
            let mut pairs = left
                .iter()
                .flat_map(|one| right.iter().map(move |two| (one, two)));
            let differ = pairs.any(|(one, two)| orbit(one) != orbit(two));
            // One reason tells of two components as much as several do.
            let is_told = broken
                .iter()
                .any(|(_, [one, two])| [one, two] == [left, right] || [two, one] == [left, right]);
            if differ && !is_told {
                broken.push((rejection, sides));
            }
        }
        let mut count: FxHashMap<LeafId, usize> = FxHashMap::default();
        for leaf in broken.iter().flat_map(|(_, sides)| sides.iter().flatten()) {
            *count.entry(*leaf).or_default() += 1;
        }
        let breaks = |side: &Vec<LeafId>| side.iter().map(|leaf| count[leaf]).max();
        let candidates = broken.iter().map(|(rejection, sides)| {
            let most = sides.iter().map(breaks).max();
            let concerned = sides.iter().filter(|&side| Some(breaks(side)) == most);
            BrokenCandidate {
                rejection,
                leaves: concerned.flatten().copied().collect(),
            }
        });
        Self {
            broken: candidates.collect(),
        }
    }

    /// The numbers of those that break at `leaf`.
    pub(super) fn of_leaf(&self, leaf: LeafId) -> Vec<usize> {
        self.with(|candidate| candidate.leaves.contains(&leaf))
    }

    /// The numbers of those that break at an event of `group`.
    pub(super) fn of_channel(&self, group: &EventGroup) -> Vec<usize> {
        self.with(|candidate| {
            let events = events_of(&candidate.rejection.why.why);
            let mut ends = group.leaves.iter().zip(&group.own);
            ends.any(|(leaf, own)| {
                let concerned =
                    |event: &EventId| own.contains(event) || group.events.contains(event);
                candidate.leaves.contains(leaf) && events.iter().any(concerned)
            })
        })
    }

    fn with(&self, has: impl Fn(&BrokenCandidate<'r>) -> bool) -> Vec<usize> {
        let numbered = self.broken.iter().enumerate();
        let those = numbered.filter(|(_, candidate)| has(candidate));
        those.map(|(number, _)| number).collect()
    }

    /// All of them as plain data.
    pub(super) fn described(
        &self,
        events: &EventTable,
        sources: &SourceMap,
    ) -> Vec<BrokenSymmetry> {
        let rejections = self.broken.iter().map(|candidate| candidate.rejection);
        let described = rejections.map(|rejection| BrokenSymmetry {
            name: rejection.name.clone(),
            reason: rejection.why.text(events),
            place: rejection.why.span.map(|span| place(span, sources)),
        });
        described.collect()
    }
}

/// The events that differ.
fn events_of(why: &Why) -> Vec<EventId> {
    match why {
        Why::Set { event, image, .. } => vec![*event, *image],
        Why::Behaviour(found) => vec![found.event, found.image],
        Why::Renaming(from, to) => vec![*from, *to],
        Why::Priority { events, images, .. } => [*events, *images].concat(),
        Why::NoSuchEvent(event, _) => vec![*event],
        _ => Vec::new(),
    }
}
