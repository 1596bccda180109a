//! Determinism: whether a process can refuse what it can also do.
//!
//! A *resolution* ([`lts::resolution`]) follows one run of the process for each trace, and always
//! on to a state at rest. A process is deterministic if and only if it refines its resolution.
//! Neither is listed beforehand: both are followed together from the start, trace by trace, as far
//! as it takes to find a violation. A state of the resolution is the state of the process at rest,
//! so it needs no number of its own; which run is followed depends on that state alone.
//!
//! *A state of the process is looked at once*, beside the rest r of the resolution after the trace
//! by which the state was first met. The state must do nothing that r does not offer, and if it
//! comes to rest, offer all that r offers. If another trace leads to it, where the resolution rests
//! in q, then r and q must behave alike, because the state must behave like both. So r and q are
//! put into one class, and what they offer is compared, then what they lead to by each event: this
//! is the algorithm of Hopcroft and Karp (*A linear algorithm for testing equivalence of finite
//! automata*, 1971), which unites two classes each time that it looks at a pair, and so looks at
//! fewer pairs than there are states.
//!
//! *A process found deterministic is so.* If nothing is wrong, states at rest in one class are
//! bisimilar, as they are deterministic, and each state of the process refines the rest beside
//! which it was looked at: by induction on a run, a step leads to a state that was looked at beside
//! a rest of the class that the resolution is in.
//!
//! *A violation that is found is real.* Each rest was reached by a run of the process. If r offers
//! e and a state after the same trace refuses it, or the other way round, then the process is not
//! deterministic there, whatever happened before. Where r and q differ, one of the two traces that
//! led to their common state is wrong somewhere: were that state deterministic, it could not behave
//! like both. The wrong place is looked for again along both traces, among all states after them.
//! It may be missing in the failures model if a part of the process never comes to rest, which
//! refines r and q alike; then the question is left to [`lts::resolution`], as it is where the
//! resolution itself does not come to rest.
//!
//! *The trace is a shortest one*, τ not counted: the states after traces of one length are looked
//! at before those after longer ones. If nothing is wrong up to length n, rests that were united
//! after j events offer the same for n - j events more, by induction on n - j, since the pairs that
//! united them were looked at no later; so no trace of n events is wrong.

pub(crate) mod pairs;
mod process;
pub mod proof;
mod rows;

use rustc_hash::FxHashSet;

use self::process::{OrderedRow, Over, Process, Settled};
pub use self::rows::Rows;
use super::halt::Halt;
use super::nondeterminism::Nondeterminism;
use super::outcome::{CheckOptions, Statistics, StopReason};
use ::process::acceptance::acceptance;
use ::process::event::{EventId, TAU};
use base::diag::Result;
use lts::model::Model;

/// The answer of [`check_determinism`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Determinism {
    /// The process is deterministic.
    Holds,
    /// The process is not deterministic.
    Violated {
        /// The place where the process is not deterministic.
        found: Nondeterminism,
        /// True if no trace with fewer events shows it. False if that is not known: in the failures
        /// model, if the resolution does not always come to rest.
        is_shortest: bool,
    },
    /// In the failures model, part of the process never comes to rest, and it takes a normal form
    /// to decide.
    Undecided,
    /// The search ended early.
    Stopped(StopReason),
}

/// Decides whether `process` is deterministic in `model`, that of failures or of failures and
/// divergences. The states of the statistics are the states of the process that were met, at most
/// as many as `options` allow.
pub fn check_determinism(
    process: &mut dyn Rows,
    model: Model,
    options: &CheckOptions,
) -> Result<(Determinism, Statistics)> {
    let process = Process::new(process, model.has_divergences(), options);
    let mut search = DeterminismSearch {
        process,
        beside: Vec::new(),
        numbers: Vec::new(),
        classes: LikenessClasses::default(),
        claims: Vec::new(),
        resting: (NONE, Vec::new()),
        is_complete: true,
    };
    search.process.hear();
    let outcome = search.run();
    search.process.hear();
    let outcome = match outcome {
        Ok(()) if search.is_complete => Determinism::Holds,
        Ok(()) | Err(Over::Undecided) => Determinism::Undecided,
        Err(Over::Violated(found)) => Determinism::Violated {
            found,
            is_shortest: search.is_complete,
        },
        Err(Over::Halted(Halt::Stopped(reason))) => Determinism::Stopped(reason),
        Err(Over::Halted(halt)) => return Err(halt.into_problem()),
    };
    Ok((outcome, search.statistics()))
}

/// The value that stands for no number.
const NONE: u32 = u32::MAX;

