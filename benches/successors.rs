//! How fast transitions of a packed state are generated.

#[path = "support/dijkstra.rs"]
#[allow(dead_code, reason = "this bench checks no specification")]
mod dijkstra;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cspsym::lts::explore::LeafLimits;
use cspsym::machine::packing::PackedState;
use cspsym::machine::successors::Scratch;
use cspsym::machine::{CompileOptions, compile};

/// The first states of the system, breadth first.
fn successors(c: &mut Criterion) {
    let mut model = dijkstra::dijkstra(5);
    let options = CompileOptions {
        limits: LeafLimits::default(),
        minimise: true,
    };
    let machine = compile(&mut model.definitions, model.system, &options).expect("it is finite");
    let packing = machine.packing(1);
    assert_eq!(packing.words(), 1);
    let successors = machine.successors(&packing).expect("it is small");
    let mut states = vec![u64::zero(1)];
    let mut scratch = Scratch::new(1);
    let mut transitions = 0u64;
    for i in 0..1000 {
        let state = states[i];
        successors.for_each(&state, &mut scratch, &mut |_, _, &next| {
            transitions += 1;
            states.push(next);
        });
    }
    let mut group = c.benchmark_group("successors");
    group.throughput(Throughput::Elements(transitions));
    group.bench_function("dijkstra 5", |b| {
        b.iter(|| {
            let mut sum = 0u64;
            for state in &states[..1000] {
                successors.for_each(state, &mut scratch, &mut |_, _, &next| {
                    sum = sum.wrapping_add(next);
                });
            }
            black_box(sum)
        });
    });
    group.finish();
}

criterion_group!(benches, successors);
criterion_main!(benches);
