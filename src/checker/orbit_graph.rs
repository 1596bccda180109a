//! The states that the check of a process or assertion searches, with the orbits of its symmetries:
//! the states that a search without symmetries stores, and which of them one with symmetries does.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use base::diag::{Diagnostic, Result as Diagnosed};
use explore::orbit::{CheckedState, StateOrbit};
use lts::normal_form::NormalForm;
use machine::text::present_in_full;
use process::event::{EventId, TAU};
use process::term::Definitions;
use report::graph::{GraphOrbits, GraphState, GraphTransition, StateGraph};

use super::error::Error;
use super::graph::{Drawn, GraphOptions};
use super::options::Options;
use super::orbits::LARGEST_ORBIT;
use super::script::Script;
use super::task::Task;
use super::walk_symmetry::{WalkSymmetry, fault, offers};
use super::walker::{WalkSubject, Walker};

/// The largest number of states that are listed, unless the call names another.
const MOST_STATES: usize = 1_000;

impl Script {
    /// The graph of the states that the check of `subject` searches, each with its orbit. The check
    /// of a process P is that of `P :[divergence free]`, which forbids no event. Compressions are
    /// left out of account.
    pub fn orbit_graph(
        &self,
        subject: WalkSubject<'_>,
        wanted: &GraphOptions,
        options: &Options,
        task: &Task,
    ) -> Result<StateGraph, Error> {
        self.walk(subject, false, options, task, |walker| {
            let graph =
                walker.with_symmetry(|walker, symmetry| walker.orbit_graph(symmetry, wanted));
            walker.said(graph)
        })
    }
}

/// A step between states: the number of the first, the label, the hidden events, the number of the
/// second.
type FoundStep = (usize, EventId, BTreeSet<EventId>, usize);

/// The states that were found so far.
struct FoundPairs {
    states: Vec<CheckedState>,
    numbers: FxHashMap<CheckedState, usize>,
    steps: Vec<FoundStep>,
    /// By state, the number of its steps that lead to none of the states.
    omitted: Vec<u64>,
}

