//! Determinism up to symmetry: one pair of states of each orbit is looked at.
//!
//! A pair (p, r) says that one trace leads to the state p and to the state r, which is at rest. The
//! first pair has the initial state and a rest that τ leads to from it. In each pair p must do
//! nothing that r does not offer, and if p is at rest, offer all that r offers. From (p, r) a τ of
//! p to p' leads to (p', r). If p does an event e, let y be the first state that r reaches by e,
//! and z a rest that τ leads to from y: then (x, z) is a pair for each x that p reaches by e, with
//! one z for all of them. Of each pair only an image under a symmetry is kept; a symmetry moves
//! both states.
//!
//! *If no pair is wrong, the process is deterministic.* Let R hold all images of all pairs that
//! were kept, under all symmetries. Read along a run of the process, the search gives each state p
//! that a trace t leads to a partner: a rest r after t with (p, r) in R. For each e, all states
//! that p reaches by e, and those that τ leads to from them, have a common partner among the rests
//! after e of r. Let ≈ be the least equivalence on states at rest that contains R there.
//!
//! 1. If a ≈ b, then a and b offer the same: along each pair of R both do.
//! 2. If a ≈ b are reached, and y and z are rests after e of a and of b, then y ≈ z. If a = b, then
//!    a has a partner, so y and z have a common one. If (a, b) is in R, then y has a partner among
//!    the rests after e of b; this partner and z are rests after e of the one state b. Longer
//!    chains follow link by link.
//! 3. All rests after one trace, partners included, are in one class. After the empty trace all
//!    have the same partner. A rest q after te comes by e and τ from a state p after t with a
//!    partner r, so q ≈ z for a rest z after e of r; by 2 all such z are in one class, because all
//!    such r are.
//!
//! So if p does e after t, its partner offers e, and by 3 and 1 every rest after t does. In the
//! model of failures and divergences, moreover, no state diverges: that is looked at for each
//! state, and a cycle of τ among representatives is a divergence, as in
//! `refine/divergence.rs`.
//!
//! *If a pair is wrong, or no rest is found, nothing is said.* The plain search then finds a
//! shortest violation; it need not look further than the length of that.
//!
//! The rest z may be chosen after the pair has been moved if p reaches a single state by e, because
//! it is common to all such states then. So where a deterministic process does no τ, all pairs are
//! of the form (p, p), and cost one representative each.

use rustc_hash::{FxHashMap, FxHashSet};

use super::process::Over;
use crate::halt::Halt;
use crate::outcome::{CheckOptions, SearchProgress, Statistics, StopReason};
use crate::watch::SearchWatch;
use base::diag::Result;
use lts::model::Model;
use machine::Machine;
use machine::met::MetStates;
use machine::packing::{PackedState, Packing};
use machine::successors::{Scratch, Successors};
use process::event::{EventId, TAU};
use symmetry::representative::{AnyRep, Method, Representative, apply};

/// The answer of [`check_orbits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrbitAnswer {
    /// The process is deterministic.
    Deterministic,
    /// It has to be decided without symmetry.
    Unknown,
    /// The search ended early.
    Stopped(StopReason),
}

/// Whether `machine` is deterministic in `model`, from one pair of states of each orbit. `method`
/// has to be made of verified symmetries of `machine` beside a specification of
/// `specification_states` states. The statistics count representatives.
pub fn check_orbits(
    machine: &Machine,
    (method, specification_states): (&Method, usize),
    model: Model,
    options: &CheckOptions,
) -> Result<(OrbitAnswer, Statistics)> {
    let packing = machine.packing(specification_states as u32);
    let successors = machine.successors(&packing, &options.cancellation)?;
    let words = packing.words();
    let mut search = OrbitSearch {
        rep: method.packed(&packing),
        packing,
        successors,
        scratch: Scratch::new(words),
        from: vec![0; words],
        met: MetStates::new(words),
        pairs: Vec::new(),
        seen: FxHashSet::default(),
        looked_at: 0,
        listed: 0,
        rests: FxHashMap::default(),
        is_counted: Vec::new(),
        is_quiet: Vec::new(),
        forbids_divergence: model.has_divergences(),
        most: options.max_states.unwrap_or(u64::MAX),
        watch: SearchWatch::new(options),
        statistics: Statistics::default(),
    };
    search.watch.hear(&search.progress());
    let outcome = search.run();
    search.watch.hear(&search.progress());
    let answer = match outcome {
        Ok(()) => OrbitAnswer::Deterministic,
        Err(Over::Violated(_) | Over::Undecided) => OrbitAnswer::Unknown,
        Err(Over::Halted(Halt::Stopped(reason))) => OrbitAnswer::Stopped(reason),
        Err(Over::Halted(halt)) => return Err(halt.into_problem()),
    };
    Ok((answer, search.statistics()))
}

/// States are numbered with fewer bits than 32.
const MOST_MET: usize = 1 << 31;

/// The watch is asked each time that this many rows more were listed.
const INTERVAL: u64 = 1 << 10;

/// A rest is looked for among at most this many states.
const MOST_BEFORE_REST: usize = 10_000;

