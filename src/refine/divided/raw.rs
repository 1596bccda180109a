//! Raw pairs: pairs that are sent as they are, and represented by the process to which they belong.
//!
//! Where representing a pair is dear, most of the time is saved by remembering which pairs were
//! represented lately (`recent`): states that are expanded one after the other share successors.
//! Divided between processes they share fewer, because each process expands others. So a pair is
//! sent as it is, *raw*, to the process that a hash of it names: there all of its occurrences meet,
//! whichever process found them. Its representative then goes to its own owner.
//!
//! With two processes on Dijkstra's algorithm for six participants, each then knew three of four
//! pairs again instead of one of two.

use std::sync::Mutex;

use super::owner::owner;
use crate::frontier::Frontier;
use crate::recent::Recent;
use crate::store::Batch;
use crate::stretch::Stretch;
use base::threads::Threads;
use machine::packing::PackedState;
use symmetry::representative::Representative;

/// The representation of the raw pairs of a process, on all of its threads.
pub(super) trait RawPairs: Send + Sync {
    /// Represents the pairs of the batches, and routes the representatives: those of this process
    /// for its `share`, the others to their owners. There is a stretch for each batch. `place` is
    /// the number of the process, and the number of processes.
    fn represent(
        &mut self,
        batches: &[&Batch],
        place: (usize, usize),
        share: &dyn Frontier,
        threads: &Threads,
    ) -> &mut [Stretch];

    /// True if each pair got the only representative of its orbit.
    fn is_unique(&self) -> bool;
}

/// The representation of pairs that are each an `S`, by an `R`.
pub(super) struct RawHands<S, R> {
    /// The hands, one for each thread. The lock is there only because threads that expand share
    /// this, and is never waited for.
    hands: Mutex<Vec<RawHand<S, R>>>,
    /// The stretches that the hands made of the last batches.
    made: Vec<Stretch>,
}

struct RawHand<S, R> {
    representative: R,
    state: S,
    /// Pairs whose representatives were handed on.
    recent: Recent,
}

impl<S: PackedState, R: Representative<S>> RawHands<S, R> {
    /// A hand for each of the threads, for states like `state`.
    pub(super) fn new(representative: &R, state: &S, threads: &Threads) -> Self {
        let hand = |_| RawHand {
            representative: representative.clone(),
            state: state.clone(),
            recent: Recent::new(state.words().len()),
        };
        Self {
            hands: Mutex::new((0..threads.count()).map(hand).collect()),
            made: Vec::new(),
        }
    }
}

impl<S: PackedState, R: Representative<S>> RawPairs for RawHands<S, R> {
    fn represent(
        &mut self,
        batches: &[&Batch],
        (process, processes): (usize, usize),
        share: &dyn Frontier,
        threads: &Threads,
    ) -> &mut [Stretch] {
        let Self { hands, made } = self;
        let Ok(hands) = hands.get_mut() else {
            // A thread that panicked has ended the search.
            return &mut [];
        };
        let words = batches.first().map_or(1, |batch| batch.word_count());
        while made.len() < batches.len() {
            made.push(Stretch::new(words));
        }
        let mut work: Vec<_> = batches.iter().zip(&mut made[..]).collect();
        threads.share(hands, &mut work, |hand, _, (raw, made)| {
            made.reset(0..0);
            made.away.resize_with(processes, Vec::new);
            let state = &mut hand.state;
            for pair in raw.words().chunks_exact(words) {
                if !hand.recent.enter(pair) {
                    continue;
                }
                state.load(pair);
                hand.representative.represent(state);
                let owner = owner(state.words(), processes);
                match owner == process {
                    true => made.batch.push(state),
                    false => made.away[owner].extend_from_slice(state.words()),
                }
            }
            share.route(made);
        });
        &mut made[..batches.len()]
    }

    fn is_unique(&self) -> bool {
        let hands = self.hands.lock();
        hands.is_ok_and(|hands| hands.iter().all(|hand| hand.representative.is_unique()))
    }
}
