//! Attempts to prove that a permutation is a symmetry of a check: from the lifting of values to the
//! verified pbisim.

use std::sync::Arc;

use crate::bisimilarity::{Difference, difference, matching};
use crate::derive::pbisim;
use crate::pbisim::Symmetry;
use crate::permutation::{EventPermutation, NotABijection};
use crate::proof_rule::ProofRule;
use crate::refusal::{Refusal, Why};
use crate::rules::Prover;
use crate::start::Start;
use base::cancel::Cancellation;
use base::diag::Result;
use lts::graph::Lts;
use process::event::EventId;
use process::values::{EventValues, PermutedType, ValueType};

use super::{CheckedSystem, Finder};

/// The symmetry, or the reason why there is none.
pub(super) type SymmetryAttempt = std::result::Result<Symmetry, Arc<Refusal>>;

impl Finder<'_> {
    /// Attempts the permutation of the values of one type with these images.
    pub(super) fn attempt(&mut self, ty: &ValueType, images: &[usize]) -> Result<SymmetryAttempt> {
        self.attempt_values(&[(ty.clone(), images.to_vec())])
    }

    /// Attempts the permutation of values of several types at once; no value is of two of them.
    pub(super) fn attempt_values(&mut self, parts: &[PermutedType]) -> Result<SymmetryAttempt> {
        match lifted(self.values, parts, &self.events)? {
            Ok(sigma) => self.attempt_permutation(&sigma),
            Err(why) => Ok(Err(self.refusal(ProofRule::Lifting, why))),
        }
    }

    /// Attempts the permutation with these (event, image) pairs, which is written `text`.
    pub(super) fn attempt_events(
        &mut self,
        pairs: &[(EventId, EventId)],
        text: &str,
    ) -> Result<SymmetryAttempt> {
        match EventPermutation::from_pairs(pairs.iter().copied()) {
            Ok(sigma) => self.attempt_permutation(&sigma),
            Err(problem) => {
                let why = no_bijection(self.values, problem, text);
                Ok(Err(self.refusal(ProofRule::Lifting, why)))
            }
        }
    }

    /// Attempts to prove that `sigma` is a symmetry of machine and specification. The machine comes
    /// first, because a refusal there tells more.
    fn attempt_permutation(&mut self, sigma: &EventPermutation) -> Result<SymmetryAttempt> {
        let CheckedSystem {
            term,
            machine,
            specification,
            options,
        } = *self.subject;
        let mut prover = Prover::for_machine(self.values, options, machine, self.start);
        prover.facts.explains = self.reasons > 0;
        if let Some(skeleton) = self.skeleton.take() {
            prover.facts.subject.skeleton = skeleton;
        }
        let verdict = prover.prove(term, sigma, term)?;
        // The skeleton is taken back before the verdict is looked at: it must not be lost with a
        // refused candidate.
        self.skeleton = Some(prover.facts.subject.skeleton);
        let proof = match verdict {
            Ok(proof) => proof,
            Err(why) => return Ok(Err(why)),
        };
        let pbisim = match pbisim(machine, &proof) {
            Ok(pbisim) => pbisim,
            Err(why) => return Ok(Err(self.refusal(ProofRule::Operational, why))),
        };
        let lts = specification.lts();
        let token = &self.values.cancellation().clone();
        let Some(specification) = matching(lts, sigma, lts, self.start, token)? else {
            let why = if self.reasons > 0 {
                specification_difference(lts, sigma, self.start, token)?
            } else {
                Why::NotAsked
            };
            return Ok(Err(self.refusal(ProofRule::Specification, why)));
        };
        let symmetry = Symmetry {
            events: sigma.clone(),
            pbisim,
            specification,
        };
        if self.start == Start::Fixed && !symmetry.fixes_initial() {
            return Ok(Err(self.refusal(ProofRule::Operational, Why::Initial)));
        }
        // Rules, bisimulations and the reading of the proof may have errors: only this check
        // decides.
        Ok(match self.verify(&symmetry)? {
            Ok(()) => Ok(symmetry),
            Err(why) => Err(self.refusal(ProofRule::Operational, why)),
        })
    }

    /// A refusal about the implementation as a whole.
    pub(super) fn refusal(&self, rule: ProofRule, why: Why) -> Arc<Refusal> {
        Arc::new(Refusal::of_machine(self.subject.machine, rule, why))
    }
}

/// The canonical lifting of permutations of the values of different types to `events` (section
/// 3.1), or the reason why there is none.
pub(crate) fn lifted(
    values: &mut dyn EventValues,
    parts: &[PermutedType],
    events: &[EventId],
) -> Result<std::result::Result<EventPermutation, Why>> {
    Ok(match values.lift(parts, events)? {
        Ok(pairs) => EventPermutation::from_pairs(pairs).map_err(|problem| {
            let names: Vec<&str> = parts.iter().map(|(ty, _)| ty.name.as_str()).collect();
            no_bijection(values, problem, &names.join(", "))
        }),
        Err((event, image)) => Err(Why::NoSuchEvent(event, image)),
    })
}

fn no_bijection(values: &dyn EventValues, problem: NotABijection, text: &str) -> Why {
    let name = |event| values.terms().events.name(event);
    Why::Machine(match problem {
        NotABijection::TwoImages(event) => {
            format!("{text} takes {} to two different events", name(event))
        }
        NotABijection::TwoOrigins(event) => {
            format!("{text} takes two different events to {}", name(event))
        }
        NotABijection::Invisible(event) => {
            format!("{text} moves {}, which is not visible", name(event))
        }
    })
}

/// The reason why σ does not take the specification to itself. If no single event distinguishes the
/// specification from its image with any states as starts, an event after a trace distinguishes the
/// two from their initial states: these are not partners of each other.
fn specification_difference(
    lts: &Lts,
    sigma: &EventPermutation,
    start: Start,
    token: &Cancellation,
) -> Result<Why> {
    let difference = match difference(lts, sigma, lts, start, token)? {
        Difference::States(..) => difference(lts, sigma, lts, Start::Fixed, token)?,
        other => other,
    };
    Ok(match difference {
        Difference::Behaviour(found) => Why::Specification(found),
        other => other.into(),
    })
}
