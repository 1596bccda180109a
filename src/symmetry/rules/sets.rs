//! Sets of operators: `Aσ = A'`, as far as it matters.

use rustc_hash::FxHashSet;

use super::facts::ProofFacts;
use super::goal::{Application, Attempt, Goal};
use crate::refusal::Why;
use process::event::{EventId, EventSetId};
use process::term::TermId;

/// A set of an operator, and the operands that it applies to.
pub(super) type SetOver<'o> = (EventSetId, &'o [TermId]);

/// An event by which `Aσ` and `A'` differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SetMismatch {
    pub(super) event: EventId,
    pub(super) image: EventId,
    /// True if A has the event, so that A' does not have the image.
    pub(super) on_left: bool,
}

impl SetMismatch {
    /// The reason of a refusal, for a set with this role.
    pub(super) fn why(self, role: &'static str) -> Why {
        Why::Set {
            role,
            event: self.event,
            image: self.image,
            on_left: self.on_left,
        }
    }
}

impl ProofFacts<'_> {
    /// Refuses the goal if an event is in one set and its image not in the other, or the other way
    /// round, and the operands on both sides can do these events. Alphabets are computed only where
    /// the sets differ.
    pub(super) fn sets_agree(
        &mut self,
        here: Application,
        role: &'static str,
        (left, operands): SetOver,
        (right, others): SetOver,
    ) -> Attempt<()> {
        let mismatches = self.mismatches(here.goal, left, right);
        if mismatches.is_empty() {
            return Ok(());
        }
        let events = self.alphabet_of_all(operands);
        let images = self.alphabet_of_all(others);
        let matters = |m: &&SetMismatch| events.contains(&m.event) && images.contains(&m.image);
        match mismatches.iter().find(matters) {
            Some(mismatch) => self.refuse(here, mismatch.why(role)),
            None => Ok(()),
        }
    }

    /// The events by which the image of the set `left` and the set `right` differ.
    pub(super) fn mismatches(
        &self,
        goal: Goal,
        left: EventSetId,
        right: EventSetId,
    ) -> Vec<SetMismatch> {
        let sigma = &self.sigmas[goal.sigma];
        let events = &self.subject.definitions.terms().events;
        let mismatch = |event, image, on_left| SetMismatch {
            event,
            image,
            on_left,
        };
        let image = |&event: &EventId| (event, sigma.apply(event));
        let images = events.set(left).iter().map(image);
        let lost = images.filter(|&(_, image)| !events.contains(right, image));
        let mut mismatches: Vec<SetMismatch> =
            lost.map(|(e, image)| mismatch(e, image, true)).collect();
        // Different events have different images, so counting tells if `right` has others;
        // inverting σ costs more than all the rest, and most sets agree.
        let kept = events.set(left).len() - mismatches.len();
        if events.set(right).len() > kept {
            let back = sigma.inverse();
            let preimage = |&image: &EventId| (back.apply(image), image);
            let preimages = events.set(right).iter().map(preimage);
            let gained = preimages.filter(|&(event, _)| !events.contains(left, event));
            mismatches.extend(gained.map(|(event, image)| mismatch(event, image, false)));
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
