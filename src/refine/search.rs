//! The breadth-first search of Check and TwistedCheck, Figure 3 of the paper.
//!
//! Four things differ from the figure. The search starts at the representative of the initial pair, because symmetries may
//! move that. A pair is recorded alone: how it was reached, by what event and with what twist, is found again when it is
//! wanted, see [`ancestors`] and [`path`]. And compatibility is decided for all events of a pair at once, while its successors are listed;
//! of several things that are wrong with a pair an event counts first, then a refusal. Divergence is looked for when all pairs of
//! a level were found to be compatible, because that may lead to pairs far beyond the level.
//!
//! A level is explored in rounds. In each, all threads expand stretches of its states, and then all of them look up the successors,
//! each those of its own shard of the store. What is new is numbered in the order of the states that lead to it, so that
//! everything that is found is the same for any number of threads and for rounds of any size.

use std::ops::Range;

use super::ancestors;
use super::check::{CheckOptions, CheckResult, Control, Outcome, Progress, Statistics, StopReason};
use super::divergence::{Answer, Divergence};
use super::path::{self, Wrong};
use super::product::Product;
use super::store::{Batch, MOST_STATES, Store};
use super::worker::{Stretch, Worker};
use crate::base::threads::Threads;
use crate::diag::Result;
use crate::machine::packing::PackedState;
use crate::symmetry::representative::{AnyRep, Method, Representative, orbit_count};

/// Orbits of more states are not counted.
const MOST_COUNTED: usize = 1_000_000;

/// How many successors the states of a stretch should have: what one thread enters at once should fit the first-level cache.
const STRETCH: u64 = 2048;

/// How many stretches there are for each of several threads: as many as make waiting for each other cheap.
const STRETCHES: usize = 16;

/// Who watches the search.
pub(super) type Observer<'o> = &'o mut dyn FnMut(&Progress) -> Control;

/// A search for a pair that does what its specification does not allow.
pub(super) struct Search<'a, S, R> {
    product: &'a Product<'a>,
    threads: Threads,
    workers: Vec<Worker<'a, S, R>>,
    /// What orbits are counted by, if the representatives turn out not to be unique.
    exact: Option<AnyRep<S>>,
    max_states: Option<u64>,
    store: Store,
    stretches: Vec<Stretch>,
    /// How many successors the states of a stretch should have.
    stretch: u64,
    /// Where the levels start.
    levels: Vec<u32>,
    /// Where divergences count.
    divergence: Option<Divergence>,
    /// There, the states of the level that can do τ.
    internal: Vec<u32>,
    statistics: Statistics,
}

