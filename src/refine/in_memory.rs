//! The frontier in memory: all states of a search in one store, level after level.

use std::ops::Range;

use super::frontier::{Beside, Excess, Expanded, Frontier, Piece};
use super::halt::Halt;
use super::outcome::StopReason;
use super::product::Product;
use super::states::States;
use super::store::{Batch, MOST_STATES, Store};
use super::worker::{Round, Stretch};
use crate::base::threads::Threads;
use crate::diag::Result;
use crate::machine::packing::PackedState;

/// The states of a search in memory.
pub(super) struct InMemory {
    store: Store,
    /// Where the levels end.
    ends: Vec<u32>,
}

impl InMemory {
    /// The state `initial`, for a search on these `threads`.
    pub(super) fn new<S: PackedState>(
        product: &Product<'_>,
        initial: &S,
        threads: &Threads,
    ) -> Self {
        let mut store = Store::new(&product.packing, threads.count());
        // Where everything is allowed there is nothing to look for.
        if !product.allows_all {
            let mut batch = Batch::new(initial.words().len());
            batch.push(initial);
            batch.route(store.shards());
            store.insert(&mut [&mut batch], MOST_STATES, threads);
        }
        let ends = vec![store.len() as u32];
        Self { store, ends }
    }
}

impl States for InMemory {
    #[inline]
    fn load<S: PackedState>(&self, number: u32, state: &mut S) {
        self.store.load(number, state);
    }
}

impl<S: PackedState> Frontier<S> for InMemory {
    fn level_count(&self) -> usize {
        self.ends.len()
    }

    fn level(&self, level: usize) -> Range<u64> {
        let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
        u64::from(start)..u64::from(self.ends[level])
    }

    fn found(&self) -> u64 {
        self.store.len() as u64
    }

    /// All of them: a state's number in the store is its place.
    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt> {
        let all = std::mem::replace(places, places.end..places.end);
        Ok(Piece {
            numbers: all.start as u32..all.end as u32,
            start: all.start,
        })
    }

    fn route(&self, stretch: &mut Stretch) {
        stretch.batch.route(self.store.shards());
    }

    fn growth(&self, round: &[Stretch]) -> u64 {
        let batches = round.iter().map(|stretch| &stretch.batch);
        self.store.growth(batches) as u64
    }

    fn enter(
        &mut self,
        round: &mut Round<'_>,
        most: u64,
        threads: &Threads,
    ) -> Result<Option<Excess>, Halt> {
        let most = most.min(MOST_STATES as u64) as usize;
        let mut batches: Vec<&mut Batch> =
            round.stretches.iter_mut().map(|s| &mut s.batch).collect();
        let excess = self.store.insert(&mut batches, most, threads);
        Ok(excess.map(|(stretch, candidate)| Excess {
            stretch,
            candidate,
            reason: match most < MOST_STATES {
                true => StopReason::StateLimit,
                false => StopReason::Numbers,
            },
        }))
    }

    /// What was entered is new, and in its place already.
    fn finish_level(&mut self, _: &Expanded<'_>) -> Result<(), Halt> {
        self.ends.push(self.store.len() as u32);
        Ok(())
    }

    fn memory_bytes(&self, beside: Beside) -> usize {
        self.store.memory_bytes() + beside.divergence
    }
}
