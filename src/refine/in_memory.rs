//! The frontier in memory: all states of a search, level after level.

use std::ops::Range;

use super::frontier::{Beside, Excess, Expanded, Frontier, Piece};
use super::halt::Halt;
use super::outcome::StopReason;
use super::product::Product;
use super::states::States;
use super::store::{Batch, StoreChain};
use super::worker::{Round, Stretch};
use base::diag::Result;
use base::threads::Threads;
use machine::packing::PackedState;

/// The states of a search in memory.
pub(super) struct InMemory {
    stores: StoreChain,
    /// In which of the stores the present piece is.
    store: usize,
    /// Where the levels end.
    ends: Vec<u64>,
}

impl InMemory {
    /// The state `initial`, or none, for a search on these `threads`.
    pub(super) fn new<S: PackedState>(
        product: &Product<'_>,
        initial: Option<&S>,
        threads: &Threads,
    ) -> Self {
        let mut stores = StoreChain::new(&product.packing, threads.count());
        if let Some(initial) = initial {
            let mut batch = Batch::new(initial.words().len());
            batch.push(initial);
            stores.route(&mut batch);
            stores.insert(&mut [&mut batch], u64::MAX, threads);
        }
        let ends = vec![stores.len()];
        Self {
            stores,
            store: 0,
            ends,
        }
    }

    /// Begins a new store when one has this many states, so that there are several.
    #[cfg(test)]
    pub(super) fn narrow(&mut self, largest: usize) {
        self.stores.narrow(largest);
    }
}

impl<S: PackedState> States<S> for InMemory {
    fn load(&self, number: u32, state: &mut S) {
        self.stores.store(self.store).load(number, state);
    }
}

impl<S: PackedState> Frontier<S> for InMemory {
    fn level_count(&self) -> usize {
        self.ends.len()
    }

    fn level(&self, level: usize) -> Range<u64> {
        let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[level]
    }

    fn found(&self) -> u64 {
        self.stores.len()
    }

    /// All that are in one store.
    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt> {
        let (store, numbers) = self.stores.first_part(places);
        self.store = store;
        let start = places.start;
        places.start += numbers.len() as u64;
        Ok(Piece { numbers, start })
    }

    fn route(&self, stretch: &mut Stretch) {
        self.stores.route(&mut stretch.batch);
    }

    fn growth(&self, round: &[Stretch]) -> u64 {
        let batches = round.iter().map(|stretch| &stretch.batch);
        self.stores.growth(batches) as u64
    }

    fn enter(
        &mut self,
        round: &mut Round<'_>,
        most: u64,
        threads: &Threads,
    ) -> Result<Option<Excess>, Halt> {
        let mut batches: Vec<&mut Batch> =
            round.stretches.iter_mut().map(|s| &mut s.batch).collect();
        let excess = self.stores.insert(&mut batches, most, threads);
        Ok(excess.map(|(stretch, candidate)| Excess {
            stretch,
            candidate,
            reason: StopReason::StateLimit,
        }))
    }

    /// What was entered is new, and in its place already.
    fn find_new(&mut self, _: &Expanded<'_>) -> Result<u64, Halt> {
        Ok(self.stores.len() - self.ends[self.ends.len() - 1])
    }

    fn finish_level(&mut self, _: &Expanded<'_>) -> Result<(), Halt> {
        self.ends.push(self.stores.len());
        Ok(())
    }

    fn memory_bytes(&self, beside: Beside) -> usize {
        self.stores.memory_bytes() + beside.divergence
    }
}