/// The search gives up with more pairs than this for each state, and [`FEW_PAIRS`]: then the plain
/// search, which looks at each state once, is the better one.
const PAIRS_PER_STATE: u64 = 4;

/// The search does not give up with as few pairs.
const FEW_PAIRS: u64 = 10_000;

struct OrbitSearch {
    packing: Packing,
    successors: Successors,
    scratch: Scratch<Vec<u64>>,
    from: Vec<u64>,
    rep: AnyRep<Vec<u64>>,
    met: MetStates,
    /// The pairs, in the order in which they were met, by the numbers of their states. The second
    /// state need not be at rest yet.
    pairs: Vec<(u32, u32)>,
    /// The same, and the pairs that they became when the second state was let come to rest.
    seen: FxHashSet<(u32, u32)>,
    /// The number of the pair that is being looked at.
    looked_at: usize,
    /// How many rows were listed.
    listed: u64,
    /// By state that is not at rest, where τ leads.
    rests: FxHashMap<u32, u32>,
    /// By state, whether it is the first of some pair.
    is_counted: Vec<bool>,
    /// By state, whether it is known that it does not diverge.
    is_quiet: Vec<bool>,
    forbids_divergence: bool,
    most: u64,
    watch: SearchWatch,
    statistics: Statistics,
}

/// The transitions of a state: events ascending, those of one event in the order of the rules.
struct PackedRow {
    /// The event of each transition, and the number of its target in `targets`.
    steps: Vec<(EventId, u32)>,
    /// The words of all targets.
    targets: Vec<u64>,
    words: usize,
}

impl PackedRow {
    fn target(&self, step: usize) -> &[u64] {
        let start = self.steps[step].1 as usize * self.words;
        &self.targets[start..start + self.words]
    }

    /// The numbers of the steps of τ.
    fn taus(&self) -> std::ops::Range<usize> {
        0..self.steps.partition_point(|step| step.0 == TAU)
    }

    fn is_at_rest(&self) -> bool {
        self.taus().is_empty()
    }

    /// The visible events, ascending, each with the number of its first step.
    fn events(&self) -> Vec<(EventId, usize)> {
        let visible = self.taus().end..self.steps.len();
        let mut events: Vec<_> = visible.map(|step| (self.steps[step].0, step)).collect();
        events.dedup_by_key(|event| event.0);
        events
    }
}

impl OrbitSearch {
    /// Looks at pairs level by level.
    fn run(&mut self) -> Result<(), Over> {
        let initial: Vec<u64> = self.successors.initial(self.packing.words());
        self.meet(&initial, &initial);
        let mut level = 0..self.pairs.len();
        while !level.is_empty() {
            self.statistics.levels += 1;
            let end = level.end;
            for number in level {
                let most = PAIRS_PER_STATE * self.statistics.states + FEW_PAIRS;
                if number as u64 > most {
                    return Err(Over::Undecided);
                }
                self.looked_at = number;
                self.look(self.pairs[number])?;
            }
            level = end..self.pairs.len();
        }
        Ok(())
    }

    /// Notes down an image of the pair of `state` and `partner`.
    fn meet(&mut self, state: &[u64], partner: &[u64]) {
        let mut packed: Vec<u64> = state.to_vec();
        let pair = if state == partner {
            self.rep.represent(&mut packed);
            let number = self.met.number(&packed);
            (number, number)
        } else {
            let symmetry = self.rep.twist(&packed);
            let mut moved = |words: &[u64]| {
                packed.load(words);
                self.met.number(&apply(&self.packing, &symmetry, &packed))
            };
            (moved(state), moved(partner))
        };
        if self.seen.insert(pair) {
            self.pairs.push(pair);
        }
    }

    /// Compares a state with its partner, and meets what the two lead to.
    fn look(&mut self, (state, partner): (u32, u32)) -> Result<(), Over> {
        let row = self.row(state)?;
        self.count(state, &row);
        // A process that diverges may have very many states before a rest.
        if self.forbids_divergence && self.diverges(state, &row)? {
            return Err(Over::Undecided);
        }
        let (rest, resting) = if partner == state && row.is_at_rest() {
            (state, None)
        } else {
            let rest = self.rest(partner)?;
            if rest != partner && !self.seen.insert((state, rest)) {
                return Ok(());
            }
            (rest, Some(self.row(rest)?))
        };
        let resting = resting.as_ref().unwrap_or(&row);
        let (own, offers) = (row.events(), resting.events());
        let is_offered = |event: &EventId| offers.binary_search_by_key(event, |o| o.0).ok();
        let all = own.iter().all(|(event, _)| is_offered(event).is_some());
        if !all || row.is_at_rest() && own.len() < offers.len() {
            return Err(Over::Undecided);
        }
        let rest = self.met.state(rest).to_vec();
        for step in row.taus() {
            self.meet(row.target(step), &rest);
        }
        for (number, &(event, first)) in own.iter().enumerate() {
            let end = own.get(number + 1).map_or(row.steps.len(), |next| next.1);
            let Some(after) = is_offered(&event).map(|at| resting.target(offers[at].1)) else {
                continue;
            };
            if end - first == 1 {
                self.meet(row.target(first), after);
                continue;
            }
            let after = self.met.number(after);
            let after = self.rest(after)?;
            let after = self.met.state(after).to_vec();
            for step in first..end {
                self.meet(row.target(step), &after);
            }
        }
        Ok(())
    }

