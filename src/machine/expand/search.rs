//! Finds runs of one machine: a shortest run with given steps or a given trace, to a permitted end.

use hashbrown::HashMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{RunEnd, RunStep};
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

/// The steps that a run has to do.
pub(super) enum WantedRun<'a> {
    /// These steps and no others. A step with a set in the second list, ascending, begins at rest
    /// with no other offers than the set. If that list is empty, no step has one.
    Steps(&'a [RunStep], &'a [Option<Vec<EventId>>]),
    /// These events, with any τ between them. An event with a rest is done at rest with no other
    /// offers than those of the rest.
    Trace(&'a [ObservedStep]),
}

impl WantedRun<'_> {
    fn len(&self) -> usize {
        match self {
            WantedRun::Steps(steps, _) => steps.len(),
            WantedRun::Trace(trace) => trace.len(),
        }
    }

    /// The number of wanted steps that are done after `step`, if `done` were done before it; `None`
    /// if the run may not do `step` at that point.
    fn after(&self, done: usize, step: RunStep) -> Option<usize> {
        match self {
            WantedRun::Steps(steps, _) => (steps.get(done) == Some(&step)).then_some(done + 1),
            WantedRun::Trace(_) if step.0 == TAU => Some(done),
            WantedRun::Trace(trace) => {
                let is_it = trace.get(done).is_some_and(|wanted| wanted.event == step.0);
                is_it.then_some(done + 1)
            }
        }
    }

    /// The only events that may be offered before the next wanted step; `None` if the process need
    /// not be at rest there.
    fn rest(&self, done: usize) -> Option<&[EventId]> {
        match self {
            WantedRun::Steps(_, rests) => rests.get(done)?.as_deref(),
            WantedRun::Trace(trace) => trace.get(done)?.rest.as_deref(),
        }
    }
}

/// A run with its end.
pub(super) struct FoundRun {
    pub(super) rules: Vec<RuleId>,
    /// The positions in `rules` before which the run is at rest, ascending, with the states of the
    /// leaves there.
    pub(super) rests: Vec<(usize, Vec<u32>)>,
    /// The states of the leaves at the end of the run.
    pub(super) states: Vec<u32>,
    /// The cycle of τ in which the run ends, if it has to end in one.
    pub(super) cycle: Vec<RuleId>,
}

/// A packed state.
type State = Vec<u64>;

/// A way to a permitted end: its rules, the state at the end, and a cycle of τ from it.
type Ending = (Vec<RuleId>, State, Vec<RuleId>);

/// The number of wanted steps done, the state, and the number of the entry before with the rule
/// that first led here.
type Met = (usize, State, Option<(usize, RuleId)>);

/// A shortest run of `machine` that does the `wanted` steps and, if it has to diverge, goes on to a
/// cycle of τ. Returns `None` if there is none within [`MOST_STATES`].
pub(super) fn run(
    machine: &Machine,
    wanted: &WantedRun<'_>,
    end: &RunEnd,
    token: &Cancellation,
) -> Result<Option<FoundRun>> {
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, token)?;
    let mut search = RunSearch {
        machine,
        token,
        packing,
        successors,
        left: FxHashSet::default(),
    };
    search.run(wanted, end)
}

struct RunSearch<'m> {
    machine: &'m Machine,
    token: &'m Cancellation,
    packing: Packing,
    successors: Successors,
    /// The states from which no τ leads to a cycle of τ, as far as they are known.
    left: FxHashSet<State>,
}

impl RunSearch<'_> {
    fn run(&mut self, wanted: &WantedRun<'_>, end: &RunEnd) -> Result<Option<FoundRun>> {
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
            let goes_on = wanted.rest(done).is_none_or(rests);
            for (rule, event, target) in steps {
                if event != TAU && !goes_on {
                    continue;
                }
                let step = (event, self.machine.rules[rule].origin);
                let Some(after) = wanted.after(done, step) else {
                    continue;
                };
                let fresh = found.len();
                let number = *numbers.entry((after, target.clone())).or_insert(fresh);
                if number == fresh {
                    found.push((after, target, Some((next, rule))));
                }
            }
            if done == wanted.len()
                && let Some((stem, last, cycle)) = self.ending(state, &offers, end)?
            {
                let (mut rules, places) = rules_to(&found, next, wanted);
                rules.extend(stem);
                let unpacked = |(place, number): (usize, usize)| {
                    (place, self.packing.unpack(&found[number].1))
                };
                let rests = places.into_iter().map(unpacked).collect();
                let states = self.packing.unpack(&last);
                return Ok(Some(FoundRun {
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
    wanted: &WantedRun<'_>,
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
        found[at].0 > found[before].0 && wanted.rest(found[before].0).is_some()
    });
    let rests = rests.map(|(place, (before, _))| (place, before)).collect();
    (rules, rests)
}
