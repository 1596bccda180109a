//! The threads of a search with what each of them works with: what searches in memory and on disk have in common.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::ancestors;
use super::divergence::{Answer, Asked, Divergence};
use super::outcome::{CheckOptions, Outcome};
use super::path::{self, Wrong};
use super::product::Product;
use super::states::States;
use super::worker::{Stretch, Worker};
use crate::base::threads::Threads;
use crate::diag::Result;
use crate::machine::packing::PackedState;
use crate::symmetry::representative::{AnyRep, Method, Representative, orbit_count};

/// Orbits of more states are not counted.
const MOST_COUNTED: u64 = 1_000_000;

/// How many successors the states of a stretch should have: what one thread enters at once should fit the first-level cache.
const STRETCH: u64 = 2048;

/// A stretch whose states lead to so many is cut short, so that a round stays small also where few states led to many.
const MOST_CANDIDATES: usize = 1 << 15;

/// But not shorter, however little memory there is.
const LEAST_CANDIDATES: usize = 64;

/// A round should take as long: after each it is asked whether to go on.
const LONGEST_ROUND: Duration = Duration::from_millis(100);

/// How many stretches there are for each of several threads: as many as make waiting for each other cheap.
const STRETCHES: usize = 32;

/// A worker for each thread, and stretches for a round of them.
pub(super) struct Team<'a, S, R> {
    pub(super) product: &'a Product<'a>,
    pub(super) threads: Threads,
    /// One for each thread that was needed so far.
    workers: Vec<Worker<'a, S, R>>,
    /// What all of them start with.
    representative: R,
    /// What orbits are counted by, if the representatives turn out not to be unique.
    exact: Option<AnyRep<S>>,
    /// Those of the round at hand, in order.
    pub(super) stretches: Vec<Stretch>,
    /// The states that are in no stretch yet.
    waiting: Range<u32>,
    /// How many stretches hold states.
    queued: usize,
    /// How many of those were the last round.
    done: usize,
    /// How many successors the states of a stretch should have: at most, and as rounds should be short.
    most_successors: u64,
    successors: u64,
    /// A stretch is cut short at so many candidates.
    most_candidates: usize,
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
        Self {
            product,
            workers: Vec::new(),
            representative,
            exact: None,
            stretches: (0..stretches).map(|_| Stretch::new(words)).collect(),
            waiting: 0..0,
            queued: 0,
            done: 0,
            most_successors: STRETCH,
            successors: STRETCH,
            most_candidates: MOST_CANDIDATES,
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

    /// Keeps what a round leads to, in all stretches together, below about so many bytes.
    pub(super) fn bound(&mut self, bytes: usize) {
        // Memory that grows is taken twice, and a state with few candidates needs nearly as much beside them.
        let candidate = 2 * (self.product.packing.words() + 1) * size_of::<u64>();
        let most = bytes / self.stretches.len() / candidate;
        self.most_candidates = self.most_candidates.min(most.max(LEAST_CANDIDATES));
        let successors = (self.most_candidates / 4).max(1) as u64;
        self.most_successors = self.most_successors.min(successors);
        self.successors = self.successors.min(successors);
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(super) fn shorten(&mut self, successors: u64) {
        self.most_successors = successors;
        self.most_candidates = successors as usize;
        self.successors = successors;
    }

    /// The representative of the initial pair.
    pub(super) fn initial(&mut self) -> S {
        let mut initial = S::zero(self.product.packing.words());
        self.representative.represent(&mut initial);
        initial
    }

    /// These states are to be expanded next.
    pub(super) fn begin(&mut self, states: Range<u32>) {
        self.waiting = states;
        (self.queued, self.done) = (0, 0);
    }

    /// How many of them were in no round yet.
    pub(super) fn left(&self) -> u32 {
        let first = match self
            .done
            .checked_sub(1)
            .map(|last| self.stretches[last].rest())
        {
            Some(rest) if rest.start < rest.end => rest.start,
            _ if self.done < self.queued => self.stretches[self.done].numbers.start,
            _ => self.waiting.start,
        };
        self.waiting.end - first
    }

    /// Expands the next of the states, as many as are likely to have enough successors if each has so many, and
    /// does `after` to each stretch of them. Returns how many stretches are in the round, the first ones; nothing if no state is left.
    ///
    /// A stretch that was cut short ends the round. What the stretches after it lead to is kept for the next one, so that
    /// all that is found is found in order.
    pub(super) fn round(
        &mut self,
        states: &impl States,
        successors: u64,
        after: impl Fn(&mut Stretch) + Sync,
    ) -> Option<usize> {
        self.queue(successors);
        let round = &mut self.stretches[..self.queued];
        let workers = round.len().min(self.threads.count());
        while self.workers.len() < workers {
            let worker = Worker::new(self.product, self.representative.clone());
            self.workers.push(worker);
        }
        let most_candidates = self.most_candidates;
        let started = Instant::now();
        self.threads
            .share(&mut self.workers, round, |worker, _, stretch| {
                if !stretch.is_expanded {
                    worker.expand(states, stretch, most_candidates, &after);
                }
            });
        let is_cut = |stretch: &Stretch| !stretch.rest().is_empty();
        let cut = round.iter().position(is_cut);
        self.done = cut.map_or(self.queued, |cut| cut + 1);
        self.adapt(started.elapsed());
        (self.done > 0).then_some(self.done)
    }

    /// Divides the next of the waiting states into stretches, after those that were expanded but not in the last round.
    fn queue(&mut self, successors: u64) {
        let rest = self
            .done
            .checked_sub(1)
            .map(|last| self.stretches[last].rest());
        let rest = rest.filter(|rest| rest.start < rest.end);
        let gone = self.done - usize::from(rest.is_some());
        self.stretches[..self.queued].rotate_left(gone);
        self.queued -= gone;
        if let Some(rest) = rest {
            // Stretches behind it were expanded already. What they led to must not keep the same from being found here, in its order.
            self.workers.iter_mut().for_each(Worker::forget);
            self.stretches[0].reset(rest);
        }
        let length = (self.successors / successors.max(1)).max(1) as u32;
        while self.waiting.start < self.waiting.end && self.queued < self.stretches.len() {
            let end = self
                .waiting
                .end
                .min(self.waiting.start.saturating_add(length));
            self.stretches[self.queued].reset(self.waiting.start..end);
            self.waiting.start = end;
            self.queued += 1;
        }
    }

    /// Makes stretches shorter or longer after a round that took as long. Nothing that is found depends on that.
    fn adapt(&mut self, round: Duration) {
        if round > LONGEST_ROUND {
            self.successors = (self.successors / 2).max(1);
        } else if round < LONGEST_ROUND / 4 {
            self.successors = (self.successors * 2).min(self.most_successors);
        }
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
        // What the threads have may remember what they met, and so twist in other ways.
        let mut representative = self.representative.clone();
        path::recover(self.product, &mut representative, stored, wrong).map(Outcome::Violated)
    }

    /// Whether `state` can do τ for ever, if that counts, unless `ask` says to stop.
    pub(super) fn diverges(&mut self, state: &S, ask: Asked<'_>) -> Option<Answer> {
        let divergence = self.divergence.as_mut()?;
        Some(divergence.diverges(self.product, &mut self.representative, state, ask))
    }

    /// How many states more than orbits were stored: these are all, `count` of them. Nothing if there are too many, or if
    /// `is_stopped` now and then says to give up.
    pub(super) fn extra_states(
        &mut self,
        count: u64,
        states: impl Iterator<Item = S>,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Option<u64> {
        let workers = self.workers.iter().map(|worker| &worker.representative);
        let mut all = workers.chain([&self.representative]);
        if all.all(Representative::is_unique) {
            return Some(0);
        }
        let exact = self.exact.as_mut().filter(|_| count <= MOST_COUNTED)?;
        // A least image may take a millisecond.
        let mut is_over = false;
        let states = states.enumerate().map_while(|(number, state)| {
            is_over = is_over || (number % 256 == 0 && is_stopped());
            (!is_over).then_some(state)
        });
        let orbits = orbit_count(states, exact);
        (!is_over).then(|| count - orbits)
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

    /// Whether divergence is looked for.
    pub(super) fn follows(&self) -> bool {
        self.divergence.is_some()
    }

    /// Bytes of memory that are held for what the last state that was followed along τ leads to.
    pub(super) fn followed_bytes(&self) -> usize {
        self.divergence.as_ref().map_or(0, Divergence::own_bytes)
    }

    /// Lets what is known about divergence take so many bytes, or as many as what a single state leads to needs.
    pub(super) fn bound_divergence(&mut self, bytes: usize) {
        let divergence = self.divergence.as_mut();
        divergence.into_iter().for_each(|known| known.bound(bytes));
    }

    /// Forgets what is known about divergence: it is found out again where it is needed.
    pub(super) fn forget_divergence(&mut self) {
        self.divergence.iter_mut().for_each(Divergence::forget);
    }

    /// Bytes of memory that are held for what a round leads to.
    pub(super) fn round_bytes(&self) -> usize {
        self.stretches.iter().map(Stretch::memory_bytes).sum()
    }
}
