//! Sets of operators: `Aσ = A'`, as far as it matters.

use rustc_hash::FxHashSet;

use super::goal::{Attempt, Goal, Place};
use super::prover::Prover;
use super::rule::Rule;
use crate::process::event::{EventId, EventSetId};
use crate::process::term::TermId;
use crate::symmetry::refusal::Why;

/// A set of an operator, and the operands that it applies to.
#[derive(Clone, Copy)]
pub(super) struct Applied<'o> {
    pub(super) set: EventSetId,
    pub(super) operands: &'o [TermId],
}

/// An event by which `Aσ` and `A'` differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mismatch {
    pub(super) event: EventId,
    pub(super) image: EventId,
    /// Whether A has the event, so that A' does not have the image.
    pub(super) on_left: bool,
}

impl Mismatch {
    /// As the refusal of a set with this role.
    pub(super) fn why(self, role: &'static str) -> Why {
        Why::Set {
            role,
            event: self.event,
            image: self.image,
            on_left: self.on_left,
        }
    }
}

impl Prover<'_> {
    /// Refuses `goal` if an event is in one set and its image not in the other, or the other way round, and the
    /// operands on both sides can do them. Alphabets are asked for only where the sets differ.
    pub(super) fn sets_agree(
        &mut self,
        (rule, role): (Rule, &'static str),
        goal: Goal,
        at: Place,
        left: Applied,
        right: Applied,
    ) -> Attempt<()> {
        let mismatches = self.mismatches(goal, left.set, right.set);
        if mismatches.is_empty() {
            return Ok(());
        }
        let events: FxHashSet<EventId> = self.alphabet_of_all(left.operands);
        let images: FxHashSet<EventId> = self.alphabet_of_all(right.operands);
        let matters = |m: &&Mismatch| events.contains(&m.event) && images.contains(&m.image);
        match mismatches.iter().find(matters) {
            Some(mismatch) => self.refuse(rule, goal, at, mismatch.why(role)),
            None => Ok(()),
        }
    }

    /// The events by which the image of the set `left` and the set `right` differ.
    pub(super) fn mismatches(
        &self,
        goal: Goal,
        left: EventSetId,
        right: EventSetId,
    ) -> Vec<Mismatch> {
        let sigma = self.sigma(goal.sigma);
        let events = &self.definitions.terms().events;
        let mut mismatches = Vec::new();
        let mut images = Vec::with_capacity(events.set(left).len());
        for &event in events.set(left) {
            let image = sigma.apply(event);
            images.push(image);
            if !events.contains(right, image) {
                mismatches.push(Mismatch {
                    event,
                    image,
                    on_left: true,
                });
            }
        }
        images.sort_unstable();
        let is_image = |image: &&EventId| images.binary_search(image).is_ok();
        let others = events.set(right).iter().filter(|image| !is_image(image));
        let others: Vec<EventId> = others.copied().collect();
        if !others.is_empty() {
            let back = sigma.inverse();
            mismatches.extend(others.into_iter().map(|image| Mismatch {
                event: back.apply(image),
                image,
                on_left: false,
            }));
        }
        mismatches
    }

    fn alphabet_of_all(&mut self, terms: &[TermId]) -> FxHashSet<EventId> {
        let mut all = FxHashSet::default();
        for &term in terms {
            all.extend(self.alphabet(term).iter());
        }
        all
    }
}
