//! The crew of a search, and the rounds in which it works.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::ancestors;
use super::crew::{Crew, Expansion};
use super::frontier::Frontier;
use super::halt::Halt;
use super::stretch::{Round, Stretch};
use super::stubborn::Sampling;
use base::cancel::Cancellation;
use base::diag::Result;

/// The number of successors that the states of a stretch should have: those that one thread enters
/// at once should fit the first-level cache.
const STRETCH: u64 = 2048;

/// The number of candidates at which a stretch is cut short, so that a round stays small also where
/// few states led to many.
const MOST_CANDIDATES: usize = 1 << 15;

/// The least number of candidates at which a stretch is cut short, however little memory there is.
const LEAST_CANDIDATES: usize = 64;

/// The longest time that a round should take: after each it is asked whether to go on.
const LONGEST_ROUND: Duration = Duration::from_millis(100);

/// The number of stretches for each of several threads: as many as make waiting for each other
/// cheap.
const STRETCHES: usize = 32;

/// A crew, and stretches for a round of it.
pub(super) struct Team<'a> {
    pub(super) crew: Box<dyn Crew + 'a>,
    threads: usize,
    /// The number of words of a state.
    words: usize,
    /// First the `done` stretches of the present round, in order; then those that hold states but
    /// are not in the round, up to `queued`; then empty ones, whose memory is used again.
    stretches: Vec<Stretch>,
    /// The states that are in no stretch yet.
    waiting: Range<u32>,
    /// The number of stretches that hold states.
    queued: usize,
    /// The number of stretches that were in the last round.
    done: usize,
    /// The number of successors that the states of a stretch should have at most, and the number
    /// that they should have now: `successors` goes down where rounds take long.
    most_successors: u64,
    successors: u64,
    /// The number of candidates at which a stretch is cut short.
    most_candidates: usize,
    /// The pairs at which stubborn sets are chosen.
    pub(super) sampling: Sampling,
}

impl<'a> Team<'a> {
    /// A team on states of `words` words, with stretches for this many `threads`.
    pub(super) fn new(crew: Box<dyn Crew + 'a>, words: usize, threads: usize) -> Self {
        let stretches = match threads {
            1 => 1,
            count => count * STRETCHES,
        };
        Self {
            crew,
            threads,
            words,
            stretches: (0..stretches).map(|_| Stretch::new(words)).collect(),
            waiting: 0..0,
            queued: 0,
            done: 0,
            most_successors: STRETCH,
            successors: STRETCH,
            most_candidates: MOST_CANDIDATES,
            sampling: Sampling::default(),
        }
    }

    /// Keeps the candidates of a round, in all stretches together, below about `bytes` bytes.
    pub(super) fn bound(&mut self, bytes: usize) {
        // Memory that grows is taken twice, and a state with few candidates needs nearly as much
        // beside them.
        let candidate = 2 * (self.words + 1) * size_of::<u64>();
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

    /// Sets the states that are to be expanded next.
    pub(super) fn begin(&mut self, states: Range<u32>) {
        self.waiting = states;
        (self.queued, self.done) = (0, 0);
    }

    /// The number of states to be expanded that were in no round yet.
    pub(super) fn left(&self) -> u32 {
        // The order of the states: the rest of the stretch that was cut short, the other stretches
        // that hold states, and then those that wait.
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

    /// Expands the next of the states, as many as are likely to have enough successors if each has
    /// `successors`, and calls `route` with each stretch. Returns `None` if no state is left.
    ///
    /// A stretch that was cut short ends the round. The stretches after it keep their candidates
    /// for the next round, so that everything is found in order.
    pub(super) fn round(
        &mut self,
        frontier: &dyn Frontier,
        successors: u64,
        route: &(dyn Fn(&mut Stretch) + Sync),
    ) -> Option<Round<'_>> {
        self.queue(successors);
        let queued = &mut self.stretches[..self.queued];
        let how = Expansion {
            most: self.most_candidates,
            sampling: self.sampling,
            route,
        };
        let started = Instant::now();
        self.crew.expand(frontier, queued, &how);
        let is_cut = |stretch: &Stretch| !stretch.rest().is_empty();
        let cut = queued.iter().position(is_cut);
        self.done = cut.map_or(self.queued, |cut| cut + 1);
        self.adapt(started.elapsed());
        // Only up to the cut: a wrong state behind it may not be the first one.
        let round = &mut self.stretches[..self.done];
        let wrong = round.iter().position(|stretch| stretch.wrong.is_some());
        let count = wrong.map_or(self.done, |last| last + 1);
        let stretches = &mut round[..count];
        let wrong = stretches.last()?.wrong;
        Some(Round { stretches, wrong })
    }

    /// Divides the next of the waiting states into stretches, after those that were expanded but
    /// not in the last round.
    fn queue(&mut self, successors: u64) {
        let rest = self
            .done
            .checked_sub(1)
            .map(|last| self.stretches[last].rest());
        let rest = rest.filter(|rest| rest.start < rest.end);
        let gone = self.done - usize::from(rest.is_some());
        // Stretches that are done go behind the others, where their memory is used again.
        self.stretches[..self.queued].rotate_left(gone);
        self.queued -= gone;
        if let Some(rest) = rest {
            // Stretches behind this one were expanded already. Workers remember the successors met
            // there, and would leave them out here, where they come first in order.
            self.crew.forget();
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

    /// Makes stretches shorter or longer after a round that took the time `round`. Nothing that is
    /// found depends on the length of stretches.
    fn adapt(&mut self, round: Duration) {
        if round > LONGEST_ROUND {
            self.successors = (self.successors / 2).max(1);
        } else if round < LONGEST_ROUND / 4 {
            self.successors = (self.successors * 2).min(self.most_successors);
        }
    }

    /// The first of these states of which `target` represents a successor; `None` if there is none.
    pub(super) fn first_parent(
        &mut self,
        frontier: &dyn Frontier,
        numbers: Range<u32>,
        target: &[u64],
        token: &Cancellation,
    ) -> Result<Option<u32>, Halt> {
        let crew = (&mut *self.crew, self.threads);
        ancestors::first_parent(crew, frontier, numbers, target, token)
    }

    /// Calls `each` with the words of the representative of each pair that a τ of `pair` leads to.
    /// All τ are followed, as at pairs that are no samples, unless stubborn sets are chosen at each
    /// pair.
    pub(super) fn each_tau(&mut self, pair: &[u64], each: &mut dyn FnMut(&[u64])) {
        let chooses = self.sampling.is_everywhere();
        self.crew.each_tau(pair, chooses, each);
    }

    /// Bytes of memory that are held for the candidates of a round.
    pub(super) fn round_bytes(&self) -> usize {
        self.stretches.iter().map(Stretch::memory_bytes).sum()
    }
}
