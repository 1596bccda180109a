//! Expands a run of a machine with compressed leaves to a run of the processes that they compress.
//!
//! A compressed leaf has the traces of its operand, but other τ. The operand is a machine of its
//! own, which has a run with the trace of the leaf; compressed leaves in that machine are expanded
//! in turn. A leaf that was explored knows its τ, but not the events they were before they were
//! hidden: a run of its term with an equal trace shows these (`term.rs`). Any run with that trace
//! will do. If none is soon found, the τ keep an unknown origin.
//!
//! The τ of such a run are τ of the whole. They are done as soon as the leaf can do them, right
//! after the event of the leaf before them: a step of this leaf alone neither needs nor disturbs
//! the other leaves, and a replay seldom finds two leaves with τ to choose from. If the leaf has
//! done no event yet, they go in front of its first one, because the leaf may not be live earlier.
//! So each level costs a search in the product of its own parts, however many parts these have
//! inside.
//!
//! If the run has to end at rest with certain offers, so has the run of each operand, with at most
//! the offers of the state of its leaf: a compressed system refuses no more than its operand. If
//! the run has to diverge and one leaf diverges by itself, the run of its operand has to diverge.
//!
//! The run may have to be at rest on the way too. A leaf that has been seen at rest does no τ until
//! its next event. So the run of its operand has to be at rest before that event, and has done its
//! τ by then.
//!
//! The result is not believed but replayed on the terms (`witness`), which is quick because every
//! step is known.

mod search;
mod term;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use self::search::{ended, run};
use self::term::run_of_term;
use super::builder::ProcessTreeBuilder;
use super::leaf::{Behaviour, What};
use super::rules::Rule;
use super::tree::Around;
use super::{CompileOptions, LeafId, Machine, ProcessView, RuleId};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use base::stack::deep;
use lts::graph::StateId;
use lts::tau::divergent_states;
use process::event::{EventId, TAU};
use process::observation::ObservedStep;
use process::term::{Definitions, TermId};

/// A step of a run: the event that the environment sees, and the event before all hiding and
/// renaming.
pub type RunStep = (EventId, EventId);

/// The required end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Any end.
    Anyhow,
    /// At rest, offering nothing but these events, ascending.
    Rest(Vec<EventId>),
    /// At rest, not offering this event.
    Refusing(EventId),
    /// In a state that can do τ for ever: some τ lead to a cycle of τ.
    Diverging,
}

/// A run of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineRun {
    /// The rules of its steps.
    pub rules: Vec<RuleId>,
    /// The positions in `rules` before which the run was seen at rest, ascending, with the states
    /// of the leaves there.
    pub rests: Vec<(usize, Vec<u32>)>,
    /// The states of the leaves at the end of the run.
    pub states: Vec<u32>,
    /// The cycle of τ in which the run ends, as far as it is known.
    pub cycle: Vec<RuleId>,
}

/// A run without compressions that shows the environment the events of `run`, a run of `machine`,
/// and ends as `end` requires. `machine` is compiled for models with this `view`. Returns `None` if
/// there is no such run, or if finding it would take too long.
pub fn expand(
    definitions: &mut dyn Definitions,
    (machine, view): (&Machine, ProcessView),
    run: MachineRun,
    end: &RunEnd,
    options: &CompileOptions,
) -> Result<Option<Vec<RunStep>>> {
    let token = &definitions.cancellation().clone();
    let Some(run) = ended(machine, run, end, token)? else {
        return Ok(None);
    };
    let term = machine.nodes[machine.root()].term;
    let mut builder = ProcessTreeBuilder::of(definitions, term, options)?;
    builder.inside(machine, &run, view.around(), end)
}

/// A run like that of [`expand`], of which only the visible events and the end are known.
pub fn expand_trace(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
    end: &RunEnd,
    options: &CompileOptions,
) -> Result<Option<Vec<RunStep>>> {
    let mut builder = ProcessTreeBuilder::of(definitions, term, options)?;
    let trace: Vec<_> = trace.iter().copied().map(ObservedStep::unseen).collect();
    builder.expanded(term, Around::default(), &trace, end)
}

