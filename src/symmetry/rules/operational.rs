//! Goals decided on transition systems: the leaves of a machine, and recursion.

use std::sync::Arc;

use super::facts::ProofFacts;
use super::goal::{Application, Attempt, Goal, GoalPlace, SigmaId, Sigmas, Unproved};
use crate::bisimilarity::{difference, matching};
use crate::permutation::EventPermutation;
use crate::proof_rule::ProofRule;
use crate::refusal::Why;
use base::diag::Severity;
use machine::leaf::ProcessGraph;
use process::event::EventId;
use process::term::TermId;

impl ProofFacts<'_> {
    /// Compares two processes as wholes.
    pub(super) fn operational(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let here = goal.by(ProofRule::Operational, at);
        let left = self.explored(goal.left, here)?;
        let right = self.explored(goal.right, here)?;
        let restricted = restricted(goal.sigma, &left, &mut self.sigmas);
        let key = (goal.left, restricted, goal.right, at.around);
        let known = self.graphs.matchings.get(&key).cloned();
        let states = match known {
            Some(states) => states,
            // Without this case, leaves that σ does not touch would be walked for each candidate.
            None if goal.left == goal.right && self.sigmas[restricted].is_identity() => {
                (0..left.lts.state_count() as u32).collect()
            }
            None => {
                let sigma = &self.sigmas[goal.sigma];
                let token = &self.subject.definitions.cancellation().clone();
                let found = matching(&left.lts, sigma, &right.lts, self.start, token);
                match found? {
                    Some(states) => states,
                    None => {
                        let why = if self.explains {
                            difference(&left.lts, sigma, &right.lts, self.start, token)?.into()
                        } else {
                            Why::NotAsked
                        };
                        return self.refuse(here, why);
                    }
                }
            }
        };
        // The restriction is part of the key: candidates that differ in events of other leaves
        // share the matching.
        self.graphs.matchings.insert(key, states.clone());
        let mut proof = self.proof(here, vec![], vec![]);
        // No one else has the proof yet, so nothing is copied.
        Arc::make_mut(&mut proof).states = Some(states);
        Ok(proof)
    }

    /// The transition system of `term` in its context. If it is too large, the goal is refused.
    fn explored(&mut self, term: TermId, here: Application) -> Attempt<Arc<ProcessGraph>> {
        match self.graphs.graph(term, here.at.around, &mut self.subject) {
            Ok(graph) => Ok(graph),
            Err(error) if error.severity == Severity::Undecided => {
                // Running out of time leaves the goal undecided too, but it ends the whole proof.
                self.subject.definitions.cancellation().step()?;
                self.refuse(here, Why::Limit(error.message))
            }
            Err(error) => Err(Unproved::Broken(error)),
        }
    }
}

/// The restriction of σ to the events of `graph`: the images of other events make no difference
/// to the graph.
fn restricted(sigma: SigmaId, graph: &ProcessGraph, sigmas: &mut Sigmas) -> SigmaId {
    let visible = graph.events().filter(|event| event.is_visible());
    restricted_to(sigma, visible, sigmas)
}

/// The restriction of σ to these visible events, with its chains closed to cycles. It does not
/// depend on other events.
pub(super) fn restricted_to(
    sigma: SigmaId,
    events: impl Iterator<Item = EventId>,
    sigmas: &mut Sigmas,
) -> SigmaId {
    let whole = &sigmas[sigma];
    let pairs = events.map(|event| (event, whole.apply(event)));
    match EventPermutation::from_pairs(pairs) {
        Ok(restricted) => sigmas.intern(restricted),
        // This never happens: σ is a bijection, and the events are visible.
        Err(_) => sigma,
    }
}