impl<'a, S: PackedState, R: Representative<S>> Search<'a, S, R> {
    pub(super) fn new(product: &'a Product<'a>, representative: R, options: &CheckOptions) -> Self {
        let threads = options.threads.clone();
        let words = product.packing.words();
        let stretches = match threads.count() {
            1 => 1,
            count => count * STRETCHES,
        };
        let workers = (1..threads.count()).map(|_| Worker::new(product, representative.clone()));
        let mut workers: Vec<_> = workers.collect();
        workers.push(Worker::new(product, representative));
        Self {
            product,
            workers,
            exact: None,
            max_states: options.max_states,
            store: Store::new(&product.packing, threads.count()),
            stretches: (0..stretches).map(|_| Stretch::new(words)).collect(),
            stretch: STRETCH,
            levels: Vec::new(),
            divergence: product
                .forbids_divergence
                .then(|| Divergence::new(words, options.max_states)),
            internal: Vec::new(),
            statistics: Statistics::default(),
            threads,
        }
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(super) fn counting(mut self, exact: Option<&Method>) -> Self {
        self.exact = exact.map(|method| method.packed(&self.product.packing));
        self
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(super) fn in_stretches_of(mut self, successors: u64) -> Self {
        self.stretch = successors;
        self
    }

    /// Breadth first, level by level.
    pub(super) fn run(mut self, observer: Observer<'_>) -> Result<CheckResult> {
        if !self.product.allows_all {
            self.start();
        }
        let mut level = 0..self.store.len() as u32;
        let outcome = loop {
            if level.is_empty() {
                break Outcome::Holds;
            }
            self.statistics.levels += 1;
            self.levels.push(level.start);
            if let Some(outcome) = self.expand(level.clone(), observer)? {
                break outcome;
            }
            if let Some(outcome) = self.diverge(observer)? {
                break outcome;
            }
            level = level.end..self.store.len() as u32;
        };
        let mut statistics = self.statistics_so_far();
        if outcome == Outcome::Holds {
            statistics.extra_states = self.extra_states();
        }
        Ok(CheckResult {
            outcome,
            statistics,
        })
    }

    /// Enters the representative of the initial pair.
    fn start(&mut self) {
        let mut initial = S::zero(self.product.packing.words());
        self.workers[0].representative.represent(&mut initial);
        let mut batch = Batch::new(initial.words().len());
        batch.push(&initial);
        batch.route(self.store.shards());
        self.store
            .insert(&mut [&mut batch], MOST_STATES, &self.threads);
    }

    /// Expands the states of one level in order; says so if that decides the search.
    fn expand(&mut self, level: Range<u32>, observer: Observer<'_>) -> Result<Option<Outcome>> {
        let mut waiting = level;
        while !waiting.is_empty() {
            let count = self.prepare(&mut waiting);
            let (store, round) = (&self.store, &mut self.stretches[..count]);
            self.threads
                .share(&mut self.workers, round, |worker, _, stretch| {
                    worker.expand(store, stretch);
                });
            // Asked before, because all that the tables grow by is taken in one step.
            let growth = self.growth(count);
            if growth > 0 && self.is_stopped(&waiting, growth, observer) {
                return Ok(Some(Outcome::Stopped(StopReason::Observer)));
            }
            if let Some(reason) = self.enter(count) {
                return Ok(Some(Outcome::Stopped(reason)));
            }
            if let Some((number, wrong)) = self.stretches[..count].iter().find_map(|s| s.wrong) {
                return self.violated(number, wrong, observer).map(Some);
            }
            if self.is_stopped(&waiting, 0, observer) {
                return Ok(Some(Outcome::Stopped(StopReason::Observer)));
            }
        }
        Ok(None)
    }

    /// How many bytes entering what the first `count` stretches lead to may take at once.
    fn growth(&self, count: usize) -> u64 {
        let batches = self.stretches[..count].iter().map(|stretch| &stretch.batch);
        self.store.growth(batches.map(Batch::len).sum()) as u64
    }

    /// Whether whoever watches says to stop, before `growth` bytes are taken at once; `waiting` of the level are not expanded.
    fn is_stopped(&self, waiting: &Range<u32>, growth: u64, observer: Observer<'_>) -> bool {
        let progress = Progress {
            statistics: self.statistics_so_far(),
            waiting: self.store.len() as u64 - u64::from(waiting.start),
            growth,
            followed: self.divergence.as_ref().map_or(0, Divergence::followed),
        };
        observer(&progress) == Control::Stop
    }

    /// Takes the next of the `waiting` states for a round, as many as are likely to have enough successors, and says into how many
    /// stretches they were divided.
    fn prepare(&mut self, waiting: &mut Range<u32>) -> usize {
        let expanded = u64::from(waiting.start).max(1);
        let successors = (self.statistics.transitions / expanded).max(1);
        let states = (self.stretch / successors).max(1) as u32;
        let mut count = 0;
        while waiting.start < waiting.end && count < self.stretches.len() {
            let end = waiting.end.min(waiting.start.saturating_add(states));
            self.stretches[count].reset(waiting.start..end);
            waiting.start = end;
            count += 1;
        }
        count
    }

    /// Enters what the first `count` stretches lead to, up to the first wrong state; says so if that is too much.
    fn enter(&mut self, count: usize) -> Option<StopReason> {
        let round = &mut self.stretches[..count];
        let wrong = round.iter().position(|stretch| stretch.wrong.is_some());
        let round = &mut round[..wrong.map_or(count, |wrong| wrong + 1)];
        let most = self.max_states.unwrap_or(u64::MAX).min(MOST_STATES as u64) as usize;
        let mut batches: Vec<&mut Batch> = round.iter_mut().map(|s| &mut s.batch).collect();
        let excess = self.store.insert(&mut batches, most, &self.threads);
        let whole = excess.map_or(round.len(), |(stretch, _)| stretch);
        for stretch in &mut round[..whole] {
            self.statistics.transitions += stretch.transitions;
            self.internal.append(&mut stretch.internal);
        }
        let (stretch, candidate) = excess?;
        self.statistics.transitions += round[stretch].transitions_before(candidate);
        Some(if most < MOST_STATES {
            StopReason::StateLimit
        } else {
            StopReason::Numbers
        })
    }

    /// What to say about a state with something wrong.
    fn violated(&mut self, number: u32, wrong: Wrong, observer: Observer<'_>) -> Result<Outcome> {
        let progress = Progress {
            statistics: self.statistics_so_far(),
            waiting: 0,
            growth: 0,
            followed: self.divergence.as_ref().map_or(0, Divergence::followed),
        };
        let mut is_stopped = || observer(&progress) == Control::Stop;
        let mut last = S::zero(self.product.packing.words());
        self.store.load(number, &mut last);
        let (workers, threads) = (&mut self.workers, &self.threads);
        let (store, levels) = (&self.store, &self.levels);
        let Some(stored) = ancestors::path(workers, threads, store, levels, last, &mut is_stopped)
        else {
            return Ok(Outcome::Stopped(StopReason::Observer));
        };
        let representative = &mut self.workers[0].representative;
        path::recover(self.product, representative, &stored, wrong).map(Outcome::Violated)
    }

    /// Looks for a state of the level that can do τ for ever; says so if that decides the search.
    fn diverge(&mut self, observer: Observer<'_>) -> Result<Option<Outcome>> {
        let statistics = self.statistics_so_far();
        let mut is_stopped = |followed, memory_bytes| {
            let progress = Progress {
                statistics: Statistics {
                    memory_bytes,
                    ..statistics
                },
                waiting: 0,
                growth: 0,
                followed,
            };
            observer(&progress) == Control::Stop
        };
        let Some(divergence) = &mut self.divergence else {
            return Ok(None);
        };
        let representative = &mut self.workers[0].representative;
        let mut state = S::zero(self.product.packing.words());
        for number in std::mem::take(&mut self.internal) {
            self.store.load(number, &mut state);
            match divergence.diverges(self.product, representative, &state, &mut is_stopped) {
                Answer::Rests => {}
                Answer::Stopped(reason) => {
                    // So that it is known how far it was.
                    is_stopped(divergence.followed(), divergence.memory_bytes() as u64);
                    return Ok(Some(Outcome::Stopped(reason)));
                }
                Answer::Diverges => {
                    return self.violated(number, Wrong::Divergence, observer).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// How many states more than orbits were stored.
    fn extra_states(&mut self) -> Option<u64> {
        if self
            .workers
            .iter()
            .all(|worker| worker.representative.is_unique())
        {
            return Some(0);
        }
        let exact = self
            .exact
            .as_mut()
            .filter(|_| self.store.len() <= MOST_COUNTED)?;
        let mut state = S::zero(self.product.packing.words());
        let states = (0..self.store.len() as u32).map(|number| {
            self.store.load(number, &mut state);
            state.clone()
        });
        Some(self.store.len() as u64 - orbit_count(states, exact))
    }

    fn statistics_so_far(&self) -> Statistics {
        let divergence = self.divergence.as_ref();
        let divergence = divergence.map_or(0, Divergence::memory_bytes);
        Statistics {
            states: self.store.len() as u64,
            specification_states: self.product.specification_states,
            memory_bytes: (self.store.memory_bytes() + divergence) as u64,
            ..self.statistics
        }
    }
}
