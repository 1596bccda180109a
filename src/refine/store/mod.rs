//! The exact set of visited states, in order of discovery.
//!
//! A state costs its packed bytes, in the arena, and its slot in a hash table: eight bytes, and its
//! share of the slots that are free. The parent of a state is not kept: `ancestors` finds it again.
//!
//! A random access to a large table costs a cache miss, and nearly every candidate costs one. So
//! candidates come in batches: the table lines of many are touched first, by loads that do not
//! depend on each other and therefore overlap, and only then is each looked up.
//!
//! The table is in shards by hash, one for each thread, and a thread looks up in its own shard the
//! candidates of all batches that belong there. The new candidates are then numbered in the order
//! of batches, so that numbers do not depend on how many shards there are.

mod arena;
mod batch;
mod chain;
mod table;
#[cfg(test)]
mod tests;

use self::arena::Arena;
pub use self::batch::Batch;
pub(super) use self::batch::hash;
use self::batch::{Routed, place};
pub(crate) use self::chain::StoreChain;
use self::table::{SlotPlace, StateTable};
use base::threads::Threads;
use machine::packing::Packing;

/// Visited states, numbered in order of discovery from 0.
#[derive(Debug)]
pub struct Store {
    arena: Arena,
    shards: Vec<Shard>,
    /// True if states stand in the tables themselves.
    has_keys: bool,
}

/// The most states that can be numbered. The numbers above are left for the candidates that a round
/// enters before it numbers them.
pub const MOST_STATES: usize = u32::MAX as usize - (1 << 28);

/// The number of candidates that are looked up at a time: their lines fit the first-level cache.
const GROUP: usize = 64;

/// The number of candidates below which another thread is not worth it.
const FEW: usize = 2048;

/// The part of the store that one thread looks up: no two are in one cache line.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Shard {
    /// One-word states stand in the table themselves, inverted, because 0 is a free slot. Longer
    /// ones stand in the arena only; a slot has their position, and their number plus one. A
    /// candidate entered since states were last numbered has as its number the number of states
    /// there were then, plus its place in `fresh`.
    table: StateTable,
    /// The candidates entered since states were last numbered, in order.
    fresh: Vec<Fresh>,
}

/// A candidate that was entered before it had a number.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    batch: u32,
    candidate: u32,
    place: SlotPlace,
}

const NUMBER: u64 = u32::MAX as u64;

impl Store {
    /// An empty store, for states that are packed by `packing`. At most `shards` threads can look
    /// up states at once.
    pub fn new(packing: &Packing, shards: usize) -> Self {
        Self {
            arena: Arena::new(packing),
            shards: (0..shards).map(|_| Shard::default()).collect(),
            has_keys: packing.words() == 1,
        }
    }

    /// An empty store for states of the same kind.
    fn another(&self) -> Self {
        Self {
            arena: self.arena.another(),
            shards: self.shards.iter().map(|_| Shard::default()).collect(),
            has_keys: self.has_keys,
        }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// True if there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of shards.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Copies the words of state `number` into `words`.
    #[inline]
    pub fn load(&self, number: u32, words: &mut [u64]) {
        self.arena.load(number, words);
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        let tables = self.shards.iter().map(|shard| shard.table.memory_bytes());
        self.arena.memory_bytes() + tables.sum::<usize>()
    }

    /// Bytes of memory that are taken at once before these candidates are inserted.
    pub fn growth<'b>(&self, batches: impl Iterator<Item = &'b Batch> + Clone) -> usize {
        let homes = self.homes_for(batches);
        let tables = self.shards.iter().map(|shard| &shard.table);
        tables.map(|table| table.growth(homes)).sum()
    }

    /// The number of homes that each table needs for these candidates. Tables grow together,
    /// because all threads wait for one that grows.
    fn homes_for<'b>(&self, batches: impl Iterator<Item = &'b Batch> + Clone) -> usize {
        let homes = |(number, shard): (usize, &Shard)| {
            let more = batches.clone().map(|batch| batch.routed(number).len());
            shard.table.homes_with(more.sum())
        };
        self.shards.iter().enumerate().map(homes).max().unwrap_or(0)
    }

    /// Inserts the candidates that are not there yet, in order, until there are `most` states. All
    /// candidates must have been routed to as many shards as the store has, and not inserted since.
    /// Returns the batch and the candidate that did not fit, if there is one: then nothing can be
    /// inserted any more.
    pub fn insert(
        &mut self,
        batches: &mut [&mut Batch],
        most: usize,
        threads: &Threads,
    ) -> Option<(usize, usize)> {
        let candidates: usize = batches.iter().map(|batch| batch.len()).sum();
        let own = Threads::one();
        let threads = if candidates < FEW { &own } else { threads };
        let homes = self.homes_for(batches.iter().map(|batch| &**batch));
        let (arena, shards) = (&self.arena, self.shards.len());
        if self.has_keys {
            // A slot has no room for the position beside a state, but the state gives it again.
            let key = |slot: u64| place(hash(&[!slot]), shards).1;
            threads.each(&mut self.shards, |number, shard| {
                shard.table.grow(homes, key);
                shard.insert_keys(batches, number);
            });
        } else {
            threads.each(&mut self.shards, |number, shard| {
                shard.table.grow(homes, |slot| (slot >> 32) as u32);
                shard.insert_numbers(batches, number, arena);
            });
        }
        let excess = self.number(batches, most);
        // With one shard a candidate gets the very number that it has at first.
        if !self.has_keys && shards > 1 {
            threads.each(&mut self.shards, |_, shard| shard.renumber(batches));
        }
        excess
    }

    /// Takes the candidates that this store has out of a batch that was routed.
    fn leave_out(&self, batch: &mut Batch) {
        for (number, shard) in self.shards.iter().enumerate() {
            let routed = batch.take_routed(number);
            let mut left = Vec::with_capacity(routed.len());
            for group in routed.chunks(GROUP) {
                shard
                    .table
                    .touch(group.iter().map(|routed| routed.position));
                let is_new = |routed: &&Routed| {
                    let state = batch.state(routed.candidate);
                    !shard
                        .table
                        .has(routed.position, |slot| match self.has_keys {
                            true => slot == !state[0],
                            false => {
                                is_at(slot, routed.position)
                                    && self.arena.is((slot & NUMBER) as u32 - 1, state)
                            }
                        })
                };
                left.extend(group.iter().filter(is_new));
            }
            batch.put_routed(number, left);
        }
    }

    /// Numbers the new candidates, in order.
    fn number(&mut self, batches: &mut [&mut Batch], most: usize) -> Option<(usize, usize)> {
        for fresh in self.shards.iter().flat_map(|shard| &shard.fresh) {
            batches[fresh.batch as usize].mark(fresh.candidate);
        }
        let mut excess = None;
        for (number, batch) in batches.iter_mut().enumerate() {
            let arena = &mut self.arena;
            let first = arena.len() as u32;
            batch.number(first, |candidate, state| {
                if arena.len() < most {
                    arena.push(state);
                } else {
                    excess = excess.or(Some((number, candidate as usize)));
                }
            });
        }
        excess
    }
}

