//! The threads of a search with what each of them works with: what searches in memory and on disk have in common.

use std::ops::Range;

use super::ancestors;
use super::check::{CheckOptions, Outcome};
use super::divergence::{Answer, Divergence};
use super::path::{self, Wrong};
use super::product::Product;
use super::worker::{Stretch, Worker};
use crate::base::threads::Threads;
use crate::diag::Result;
use crate::machine::packing::PackedState;
use crate::symmetry::representative::{AnyRep, Method, Representative, orbit_count};

/// Orbits of more states are not counted.
const MOST_COUNTED: u64 = 1_000_000;

/// How many successors the states of a stretch should have: what one thread enters at once should fit the first-level cache.
const STRETCH: u64 = 2048;

/// How many stretches there are for each of several threads: as many as make waiting for each other cheap.
const STRETCHES: usize = 16;

/// Where the states are that are expanded.
pub(super) trait States: Sync {
    /// Copies state `number` into `state`.
    fn load<S: PackedState>(&self, number: u32, state: &mut S);
}

/// One worker for each thread, and stretches for a round of them.
pub(super) struct Team<'a, S, R> {
    pub(super) product: &'a Product<'a>,
    pub(super) threads: Threads,
    workers: Vec<Worker<'a, S, R>>,
    /// What orbits are counted by, if the representatives turn out not to be unique.
    exact: Option<AnyRep<S>>,
    pub(super) stretches: Vec<Stretch>,
    /// How many successors the states of a stretch should have.
    stretch: u64,
    /// Where divergences count.
    divergence: Option<Divergence>,
}

impl<'a, S: PackedState, R: Representative<S>> Team<'a, S, R> {
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
            stretches: (0..stretches).map(|_| Stretch::new(words)).collect(),
            stretch: STRETCH,
            divergence: product
                .forbids_divergence
                .then(|| Divergence::new(words, options.max_states)),
            threads,
        }
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(super) fn count_by(&mut self, exact: Option<&Method>) {
        self.exact = exact.map(|method| method.packed(&self.product.packing));
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(super) fn shorten(&mut self, successors: u64) {
        self.stretch = successors;
    }

    /// The representative of the initial pair.
    pub(super) fn initial(&mut self) -> S {
        let mut initial = S::zero(self.product.packing.words());
        self.workers[0].representative.represent(&mut initial);
        initial
    }

    /// Expands the next of the `waiting` states, as many as are likely to have enough successors if each has so many, and
    /// does `after` to each stretch of them. Returns how many stretches they were divided into.
    pub(super) fn round(
        &mut self,
        states: &impl States,
        waiting: &mut Range<u32>,
        successors: u64,
        after: impl Fn(&mut Stretch) + Sync,
    ) -> usize {
        let length = (self.stretch / successors.max(1)).max(1) as u32;
        let mut count = 0;
        while waiting.start < waiting.end && count < self.stretches.len() {
            let end = waiting.end.min(waiting.start.saturating_add(length));
            self.stretches[count].reset(waiting.start..end);
            waiting.start = end;
            count += 1;
        }
        let round = &mut self.stretches[..count];
        self.threads
            .share(&mut self.workers, round, |worker, _, stretch| {
                worker.expand(states, stretch);
                after(stretch);
            });
        count
    }

    /// The first of the first `count` stretches with something wrong, the state there, and what that is.
    pub(super) fn wrong(&self, count: usize) -> Option<(usize, u32, Wrong)> {
        let mut round = self.stretches[..count].iter().enumerate();
        round.find_map(|(place, stretch)| {
            let (number, wrong) = stretch.wrong?;
            Some((place, number, wrong))
        })
    }

    /// The first of these states of which `target` represents a successor. Nothing if `is_stopped` now and then says to give up.
    pub(super) fn first_parent(
        &mut self,
        states: &impl States,
        numbers: Range<u32>,
        target: &S,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Option<u32> {
        let Self {
            workers, threads, ..
        } = self;
        ancestors::first_parent(workers, threads, states, numbers, target, is_stopped)
    }

    /// What is wrong with the last of these pairs, each of which the search got to from the one before.
    pub(super) fn violated(&mut self, stored: &[S], wrong: Wrong) -> Result<Outcome> {
        let representative = &mut self.workers[0].representative;
        path::recover(self.product, representative, stored, wrong).map(Outcome::Violated)
    }

    /// Whether `state` can do τ for ever, if that counts; `is_stopped` as for [`Divergence::diverges`].
    pub(super) fn diverges(
        &mut self,
        state: &S,
        is_stopped: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Option<Answer> {
        let divergence = self.divergence.as_mut()?;
        let representative = &mut self.workers[0].representative;
        Some(divergence.diverges(self.product, representative, state, is_stopped))
    }

    /// How many states more than orbits were stored: these are all, `count` of them.
    pub(super) fn extra_states(
        &mut self,
        count: u64,
        states: impl Iterator<Item = S>,
    ) -> Option<u64> {
        let mut workers = self.workers.iter();
        if workers.all(|worker| worker.representative.is_unique()) {
            return Some(0);
        }
        let exact = self.exact.as_mut().filter(|_| count <= MOST_COUNTED)?;
        Some(count - orbit_count(states, exact))
    }

    /// States from which was looked for divergence.
    pub(super) fn followed(&self) -> u64 {
        self.divergence.as_ref().map_or(0, Divergence::followed)
    }

    /// Bytes of memory that are held for what is known about divergence.
    pub(super) fn memory_bytes(&self) -> usize {
        let divergence = self.divergence.as_ref();
        divergence.map_or(0, Divergence::memory_bytes)
    }
}
