//! The process whose determinism is decided: its rows, where it comes to rest, whether it diverges,
//! and when to give up.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::determinism::rows::Rows;
use crate::halt::Halt;
use crate::nondeterminism::Nondeterminism;
use crate::outcome::{CheckOptions, SearchProgress, Statistics, StopReason};
use crate::watch::SearchWatch;
use base::diag::Result;
use lts::graph::StateId;
use process::event::{EventId, TAU};

/// The transitions of a state, those of one event together, events ascending.
pub(super) type OrderedRow = Vec<(EventId, StateId)>;

/// The reason why a search is over before everything was looked at.
pub(super) enum Over {
    Violated(Nondeterminism),
    /// Determinism cannot be decided in this way.
    Undecided,
    Halted(Halt),
}

impl<E: Into<Halt>> From<E> for Over {
    fn from(end: E) -> Self {
        Self::Halted(end.into())
    }
}

/// The place where τ leads from a state in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    /// This state at rest, perhaps among others; the state itself, if it is at rest.
    At(u32),
    Never,
    /// A cycle of τ was found first, where those are forbidden.
    Diverges,
}

/// The number of rows that are listed between two questions to the watch.
const INTERVAL: usize = 1 << 12;

/// The entry of [`Process::rests`] for a state of which nothing is known yet.
const UNKNOWN: u32 = u32::MAX;

/// The entry of [`Process::rests`] for a state from which the process never comes to rest.
const NEVER: u32 = u32::MAX - 1;

pub(super) struct Process<'a> {
    rows: &'a mut dyn Rows,
    /// True if cycles of τ count.
    pub(super) forbids_divergence: bool,
    watch: SearchWatch,
    most: Option<u64>,
    /// The number of rows that were listed.
    listed: usize,
    pub(super) statistics: Statistics,
    /// By state, a state at rest that τ leads to, or [`NEVER`] or [`UNKNOWN`].
    rests: Vec<u32>,
    /// The rows of states that were found to be at rest, until they are asked for, which is soon.
    kept: FxHashMap<u32, OrderedRow>,
    /// By state, true if it is known that τ leads to no cycle of τ.
    is_quiet: Vec<bool>,
}

impl<'a> Process<'a> {
    pub(super) fn new(
        rows: &'a mut dyn Rows,
        forbids_divergence: bool,
        options: &CheckOptions,
    ) -> Self {
        Self {
            rows,
            forbids_divergence,
            watch: SearchWatch::new(&options.cancellation, &options.progress),
            most: options.max_states,
            listed: 0,
            statistics: Statistics::default(),
            rests: Vec::new(),
            kept: FxHashMap::default(),
            is_quiet: Vec::new(),
        }
    }

    /// The number of states that were met.
    pub(super) fn met(&self) -> usize {
        self.rows.met()
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + self.rests.capacity() * size_of::<u32>() + self.is_quiet.capacity()
    }

    /// Tells the listener how far the search is.
    pub(super) fn hear(&self) {
        self.watch.hear(&self.progress());
    }

    fn progress(&self) -> SearchProgress {
        let statistics = Statistics {
            states: self.rows.met() as u64,
            ..self.statistics
        };
        SearchProgress {
            statistics,
            ..SearchProgress::default()
        }
    }

    /// The row of `state`, unless it is time to stop.
    pub(super) fn row(&mut self, state: u32) -> Result<OrderedRow, Over> {
        if let Some(row) = self.kept.remove(&state) {
            return Ok(row);
        }
        let mut row = self.rows.row(StateId(state))?;
        if self.most.is_some_and(|most| self.rows.met() as u64 > most) {
            return Err(Halt::Stopped(StopReason::StateLimit).into());
        }
        self.listed += 1;
        if self.listed.is_multiple_of(INTERVAL) {
            self.watch.may_go_on(&self.progress())?;
        }
        // This sort keeps the order of steps with one event.
        if !row.is_sorted_by_key(|step| step.0) {
            row.sort_by_key(|step| step.0);
        }
        Ok(row)
    }

    /// Forgets the rows that were kept and not asked for.
    pub(super) fn forget_rows(&mut self) {
        self.kept = FxHashMap::default();
    }