impl Shard {
    fn insert_keys(&mut self, batches: &[&mut Batch], shard: usize) {
        self.fresh.clear();
        for (number, batch) in (0..).zip(batches) {
            for group in batch.routed(shard).chunks(GROUP) {
                self.table.touch(group.iter().map(|routed| routed.position));
                for routed in group {
                    let key = !batch.state(routed.candidate)[0];
                    // Most candidates are there already, at any slot. Equal slots are counted, so
                    // that no branch depends on which slot it is.
                    let holds = |slots: &[u64]| {
                        let same = slots.iter().map(|&slot| u64::from(slot == key));
                        same.sum::<u64>() != 0
                    };
                    if let Some(place) = self.table.insert(routed.position, key, holds) {
                        self.fresh.push(Fresh {
                            batch: number,
                            candidate: routed.candidate,
                            place,
                        });
                    }
                }
            }
        }
    }

    fn insert_numbers(&mut self, batches: &[&mut Batch], shard: usize, arena: &Arena) {
        self.fresh.clear();
        for (number, batch) in (0..).zip(batches) {
            for group in batch.routed(shard).chunks(GROUP) {
                self.touch(group, arena);
                for &routed in group {
                    self.insert_number(batches, number, routed, arena);
                }
            }
        }
    }

    /// Loads the memory that looking up these candidates will need: lines of the table, and then
    /// the states that are likely to be the same.
    fn touch(&self, group: &[Routed], arena: &Arena) {
        self.table.touch(group.iter().map(|routed| routed.position));
        let likely = |routed: &Routed| {
            let slots = self.table.home_slots(routed.position).iter();
            let mut same = slots.filter(|&&slot| is_at(slot, routed.position));
            same.next().map(|slot| (slot & NUMBER) as u32 - 1)
        };
        let stored = group.iter().filter_map(likely);
        // A candidate entered since states were numbered is not in the arena yet.
        let stored = stored.filter(|&number| (number as usize) < arena.len());
        std::hint::black_box(stored.fold(0u8, |sum, number| sum.wrapping_add(arena.touch(number))));
    }

    #[inline]
    fn insert_number(
        &mut self,
        batches: &[&mut Batch],
        number: u32,
        routed: Routed,
        arena: &Arena,
    ) {
        let batch = &batches[number as usize];
        let state = batch.state(routed.candidate);
        let Self { table, fresh } = self;
        let is_same = |slot: u64| {
            let number = (slot & NUMBER) as u32 - 1;
            match (number as usize).checked_sub(arena.len()) {
                None => arena.is(number, state),
                // As long as there is no number, the slot says where in `fresh` the candidate is.
                Some(at) => {
                    let fresh: &Fresh = &fresh[at];
                    batches[fresh.batch as usize].state(fresh.candidate) == state
                }
            }
        };
        let next = (arena.len() + fresh.len()) as u64;
        let slot = u64::from(routed.position) << 32 | (next + 1);
        let place = table.insert(routed.position, slot, |slots| {
            let mut same = slots.iter().filter(|&&slot| is_at(slot, routed.position));
            same.any(|&slot| is_same(slot))
        });
        if let Some(place) = place {
            fresh.push(Fresh {
                batch: number,
                candidate: routed.candidate,
                place,
            });
        }
    }

    /// Gives the candidates that were entered the numbers that the batches say.
    fn renumber(&mut self, batches: &[&mut Batch]) {
        for fresh in &self.fresh {
            let number = batches[fresh.batch as usize].number_of(fresh.candidate);
            let slot = self.table.at_mut(fresh.place);
            *slot = *slot & !NUMBER | (u64::from(number) + 1);
        }
    }
}

/// True if this slot is taken by an entry that belongs to `position`.
#[inline]
fn is_at(slot: u64, position: u32) -> bool {
    slot != 0 && (slot >> 32) as u32 == position
}
