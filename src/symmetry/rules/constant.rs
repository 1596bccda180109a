//! Rules of processes without operands: `RUN`, `CHAOS`, buffers. (Constants need none.)

use super::goal::{Attempt, Goal, Place};
use super::prover::Prover;
use super::rule::Rule;
use crate::process::event::{EventId, EventSetId};
use crate::process::term::{BufferShape, Overflow};
use crate::symmetry::permutation::EventPermutation;
use crate::symmetry::refusal::Why;

impl Prover<'_> {
    /// `RUN(A)σ = RUN(A')` iff `Aσ = A'`; the same for `CHAOS`.
    pub(super) fn universal(
        &mut self,
        goal: Goal,
        at: Place,
        left: EventSetId,
        right: EventSetId,
    ) -> Attempt {
        match self.mismatches(goal, left, right).first() {
            Some(mismatch) => self.refuse(Rule::Universal, goal, at, mismatch.why("set")),
            None => Ok(self.proof(Rule::Universal, goal, vec![], vec![])),
        }
    }

    /// Buffers of one shape, which hold the same.
    pub(super) fn buffer(
        &mut self,
        goal: Goal,
        at: Place,
        (left, held_left): (&BufferShape, &[EventId]),
        (right, held_right): (&BufferShape, &[EventId]),
    ) -> Attempt {
        let sigma = self.sigma(goal.sigma);
        if left.capacity != right.capacity || image(left.overflow, sigma) != right.overflow {
            return self.refuse(Rule::Buffer, goal, at, Why::Operators);
        }
        let paired = |pair: &&(EventId, EventId)| {
            let image = (sigma.apply(pair.0), sigma.apply(pair.1));
            right.pairs.binary_search(&image).is_ok()
        };
        let unpaired = left.pairs.iter().find(|pair| !paired(pair));
        if let Some(&(input, output)) = unpaired {
            return self.refuse(Rule::Buffer, goal, at, Why::Renaming(input, output));
        }
        if left.pairs.len() != right.pairs.len() {
            let why = Why::OperandCount(left.pairs.len(), right.pairs.len());
            return self.refuse(Rule::Buffer, goal, at, why);
        }
        match contents(held_left, sigma, held_right) {
            Some(why) => self.refuse(Rule::Buffer, goal, at, why),
            None => Ok(self.proof(Rule::Buffer, goal, vec![], vec![])),
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

/// What is wrong with what two buffers hold: the first output that differs, after those before it.
fn contents(left: &[EventId], sigma: &EventPermutation, right: &[EventId]) -> Option<Why> {
    let agreeing = left.iter().zip(right);
    let agreeing = agreeing.take_while(|&(&event, &image)| sigma.apply(event) == image);
    let agreeing = agreeing.count();
    let trace = left[..agreeing].to_vec();
    let behaviour = |event, image, on_left| Why::Behaviour {
        image_trace: trace.iter().map(|&event| sigma.apply(event)).collect(),
        trace,
        event,
        image,
        on_left,
    };
    match (left.get(agreeing), right.get(agreeing)) {
        (Some(&event), _) => Some(behaviour(event, sigma.apply(event), true)),
        (None, Some(&image)) => Some(behaviour(sigma.inverse().apply(image), image, false)),
        (None, None) => None,
    }
}
