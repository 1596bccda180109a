//! From a run of a machine with compressed leaves to a run of what they compress.
//!
//! A compressed leaf has the traces of its operand, but other τ. The operand is a machine of its own, which has a run
//! with the trace that the leaf did; leaves that are compressed there are expanded in the same way. The τ of such a run
//! are τ of the whole, and go in front of the next event of the leaf: what only the leaf does neither needs nor
//! disturbs the others. So each level costs a search in the product of its own parts, whatever their number below.
//!
//! Where the run has to end at rest with certain offers, so has the operand of each leaf, with the offers of the state that the
//! leaf is in, or fewer: what it compresses to refuses no more than it does. Where it has to diverge and one leaf does so by itself, its
//! operand has to.
//!
//! So it is where the whole has to be at rest on the way: a leaf that has been seen at rest does no τ until its next event, so its
//! operand has to be at rest before that event, and has done its τ by then.
//!
//! The result is not believed but replayed on the terms (`witness`), which is quick when every step is known.

mod search;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use self::search::{Run, Wanted, run};
use super::builder::Builder;
use super::leaf::{Behaviour, What};
use super::rules::Rule;
use super::tree::Around;
use super::{CompileOptions, LeafId, Machine, RuleId};
use crate::base::index::TypedIndex;
use crate::base::stack::deep;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::lts::tau::divergent_states;
use crate::process::acceptance::acceptance;
use crate::process::event::{EventId, TAU};
use crate::process::observation::ObservedStep;
use crate::process::term::{Definitions, TermId};

/// A step: what the environment sees, and the event before all hiding and renaming.
pub type Step = (EventId, EventId);

/// How a run has to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// In any way.
    Anyhow,
    /// At rest, offering nothing but these events, ascending.
    Rest(Vec<EventId>),
    /// At rest, not offering this event.
    Refusing(EventId),
    /// In a state from which τ leads to a cycle of τ.
    Diverging,
}

/// A run of `term` without compressions that shows the environment the same as a run with the steps `wanted` of its
/// machine and ends as that does; nothing if there is none, or if it takes too long to find.
pub fn expand(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[Step],
    end: &End,
    options: &CompileOptions,
) -> Result<Option<Vec<Step>>> {
    let mut builder = Builder::new(definitions, options);
    builder.skeleton.add(builder.definitions, term)?;
    builder.expanded(term, Around::default(), &Wanted::Steps(wanted, &[]), end)
}

/// The same for a machine by `compile_observed`, if before some of the steps the run has to be at rest with no more than the offers in
/// `rests`, ascending.
pub fn expand_observed(
    definitions: &mut dyn Definitions,
    term: TermId,
    wanted: &[Step],
    rests: &[Option<Vec<EventId>>],
    end: &End,
    options: &CompileOptions,
) -> Result<Option<Vec<Step>>> {
    let mut builder = Builder::new(definitions, options);
    builder.skeleton.add(builder.definitions, term)?;
    let around = Around {
        is_observed: true,
        ..Around::default()
    };
    builder.expanded(term, around, &Wanted::Steps(wanted, rests), end)
}

/// The same, if only the visible events of the run are known, and that its machine can end as `end` says.
pub fn expand_trace(
    definitions: &mut dyn Definitions,
    term: TermId,
    trace: &[EventId],
    end: &End,
    options: &CompileOptions,
) -> Result<Option<Vec<Step>>> {
    let mut builder = Builder::new(definitions, options);
    builder.skeleton.add(builder.definitions, term)?;
    let trace: Vec<_> = trace.iter().copied().map(ObservedStep::unseen).collect();
    builder.expanded(term, Around::default(), &Wanted::Trace(&trace), end)
}