/// A state of the process beside the rest of the resolution after the same trace.
struct PairedState {
    state: u32,
    rest: u32,
    /// The entry from which the state was met, or [`NONE`], and the event by which it was met.
    from: u32,
    event: EventId,
}

/// A state that an event leads to, beside the state to which the event leads the resolution, which
/// is perhaps not yet at rest.
struct Meeting {
    state: u32,
    towards: u32,
    from: u32,
    event: EventId,
}

/// The claim that the process behaves alike where it comes to rest from two states.
#[derive(Clone, Copy)]
struct LikenessClaim {
    sides: [u32; 2],
    origin: Origin,
}

/// The reason for a claim.
#[derive(Clone, Copy)]
enum Origin {
    /// Both sides were met beside one state: that of entry `first`, met again when entry `again`
    /// did `event`.
    Met {
        first: u32,
        again: u32,
        event: EventId,
    },
    /// The claim of this number implies it, by this event.
    After(u32, EventId),
}

/// The states to be met after one event more.
#[derive(Default)]
struct NextPairs {
    meetings: Vec<Meeting>,
    /// By state, the state of the resolution beside which it was last met. Meeting it beside the
    /// same again says nothing new, also after longer traces.
    towards: Vec<u32>,
}

impl NextPairs {
    /// Adds `meeting`, unless its state was last met beside the same state of the resolution.
    fn add(&mut self, meeting: Meeting) {
        let at = meeting.state as usize;
        if self.towards.len() <= at {
            self.towards.resize(at + 1, NONE);
        }
        if std::mem::replace(&mut self.towards[at], meeting.towards) != meeting.towards {
            self.meetings.push(meeting);
        }
    }
}

struct DeterminismSearch<'a> {
    process: Process<'a>,
    /// The states that were met, in that order.
    beside: Vec<PairedState>,
    /// By state, the number of its entry in `beside`.
    numbers: Vec<u32>,
    classes: LikenessClasses,
    claims: Vec<LikenessClaim>,
    /// The rest that a state was last compared with, and its row: states beside one rest often come
    /// one after the other.
    resting: (u32, OrderedRow),
    /// True if the resolution came to rest wherever it was followed.
    is_complete: bool,
}

