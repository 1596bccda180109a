//! How fast the store takes candidates: many old ones, few new ones.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use cspsym::refine::store::{Batch, Store, StoredState};

const CANDIDATES: u64 = 4_000_000;
const BATCH: usize = 2048;

/// Each candidate is one of the states around the newest ones; about one in five is new.
fn fill<S: StoredState>(words: usize) -> usize {
    let mut store = Store::<S>::new(words);
    let mut batch = Batch::new(words);
    let mut seed = 1u64;
    for i in 0..CANDIDATES {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut state = vec![0; words];
        state[words - 1] = (i / 5).saturating_sub((seed >> 33) % 100_000) * 0x9e37_79b9;
        let mut packed = S::zero(words);
        packed.load(&state);
        batch.push(&packed, 0);
        if batch.len() == BATCH {
            store.insert(&mut batch);
        }
    }
    store.insert(&mut batch);
    store.len()
}

fn store(c: &mut Criterion) {
    let mut group = c.benchmark_group("store");
    group.sample_size(10);
    group.throughput(Throughput::Elements(CANDIDATES));
    group.bench_function("one word", |b| {
        b.iter_batched(|| (), |()| fill::<u64>(1), BatchSize::PerIteration);
    });
    group.bench_function("three words", |b| {
        b.iter_batched(|| (), |()| fill::<Vec<u64>>(3), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, store);
criterion_main!(benches);