impl Walker<'_> {
    fn orbit_graph(
        &mut self,
        symmetry: &mut WalkSymmetry,
        wanted: &GraphOptions,
    ) -> Diagnosed<StateGraph> {
        let found = self.pairs(symmetry, wanted)?;
        let orbits = self.orbits_of(symmetry, &found.states)?;
        let states = self.graph_states(symmetry, &found, &orbits)?;
        let events = &self.evaluator.terms().events;
        let transitions = found.steps.iter();
        let transitions = transitions.map(|(from, label, origins, to)| GraphTransition {
            from: *from,
            label: events.name(*label).to_string(),
            hidden: events.names(origins),
            to: *to,
        });
        let count = orbits.iter().max().map_or(0, |last| last + 1);
        let drawn = Drawn {
            transitions: transitions.collect(),
            states,
        };
        Ok(StateGraph {
            orbits: Some(GraphOrbits {
                check: self.start.check.clone(),
                start_fixed: self.options.fix_initial,
                order: symmetry.reduction.group.order().to_string(),
                structure: symmetry.reduction.recognised.structure.to_string(),
                count,
            }),
            ..drawn.named(self.scope, self.start.text.clone())
        })
    }

    /// The states that a search without symmetries meets, breadth first, within the bounds that are
    /// wanted. A step that the specification forbids, or after which it allows everything, leads to
    /// no state.
    fn pairs(&mut self, symmetry: &WalkSymmetry, wanted: &GraphOptions) -> Diagnosed<FoundPairs> {
        let token = &self.evaluator.cancellation().clone();
        let (successors, mut scratch) = symmetry.successors(token)?;
        let most = wanted.most_states.unwrap_or(MOST_STATES).max(1);
        let start = CheckedState {
            specification: Some(NormalForm::INITIAL),
            leaves: vec![0; symmetry.machine.leaves.len()],
        };
        if symmetry.form.is_divergent(NormalForm::INITIAL) {
            let message = "nothing is searched: the specification allows everything";
            return Diagnostic::undecided("unsupported", message).into();
        }
        let mut found = FoundPairs::new(start);
        let (mut depth, mut level_ends) = (0, 1);
        while found.omitted.len() < found.states.len() {
            let from = found.omitted.len();
            if from == level_ends {
                depth += 1;
                level_ends = found.states.len();
            }
            token.step()?;
            let state = found.states[from].clone();
            let Some(packed) = symmetry.packed(&state) else {
                return fault("a state of a search has no specification").into();
            };
            let may_grow = wanted.depth.is_none_or(|most| depth < most);
            let mut next: Vec<(EventId, EventId, CheckedState)> = Vec::new();
            successors.for_each(&packed, &mut scratch, &mut |rule, event, target| {
                let origin = symmetry.machine.rules[rule].origin;
                next.push((event, origin, symmetry.unpacked(target)));
            });
            for (event, _, target) in &mut next {
                let before = state.specification;
                target.specification = before.and_then(|s| symmetry.followed(s, *event));
            }
            found.enter(next, most, may_grow);
        }
        Ok(found)
    }

    /// By state, the number of its orbit.
    fn orbits_of(
        &mut self,
        symmetry: &WalkSymmetry,
        states: &[CheckedState],
    ) -> Diagnosed<Vec<usize>> {
        let token = &self.evaluator.cancellation().clone();
        let numbers: FxHashMap<&CheckedState, usize> = states.iter().zip(0..).collect();
        let mut orbits: Vec<Option<usize>> = vec![None; states.len()];
        let mut count = 0;
        for (number, state) in states.iter().enumerate() {
            if orbits[number].is_some() {
                continue;
            }
            let group = &symmetry.reduction.group;
            let orbit = StateOrbit::of(group, state.clone(), LARGEST_ORBIT, token)?;
            if !orbit.is_complete() {
                let message = format!("an orbit has more than {LARGEST_ORBIT} states");
                return Diagnostic::undecided("unsupported", message)
                    .hint("choose a smaller instance with -D")
                    .into();
            }
            for image in orbit.states() {
                if let Some(&other) = numbers.get(image) {
                    orbits[other] = Some(count);
                }
            }
            count += 1;
        }
        // Every state is in its own orbit, so that all have one by now.
        Ok(orbits.into_iter().flatten().collect())
    }

    /// The states with their terms. By the rules of terms, each term offers the events that the
    /// search has found.
    fn graph_states(
        &mut self,
        symmetry: &mut WalkSymmetry,
        found: &FoundPairs,
        orbits: &[usize],
    ) -> Diagnosed<Vec<GraphState>> {
        let (_, near) = symmetry.located(&mut self.evaluator, self.walk.term())?;
        let mut labels: Vec<Vec<EventId>> = vec![Vec::new(); found.states.len()];
        for (from, label, ..) in &found.steps {
            labels[*from].push(*label);
        }
        let mut states = Vec::with_capacity(found.states.len());
        for (number, state) in found.states.iter().enumerate() {
            self.evaluator.cancellation().step()?;
            let term = symmetry
                .terms
                .term(&mut self.evaluator, &state.leaves, &near)?;
            let offered = offers(&mut self.evaluator, term)?;
            let omitted = found.omitted[number];
            labels[number].dedup();
            let is_right = match omitted {
                0 => offered == labels[number],
                _ => labels[number].iter().all(|label| offered.contains(label)),
            };
            if !is_right {
                return fault("a state of the search offers other events than its term").into();
            }
            let represented = symmetry.represented(state)?;
            states.push(GraphState {
                term: Some(present_in_full(&mut self.evaluator, term)?),
                omitted,
                orbit: Some(orbits[number]),
                representative: Some(represented.is_some_and(|(image, _)| image == *state)),
            });
        }
        Ok(states)
    }
}

impl FoundPairs {
    fn new(start: CheckedState) -> Self {
        Self {
            numbers: FxHashMap::from_iter([(start.clone(), 0)]),
            states: vec![start],
            steps: Vec::new(),
            omitted: Vec::new(),
        }
    }

    /// Enters the steps of the first state that has none yet: labels, origins and targets. If `may`
    /// is true, new states are added, up to `most` in all.
    fn enter(&mut self, next: Vec<(EventId, EventId, CheckedState)>, most: usize, may: bool) {
        let from = self.omitted.len();
        let mut steps: Vec<FoundStep> = Vec::new();
        let mut omitted: BTreeSet<(EventId, Vec<u32>)> = BTreeSet::new();
        for (label, origin, target) in next {
            let known = self.numbers.get(&target).copied();
            let is_new = known.is_none() && target.specification.is_some();
            let to = match known {
                None if is_new && may && self.states.len() < most => {
                    self.numbers.insert(target.clone(), self.states.len());
                    self.states.push(target);
                    self.states.len() - 1
                }
                None => {
                    omitted.insert((label, target.leaves));
                    continue;
                }
                Some(known) => known,
            };
            let hidden = (label == TAU && origin != TAU).then_some(origin);
            match steps.iter_mut().find(|s| s.1 == label && s.3 == to) {
                Some(step) => step.2.extend(hidden),
                None => steps.push((from, label, hidden.into_iter().collect(), to)),
            }
        }
        steps.sort_by_key(|step| (step.1, step.3));
        self.steps.extend(steps);
        self.omitted.push(omitted.len() as u64);
    }
}
