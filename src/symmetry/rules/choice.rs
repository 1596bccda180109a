//! Rules of prefix and of internal choice.

use rustc_hash::FxHashSet;

use super::facts::ProofFacts;
use super::goal::{Application, Attempt};
use super::prover::Prover;
use crate::bisimilarity::DistinguishingTrace;
use crate::refusal::Why;
use process::event::EventId;
use process::term::TermId;

/// Branches of a prefix, ascending by event.
type Branches = [(EventId, TermId)];

impl Prover<'_> {
    /// Rule 2: P and Q offer the same events up to σ, and the process after e goes to the process
    /// after eσ. Where several processes may follow one event, they are matched.
    pub(super) fn prefix(
        &mut self,
        here: Application,
        left: &Branches,
        right: &Branches,
    ) -> Attempt {
        self.facts.same_first_events(here, left, right)?;
        let mut partners = Vec::with_capacity(left.len());
        let mut premises = Vec::with_capacity(left.len());
        for branches in left.chunk_by(|a, b| a.0 == b.0) {
            let image = self.facts.sigmas[here.goal.sigma].apply(branches[0].0);
            let first = right.partition_point(|&(event, _)| event < image);
            let targets: Vec<TermId> = branches.iter().map(|&(_, then)| then).collect();
            let images: Vec<TermId> = after(right, image).map(|&(_, then)| then).collect();
            // The proof of the matching is taken apart: the branches of all events are operands of
            // one prefix.
            let matched = self.matched(here.waiting(), &targets, &images)?;
            partners.extend(matched.partners.iter().map(|partner| first + partner));
            premises.extend(matched.premises.iter().cloned());
        }
        Ok(self.facts.proof(here, partners, premises))
    }

    /// Rule 13. A repeated operand counts once.
    pub(super) fn internal_choice(
        &mut self,
        here: Application,
        left: &[TermId],
        right: &[TermId],
    ) -> Attempt {
        let [left, right] = [left, right].map(|operands| {
            let mut known = FxHashSet::default();
            let different = operands
                .iter()
                .copied()
                .filter(|&operand| known.insert(operand));
            different.collect::<Vec<TermId>>()
        });
        self.matched(here.waiting(), &left, &right)
    }
}

impl ProofFacts<'_> {
    fn same_first_events(
        &self,
        here: Application,
        left: &Branches,
        right: &Branches,
    ) -> Attempt<()> {
        let sigma = &self.sigmas[here.goal.sigma];
        let back = sigma.inverse();
        let offers = |branches, event| after(branches, event).next().is_some();
        let images = left.iter().map(|&(event, _)| (event, sigma.apply(event)));
        let preimages = right.iter().map(|&(image, _)| (back.apply(image), image));
        let lost = images
            .map(|pair| (pair, true))
            .find(|&((_, image), _)| !offers(right, image));
        let gained = || {
            preimages
                .map(|pair| (pair, false))
                .find(|&((event, _), _)| !offers(left, event))
        };
        match lost.or_else(gained) {
            None => Ok(()),
            Some(((event, image), on_left)) => {
                let at_once = DistinguishingTrace {
                    trace: Vec::new(),
                    image_trace: Vec::new(),
                    event,
                    image,
                    on_left,
                };
                self.refuse(here, Why::Behaviour(at_once))
            }
        }
    }
}

/// The branches that begin with `event`.
fn after(branches: &Branches, event: EventId) -> impl Iterator<Item = &(EventId, TermId)> {
    let start = branches.partition_point(|&(other, _)| other < event);
    branches[start..]
        .iter()
        .take_while(move |&&(other, _)| other == event)
}
