//! The steps of each component of a process in a counterexample.
//!
//! The run is walked again on the terms. At each step the operational rules give the steps of the
//! operands that make the step of the whole, down to the components (`derive.rs`). So no machine
//! and no state of the search is involved, and a step that no rule makes is noticed. Compressions
//! are walked through, because in the operational semantics of terms a compressed process is its
//! operand.

pub mod derive;
mod last;
pub mod tree;
pub mod waits;

use std::sync::Arc;

use self::derive::Follower;
pub use self::last::{LastParty, LastStep, last_steps};
use self::tree::{Cast, RunningNode};
use self::waits::Waits;
use super::counterexample::{Refutation, WitnessStep, Wrong};
use super::replay::{not_reproduced, retrace};
use base::diag::Result;
use process::event::{EventId, TICK};
use process::runs::rests_with;
use process::semantics::focus::Focused;
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};

/// The behaviour of the components in a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentsExplained {
    /// The components in the run that leads to the violation, and in the violation itself.
    pub run: ComponentRuns,
    /// The components in the other run of a nondeterministic process.
    pub other: Option<ComponentRuns>,
}

/// The behaviour of the components in one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentRuns {
    /// The components that ever ran, from left to right. Those that were started later stand behind
    /// the others.
    pub components: Vec<ComponentRun>,
    /// A shortest cycle of components, each of which waits for the next, and the last for the
    /// first. Each is given by its position, with the event that it waits to do. Empty if there is
    /// none.
    pub cycle: Vec<(usize, EventId)>,
}

/// The behaviour of one component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentRun {
    /// The component as CSPm text, as it started.
    pub name: String,
    /// The compressions around it, the outermost first.
    pub within: Vec<String>,
    /// The steps that it took part in, counted from 1, each with its own step, before the hiding
    /// and renaming above it.
    pub steps: Vec<(usize, WitnessStep)>,
    /// The changes of its term: the number of steps before the change, 0 for the start, and the new
    /// term; `None` if it no longer ran.
    pub states: Vec<(usize, Option<TermId>)>,
    /// Its state at the end of the run.
    pub end: ComponentExit,
    /// The events for which it waits for others, if that was asked for.
    pub waits: Vec<Wait>,
}

/// The state of a component at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComponentExit {
    /// It runs, and can do these events next, ascending, including τ if it can do that.
    Offers(Vec<EventId>),
    /// It has terminated.
    Terminated,
    /// It no longer runs: a choice excluded it, it was interrupted, or it has handed over.
    Gone,
}

/// An event that a component could do if others took part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The component's own event.
    pub event: EventId,
    /// The positions of the components that would have to take part and do not offer to, ascending.
    pub on: Vec<usize>,
}

/// The behaviour of the components of `process` in its counterexample `found`. Their steps are
/// those of `run`, if given. `limit` is the limit on the states of leaves with which its machine
/// was built: it also decides which parts are components.
pub fn explain_components(
    definitions: &mut dyn Definitions,
    process: TermId,
    found: &Refutation,
    run: Option<&[Step]>,
    limit: usize,
) -> Result<ComponentsExplained> {
    let run = match run {
        Some(run) => Some(run.to_vec()),
        None => leading_run(definitions, process, found)?,
    };
    let (mut run, end) = behaviours(definitions, process, run, limit)?;
    if found.wrong.is_at_rest() {
        add_waits(definitions, &end, &mut run)?;
    }
    let other = match &found.wrong {
        Wrong::Nondeterminism { other, .. } => {
            let steps = retrace(definitions, process, other, &mut |_, _, _| Ok(true))?;
            Some(behaviours(definitions, process, steps, limit)?.0)
        }
        _ => None,
    };
    Ok(ComponentsExplained { run, other })
}

/// The whole run up to the violation, and the violation if it consists of steps, with the terms on
/// the way.
fn leading_run(
    definitions: &mut dyn Definitions,
    process: TermId,
    found: &Refutation,
) -> Result<Option<Vec<Step>>> {
    let mut steps = found.steps.clone();
    if let Wrong::Event(step) = found.wrong {
        steps.push(step);
    }
    let mut cycle = None;
    let mut ends_well = |semantics: &mut Semantics,
                         definitions: &mut dyn Definitions,
                         term: TermId|
     -> Result<bool> {
        Ok(match &found.wrong {
            Wrong::Event(_) => true,
            Wrong::Refusal { offers, .. }
            | Wrong::Revival { offers, .. }
            | Wrong::Nondeterminism { offers, .. } => {
                rests_with(semantics, definitions, term)?.as_ref() == Some(offers)
            }
            Wrong::Deadlock => {
                rests_with(semantics, definitions, term)?.is_some_and(|offers| offers.is_empty())
            }
            Wrong::Divergence(steps) => {
                cycle = closed_run(semantics, definitions, term, steps)?;
                cycle.is_some()
            }
        })
    };
    let run = retrace(definitions, process, &steps, &mut ends_well)?;
    Ok(run.map(|run| [run, cycle.unwrap_or_default()].concat()))
}