impl ProcessTreeBuilder<'_> {
    /// A run of `term` without compressions that shows `trace` and ends as `end` requires.
    fn expanded(
        &mut self,
        term: TermId,
        around: Around,
        trace: &[ObservedStep],
        end: &RunEnd,
    ) -> Result<Option<Vec<RunStep>>> {
        let machine = self.machine(term, around)?;
        let token = &self.definitions.cancellation().clone();
        match run(&machine, trace, end, token)? {
            Some(run) => self.inside(&machine, &run, around, end),
            None => Ok(None),
        }
    }

    /// `run` with the steps inside of the compressed leaves of `machine`.
    fn inside(
        &mut self,
        machine: &Machine,
        run: &MachineRun,
        around: Around,
        end: &RunEnd,
    ) -> Result<Option<Vec<RunStep>>> {
        let token = &self.definitions.cancellation().clone();
        let diverging = diverging_leaf(machine, run, token)?;
        let mut traces = traces(machine, run);
        // Ordered, because the remaining steps of several leaves are written down in this order at
        // the end.
        let mut inside: BTreeMap<LeafId, VecDeque<RunStep>> = BTreeMap::new();
        for leaf in machine.leaves.indices() {
            let operand = self.operand(machine, leaf, around)?;
            let Done {
                steps: trace,
                rest,
                does_tau,
            } = traces.remove(&leaf).unwrap_or_default();
            if operand.is_none() && !does_tau {
                continue;
            }
            let end = match end {
                RunEnd::Diverging if diverging == Some(leaf) => RunEnd::Diverging,
                // A leaf that was seen at rest after its last event has done all its τ by then.
                RunEnd::Anyhow | RunEnd::Diverging => rest.map_or(RunEnd::Anyhow, RunEnd::Rest),
                RunEnd::Rest(_) | RunEnd::Refusing(_) => {
                    leaf_end(machine, leaf, run.states[leaf.index()])
                }
            };
            let Some(operand) = operand else {
                // Without it the τ of the leaf stay as they are, of unknown origin.
                if let Some(term) = process_of(machine, leaf)
                    && let Some(steps) = run_of_term(self.definitions, term, &trace, &end)?
                {
                    inside.insert(leaf, steps.into());
                }
                continue;
            };
            let Some(steps) = deep(|| self.expanded(operand, around, &trace, &end))? else {
                return Ok(None);
            };
            inside.insert(leaf, steps.into());
        }
        Ok(Some(merged(machine, run, inside)))
    }

    /// The listed operand of `leaf`; `None` if `leaf` is no compression.
    fn operand(
        &mut self,
        machine: &Machine,
        leaf: LeafId,
        around: Around,
    ) -> Result<Option<TermId>> {
        let Some(term) = process_of(machine, leaf) else {
            return Ok(None);
        };
        match self.skeleton.compression(self.definitions, term)? {
            Some((_, operand)) => Ok(Some(self.slim(operand, around, false, &mut Vec::new())?)),
            None => Ok(None),
        }
    }
}

/// The process of `leaf`. Returns `None` if it is a controller.
fn process_of(machine: &Machine, leaf: LeafId) -> Option<TermId> {
    match &machine.leaves[leaf].behaviour {
        Behaviour::Process(graph) => Some(graph.term),
        Behaviour::Controller { .. } => None,
    }
}

/// The steps of `run`, merged with the steps of the expanded leaves, whose runs are in `inside`.
fn merged(
    machine: &Machine,
    run: &MachineRun,
    mut inside: BTreeMap<LeafId, VecDeque<RunStep>>,
) -> Vec<RunStep> {
    let mut steps = Vec::new();
    let mut rests = run.rests.iter().peekable();
    for (place, &rule) in run.rules.iter().enumerate() {
        if let Some((_, states)) = rests.next_if(|rest| rest.0 == place) {
            come_to_rest(machine, states, &mut inside, &mut steps);
        }
        step(machine, rule, &mut inside, &mut steps);
    }
    // The τ of the leaves that do no event are left.
    steps.extend(inside.into_values().flatten());
    steps
}

/// Adds the step by `rule` to `steps`, with the internal steps of the expanded leaves that take
/// part: those that they have to do before it, and those that they can do after it. `inside` holds
/// the rest of the run of each expanded leaf.
fn step(
    machine: &Machine,
    rule: RuleId,
    inside: &mut BTreeMap<LeafId, VecDeque<RunStep>>,
    steps: &mut Vec<RunStep>,
) {
    let rule = &machine.rules[rule];
    let mut origin = None;
    for (leaf, event) in events(rule) {
        let Some(run) = inside.get_mut(&leaf) else {
            origin = origin.or(Some(rule.origin));
            continue;
        };
        if event == TAU {
            // The expanded run has internal steps of its own.
            return;
        }
        do_taus(run, steps);
        // The expanded run has the trace of the leaf.
        let done = run.pop_front();
        origin = origin.or(done.map(|step| step.1));
    }
    steps.push((rule.result, origin.unwrap_or(rule.origin)));
    for (leaf, _) in events(rule) {
        if let Some(run) = inside.get_mut(&leaf) {
            do_taus(run, steps);
        }
    }
}

