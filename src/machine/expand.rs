//! From a run of a machine with compressed leaves to a run of what they compress.
//!
//! A compressed leaf has the traces of its operand, but other τ. The operand is a machine of its own, which has a run
//! with the trace that the leaf did; leaves that are compressed there are expanded in the same way. The τ of such a run
//! are τ of the whole, and go in front of the next event of the leaf: what only the leaf does neither needs nor
//! disturbs the others. So each level costs a search in the product of its own parts, whatever their number below.
//!
//! Where the run has to end at rest with certain offers, so has the operand of each leaf, with the offers of the state that the
//! leaf is in, or fewer: what it compresses to refuses no more than it does.
//!
//! The result is not believed but replayed on the terms (`witness`), which is quick when every step is known.

use std::collections::{BTreeMap, VecDeque};

use hashbrown::HashMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::graphs::Around;
use super::leaf::{Behaviour, What};
use super::packing::PackedState;
use super::tree::Builder;
use super::{CompileOptions, LeafId, Machine, RuleId};
use crate::base::index::TypedIndex;
use crate::base::stack::deep;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::process::acceptance::{acceptance, is_subset};
use crate::process::event::{EventId, TAU};
use crate::process::term::{Definitions, TermId};

/// A step: what the environment sees, and the event before all hiding and renaming.
pub type Step = (EventId, EventId);

/// A search in one machine that meets more states than this is given up.
const MOST_STATES: usize = 2_000_000;

/// How a run has to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// In any way.
    Anyhow,
    /// At rest, offering nothing but these events, ascending; with ✓ alone, in a state that can terminate.
    Rest(Vec<EventId>),
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
    builder.expanded(term, &Wanted::Steps(wanted), end)
}

/// What a run has to do.
enum Wanted<'a> {
    /// These steps and no others.
    Steps(&'a [Step]),
    /// These events, with any τ between them.
    Trace(&'a [EventId]),
}

impl Wanted<'_> {
    fn len(&self) -> usize {
        match self {
            Wanted::Steps(steps) => steps.len(),
            Wanted::Trace(trace) => trace.len(),
        }
    }

    /// How much is done after `step` if `done` was before; nothing if it is not wanted.
    fn after(&self, done: usize, step: Step) -> Option<usize> {
        match self {
            Wanted::Steps(steps) => (steps.get(done) == Some(&step)).then_some(done + 1),
            Wanted::Trace(_) if step.0 == TAU => Some(done),
            Wanted::Trace(trace) => (trace.get(done) == Some(&step.0)).then_some(done + 1),
        }
    }
}

impl Builder<'_> {
    fn expanded(
        &mut self,
        term: TermId,
        wanted: &Wanted<'_>,
        end: &End,
    ) -> Result<Option<Vec<Step>>> {
        let machine = self.machine(term, Around::default())?;
        let Some((run, states)) = run(&machine, wanted, end)? else {
            return Ok(None);
        };
        let mut traces = traces(&machine, &run);
        // Ordered, because what is left of several leaves at the end is put down in this order.
        let mut inside: BTreeMap<LeafId, VecDeque<Step>> = BTreeMap::new();
        for leaf in machine.leaves.indices() {
            let Some(operand) = self.operand(&machine, leaf)? else {
                continue;
            };
            let trace = traces.remove(&leaf).unwrap_or_default();
            let end = match end {
                End::Anyhow => End::Anyhow,
                End::Rest(_) => leaf_end(&machine, leaf, states[leaf.index()]),
            };
            let wanted = Wanted::Trace(&trace);
            let Some(steps) = deep(|| self.expanded(operand, &wanted, &end))? else {
                return Ok(None);
            };
            inside.insert(leaf, steps.into());
        }
        let mut steps = Vec::new();
        for &rule in &run {
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
fn events(rule: &super::rules::Rule) -> impl Iterator<Item = (LeafId, EventId)> + '_ {
    rule.participants
        .iter()
        .filter_map(|&(leaf, action)| match action.what {
            What::Event(event) => Some((leaf, event)),
            What::Control(_) | What::Nothing => None,
        })
}

/// The events but τ of each leaf in this run.
fn traces(machine: &Machine, run: &[RuleId]) -> FxHashMap<LeafId, Vec<EventId>> {
    let mut traces: FxHashMap<LeafId, Vec<EventId>> = FxHashMap::default();
    for &rule in run {
        for (leaf, event) in events(&machine.rules[rule]) {
            let trace = traces.entry(leaf).or_default();
            if event != TAU {
                trace.push(event);
            }
        }
    }
    traces
}

/// How much is done, the state, and the number before and the step that first led there.
type Found = (usize, Vec<u64>, Option<(usize, RuleId)>);

/// How a leaf is at the end of a run that ends at rest, if it is in `state`.
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

/// A shortest run of `machine`, as its rules, and the states of the leaves at its end; nothing if there is none or it is too
/// far away.
fn run(
    machine: &Machine,
    wanted: &Wanted<'_>,
    end: &End,
) -> Result<Option<(Vec<RuleId>, Vec<u32>)>> {
    let packing = machine.packing(1);
    let successors = machine.successors(&packing)?;
    let initial: Vec<u64> = PackedState::zero(packing.words());
    let mut scratch = initial.clone();
    // By how much is done and the state, its number.
    let mut numbers: HashMap<(usize, Vec<u64>), usize, FxBuildHasher> = HashMap::default();
    numbers.insert((0, initial.clone()), 0);
    let mut found: Vec<Found> = vec![(0, initial, None)];
    let mut next = 0;
    while next < found.len() && found.len() <= MOST_STATES {
        let (done, state, _) = found[next].clone();
        let mut offers = Vec::new();
        successors.for_each(
            &state,
            &mut scratch,
            &mut |rule, event, target: &Vec<u64>| {
                offers.push(event);
                let Some(after) = wanted.after(done, (event, machine.rules[rule].origin)) else {
                    return;
                };
                let fresh = found.len();
                let number = *numbers.entry((after, target.clone())).or_insert(fresh);
                if number == fresh {
                    found.push((after, target.clone(), Some((next, rule))));
                }
            },
        );
        if done == wanted.len() && ends_well(&offers, end) {
            let leaves = packing.unpack(&state);
            return Ok(Some((rules_to(&found, next), leaves)));
        }
        next += 1;
    }
    Ok(None)
}

/// Whether a state that can do `offers` is one to end with.
fn ends_well(offers: &[EventId], end: &End) -> bool {
    match end {
        End::Anyhow => true,
        End::Rest(allowed) => {
            acceptance(offers.iter().copied()).is_some_and(|events| is_subset(&events, allowed))
        }
    }
}

/// The rules that lead to the entry `last`.
fn rules_to(found: &[Found], last: usize) -> Vec<RuleId> {
    let mut rules = Vec::new();
    let mut at = last;
    while let Some((before, rule)) = found[at].2 {
        rules.push(rule);
        at = before;
    }
    rules.reverse();
    rules
}
