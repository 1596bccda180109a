//! The time from text to machine: many small components over a channel with few used events.

#[path = "support/script.rs"]
mod script;

use base::cancel::Cancellation;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use eval::Evaluator;
use lts::explore::LeafLimits;
use machine::{CompileOptions, compile};

/// Dining philosophers and forks over channels of `seats`² events each, none of them compressed.
fn table(seats: usize) -> String {
    format!(
        "N = {seats}
ID = {{0..N-1}}
channel pick, put : ID.ID
next(i) = (i + 1) % N
PHILOSOPHER(i) = pick.i.i -> pick.i.next(i) -> put.i.next(i) -> put.i.i -> PHILOSOPHER(i)
FORK(i) = [] j : {{i, (i + N - 1) % N}} @ pick.j.i -> put.j.i -> FORK(i)
TABLE = (||| i : ID @ PHILOSOPHER(i)) [| {{| pick, put |}} |] (||| i : ID @ FORK(i))
assert STOP [T= TABLE
"
    )
}

/// The number of leaves of the machine of the implementation.
fn leaves(text: &str) -> usize {
    let script = script::load("table.csp", text);
    let (_, implementation) = script::refinements(&script)[0];
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let options = CompileOptions::new(LeafLimits::default());
    let term = evaluator
        .process_of(implementation)
        .expect("it is a process");
    let machine = compile(&mut evaluator, term, &options).expect("it is finite");
    machine.leaves.len()
}

fn compile_tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    group.sample_size(10);
    for seats in [250, 500, 1000, 2000] {
        let text = table(seats);
        assert_eq!(leaves(&text), 2 * seats);
        let id = BenchmarkId::new("philosophers and forks", seats);
        group.bench_function(id, |bencher| bencher.iter(|| leaves(&text)));
    }
    group.finish();
}

criterion_group!(benches, compile_tables);
criterion_main!(benches);
