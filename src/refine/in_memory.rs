//! The frontier in memory: all states of a search, level after level.

use std::ops::Range;

use super::frontier::{
    Beside, EntryLimits, Excess, Expanded, FollowedSteps, Frontier, Less, Piece, Taken,
};
use super::halt::Halt;
use super::product::Product;
use super::store::{Batch, StoreChain};
use super::stretch::{Round, Stretch};
use base::diag::Result;
use base::threads::Threads;

/// The states of a search in memory.
pub(super) struct InMemory {
    stores: StoreChain,
    /// The number of the store in which the present piece is.
    store: usize,
    /// The ends of the levels: the place after each level's last state.
    ends: Vec<u64>,
}

impl InMemory {
    /// Holds the state of the words `initial`, or none, for a search on these `threads`.
    pub(super) fn new(product: &Product<'_>, initial: Option<&[u64]>, threads: &Threads) -> Self {
        let mut stores = StoreChain::new(&product.packing, threads.count());
        if let Some(initial) = initial {
            let mut batch = Batch::of(initial.len(), initial);
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

impl Frontier for InMemory {
    fn load(&self, number: u32, words: &mut [u64]) {
        self.stores.store(self.store).load(number, words);
    }

    fn ends(&self) -> &[u64] {
        &self.ends
    }

    fn found(&self) -> u64 {
        self.stores.len()
    }

    fn followed_before(&self) -> FollowedSteps {
        FollowedSteps::default()
    }

    /// Takes all places that are in one store.
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

    fn enter(
        &mut self,
        round: &mut Round<'_>,
        limits: &EntryLimits,
    ) -> Result<Option<Excess>, Halt> {
        let batches = round.stretches.iter().map(|stretch| &stretch.batch);
        // All that the tables grow by is taken in one step. Where they do not grow, memory is not
        // looked at, which would take longer than to enter some stretches.
        match self.stores.growth(batches) {
            0 => {}
            growth => {
                limits.token.look_at_memory(growth as u64);
                Halt::check(&limits.token)?;
            }
        }
        let stretches = round.stretches.iter_mut();
        let mut batches: Vec<&mut Batch> = stretches.map(|stretch| &mut stretch.batch).collect();
        let stores = &mut self.stores;
        let excess = stores.insert(&mut batches, limits.most_states, &limits.threads);
        Ok(excess.map(|(stretch, candidate)| Excess { stretch, candidate }))
    }

    /// Counts the states that were entered: they are new, and in their places already.
    fn find_new(&mut self, _: &Expanded<'_>) -> Result<u64, Halt> {
        Ok(self.stores.len() - self.ends[self.ends.len() - 1])
    }

    fn finish_level(&mut self, _: &Expanded<'_>) -> Result<(), Halt> {
        self.ends.push(self.stores.len());
        Ok(())
    }

    fn taken(&self, beside: Beside) -> Taken {
        Taken {
            memory_bytes: self.stores.memory_bytes() + beside.divergence,
            shared: None,
            spilled: None,
        }
    }

    fn hold_less(&mut self, _: Less) -> Result<bool, Halt> {
        Ok(false)
    }

    fn close(&mut self) {}
}