    /// A state at rest that τ leads to from state `start`, always the same. It is undecided if
    /// none is found. Depth first; costs a row for each state on the way, once.
    fn rest(&mut self, start: u32) -> Result<u32, Over> {
        if let Some(&rest) = self.rests.get(&start) {
            return Ok(rest);
        }
        let mut open = vec![start];
        let mut seen = FxHashSet::from_iter([start]);
        while let Some(state) = open.pop() {
            let row = self.row(state)?;
            if row.is_at_rest() {
                if state != start {
                    self.rests.insert(start, state);
                }
                return Ok(state);
            }
            if seen.len() > MOST_BEFORE_REST {
                break;
            }
            for step in row.taus().rev() {
                let target = self.met.number(row.target(step));
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
        Err(Over::Undecided)
    }

    /// Whether τ leads from state `start`, which has this row, to a cycle of τ. Depth first among
    /// representatives; each state that does not diverge is left once.
    fn diverges(&mut self, start: u32, row: &PackedRow) -> Result<bool, Over> {
        if row.is_at_rest() || self.is_quiet(start) {
            return Ok(false);
        }
        let mut on_the_way = FxHashSet::from_iter([start]);
        let mut open = vec![(start, self.represented_taus(row))];
        while let Some((state, waiting)) = open.last_mut() {
            let Some(target) = waiting.pop() else {
                on_the_way.remove(state);
                set(&mut self.is_quiet, *state);
                open.pop();
                continue;
            };
            if self.is_quiet(target) {
                continue;
            }
            if !on_the_way.insert(target) {
                return Ok(true);
            }
            let row = self.row(target)?;
            open.push((target, self.represented_taus(&row)));
        }
        Ok(false)
    }

    fn is_quiet(&self, state: u32) -> bool {
        self.is_quiet.get(state as usize) == Some(&true)
    }

    /// The representatives of the states that τ leads to.
    fn represented_taus(&mut self, row: &PackedRow) -> Vec<u32> {
        let represented = row.taus().map(|step| {
            let mut packed = row.target(step).to_vec();
            self.rep.represent(&mut packed);
            self.met.number(&packed)
        });
        represented.collect()
    }

    /// The row of `state`, unless it is time to stop.
    fn row(&mut self, state: u32) -> Result<PackedRow, Over> {
        self.may_go_on()?;
        self.from.load(self.met.state(state));
        let mut row = PackedRow {
            steps: Vec::new(),
            targets: Vec::new(),
            words: self.from.len(),
        };
        self.successors
            .for_each(&self.from, &mut self.scratch, &mut |_, event, next| {
                row.steps.push((event, row.steps.len() as u32));
                row.targets.extend_from_slice(next);
            });
        // Among steps of one event the number decides, so their order stays.
        row.steps.sort_unstable();
        Ok(row)
    }

    /// Counts `state`, which has this row, if it was not counted before.
    fn count(&mut self, state: u32, row: &PackedRow) {
        if !set(&mut self.is_counted, state) {
            self.statistics.states += 1;
            self.statistics.transitions += row.steps.len() as u64;
        }
    }

    /// Whether one row more may be listed.
    fn may_go_on(&mut self) -> Result<(), Over> {
        if self.statistics.states > self.most {
            return Err(Halt::Stopped(StopReason::StateLimit).into());
        }
        if self.met.count() > MOST_MET {
            return Err(Halt::Stopped(StopReason::Numbers).into());
        }
        self.listed += 1;
        if self.listed.is_multiple_of(INTERVAL) {
            self.watch.may_go_on(&self.progress())?;
        }
        Ok(())
    }

    fn progress(&self) -> SearchProgress {
        SearchProgress {
            statistics: self.statistics,
            waiting: (self.pairs.len() - self.looked_at) as u64,
            ..SearchProgress::default()
        }
    }

    fn statistics(&self) -> Statistics {
        // A pair in `seen` takes its eight bytes and one of the table.
        let pairs = self.pairs.capacity() * size_of::<(u32, u32)>() + self.seen.capacity() * 9;
        let flags = self.is_counted.capacity() + self.is_quiet.capacity();
        let mut rests: Vec<u32> = self.pairs.iter().map(|pair| pair.1).collect();
        rests.sort_unstable();
        rests.dedup();
        Statistics {
            specification_states: rests.len() as u64,
            memory_bytes: (self.met.bytes() + pairs + flags) as u64,
            ..self.statistics
        }
    }
}

/// Sets the flag of `state`; returns whether it was set before.
fn set(flags: &mut Vec<bool>, state: u32) -> bool {
    let at = state as usize;
    if flags.len() <= at {
        flags.resize(at + 1, false);
    }
    std::mem::replace(&mut flags[at], true)
}