/// Moves the τ at the beginning of `run` to the end of `steps`.
fn do_taus(run: &mut VecDeque<RunStep>, steps: &mut Vec<RunStep>) {
    while run.front().is_some_and(|step| step.0 == TAU) {
        steps.extend(run.pop_front());
    }
}

/// The process leaves that take part in `rule`, ascending, each with its event.
fn events(rule: &Rule) -> impl Iterator<Item = (LeafId, EventId)> + '_ {
    rule.participants
        .iter()
        .filter_map(|&(leaf, action)| match action.what {
            What::Event(event) => Some((leaf, event)),
            What::Control(_) | What::Nothing => None,
        })
}

/// The steps of a leaf in a run, seen from inside.
#[derive(Default)]
struct Done {
    /// The events of the leaf but τ.
    steps: Vec<ObservedStep>,
    /// The offers of the leaf when it was seen at rest after these events, if it was.
    rest: Option<Vec<EventId>>,
    /// True if the leaf does τ as well.
    does_tau: bool,
}

/// Adds to `steps` the internal steps that bring to rest the expanded leaves that are at rest in
/// `states`.
fn come_to_rest(
    machine: &Machine,
    states: &[u32],
    inside: &mut BTreeMap<LeafId, VecDeque<RunStep>>,
    steps: &mut Vec<RunStep>,
) {
    for (&leaf, run) in inside {
        if matches!(
            leaf_end(machine, leaf, states[leaf.index()]),
            RunEnd::Rest(_)
        ) {
            do_taus(run, steps);
        }
    }
}

/// The events but τ of each leaf in `run`, and the rests of the leaf.
fn traces(machine: &Machine, run: &MachineRun) -> FxHashMap<LeafId, Done> {
    let mut traces: FxHashMap<LeafId, Done> = FxHashMap::default();
    let mut rests = run.rests.iter().peekable();
    for (place, &rule) in run.rules.iter().enumerate() {
        if let Some((_, states)) = rests.next_if(|rest| rest.0 == place) {
            for leaf in machine.leaves.indices() {
                if let RunEnd::Rest(events) = leaf_end(machine, leaf, states[leaf.index()]) {
                    traces.entry(leaf).or_default().rest = Some(events);
                }
            }
        }
        for (leaf, event) in events(&machine.rules[rule]) {
            let done = traces.entry(leaf).or_default();
            done.does_tau |= event == TAU;
            // A leaf that was seen at rest does no τ before its next event, so a rest is never lost
            // here.
            let rest = done.rest.take();
            if event != TAU {
                done.steps.push(ObservedStep { rest, event });
            }
        }
    }
    traces
}

/// The required end of the run of a leaf that is in `state` when the whole is at rest.
fn leaf_end(machine: &Machine, leaf: LeafId, state: u32) -> RunEnd {
    let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
        return RunEnd::Anyhow;
    };
    if state as usize >= graph.lts.state_count() {
        // The leaf is off, and its last step is forgotten.
        return RunEnd::Anyhow;
    }
    match graph.lts.acceptance(StateId(state)) {
        None => RunEnd::Anyhow,
        Some(events) => RunEnd::Rest(events),
    }
}

/// The first compressed leaf that takes part with a τ of its own in the cycle in which `run` ends,
/// and that could do τ for ever alone.
fn diverging_leaf(
    machine: &Machine,
    run: &MachineRun,
    token: &Cancellation,
) -> Result<Option<LeafId>> {
    let own = run
        .cycle
        .iter()
        .flat_map(|&rule| events(&machine.rules[rule]));
    for (leaf, _) in own.filter(|&(_, event)| event == TAU) {
        if let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour
            && !graph.keeps_taus
        {
            let state = run.states[leaf.index()] as usize;
            if divergent_states(&graph.lts, token)?.get(state) == Some(&true) {
                return Ok(Some(leaf));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
