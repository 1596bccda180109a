//! The speed with which the store takes candidates: many old ones, few new ones.

use std::num::NonZeroUsize;

use base::threads::Threads;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use machine::packing::{PackedState, Packing};
use refine::store::{Batch, MOST_STATES, Store};

const CANDIDATES: u64 = 4_000_000;
const BATCH: usize = 2048;

/// Fills a store. Each candidate is a state near the newest ones; about one in five is new.
fn fill<S: PackedState>(words: usize, shards: usize, batches: usize) -> usize {
    let packing = Packing::new(&vec![1 << 31; words * 2 - 1]);
    let threads = Threads::new(NonZeroUsize::new(shards).unwrap_or(NonZeroUsize::MIN));
    let mut store = Store::new(&packing, shards);
    let mut batches: Vec<Batch> = (0..batches).map(|_| Batch::new(words)).collect();
    let mut seed = 1u64;
    let mut made = 0;
    while made < CANDIDATES {
        for batch in &mut batches {
            batch.clear();
            for i in made..made + BATCH as u64 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let mut state = vec![0; words];
                state[words - 1] = (i / 5).saturating_sub((seed >> 33) % 100_000) * 0x9e37;
                let mut packed = S::zero(words);
                packed.load(&state);
                batch.push(&packed);
            }
            made += BATCH as u64;
            batch.route(shards);
        }
        let mut all: Vec<&mut Batch> = batches.iter_mut().collect();
        store.insert(&mut all, MOST_STATES, &threads);
    }
    store.len()
}

fn store(c: &mut Criterion) {
    let mut group = c.benchmark_group("store");
    group.sample_size(10);
    group.throughput(Throughput::Elements(CANDIDATES));
    for (shards, batches) in [(1, 1), (2, 32)] {
        group.bench_function(format!("one word, {shards} threads"), |b| {
            b.iter(|| fill::<u64>(1, shards, batches));
        });
        group.bench_function(format!("three words, {shards} threads"), |b| {
            b.iter(|| fill::<Vec<u64>>(3, shards, batches));
        });
    }
    group.finish();
}

criterion_group!(benches, store);
criterion_main!(benches);