    /// The rest that τ leads to from `start`, always the same. Searches depth first until a state
    /// is at rest. Each state is left once, whichever is asked about: with its strong component
    /// (Tarjan, *Depth-first search and linear graph algorithms*, 1972) if that never comes to
    /// rest. A state that was not left when a rest was found leads to that rest.
    pub(super) fn rest(&mut self, start: u32) -> Result<Settled, Over> {
        match self.known_rest(start) {
            UNKNOWN => {}
            NEVER => return Ok(Settled::Never),
            rest => return Ok(Settled::At(rest)),
        }
        let mut component = Components::default();
        let mut entered = Some(start);
        loop {
            if let Some(state) = entered.take() {
                let row = self.row(state)?;
                component.enter(state, &row);
                if row.first().is_none_or(|step| step.0 != TAU) {
                    self.kept.insert(state, row);
                    return Ok(self.comes_to_rest(&component, state));
                }
            }
            let Some(open) = component.open.last_mut() else {
                return Ok(Settled::Never);
            };
            let Some(target) = open.waiting.pop() else {
                for state in component.leave() {
                    self.rests[state as usize] = NEVER;
                }
                continue;
            };
            match (self.known_rest(target), component.order.get(&target)) {
                (UNKNOWN, None) => entered = Some(target),
                // The target is open: a state that was left after a way back to an open one would
                // have ended the search.
                (UNKNOWN, Some(_)) if self.forbids_divergence => return Ok(Settled::Diverges),
                (UNKNOWN, Some(&number)) => open.lowest = open.lowest.min(number),
                (NEVER, _) => {}
                (rest, _) => return Ok(self.comes_to_rest(&component, rest)),
            }
        }
    }

    /// The entry of `rests` for `state`.
    fn known_rest(&mut self, state: u32) -> u32 {
        let at = state as usize;
        if self.rests.len() <= at {
            self.rests.resize(at + 1, UNKNOWN);
        }
        self.rests[at]
    }

    fn comes_to_rest(&mut self, component: &Components, rest: u32) -> Settled {
        // All states that were kept lead to the present one: they are on the way to it, or lead
        // back to that way.
        for &state in &component.kept {
            self.rests[state as usize] = rest;
        }
        Settled::At(rest)
    }

    /// Notes down that `state` can do no τ.
    pub(super) fn set_quiet(&mut self, state: u32) {
        let at = state as usize;
        if self.is_quiet.len() <= at {
            self.is_quiet.resize(at + 1, false);
        }
        self.is_quiet[at] = true;
    }

    /// True if τ leads from `start` to a cycle of τ. Each state without such a cycle is looked at
    /// once, whichever state is asked about.
    pub(super) fn diverges(&mut self, start: u32) -> Result<bool, Over> {
        let is_quiet = |process: &Self, state| process.is_quiet.get(state as usize) == Some(&true);
        if is_quiet(self, start) {
            return Ok(false);
        }
        let mut on_the_way = FxHashSet::from_iter([start]);
        let mut open = vec![(start, taus(&self.row(start)?))];
        while let Some((state, waiting)) = open.last_mut() {
            let Some(target) = waiting.pop() else {
                on_the_way.remove(state);
                self.set_quiet(*state);
                open.pop();
                continue;
            };
            if is_quiet(self, target) {
                continue;
            }
            if !on_the_way.insert(target) {
                return Ok(true);
            }
            open.push((target, taus(&self.row(target)?)));
        }
        Ok(false)
    }
}

/// The targets of τ in `row`, the last first.
fn taus(row: &OrderedRow) -> Vec<u32> {
    let taus = row.iter().take_while(|step| step.0 == TAU);
    let mut targets: Vec<u32> = taus.map(|step| step.1.0).collect();
    targets.reverse();
    targets
}

/// A depth-first search for strong components.
#[derive(Default)]
struct Components {
    /// By state, its number in the order of entering, from 0.
    order: FxHashMap<u32, u32>,
    open: Vec<Open>,
    /// The states that were entered and are in no component that was left, in order.
    kept: Vec<u32>,
}

/// A state that was entered and not left.
struct Open {
    number: u32,
    /// The least number that is known to be in its component.
    lowest: u32,
    waiting: Vec<u32>,
}

impl Components {
    fn enter(&mut self, state: u32, row: &OrderedRow) {
        let number = self.order.len() as u32;
        self.order.insert(state, number);
        self.kept.push(state);
        self.open.push(Open {
            number,
            lowest: number,
            waiting: taus(row),
        });
    }

    /// Leaves the state that was opened last. Returns the states of its component, if that is
    /// complete.
    fn leave(&mut self) -> Vec<u32> {
        let Some(left) = self.open.pop() else {
            return Vec::new();
        };
        if left.lowest < left.number {
            // Its component has a state that was entered before it and is still open.
            if let Some(open) = self.open.last_mut() {
                open.lowest = open.lowest.min(left.lowest);
            }
            return Vec::new();
        }
        // All states that were entered after it and are in no component yet belong to its
        // component.
        let order = &self.order;
        let start = self
            .kept
            .partition_point(|state| order[state] < left.number);
        self.kept.split_off(start)
    }
}