impl Builder<'_> {
    fn expanded(
        &mut self,
        term: TermId,
        around: Around,
        wanted: &Wanted<'_>,
        end: &End,
    ) -> Result<Option<Vec<Step>>> {
        let machine = self.machine(term, around)?;
        let token = &self.definitions.cancellation().clone();
        let Some(run) = run(&machine, wanted, end, token)? else {
            return Ok(None);
        };
        let diverging = diverging_leaf(&machine, &run, token)?;
        let mut traces = traces(&machine, &run);
        // Ordered, because what is left of several leaves at the end is put down in this order.
        let mut inside: BTreeMap<LeafId, VecDeque<Step>> = BTreeMap::new();
        for leaf in machine.leaves.indices() {
            let Some(operand) = self.operand(&machine, leaf)? else {
                continue;
            };
            let Done { steps: trace, rest } = traces.remove(&leaf).unwrap_or_default();
            let end = match end {
                End::Diverging if diverging == Some(leaf) => End::Diverging,
                End::Anyhow | End::Diverging => rest.map_or(End::Anyhow, End::Rest),
                End::Rest(_) | End::Refusing(_) => {
                    leaf_end(&machine, leaf, run.states[leaf.index()])
                }
            };
            let wanted = Wanted::Trace(&trace);
            let Some(steps) = deep(|| self.expanded(operand, around, &wanted, &end))? else {
                return Ok(None);
            };
            inside.insert(leaf, steps.into());
        }
        let mut steps = Vec::new();
        let mut rests = run.rests.iter().peekable();
        for (place, &rule) in run.rules.iter().enumerate() {
            if let Some((_, states)) = rests.next_if(|rest| rest.0 == place) {
                come_to_rest(&machine, states, &mut inside, &mut steps);
            }
            step(&machine, rule, &mut inside, &mut steps);
        }
        steps.extend(inside.into_values().flatten());
        Ok(Some(steps))
    }

    /// What the leaf compresses, if it does.
    fn operand(&mut self, machine: &Machine, leaf: LeafId) -> Result<Option<TermId>> {
        let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
            return Ok(None);
        };
        let compression = self.skeleton.compression(self.definitions, graph.term)?;
        Ok(compression.map(|(_, operand)| operand))
    }
}

/// Adds the step by `rule` to `steps`, after the internal steps that the compressed leaves of it do before.
fn step(
    machine: &Machine,
    rule: RuleId,
    inside: &mut BTreeMap<LeafId, VecDeque<Step>>,
    steps: &mut Vec<Step>,
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
        while let Some((label, inner)) = run.pop_front() {
            if label == event {
                origin = origin.or(Some(inner));
                break;
            }
            steps.push((label, inner));
        }
    }
    steps.push((rule.result, origin.unwrap_or(rule.origin)));
}

/// The process leaves that take part in `rule`, ascending, with what they do.
fn events(rule: &Rule) -> impl Iterator<Item = (LeafId, EventId)> + '_ {
    rule.participants
        .iter()
        .filter_map(|&(leaf, action)| match action.what {
            What::Event(event) => Some((leaf, event)),
            What::Control(_) | What::Nothing => None,
        })
}

/// What a leaf does in a run.
#[derive(Default)]
struct Done {
    /// Its events but τ.
    steps: Vec<ObservedStep>,
    /// With what it was seen at rest after them, if it was.
    rest: Option<Vec<EventId>>,
}

/// Adds the internal steps to `steps` that the compressed leaves which are at rest in `states` have done by then.
fn come_to_rest(
    machine: &Machine,
    states: &[u32],
    inside: &mut BTreeMap<LeafId, VecDeque<Step>>,
    steps: &mut Vec<Step>,
) {
    for (&leaf, run) in inside {
        if matches!(leaf_end(machine, leaf, states[leaf.index()]), End::Rest(_)) {
            while run.front().is_some_and(|step| step.0 == TAU) {
                steps.extend(run.pop_front());
            }
        }
    }
}

/// The events but τ of each leaf in this run, and where it was at rest.
fn traces(machine: &Machine, run: &Run) -> FxHashMap<LeafId, Done> {
    let mut traces: FxHashMap<LeafId, Done> = FxHashMap::default();
    let mut rests = run.rests.iter().peekable();
    for (place, &rule) in run.rules.iter().enumerate() {
        if let Some((_, states)) = rests.next_if(|rest| rest.0 == place) {
            for leaf in machine.leaves.indices() {
                if let End::Rest(events) = leaf_end(machine, leaf, states[leaf.index()]) {
                    traces.entry(leaf).or_default().rest = Some(events);
                }
            }
        }
        for (leaf, event) in events(&machine.rules[rule]) {
            let done = traces.entry(leaf).or_default();
            let rest = done.rest.take();
            if event != TAU {
                done.steps.push(ObservedStep { rest, event });
            }
        }
    }
    traces
}

/// How a leaf is where a run is at rest, if it is in `state`.
fn leaf_end(machine: &Machine, leaf: LeafId, state: u32) -> End {
    let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
        return End::Anyhow;
    };
    if state as usize >= graph.lts.state_count() {
        // Off.
        return End::Anyhow;
    }
    let labels = graph.lts.row(StateId(state)).iter();
    match acceptance(labels.map(|&(event, _)| event)) {
        None => End::Anyhow,
        Some(events) => End::Rest(events),
    }
}

/// The first compressed leaf that takes part with τ of its own in the cycle that `run` ends in, and that could go on so for ever alone.
fn diverging_leaf(machine: &Machine, run: &Run, token: &Cancellation) -> Result<Option<LeafId>> {
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
