//! More states than one store can number: full stores, and the one that grows.
//!
//! A store numbers its states by 32 bits, so that an entry of its table takes 8 bytes. Beyond that
//! a new store begins, and the numbers in it begin again. A state then takes as much memory as
//! before; looking up a candidate takes a cache miss more for each full store, which has to be
//! asked too. The threads that found the candidates ask the full stores.

use std::ops::Range;

use super::batch::Batch;
use super::{MOST_STATES, Store};
use base::threads::Threads;
use machine::packing::Packing;

/// Visited states in order of discovery, each in one of the stores.
#[derive(Debug)]
pub(crate) struct StoreChain {
    full: Vec<Store>,
    last: Store,
    /// The most states that are put into one store.
    largest: usize,
}

impl StoreChain {
    /// A chain without states, made of stores as by [`Store::new`].
    pub(crate) fn new(packing: &Packing, shards: usize) -> Self {
        Self {
            full: Vec::new(),
            last: Store::new(packing, shards),
            largest: MOST_STATES,
        }
    }

    /// Begins a new store when one has this many states, so that there are several.
    #[cfg(test)]
    pub(crate) fn narrow(&mut self, largest: usize) {
        self.largest = largest;
    }

    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        self.stores().map(|store| store.len() as u64).sum()
    }

    /// The store of this number.
    #[inline]
    pub(crate) fn store(&self, number: usize) -> &Store {
        self.full.get(number).unwrap_or(&self.last)
    }

    fn stores(&self) -> impl Iterator<Item = &Store> {
        self.full.iter().chain([&self.last])
    }

    /// The part at the beginning of these places, in the order of discovery, that is in one store:
    /// the number of the store, and the numbers of the states in it.
    pub(crate) fn first_part(&self, places: &Range<u64>) -> (usize, Range<u32>) {
        let (mut number, mut start) = (0, 0);
        while number < self.full.len() && start + self.full[number].len() as u64 <= places.start {
            start += self.full[number].len() as u64;
            number += 1;
        }
        let end = places.end.min(start + self.store(number).len() as u64);
        (number, (places.start - start) as u32..(end - start) as u32)
    }

    /// Bytes of memory held.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.stores().map(Store::memory_bytes).sum()
    }

    /// Finds out where the candidates of a batch belong, and leaves out those that full stores
    /// have.
    pub(crate) fn route(&self, batch: &mut Batch) {
        batch.route(self.last.shards());
        self.sieve(batch);
    }

    /// Leaves out the candidates of those full stores that were not asked yet.
    fn sieve(&self, batch: &mut Batch) {
        for store in &self.full[batch.asked..] {
            store.leave_out(batch);
        }
        batch.asked = self.full.len();
    }

    /// Bytes of memory that are taken at once before these candidates are inserted, as by
    /// [`Store::growth`].
    pub(crate) fn growth<'b>(&self, batches: impl Iterator<Item = &'b Batch> + Clone) -> usize {
        self.last.growth(batches)
    }

    /// Inserts the candidates of batches that were routed by [`StoreChain::route`], as
    /// [`Store::insert`] does.
    pub(crate) fn insert(
        &mut self,
        batches: &mut [&mut Batch],
        most: u64,
        threads: &Threads,
    ) -> Option<(usize, usize)> {
        let candidates: usize = batches.iter().map(|batch| batch.len()).sum();
        if self.last.len() + candidates > self.largest && !self.last.is_empty() {
            let next = self.last.another();
            self.full.push(std::mem::replace(&mut self.last, next));
        }
        // A batch may have been routed before a store was full.
        batches.iter_mut().for_each(|batch| self.sieve(batch));
        let before = self.len() - self.last.len() as u64;
        let room = usize::try_from(most.saturating_sub(before)).unwrap_or(usize::MAX);
        self.last.insert(batches, room, threads)
    }
}
