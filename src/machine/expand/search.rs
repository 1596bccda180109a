//! Finds runs of one machine: a shortest run with a given trace, to a permitted end.

use hashbrown::HashMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{MachineRun, RunEnd};
use crate::packing::Packing;
use crate::successors::{Scratch, Successors};
use crate::{Machine, RuleId};
use base::cancel::Cancellation;
use base::diag::Result;
use process::acceptance::{acceptance, is_subset};
use process::event::{EventId, TAU};
use process::observation::ObservedStep;

/// The number of states after which a search in one machine is given up.
const MOST_STATES: usize = 2_000_000;

/// The number of events of `trace` that are done after a step with this event, if `done` were done
/// before it; `None` if a run with the trace may not do the step at that point.
fn after(trace: &[ObservedStep], done: usize, event: EventId) -> Option<usize> {
    match event {
        TAU => Some(done),
        _ => (trace.get(done)?.event == event).then_some(done + 1),
    }
}

/// The only events that may be offered before the next event of `trace`; `None` if the process need
/// not be at rest there.
fn rest(trace: &[ObservedStep], done: usize) -> Option<&[EventId]> {
    trace.get(done)?.rest.as_deref()
}

/// A packed state.
type State = Vec<u64>;

/// A way to a permitted end: its rules, the state at the end, and a cycle of τ from it.
type Ending = (Vec<RuleId>, State, Vec<RuleId>);

/// The number of wanted steps done, the state, and the number of the entry before with the rule
/// that first led here.
type Met = (usize, State, Option<(usize, RuleId)>);

/// A shortest run of `machine` that does the events of `trace` with any τ between them and, if it
/// has to diverge, goes on to a cycle of τ. An event with a rest is done at rest with no other
/// offers than those of the rest. Returns `None` if there is no such run within [`MOST_STATES`].
pub(super) fn run(
    machine: &Machine,
    trace: &[ObservedStep],
    end: &RunEnd,
    token: &Cancellation,
) -> Result<Option<MachineRun>> {
    RunSearch::new(machine, token)?.run(trace, end)
}

/// `run` with a way to a permitted end, which is a cycle of τ if it has to diverge. Returns `None`
/// if there is none within [`MOST_STATES`].
pub(super) fn ended(
    machine: &Machine,
    mut run: MachineRun,
    end: &RunEnd,
    token: &Cancellation,
) -> Result<Option<MachineRun>> {
    if *end == RunEnd::Anyhow {
        return Ok(Some(run));
    }
    let mut search = RunSearch::new(machine, token)?;
    let state = search.packed(&run.states);
    let offers: Vec<EventId> = search.steps(&state)?.iter().map(|step| step.1).collect();
    let Some((stem, last, cycle)) = search.ending(state, &offers, end)? else {
        return Ok(None);
    };
    run.rules.extend(stem);
    run.states = search.packing.unpack(&last);
    run.cycle = cycle;
    Ok(Some(run))
}

struct RunSearch<'m> {
    token: &'m Cancellation,
    packing: Packing,
    successors: Successors,
    /// The states from which no τ leads to a cycle of τ, as far as they are known.
    left: FxHashSet<State>,
}

impl<'m> RunSearch<'m> {
    fn new(machine: &'m Machine, token: &'m Cancellation) -> Result<Self> {
        let packing = machine.packing(1);
        let successors = machine.successors(&packing, token)?;
        Ok(Self {
            token,
            packing,
            successors,
            left: FxHashSet::default(),
        })
    }

    /// The state in which the leaves are in `states`.
    fn packed(&self, states: &[u32]) -> State {
        let mut state: State = self.successors.initial(self.packing.words());
        self.packing.put(&mut state, states);
        state
    }

    fn run(&mut self, trace: &[ObservedStep], end: &RunEnd) -> Result<Option<MachineRun>> {
        let initial: State = self.successors.initial(self.packing.words());
        // The number of each entry, by how many wanted steps are done and the state.
        let mut numbers: HashMap<(usize, State), usize, FxBuildHasher> = HashMap::default();
        numbers.insert((0, initial.clone()), 0);
        let mut found: Vec<Met> = vec![(0, initial, None)];
        let mut next = 0;
        while next < found.len() && found.len() <= MOST_STATES {
            let (done, state, _) = found[next].clone();
            let steps = self.steps(&state)?;
            let offers: Vec<EventId> = steps.iter().map(|&(_, event, _)| event).collect();
            let rests = |most: &[EventId]| {
                acceptance(offers.iter().copied()).is_some_and(|events| is_subset(&events, most))
            };
            // A state that is not at rest as it has to be may still lead, by τ, to one that is.
            let goes_on = rest(trace, done).is_none_or(rests);
            for (rule, event, target) in steps {
                if event != TAU && !goes_on {
                    continue;
                }
                let Some(after) = after(trace, done, event) else {
                    continue;
                };
                let fresh = found.len();
                let number = *numbers.entry((after, target.clone())).or_insert(fresh);
                if number == fresh {
                    found.push((after, target, Some((next, rule))));
                }
            }
            if done == trace.len()
                && let Some((stem, last, cycle)) = self.ending(state, &offers, end)?
            {
                let (mut rules, places) = rules_to(&found, next, trace);
                rules.extend(stem);
                let unpacked = |(place, number): (usize, usize)| {
                    (place, self.packing.unpack(&found[number].1))
                };
                let rests = places.into_iter().map(unpacked).collect();
                let states = self.packing.unpack(&last);
                return Ok(Some(MachineRun {
                    rules,
                    rests,
                    states,
                    cycle,
                }));
            }
            next += 1;
        }
        Ok(None)
    }

