//! Whole searches: Dijkstra's algorithm against RUN of its visible events, plain and with symmetry.
//!
//! `CSPSYM_LARGE=1 cargo bench --bench check` adds plain search with five participants, 55 million
//! states.

#[path = "support/dijkstra.rs"]
mod dijkstra;
#[path = "support/symmetries.rs"]
mod symmetries;

use std::hint::black_box;

use base::cancel::Cancellation;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lts::explore::{LeafLimits, explore};
use lts::normal_form::NormalForm;
use machine::packing::PackedState;
use machine::successors::Scratch;
use machine::{CompileOptions, Machine, compile};
use process::term::Definitions;
use refine::check::{CheckOptions, check, twisted_check};
use symmetry::representative::{GeneralPlan, Method, Representative};

/// A machine, its specification, and least images under all permutations of its participants.
struct Model {
    machine: Machine,
    specification: NormalForm,
    plan: GeneralPlan,
}

fn model(participants: usize) -> Model {
    let mut model = dijkstra::dijkstra(participants);
    let options = CompileOptions::new(LeafLimits::default());
    let machine = compile(&mut model.definitions, model.system, &options).expect("it is finite");
    let visible =
        explore(&mut model.definitions, model.visible, &options.limits).expect("it is one state");
    let specification = NormalForm::of(
        &visible.lts,
        lts::model::Model::Traces,
        10,
        Cancellation::never(),
    )
    .expect("it is one state");
    let events = &model.definitions.terms().events;
    let group = symmetries::symmetric_group(&machine, events, participants);
    Model {
        plan: GeneralPlan::new(&group).expect("it is small"),
        machine,
        specification,
    }
}

fn plain(model: &Model) -> u64 {
    let result = check(
        &model.specification,
        &model.machine,
        &CheckOptions::default(),
    );
    result.expect("it is small").statistics.states
}

fn twisted(model: &Model) -> u64 {
    let method = Method::General(model.plan.clone());
    let result = twisted_check(
        &model.specification,
        &model.machine,
        &method,
        None,
        &CheckOptions::default(),
    );
    result.expect("it is small").statistics.states
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
        let model = model(participants);
        group.throughput(Throughput::Elements(states));
        group.bench_function(format!("dijkstra {participants}"), |b| {
            b.iter(|| assert_eq!(plain(&model), states));
        });
    }
    for (participants, states) in [(4, 25_833), (5, 491_659)] {
        let model = model(participants);
        group.throughput(Throughput::Elements(states));
        group.bench_function(format!("dijkstra {participants}, genRep"), |b| {
            b.iter(|| assert_eq!(twisted(&model), states));
        });
    }
    group.finish();
}

/// Successors of the first representatives, to be represented.
fn successors(model: &Model, representative: &mut impl Representative<u64>) -> Vec<u64> {
    let packing = model.machine.packing(1);
    let tables = model
        .machine
        .successors(&packing, Cancellation::never())
        .expect("it is small");
    let mut seen = vec![u64::zero(1)];
    let mut found = Vec::new();
    let mut known = std::collections::HashSet::from([0]);
    let mut scratch = Scratch::new(1);
    for i in 0..100_000 {
        let state = seen[i];
        tables.for_each(&state, &mut scratch, &mut |_, _, &next| {
            found.push(next);
            let mut least = next;
            representative.represent(&mut least);
            if known.insert(least) {
                seen.push(least);
            }
        });
    }
    found
}

fn representatives(c: &mut Criterion) {
    let mut group = c.benchmark_group("represent");
    let model = model(5);
    let mut representative = model.plan.packed::<u64>(&model.machine.packing(1));
    let states = successors(&model, &mut representative);
    group.throughput(Throughput::Elements(states.len() as u64));
    group.bench_function("dijkstra 5, genRep", |b| {
        b.iter(|| {
            let mut sum = 0u64;
            for &state in &states {
                let mut state = state;
                representative.represent(&mut state);
                sum = sum.wrapping_add(state);
            }
            black_box(sum)
        });
    });
    group.finish();
}

criterion_group!(benches, searches, representatives);
criterion_main!(benches);
