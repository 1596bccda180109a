//! How fast large systems are minimised by strong bisimulation.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cspsym::lts::bisimulation::minimise;
use cspsym::lts::graph::{Lts, StateId};
use cspsym::process::event::EventId;

/// Three random transitions and one to the next state, 200,000 in all; hardly any two states are equivalent.
fn random() -> Lts {
    let mut seed = 1_u64;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((seed >> 33) % u64::from(below)) as u32
    };
    let states = 50_000;
    let rows = (0..states).map(|s| {
        let next = (EventId(2), StateId((s + 1) % states));
        let others = (0..3).map(|_| (EventId(2 + random(4)), StateId(random(states))));
        others.chain([next]).collect()
    });
    Lts::from_rows(rows.collect())
}

/// Long chains of nearly equivalent states with a million transitions, the worst case for rounds of refinement.
fn chain() -> Lts {
    let rows = (0..500_000_u32).map(|s| {
        let next = (EventId(2), StateId((s + 1).min(499_999)));
        vec![next, (EventId(3), StateId(s / 2))]
    });
    Lts::from_rows(rows.collect())
}

fn minimisation(c: &mut Criterion) {
    let mut group = c.benchmark_group("minimise");
    group.sample_size(10);
    for (name, lts) in [("random", random()), ("chain", chain())] {
        group.throughput(Throughput::Elements(lts.transition_count() as u64));
        group.bench_function(name, |b| b.iter(|| minimise(&lts).lts.state_count()));
    }
    group.finish();
}

criterion_group!(benches, minimisation);
criterion_main!(benches);
