//! Whole searches: Dijkstra's algorithm against RUN of its visible events.
//!
//! `CSPSYM_LARGE=1 cargo bench --bench check` adds five participants, 55 million states.

#[path = "support/dijkstra.rs"]
mod dijkstra;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cspsym::lts::explore::{LeafLimits, explore};
use cspsym::lts::normal_form::NormalForm;
use cspsym::machine::{CompileOptions, compile};
use cspsym::refine::check::{CheckOptions, CheckResult, Control, check};

fn run(participants: usize) -> CheckResult {
    let mut model = dijkstra::dijkstra(participants);
    let options = CompileOptions {
        limits: LeafLimits::default(),
        minimise: true,
    };
    let machine = compile(&mut model.definitions, model.system, &options).expect("it is finite");
    let visible =
        explore(&mut model.definitions, model.visible, &options.limits).expect("it is one state");
    let specification = NormalForm::of(&visible.lts, 10).expect("it is one state");
    let options = CheckOptions { max_states: None };
    check(&specification, &machine, &options, &mut |_| {
        Control::Continue
    })
    .expect("it is small")
}

fn searches(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group.sample_size(10);
    let large = std::env::var_os("CSPSYM_LARGE").is_some();
    let sizes: &[(usize, u64)] = if large {
        &[(4, 579_733), (5, 55_022_303)]
    } else {
        &[(4, 579_733)]
    };
    for &(participants, states) in sizes {
        group.throughput(Throughput::Elements(states));
        group.bench_function(format!("dijkstra {participants}"), |b| {
            b.iter(|| assert_eq!(run(participants).statistics.states, states));
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
