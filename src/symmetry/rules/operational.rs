//! Goals decided on transition systems: the leaves of a machine, and recursion.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::goal::{Attempt, Goal, Place, Stop};
use super::{Proof, Prover, Rule, SigmaId};
use crate::diag::{Diagnostic, Severity};
use crate::lts::bisimulation::minimise;
use crate::lts::explore::explore;
use crate::machine::Machine;
use crate::machine::leaf::{Behaviour, ProcessGraph};
use crate::process::event::EventId;
use crate::process::term::TermId;
use crate::symmetry::bisimilarity::{Difference, difference, matching};
use crate::symmetry::permutation::EventPermutation;
use crate::symmetry::refusal::Why;

/// A transition system, or why it could not be found.
type Graph = std::result::Result<Rc<ProcessGraph>, Box<Diagnostic>>;

/// Transition systems and how they go onto each other; kept from one goal to the next.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    graphs: FxHashMap<TermId, Graph>,
    /// By the terms and what σ does to the events of the first.
    matchings: FxHashMap<(TermId, SigmaId, TermId), Rc<[u32]>>,
}

impl Graphs {
    /// Those of the leaves of `machine`.
    pub(super) fn of(machine: &Machine) -> Self {
        let graph = |leaf: &crate::machine::leaf::Leaf| match &leaf.behaviour {
            Behaviour::Process(graph) => Some((graph.term, Ok(graph.clone()))),
            Behaviour::Controller { .. } => None,
        };
        Self {
            graphs: machine.leaves.iter().filter_map(graph).collect(),
            matchings: FxHashMap::default(),
        }
    }
}

impl Prover<'_> {
    /// Compares two processes as wholes.
    pub(super) fn operational(&mut self, goal: Goal, at: Place) -> Attempt {
        let left = self.explored(goal.left, goal, at)?;
        let right = self.explored(goal.right, goal, at)?;
        let restricted = self.restricted(goal.sigma, &left);
        let key = (goal.left, restricted, goal.right);
        let known = self.graphs.matchings.get(&key).cloned();
        let states = match known {
            Some(states) => states,
            None if goal.left == goal.right && self.sigma(restricted).is_identity() => {
                (0..left.lts.state_count() as u32).collect()
            }
            None => {
                let sigma = self.sigma(goal.sigma);
                match matching(&left.lts, sigma, &right.lts, self.start) {
                    Some(states) => states,
                    None => {
                        let why = if self.explains {
                            why(difference(&left.lts, sigma, &right.lts, self.start))
                        } else {
                            Why::NotAsked
                        };
                        return self.refuse(Rule::Operational, goal, at, why);
                    }
                }
            }
        };
        self.graphs.matchings.insert(key, states.clone());
        Ok(Rc::new(Proof {
            rule: Rule::Operational,
            left: goal.left,
            sigma: self.sigma(goal.sigma).clone(),
            right: goal.right,
            partners: Vec::new(),
            premises: Vec::new(),
            states: Some(states),
        }))
    }

    /// The transition system of `term`. That it is too large is a refusal.
    fn explored(&mut self, term: TermId, goal: Goal, at: Place) -> Attempt<Rc<ProcessGraph>> {
        match self.graph(term) {
            Ok(graph) => Ok(graph),
            Err(error) if error.severity == Severity::Undecided => {
                self.refuse(Rule::Operational, goal, at, Why::Limit(error.message))
            }
            Err(error) => Err(Stop::Broken(error)),
        }
    }

    /// The transition system of `term`, minimised like the leaves of a machine.
    pub(super) fn graph(&mut self, term: TermId) -> Graph {
        if let Some(known) = self.graphs.graphs.get(&term) {
            return known.clone();
        }
        let graph = explore(self.definitions, term, &self.limits).map(|explored| {
            let states = explored.lts.state_count();
            let lts = if self.minimise {
                minimise(&explored.lts).lts
            } else {
                explored.lts
            };
            Rc::new(ProcessGraph::new(term, lts, states))
        });
        self.graphs.graphs.insert(term, graph.clone());
        graph
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