impl DeterminismSearch<'_> {
    /// Searches level by level; the states of one level have traces of one length.
    fn run(&mut self) -> Result<(), Over> {
        let mut next = NextPairs::default();
        next.meetings.push(Meeting {
            state: 0,
            towards: 0,
            from: NONE,
            event: TAU,
        });
        let mut claim = 0;
        while !next.meetings.is_empty() || claim < self.claims.len() {
            self.process.statistics.levels += 1;
            let mut number = self.beside.len();
            let first = number;
            for meeting in std::mem::take(&mut next.meetings) {
                self.enter(&meeting)?;
            }
            while number < self.beside.len() {
                self.look(number, &mut next)?;
                number += 1;
            }
            self.process.forget_rows();
            // Of what is wrong after traces of one length, events and refusals count before
            // divergence.
            for number in first..self.beside.len() {
                let state = self.beside[number].state;
                if self.process.forbids_divergence && self.process.diverges(state)? {
                    return Err(self.violation(number as u32, None));
                }
            }
            // Claims that follow from these are about traces with one event more: they wait for the
            // next level.
            let last = self.claims.len();
            while claim < last {
                self.compare(claim)?;
                claim += 1;
            }
        }
        Ok(())
    }

    /// Lets the resolution come to rest, and notes down that the state of `meeting` was met beside
    /// that rest.
    fn enter(&mut self, meeting: &Meeting) -> Result<(), Over> {
        match self.process.rest(meeting.towards)? {
            Settled::At(rest) => self.meet(meeting.state, rest, meeting.from, meeting.event),
            Settled::Never => self.is_complete = false,
            Settled::Diverges => {
                return Err(Over::Violated(Nondeterminism {
                    trace: self.trace(meeting.from, meeting.event),
                    event: None,
                }));
            }
        }
        Ok(())
    }

    /// Notes down that `state` was met beside `rest`.
    fn meet(&mut self, state: u32, rest: u32, from: u32, event: EventId) {
        let at = state as usize;
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, NONE);
        }
        match self.numbers[at] {
            NONE => {
                self.classes.add(rest);
                self.numbers[at] = self.beside.len() as u32;
                self.beside.push(PairedState {
                    state,
                    rest,
                    from,
                    event,
                });
            }
            first => {
                let sides = [self.beside[first as usize].rest, rest];
                if !self.classes.are_one(sides) {
                    let again = from;
                    self.claims.push(LikenessClaim {
                        sides,
                        origin: Origin::Met {
                            first,
                            again,
                            event,
                        },
                    });
                }
            }
        }
    }

    /// Compares the state of entry `number` with the rest beside it. Meets the states that it leads
    /// to by τ, and puts those that events lead to into `next`.
    fn look(&mut self, number: usize, next: &mut NextPairs) -> Result<(), Over> {
        let PairedState { state, rest, .. } = self.beside[number];
        let number = number as u32;
        let row = self.process.row(state)?;
        self.process.statistics.transitions += row.len() as u64;
        // Mostly the state is the rest itself, and there is nothing to compare.
        if state != rest && self.resting.0 != rest {
            self.resting = (rest, self.process.row(rest)?);
        }
        let beside = std::mem::take(&mut self.resting.1);
        let resting = if state == rest { &row } else { &beside };
        if state != rest
            && let Some(event) = difference(&row, resting)
        {
            return Err(self.violation(number, Some(event)));
        }
        // So `diverges` need not list this row again.
        if row.first().is_none_or(|step| step.0 != TAU) {
            self.process.set_quiet(state);
        }
        for &(event, target) in &row {
            if event == TAU {
                self.meet(target.0, rest, number, TAU);
            } else if let Some(towards) = target_of(resting, event) {
                next.add(Meeting {
                    state: target.0,
                    towards,
                    from: number,
                    event,
                });
            }
        }
        self.resting.1 = beside;
        Ok(())
    }

    /// Compares both sides of a claim, and claims that the states they lead to are alike too.
    fn compare(&mut self, number: usize) -> Result<(), Over> {
        let [left, right] = self.claims[number].sides;
        let (left, right) = match (self.process.rest(left)?, self.process.rest(right)?) {
            (Settled::At(left), Settled::At(right)) => (left, right),
            (Settled::Diverges, _) | (_, Settled::Diverges) => return Err(self.refuted(number)?),
            _ => {
                self.is_complete = false;
                return Ok(());
            }
        };
        // Classes are united before they are compared: if they differ, the search is over anyway.
        if !self.classes.unite([left, right]) {
            return Ok(());
        }
        let (left, right) = (self.process.row(left)?, self.process.row(right)?);
        let events = offers(&left).unwrap_or_default();
        if offers(&right).as_ref() != Some(&events) {
            return Err(self.refuted(number)?);
        }
        for event in events {
            if let (Some(left), Some(right)) = (target_of(&left, event), target_of(&right, event))
                && left != right
            {
                self.claims.push(LikenessClaim {
                    sides: [left, right],
                    origin: Origin::After(number as u32, event),
                });
            }
        }
        Ok(())
    }

    /// The violation that a wrong claim reveals: one along one of the traces behind the claim.
    fn refuted(&mut self, number: usize) -> Result<Over, Over> {
        let mut events = Vec::new();
        let mut origin = self.claims[number].origin;
        // A claim follows from earlier ones, so this ends at one whose sides were met.
        while let Origin::After(claim, event) = origin {
            events.push(event);
            origin = self.claims[claim as usize].origin;
        }
        events.reverse();
        let mut found: Option<Nondeterminism> = None;
        if let Origin::Met {
            first,
            again,
            event,
        } = origin
        {
            let first = &self.beside[first as usize];
            let traces = [(first.from, first.event), (again, event)];
            for (from, event) in traces {
                let trace = [self.trace(from, event), events.clone()].concat();
                let here = self.along(&trace)?;
                let length = |found: &Option<Nondeterminism>| {
                    let trace = found.as_ref().map(|found| found.trace.len());
                    trace.unwrap_or(usize::MAX)
                };
                if length(&here) < length(&found) {
                    found = here;
                }
            }
        }
        // Nothing is found only where a part of the process never comes to rest: see the head of
        // the file.
        Ok(found.map_or(Over::Undecided, Over::Violated))
    }

    /// The shortest beginning of `trace` after which the process is not deterministic, by the
    /// definition, from all states after it.
    fn along(&mut self, trace: &[EventId]) -> Result<Option<Nondeterminism>, Over> {
        let mut states = vec![0];
        for done in 0..=trace.len() {
            let mut rows: Vec<OrderedRow> = Vec::new();
            let mut seen: FxHashSet<u32> = states.iter().copied().collect();
            while let Some(&state) = states.get(rows.len()) {
                let row = self.process.row(state)?;
                let taus = row.iter().filter(|step| step.0 == TAU);
                states.extend(taus.map(|step| step.1.0).filter(|&to| seen.insert(to)));
                rows.push(row);
            }
            let wrong = |event| {
                let trace = trace[..done].to_vec();
                Ok(Some(Nondeterminism { trace, event }))
            };
            for &state in &states {
                if self.process.forbids_divergence && self.process.diverges(state)? {
                    return wrong(None);
                }
            }
            let steps = rows.iter().flatten();
            let mut events: Vec<EventId> = steps.map(|step| step.0).filter(|&e| e != TAU).collect();
            events.sort_unstable();
            events.dedup();
            for offers in rows.iter().filter_map(offers) {
                if let Some(&event) = events.iter().find(|event| !offers.contains(event)) {
                    return wrong(Some(event));
                }
            }
            let steps = rows.iter().flatten();
            let after = steps.filter(|step| trace.get(done) == Some(&step.0));
            states = after.map(|step| step.1.0).collect();
            states.sort_unstable();
            states.dedup();
        }
        Ok(None)
    }

    /// The violation at entry `number`: by `event`, or by divergence if that is `None`.
    fn violation(&self, number: u32, event: Option<EventId>) -> Over {
        let trace = self.trace(number, TAU);
        Over::Violated(Nondeterminism { trace, event })
    }

    /// The visible events that lead to entry `from`, if there is such an entry, and then `event`,
    /// if that is visible.
    fn trace(&self, from: u32, event: EventId) -> Vec<EventId> {
        let mut trace = vec![event];
        let mut number = from;
        // The first entry comes from `NONE`, which is the number of no entry.
        while let Some(entry) = self.beside.get(number as usize) {
            trace.push(entry.event);
            number = entry.from;
        }
        trace.retain(|&event| event != TAU);
        trace.reverse();
        trace
    }

    fn statistics(&self) -> Statistics {
        let bytes = self.process.bytes()
            + self.beside.capacity() * size_of::<PairedState>()
            + self.claims.capacity() * size_of::<LikenessClaim>()
            + (self.numbers.capacity() + self.classes.parents.capacity()) * size_of::<u32>();
        Statistics {
            states: self.process.met() as u64,
            specification_states: self.classes.count as u64,
            memory_bytes: bytes as u64,
            ..self.process.statistics
        }
    }
}

