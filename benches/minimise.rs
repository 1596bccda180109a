//! The speed of minimising large systems by strong and by weak bisimulation: a million transitions
//! each.

use base::cancel::at_leisure;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cspsym::Cancellation;
use lts::bisimulation::minimise;
use lts::graph::{Lts, StateId};
use lts::weak::{delay_bisimulation, weak_bisimulation};
use process::event::{EventId, TAU};

/// Three random transitions and one to the next state, a million in all; hardly any two states are
/// equivalent. Of a hundred random transitions, `taus` are τ.
fn random(taus: u32) -> Lts {
    let mut seed = 1_u64;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((seed >> 33) % u64::from(below)) as u32
    };
    let states = 250_000;
    let rows = (0..states).map(|s| {
        let next = (EventId(2), StateId((s + 1) % states));
        let others = (0..3).map(|_| {
            let event = if random(100) < taus {
                TAU
            } else {
                EventId(2 + random(4))
            };
            (event, StateId(random(states)))
        });
        others.chain([next]).collect()
    });
    Lts::from_rows(rows.collect())
}

/// A long chain of states that differ in their distance from the end, the worst case for rounds of
/// refinement: a million transitions.
fn chain() -> Lts {
    let states = 500_000_u32;
    let rows = (0..states).map(|s| {
        let next = (s + 1 < states).then_some((EventId(2), StateId(s + 1)));
        let back = (EventId(3), StateId(s / 2));
        next.into_iter().chain([back]).collect()
    });
    Lts::from_rows(rows.collect())
}

/// Cells side by side: each does a visible step, a τ and a second visible step, so every weak class
/// is a small part of the whole.
fn cells() -> Lts {
    const CELLS: u32 = 11;
    let states = 3_u32.pow(CELLS);
    let rows = (0..states).map(|s| {
        let step = |cell: u32| {
            let weight = 3_u32.pow(cell);
            match s / weight % 3 {
                0 => (EventId(2 + cell % 2), StateId(s + weight)),
                1 => (TAU, StateId(s + weight)),
                _ => (EventId(4), StateId(s - 2 * weight)),
            }
        };
        (0..CELLS).map(step).collect()
    });
    Lts::from_rows(rows.collect())
}

fn minimisation(c: &mut Criterion) {
    let mut group = c.benchmark_group("minimise");
    group.sample_size(10);
    for (name, lts) in [
        ("random", random(0)),
        ("chain", chain()),
        ("cells", cells()),
    ] {
        group.throughput(Throughput::Elements(lts.transition_count() as u64));
        group.bench_function(format!("strong, {name}"), |b| {
            b.iter(|| at_leisure(|token| minimise(&lts, token)).lts.state_count());
        });
    }
    for (name, lts) in [
        ("few τ", random(3)),
        ("many τ", random(20)),
        ("cells", cells()),
    ] {
        group.throughput(Throughput::Elements(lts.transition_count() as u64));
        group.bench_function(format!("weak, {name}"), |b| {
            b.iter(|| weak_bisimulation(&lts, &Cancellation::new()));
        });
        group.bench_function(format!("delay, {name}"), |b| {
            b.iter(|| delay_bisimulation(&lts, &Cancellation::new()));
        });
    }
    group.finish();
}

criterion_group!(benches, minimisation);
criterion_main!(benches);
