//! The time from text to verdict for the classical models.
//!
//! `CSPSYM_LARGE=1 cargo bench --bench end_to_end` adds five participants, 55 million states.

#[path = "support/compiled.rs"]
mod compiled;
#[path = "support/script.rs"]
mod script;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use refine::check::{CheckOptions, Outcome, check};

/// A shipped script, constants to replace in it, and the states of its first assertion.
type Model = (&'static str, &'static [(&'static str, &'static str)], u64);

const HANOI: &str = "cspm/hanoi/hanoi.csp";
const DIJKSTRA: &str = "cspm/dijkstra/dijkstra.csp";

const MODELS: [Model; 3] = [
    (
        HANOI,
        &[("POLES = 3", "POLES = 7"), ("DISCS = 3", "DISCS = 4")],
        2401,
    ),
    (DIJKSTRA, &[("N = 2", "N = 3")], 11_097),
    (DIJKSTRA, &[("N = 2", "N = 4")], 579_733),
];
const LARGE: Model = (DIJKSTRA, &[("N = 2", "N = 5")], 55_022_303);

/// Decides the first assertion of a script. Returns the number of states.
fn decide(file: &str, text: &str) -> u64 {
    let (specification, machine) = compiled::compiled(file, text);
    let options = CheckOptions::default();
    let result = check(&specification, &machine, &options).expect("it fits into memory");
    assert_eq!(result.outcome, Outcome::Holds);
    result.statistics.states
}

fn end_to_end(c: &mut Criterion) {
    let mut group = c.benchmark_group("end_to_end");
    group.sample_size(10);
    let large = std::env::var_os("CSPSYM_LARGE").map(|_| LARGE);
    for model in MODELS.into_iter().chain(large) {
        let (file, constants, states) = model;
        let text = compiled::text(file, constants);
        group.throughput(Throughput::Elements(states));
        let constants: Vec<&str> = constants.iter().map(|constant| constant.1).collect();
        group.bench_function(format!("{file} {}", constants.join(" ")), |b| {
            b.iter(|| assert_eq!(decide(file, &text), states));
        });
    }
    group.finish();
}

criterion_group!(benches, end_to_end);
criterion_main!(benches);
