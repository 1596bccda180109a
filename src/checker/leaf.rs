//! The transition system of one leaf of a machine, as plain data.

use std::collections::VecDeque;

use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use eval::Evaluator;
use machine::{LeafId, Machine, compile};
use process::event::{EventId, TAU};
use process::term::Definitions;
use report::graph::{GraphState, GraphTransition, StateGraph};
use syntax::ast::ExprId;

use super::error::Error;
use super::graph::GraphOptions;
use super::leaf_states::{LeafStates, leaf_names};
use super::leaf_transitions::{control_results, leaf_transitions};
use super::options::Options;
use super::script::Script;
use super::task::Task;

/// More names are not listed in a message.
const SHOWN: usize = 12;

impl Script {
    /// The transition system of one leaf of the machine of `process`, or the part of it that is
    /// `wanted`. A leaf is called by its expression as in [`Script::machine`], `component`, with a
    /// number behind it where several have the same: `P #2`.
    pub fn leaf(
        &self,
        process: &str,
        component: Option<&str>,
        wanted: &GraphOptions,
        options: &Options,
        task: &Task,
    ) -> std::result::Result<StateGraph, Error> {
        self.ask_of(process, options, task, |scope, evaluator, process| {
            let file = scope.name().to_string();
            leaf_graph(evaluator, process, component, wanted, options, file)
        })
    }
}

/// The leaf called `component` of the machine of `process`, which is of the script `file`. As of a
/// process, only the part that is `wanted` is given back.
fn leaf_graph(
    evaluator: &mut Evaluator<'_>,
    process: ExprId,
    component: Option<&str>,
    wanted: &GraphOptions,
    options: &Options,
    file: String,
) -> Result<StateGraph> {
    let term = evaluator.process_of(process)?;
    let machine = compile(evaluator, term, &options.compile_options())?;
    let names = leaf_names(&machine);
    let id = LeafId::from_usize(picked(&names, component)?);
    let known = LeafStates::of(evaluator, &machine, id)?;
    let rows = rows(&machine, id);
    let (order, omitted) = nearest(&rows, wanted);
    let mut states = Vec::with_capacity(order.len());
    for (&state, omitted) in order.iter().zip(omitted) {
        states.push(GraphState {
            term: known.text(evaluator, state)?,
            omitted,
            orbit: None,
            representative: None,
        });
    }
    let mut number: Vec<Option<usize>> = vec![None; rows.len()];
    for (position, &state) in order.iter().enumerate() {
        number[state as usize] = Some(position);
    }
    let events = &evaluator.terms().events;
    let mut transitions = Vec::new();
    for (from, &state) in order.iter().enumerate() {
        for &(label, target) in &rows[state as usize] {
            let Some(to) = number[target as usize] else {
                continue;
            };
            let hidden = match label {
                TAU => events.names(known.hidden(state, target)),
                _ => Vec::new(),
            };
            transitions.push(GraphTransition {
                from,
                label: events.name(label).to_string(),
                hidden,
                to,
            });
        }
    }
    Ok(StateGraph {
        file,
        expression: names[id.index()].clone(),
        compression: None,
        complete: states.iter().all(|state| state.omitted == 0),
        states,
        transitions,
        orbits: None,
    })
}

/// By state, where each event leads.
fn rows(machine: &Machine, id: LeafId) -> Vec<Vec<(EventId, u32)>> {
    let leaf = &machine.leaves[id];
    let mut rows = vec![Vec::new(); leaf.state_count() as usize];
    for (from, event, to) in leaf_transitions(id, leaf, &control_results(machine)) {
        rows[from as usize].push((event, to));
    }
    rows
}

/// The states that are wanted, breadth first, each with the number of its transitions to others.
fn nearest(rows: &[Vec<(EventId, u32)>], wanted: &GraphOptions) -> (Vec<u32>, Vec<u64>) {
    let most = wanted.most_states.unwrap_or(usize::MAX).max(1);
    let (mut order, mut omitted) = (vec![0], Vec::new());
    let mut is_known = vec![false; rows.len()];
    is_known[0] = true;
    let mut open = VecDeque::from([(0, 0)]);
    while let Some((state, depth)) = open.pop_front() {
        let mut left_out = 0;
        for &(_, target) in &rows[state as usize] {
            let is_near = order.len() < most && wanted.depth.is_none_or(|most| depth < most);
            if is_known[target as usize] {
                continue;
            }
            if is_near {
                is_known[target as usize] = true;
                order.push(target);
                open.push_back((target, depth + 1));
            } else {
                left_out += 1;
            }
        }
        omitted.push(left_out);
    }
    (order, omitted)
}

/// The position of the component that is asked for; a single one need not be named.
fn picked(names: &[String], component: Option<&str>) -> Result<usize> {
    let found = match component {
        Some(name) => names.iter().position(|known| known == name),
        None => (names.len() == 1).then_some(0),
    };
    if let Some(position) = found {
        return Ok(position);
    }
    let message = match component {
        Some(name) => format!("no component of the process is called `{name}`"),
        None => "the process has several components, and the request names none".to_string(),
    };
    let mut shown: Vec<&str> = names.iter().map(String::as_str).take(SHOWN).collect();
    if names.len() > SHOWN {
        shown.push("...");
    }
    Diagnostic::error("no-such-component", message)
        .note(format!("its components are {}", shown.join(", ")))
        .into()
}
