//! Runs of one machine: the shortest with given steps or a given trace, to a state where they may end.

use hashbrown::HashMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{End, Step};
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::machine::packing::{PackedState, Packing};
use crate::machine::successors::{Scratch, Successors};
use crate::machine::{Machine, RuleId};
use crate::process::acceptance::{acceptance, is_subset};
use crate::process::event::{EventId, TAU};
use crate::process::observation::ObservedStep;

/// A search in one machine that meets more states than this is given up.
const MOST_STATES: usize = 2_000_000;

/// What a run has to do.
pub(super) enum Wanted<'a> {
    /// These steps and no others, where some begin at rest with no more than these offers, ascending; none do, if there are none.
    Steps(&'a [Step], &'a [Option<Vec<EventId>>]),
    /// These events, with any τ between them, where some are done at rest with no more than was offered.
    Trace(&'a [ObservedStep]),
}

impl Wanted<'_> {
    fn len(&self) -> usize {
        match self {
            Wanted::Steps(steps, _) => steps.len(),
            Wanted::Trace(trace) => trace.len(),
        }
    }

    /// How much is done after `step` if `done` was before; nothing if it is not wanted.
    fn after(&self, done: usize, step: Step) -> Option<usize> {
        match self {
            Wanted::Steps(steps, _) => (steps.get(done) == Some(&step)).then_some(done + 1),
            Wanted::Trace(_) if step.0 == TAU => Some(done),
            Wanted::Trace(trace) => {
                let is_it = trace.get(done).is_some_and(|wanted| wanted.event == step.0);
                is_it.then_some(done + 1)
            }
        }
    }

    /// With no more than which offers the process has to be at rest where the next is done, if it has to.
    fn rest(&self, done: usize) -> Option<&[EventId]> {
        match self {
            Wanted::Steps(_, rests) => rests.get(done)?.as_deref(),
            Wanted::Trace(trace) => trace.get(done)?.rest.as_deref(),
        }
    }
}

/// A run and how it ends.
pub(super) struct Run {
    pub(super) rules: Vec<RuleId>,
    /// Before which of them it has to be at rest, ascending, with the states of the leaves there.
    pub(super) rests: Vec<(usize, Vec<u32>)>,
    /// The states of the leaves at its end.
    pub(super) states: Vec<u32>,
    /// The cycle of τ that it ends in, if it has to end in one.
    pub(super) cycle: Vec<RuleId>,
}

/// A packed state.
type State = Vec<u64>;

/// A way to end, the state there, and a cycle of τ from it.
type Ending = (Vec<RuleId>, State, Vec<RuleId>);

/// How much is done, the state, and the number before and the step that first led there.
type Found = (usize, State, Option<(usize, RuleId)>);

/// A shortest run of `machine` and, if it has to diverge, the way to a cycle; nothing if there is none or it is too far away.
pub(super) fn run(
    machine: &Machine,
    wanted: &Wanted<'_>,
    end: &End,
    token: &Cancellation,
) -> Result<Option<Run>> {
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, token)?;
    let mut search = Search {
        machine,
        token,
        packing,
        successors,
        left: FxHashSet::default(),
    };
    search.run(wanted, end)
}

struct Search<'m> {
    machine: &'m Machine,
    token: &'m Cancellation,
    packing: Packing,
    successors: Successors,
    /// From these no τ leads to a cycle of τ.
    left: FxHashSet<State>,
}

impl Search<'_> {
    fn run(&mut self, wanted: &Wanted<'_>, end: &End) -> Result<Option<Run>> {
        let initial: State = PackedState::zero(self.packing.words());
        // By how much is done and the state, its number.
        let mut numbers: HashMap<(usize, State), usize, FxBuildHasher> = HashMap::default();
        numbers.insert((0, initial.clone()), 0);
        let mut found: Vec<Found> = vec![(0, initial, None)];
        let mut next = 0;
        while next < found.len() && found.len() <= MOST_STATES {
            let (done, state, _) = found[next].clone();
            let steps = self.steps(&state)?;
            let offers: Vec<EventId> = steps.iter().map(|&(_, event, _)| event).collect();
            let rests = |most: &[EventId]| {
                acceptance(offers.iter().copied()).is_some_and(|events| is_subset(&events, most))
            };
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
                return Ok(Some(Run {
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

    /// From a `state` that can do `offers`, a way to end well, the state there, and the cycle of τ if there has to be one;
    /// nothing if there is no way.
    fn ending(&mut self, state: State, offers: &[EventId], end: &End) -> Result<Option<Ending>> {
        let rest = || acceptance(offers.iter().copied());
        let ends_well = match end {
            End::Anyhow => true,
            End::Rest(allowed) => rest().is_some_and(|events| is_subset(&events, allowed)),
            End::Refusing(event) => rest().is_some_and(|events| !events.contains(event)),
            End::Diverging => return self.lasso(state),
        };
        Ok(ends_well.then(|| (Vec::new(), state, Vec::new())))
    }

    /// A way by τ from `start` to a cycle of τ, the first state of the cycle, and the cycle; depth first.
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

/// The rules that lead to the entry `last`, and before which of them the state has to be at rest, with its number.
fn rules_to(
    found: &[Found],
    last: usize,
    wanted: &Wanted<'_>,
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
