//! Rules of processes without operands: `RUN`, `CHAOS`, buffers. (Constants need none.)

use super::facts::ProofFacts;
use super::goal::{Application, Attempt};
use crate::bisimilarity::DistinguishingTrace;
use crate::permutation::EventPermutation;
use crate::refusal::Why;
use process::event::{EventId, EventSetId};
use process::term::{BufferShape, Overflow};

impl ProofFacts<'_> {
    /// `RUN(A)σ = RUN(A')` iff `Aσ = A'`, and `CHAOS(A)σ = CHAOS(A')` iff `Aσ = A'`.
    pub(super) fn universal(
        &mut self,
        here: Application,
        left: EventSetId,
        right: EventSetId,
    ) -> Attempt {
        match self.mismatches(here.goal, left, right).first() {
            Some(mismatch) => self.refuse(here, mismatch.why("set")),
            None => Ok(self.proof(here, vec![], vec![])),
        }
    }

    /// Two buffers with the same capacity, whose ports, signals and contents correspond under σ.
    pub(super) fn buffer(
        &mut self,
        here: Application,
        (left, held_left): (&BufferShape, &[EventId]),
        (right, held_right): (&BufferShape, &[EventId]),
    ) -> Attempt {
        let sigma = &self.sigmas[here.goal.sigma];
        if left.capacity != right.capacity || image(left.overflow, sigma) != right.overflow {
            return self.refuse(here, Why::Operators);
        }
        let paired = |pair: &&(EventId, EventId)| {
            let image = (sigma.apply(pair.0), sigma.apply(pair.1));
            right.pairs.binary_search(&image).is_ok()
        };
        let unpaired = left.pairs.iter().find(|pair| !paired(pair));
        if let Some(&(input, output)) = unpaired {
            return self.refuse(here, Why::Renaming(input, output));
        }
        // All pairs of P have partners, all different, so only Q can have more.
        if left.pairs.len() != right.pairs.len() {
            return self.refuse(here, Why::OperandCount(left.pairs.len(), right.pairs.len()));
        }
        match contents(held_left, sigma, held_right) {
            Some(why) => self.refuse(here, why),
            None => Ok(self.proof(here, vec![], vec![])),
        }
    }
}

fn image(overflow: Overflow, sigma: &EventPermutation) -> Overflow {
    match overflow {
        Overflow::Refuse => Overflow::Refuse,
        Overflow::Signal(signal) => Overflow::Signal(sigma.apply(signal)),
        Overflow::Status(full, empty) => Overflow::Status(sigma.apply(full), sigma.apply(empty)),
    }
}

/// The difference between the contents of two buffers: the first output whose image is not the
/// other output, after the outputs before it.
fn contents(left: &[EventId], sigma: &EventPermutation, right: &[EventId]) -> Option<Why> {
    let agreeing = left.iter().zip(right);
    let agreeing = agreeing.take_while(|&(&event, &image)| sigma.apply(event) == image);
    let agreeing = agreeing.count();
    let trace = left[..agreeing].to_vec();
    let behaviour = |event, image, on_left| {
        Why::Behaviour(DistinguishingTrace {
            image_trace: trace.iter().map(|&event| sigma.apply(event)).collect(),
            trace,
            event,
            image,
            on_left,
        })
    };
    match (left.get(agreeing), right.get(agreeing)) {
        // The outputs at this place differ, or Q holds fewer.
        (Some(&event), _) => Some(behaviour(event, sigma.apply(event), true)),
        (None, Some(&image)) => Some(behaviour(sigma.inverse().apply(image), image, false)),
        (None, None) => None,
    }
}