/// An event of `row` that a state with the row `resting` does not offer, or, if `row` is at rest,
/// one that only `resting` offers; `None` if there is none. `resting` is at rest.
fn difference(row: &OrderedRow, resting: &OrderedRow) -> Option<EventId> {
    let of = |row: &OrderedRow, other: &OrderedRow| {
        let mut events = row.iter().map(|&(event, _)| event);
        events.find(|&event| event != TAU && target_of(other, event).is_none())
    };
    // A state that is not at rest may offer less, so `resting`, which may be long and is compared
    // with many rows, is not gone through.
    let is_at_rest = row.first().is_none_or(|step| step.0 != TAU);
    of(row, resting).or_else(|| is_at_rest.then(|| of(resting, row))?)
}

/// The offers of a state with this row, ascending, if it is at rest.
fn offers(row: &OrderedRow) -> Option<Vec<EventId>> {
    acceptance(row.iter().map(|&(event, _)| event))
}

/// The first state that `event` leads to in `row`.
fn target_of(row: &OrderedRow, event: EventId) -> Option<u32> {
    let at = row.partition_point(|step| step.0 < event);
    let step = row.get(at).filter(|step| step.0 == event);
    step.map(|step| step.1.0)
}

/// The classes of states at rest that must behave alike.
#[derive(Default)]
struct LikenessClasses {
    /// By state, another state of its class, or itself if it stands for the class; [`NONE`] if it
    /// is in no class.
    parents: Vec<u32>,
    /// The number of classes.
    count: usize,
}

impl LikenessClasses {
    /// Puts `state` into a class of its own if it is in none.
    fn add(&mut self, state: u32) {
        let at = state as usize;
        if self.parents.len() <= at {
            self.parents.resize(at + 1, NONE);
        }
        if self.parents[at] == NONE {
            self.parents[at] = state;
            self.count += 1;
        }
    }

    fn are_one(&mut self, states: [u32; 2]) -> bool {
        let [left, right] = states.map(|state| self.root(state));
        left == right
    }

    /// Makes one class of the classes of two states. Returns true if these were different.
    fn unite(&mut self, states: [u32; 2]) -> bool {
        let [left, right] = states.map(|state| self.root(state));
        self.parents[right as usize] = left;
        self.count -= usize::from(left != right);
        left != right
    }

    fn root(&mut self, state: u32) -> u32 {
        self.add(state);
        let mut at = state;
        while self.parents[at as usize] != at {
            // Halves the way for the next time.
            let above = self.parents[at as usize];
            self.parents[at as usize] = self.parents[above as usize];
            at = self.parents[at as usize];
        }
        at
    }
}

#[cfg(test)]
mod tests;