/// A run from `term` back to itself with these steps.
fn closed_run(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    term: TermId,
    steps: &[WitnessStep],
) -> Result<Option<Vec<Step>>> {
    let start = semantics.head(definitions, term)?;
    let is_start = &mut |semantics: &mut Semantics, definitions: &mut dyn Definitions, term| {
        Ok(semantics.head(definitions, term)? == start)
    };
    retrace(definitions, term, steps, is_start)
}

/// The behaviour of the components in `run`, and the term of the process at its end.
fn behaviours(
    definitions: &mut dyn Definitions,
    process: TermId,
    run: Option<Vec<Step>>,
    limit: usize,
) -> Result<(ComponentRuns, Arc<RunningNode>)> {
    let Some(run) = run else {
        return not_reproduced("it cannot be walked a second time").into();
    };
    let mut cast = Cast::default();
    let mut node = cast.play(definitions, process, limit)?;
    let mut did: Vec<Vec<(usize, WitnessStep)>> = Vec::new();
    let mut states = StatesOnTheWay::default();
    states.note(0, &node);
    let mut semantics = Focused::new();
    let mut follower = Follower::new(definitions, &mut cast, &mut semantics);
    for (index, &step) in run.iter().enumerate() {
        node = follower.follow(&node, step)?;
        let chased = follower
            .take_chased()
            .into_iter()
            .flat_map(|chased| chased.parts);
        let parts = follower.take_participations();
        for part in chased.chain(parts) {
            // Components start along the way, so their number is not known before the end.
            did.resize_with(did.len().max(part.component + 1), Vec::new);
            did[part.component].push((index + 1, part.step));
        }
        states.note(index + 1, &node);
    }
    did.resize_with(cast.count(), Vec::new);
    let mut found = ComponentRuns {
        components: described(&cast, did, states),
        cycle: Vec::new(),
    };
    offered(definitions, &node, &mut found.components)?;
    Ok((found, node))
}

/// The terms of the components on the way.
#[derive(Default)]
struct StatesOnTheWay {
    /// For each component, the numbers of steps after which it changed, and its new term.
    by_component: Vec<Vec<(usize, Option<TermId>)>>,
}

impl StatesOnTheWay {
    /// Notes that after `steps` steps the process is `node`.
    fn note(&mut self, steps: usize, node: &RunningNode) {
        let mut now = vec![None; self.by_component.len()];
        for (component, term) in node.running() {
            // Components start along the way.
            let count = now.len().max(component + 1);
            now.resize(count, None);
            self.by_component.resize_with(count, Vec::new);
            now[component] = Some(term);
        }
        for (states, now) in self.by_component.iter_mut().zip(now) {
            let before = states.last().and_then(|&(_, term)| term);
            if before != now {
                states.push((steps, now));
            }
        }
    }
}

/// Fills in the components for which others wait in `node`.
fn add_waits(
    definitions: &mut dyn Definitions,
    node: &RunningNode,
    found: &mut ComponentRuns,
) -> Result<()> {
    let waits = Waits::at(definitions, node)?;
    found.cycle = waits.cycle();
    for (component, event, on) in waits.found {
        found.components[component].waits.push(Wait { event, on });
    }
    Ok(())
}

/// The members of `cast` with their behaviour. None counts as running any more.
fn described(
    cast: &Cast,
    did: Vec<Vec<(usize, WitnessStep)>>,
    mut states: StatesOnTheWay,
) -> Vec<ComponentRun> {
    states.by_component.resize_with(cast.count(), Vec::new);
    let did = did.into_iter().zip(states.by_component);
    let each = did.enumerate().map(|(component, (steps, states))| {
        let last = steps.last().map(|&(_, step)| step.label);
        ComponentRun {
            name: cast.name(component).to_string(),
            within: cast.within(component),
            // Components that still run get another end from `offered`.
            end: if last == Some(TICK) {
                ComponentExit::Terminated
            } else {
                ComponentExit::Gone
            },
            steps,
            states,
            waits: Vec::new(),
        }
    });
    each.collect()
}

/// Fills in the offers of the components that run in `node`.
fn offered(
    definitions: &mut dyn Definitions,
    node: &Arc<RunningNode>,
    components: &mut [ComponentRun],
) -> Result<()> {
    let mut semantics = Semantics::new();
    for (component, term) in node.running() {
        let steps = semantics.steps(definitions, term)?;
        let mut offers: Vec<EventId> = steps.iter().map(|step| step.label).collect();
        offers.dedup();
        components[component].end = ComponentExit::Offers(offers);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