    fn steps(&mut self, state: &State) -> Result<Vec<(RuleId, EventId, State)>> {
        self.token.step()?;
        let mut steps = Vec::new();
        let mut scratch = Scratch::new(self.packing.words());
        self.successors
            .for_each(state, &mut scratch, &mut |rule, event, target: &State| {
                steps.push((rule, event, target.clone()));
            });
        Ok(steps)
    }

    /// A way from `state`, which can do `offers`, to a permitted end: its steps, the state at the
    /// end and a cycle of τ, if there has to be one. Returns `None` if there is no way.
    fn ending(&mut self, state: State, offers: &[EventId], end: &RunEnd) -> Result<Option<Ending>> {
        let rest = || acceptance(offers.iter().copied());
        let ends_well = match end {
            RunEnd::Anyhow => true,
            RunEnd::Rest(allowed) => rest().is_some_and(|events| is_subset(&events, allowed)),
            RunEnd::Refusing(event) => rest().is_some_and(|events| !events.contains(event)),
            RunEnd::Diverging => return self.lasso(state),
        };
        Ok(ends_well.then(|| (Vec::new(), state, Vec::new())))
    }

    /// A way by τ from `start` to a cycle of τ, the first state of the cycle, and the cycle; found
    /// depth first.
    fn lasso(&mut self, start: State) -> Result<Option<Ending>> {
        if self.left.contains(&start) {
            return Ok(None);
        }
        let mut depths: FxHashMap<State, usize> = FxHashMap::from_iter([(start.clone(), 0)]);
        let mut done: Vec<RuleId> = Vec::new();
        let mut open = vec![(start.clone(), self.taus(&start)?)];
        while let Some((current, waiting)) = open.last_mut() {
            let Some((rule, target)) = waiting.pop() else {
                depths.remove(current);
                // Had τ led from here back to the path, the search would have ended: so no cycle
                // can be reached.
                self.left.insert(std::mem::take(current));
                open.pop();
                done.pop();
                continue;
            };
            if self.left.contains(&target) {
                continue;
            }
            done.push(rule);
            if let Some(&depth) = depths.get(&target) {
                let cycle = done.split_off(depth);
                return Ok(Some((done, target, cycle)));
            }
            // `left` is kept for all calls, so this bounds all of them together.
            if self.left.len() + open.len() > MOST_STATES {
                return Ok(None);
            }
            depths.insert(target.clone(), open.len());
            let taus = self.taus(&target)?;
            open.push((target, taus));
        }
        Ok(None)
    }

    /// The τ of `state`, in reverse order.
    fn taus(&mut self, state: &State) -> Result<Vec<(RuleId, State)>> {
        let steps = self.steps(state)?.into_iter().rev();
        let taus = steps.filter(|&(_, event, _)| event == TAU);
        Ok(taus.map(|(rule, _, target)| (rule, target)).collect())
    }
}

/// The rules that lead to the entry `last`, and the positions before which the run has to be at
/// rest, each with the number of its entry.
fn rules_to(
    found: &[Met],
    last: usize,
    trace: &[ObservedStep],
) -> (Vec<RuleId>, Vec<(usize, usize)>) {
    let mut rules = Vec::new();
    let mut entries = Vec::new();
    let mut at = last;
    while let Some((before, rule)) = found[at].2 {
        rules.push(rule);
        entries.push((before, at));
        at = before;
    }
    rules.reverse();
    entries.reverse();
    let places = entries.into_iter().enumerate();
    let rests = places.filter(|&(_, (before, at))| {
        found[at].0 > found[before].0 && rest(trace, found[before].0).is_some()
    });
    let rests = rests.map(|(place, (before, _))| (place, before)).collect();
    (rules, rests)
}
