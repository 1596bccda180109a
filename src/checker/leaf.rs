//! The transition system of one leaf of a machine, as plain data.

use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use eval::Evaluator;
use lts::graph::{Lts, StateId};
use lts::reach::ReachBounds;
use machine::{LeafId, Machine, compile};
use report::graph::StateGraph;

use super::error::Error;
use super::graph::{GraphOptions, part_of};
use super::leaf_states::{LeafStates, leaf_names};
use super::leaf_transitions::{control_results, leaf_transitions};
use super::options::Options;
use super::script::Script;
use super::task::Task;

/// The largest number of names that a message lists.
const SHOWN: usize = 12;

impl Script {
    /// The transition system of one leaf of the machine of `process`, or the part of it that is
    /// `wanted`. `component` names the leaf by its expression, as in [`Script::machine`], with a
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
            let term = evaluator.process_of(process)?;
            let machine = compile(evaluator, term, &options.compile_options())?;
            let names = leaf_names(&machine);
            let id = LeafId::from_usize(picked(&names, component)?);
            let known = LeafStates::of(evaluator, &machine, id)?;
            let cut = ReachBounds {
                states: wanted.most_states.unwrap_or(usize::MAX),
                is_whole: false,
                depth: wanted.depth,
            };
            let mut term =
                |evaluator: &mut Evaluator<'_>, state: StateId| known.text(evaluator, state.0);
            let hidden = |from: StateId, to: StateId| known.hidden(from.0, to.0);
            let drawn = part_of(evaluator, &system(&machine, id), cut, &mut term, &hidden)?;
            Ok(drawn.named(scope, names[id.index()].clone()))
        })
    }
}

/// The transition system of leaf `id` by itself.
fn system(machine: &Machine, id: LeafId) -> Lts {
    let leaf = &machine.leaves[id];
    let mut rows = vec![Vec::new(); leaf.state_count() as usize];
    for (from, event, to) in leaf_transitions(id, leaf, &control_results(machine)) {
        rows[from as usize].push((event, StateId(to)));
    }
    Lts::from_rows(rows)
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
