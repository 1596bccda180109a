//! The terms of the numbered states of a machine's leaf, and the events that its τ may have been.

use std::collections::BTreeMap;

use base::diag::Result;
use base::index::TypedIndex;
use base::order::ascending;
use eval::Evaluator;
use lts::bisimulation::minimise;
use lts::reach::{ReachBounds, ReachedStates, reach};
use machine::leaf::{Behaviour, Leaf, ProcessGraph};
use machine::text::{present, present_in_full};
use machine::tree::{Control, NodeKind};
use machine::{LeafId, Machine};
use process::event::{EventId, TAU};
use process::term::{Definitions, TermId};
use symmetry::Start;
use symmetry::bisimilarity::matching;
use symmetry::permutation::EventPermutation;

use super::counterexample::unique_names;

/// The most states that a leaf had before it was minimised, if it is listed again to find out what
/// its states are.
const MOST_STATES: usize = 20_000;

/// The terms and hidden events of a leaf's states, as far as they are known.
#[derive(Default)]
pub(super) struct LeafStates {
    /// By state, the first term met that the state stands for; no entry where that is not known.
    terms: Vec<TermId>,
    /// By two states, the events that a τ from one to the other may have been, ascending.
    origins: BTreeMap<(u32, u32), Vec<EventId>>,
    /// The state in which the leaf is switched off, if there is one.
    off: Option<u32>,
}

impl LeafStates {
    /// The states of leaf `id`, as far as they are known. Of a process these are the terms that it
    /// reaches, listed again because a machine forgets them; of a controller in front of operands,
    /// what is left of it. Nothing is known of other controllers, nor where a compression has made
    /// states that are none of the process.
    pub(super) fn of(evaluator: &mut Evaluator<'_>, machine: &Machine, id: LeafId) -> Result<Self> {
        let leaf = &machine.leaves[id];
        let known = match &leaf.behaviour {
            Behaviour::Process(graph) => of_process(evaluator, graph)?,
            Behaviour::Controller { .. } => of_controller(machine, id),
        };
        Ok(Self {
            off: leaf.can_be_off.then(|| leaf.state_count() - 1),
            ..known
        })
    }

    /// `state` as CSPm in present values; `None` if it is not known.
    pub(super) fn text(&self, evaluator: &mut Evaluator<'_>, state: u32) -> Result<Option<String>> {
        let term = self.terms.get(state as usize);
        term.map(|&term| present_in_full(evaluator, term))
            .transpose()
    }

    /// `state` for a table: as CSPm in present values, cut where long, else by its number.
    pub(super) fn short_text(&self, evaluator: &mut Evaluator<'_>, state: u32) -> Result<String> {
        match self.terms.get(state as usize) {
            Some(&term) => present(evaluator, term),
            None if self.off == Some(state) => Ok("off".to_string()),
            None => Ok(format!("state {state}")),
        }
    }

    /// The events that a τ from one state to the other may have been before it was hidden.
    pub(super) fn hidden(&self, from: u32, to: u32) -> &[EventId] {
        self.origins.get(&(from, to)).map_or(&[], Vec::as_slice)
    }
}

/// The names of the leaves: their expressions, numbered where several look the same.
pub(super) fn leaf_names(machine: &Machine) -> Vec<String> {
    let names: Vec<&str> = machine
        .leaves
        .iter()
        .map(|leaf: &Leaf| leaf.expression.as_str())
        .collect();
    unique_names(&names)
}

fn of_controller(machine: &Machine, id: LeafId) -> LeafStates {
    let mut stages = machine.nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Controlled(leaf, Control::Stage(stage)) if *leaf == id => Some(stage),
        _ => None,
    });
    LeafStates {
        terms: stages
            .next()
            .map_or(Vec::new(), |stage| stage.states.clone()),
        ..LeafStates::default()
    }
}

/// Lists the terms of a leaf again, and finds the state of `graph` that is bisimilar to each.
fn of_process(evaluator: &mut Evaluator<'_>, graph: &ProcessGraph) -> Result<LeafStates> {
    if graph.explored_states > MOST_STATES {
        return Ok(LeafStates::default());
    }
    let reached = reach(
        evaluator,
        graph.term,
        ReachBounds {
            states: graph.explored_states,
            is_whole: false,
            depth: None,
        },
    )?;
    // A process with a compression inside may have more states than were explored.
    if !reached.is_complete() {
        return Ok(LeafStates::default());
    }
    let token = &evaluator.cancellation().clone();
    let quotient = minimise(&reached.lts(), token)?;
    let same = EventPermutation::identity();
    let partners = matching(&quotient.lts, &same, &graph.lts, Start::Fixed, token)?;
    Ok(match partners {
        Some(partners) => {
            let state = |number: usize| {
                let class = quotient.class_of[TypedIndex::from_usize(number)];
                partners[class.index()]
            };
            found(&reached, state, graph.lts.state_count())
        }
        None => LeafStates::default(),
    })
}

/// The terms and hidden events that were `reached`; `state` maps the number of a term to the leaf's
/// state.
fn found(reached: &ReachedStates, state: impl Fn(usize) -> u32, states: usize) -> LeafStates {
    let mut terms: Vec<Option<TermId>> = vec![None; states];
    let mut origins: BTreeMap<(u32, u32), Vec<EventId>> = BTreeMap::new();
    for (number, row) in reached.rows.iter().enumerate() {
        let from = state(number);
        terms[from as usize].get_or_insert(reached.terms[number]);
        for step in row.iter().filter(|step| step.label == TAU) {
            let known = origins.entry((from, state(step.target.index())));
            let hidden = step.origins.iter().filter(|&&origin| origin != TAU);
            known.or_default().extend(hidden);
        }
    }
    let origins = origins.into_iter();
    let origins = origins.map(|(states, events)| (states, ascending(events)));
    LeafStates {
        // Partners are a bijection, so that there is a term for every state.
        terms: terms.into_iter().flatten().collect(),
        origins: origins.collect(),
        off: None,
    }
}
