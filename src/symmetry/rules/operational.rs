//! Goals decided on transition systems: the leaves of a machine, and recursion.

use std::sync::Arc;

use super::goal::{Attempt, Goal, Place, SigmaId, Stop};
use super::memory::Graph;
use super::proof::Proof;
use super::prover::Prover;
use super::rule::Rule;
use crate::cancel::Cancellation;
use crate::diag::{Result, Severity};
use crate::lts::bisimulation::minimise;
use crate::lts::explore::explore;
use crate::lts::graph::Lts;
use crate::machine::leaf::ProcessGraph;
use crate::machine::tree::Around;
use crate::process::event::EventId;
use crate::process::term::TermId;
use crate::symmetry::bisimilarity::{Difference, difference, matching};
use crate::symmetry::permutation::EventPermutation;
use crate::symmetry::refusal::Why;

impl Prover<'_> {
    /// Compares two processes as wholes.
    pub(super) fn operational(&mut self, goal: Goal, at: Place) -> Attempt {
        let left = self.explored(goal.left, goal, at)?;
        let right = self.explored(goal.right, goal, at)?;
        let restricted = self.restricted(goal.sigma, &left);
        let key = (goal.left, restricted, goal.right, at.around);
        let known = self.graphs.matchings.get(&key).cloned();
        let states = match known {
            Some(states) => states,
            None if goal.left == goal.right && self.sigma(restricted).is_identity() => {
                (0..left.lts.state_count() as u32).collect()
            }
            None => {
                let sigma = &self.sigmas[goal.sigma];
                let token = &self.definitions.cancellation().clone();
                let found = matching(&left.lts, sigma, &right.lts, self.start, token);
                match found.map_err(Stop::Broken)? {
                    Some(states) => states,
                    None => {
                        let why = if self.explains {
                            let found = difference(&left.lts, sigma, &right.lts, self.start, token);
                            why(found.map_err(Stop::Broken)?)
                        } else {
                            Why::NotAsked
                        };
                        return self.refuse(Rule::Operational, goal, at, why);
                    }
                }
            }
        };
        self.graphs.matchings.insert(key, states.clone());
        Ok(Arc::new(Proof {
            rule: Rule::Operational,
            left: goal.left,
            sigma: self.sigma(goal.sigma).clone(),
            right: goal.right,
            partners: Vec::new(),
            premises: Vec::new(),
            states: Some(states),
        }))
    }

    /// The transition system of `term` in its place. That it is too large is a refusal.
    fn explored(&mut self, term: TermId, goal: Goal, at: Place) -> Attempt<Arc<ProcessGraph>> {
        match self.graph(term, at.around) {
            Ok(graph) => Ok(graph),
            Err(error) if error.severity == Severity::Undecided => {
                // Unless there is no more time for anything.
                self.definitions
                    .cancellation()
                    .step()
                    .map_err(Stop::Broken)?;
                self.refuse(Rule::Operational, goal, at, Why::Limit(error.message))
            }
            Err(error) => Err(Stop::Broken(error)),
        }
    }

    /// The transition system of `term`, whatever stands above it.
    pub(super) fn any_graph(&mut self, term: TermId) -> Graph {
        match self.graphs.graphs.get(&term).and_then(|all| all.first()) {
            Some((_, known)) => known.clone(),
            None => self.graph(term, Around::default()),
        }
    }

    /// The transition system of `term` where this stands above it, minimised like the leaves of a machine.
    pub(super) fn graph(&mut self, term: TermId, around: Around) -> Graph {
        if let Some(known) = self.graphs.known(term, around) {
            return known.clone();
        }
        let graph = self.new_graph(term);
        self.graphs.add(term, around, graph.clone());
        graph
    }

    fn new_graph(&mut self, term: TermId) -> Graph {
        let explored = explore(self.definitions, term, &self.limits)?.lts;
        let states = explored.state_count();
        let token = &self.definitions.cancellation().clone();
        let lts = minimised(explored, self.minimise, token)?;
        Ok(Arc::new(ProcessGraph::new(term, lts, states, token)?))
    }

    /// σ on the events of `graph` alone. What it does to others makes no difference there.
    fn restricted(&mut self, sigma: SigmaId, graph: &ProcessGraph) -> SigmaId {
        let visible = graph.events().filter(|event| event.is_visible());
        self.restricted_to(sigma, visible)
    }

    /// σ on these events alone, closed to a permutation somehow.
    pub(super) fn restricted_to(
        &mut self,
        sigma: SigmaId,
        events: impl Iterator<Item = EventId>,
    ) -> SigmaId {
        let whole = self.sigma(sigma);
        let pairs = events.map(|event| (event, whole.apply(event)));
        match EventPermutation::from_pairs(pairs) {
            Ok(restricted) => self.intern_sigma(restricted),
            Err(_) => sigma,
        }
    }
}

/// `lts`, minimised if that is `wanted`.
fn minimised(lts: Lts, wanted: bool, token: &Cancellation) -> Result<Lts> {
    if wanted {
        Ok(minimise(&lts, token)?.lts)
    } else {
        Ok(lts)
    }
}

fn why(difference: Difference) -> Why {
    match difference {
        Difference::Behaviour {
            trace,
            image_trace,
            event,
            image,
            on_left,
        } => Why::Behaviour {
            trace,
            image_trace,
            event,
            image,
            on_left,
        },
        Difference::States(left, right) => Why::States(left, right),
        Difference::Initial => Why::Initial,
    }
}
