//! The speed of listing and compressing a parallel: workers that take turns at a few shared
//! variables, with all their accesses hidden.

#[path = "support/script.rs"]
mod script;

use base::cancel::Cancellation;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eval::Evaluator;
use lts::compress::compress;
use lts::explore::LeafLimits;
use lts::graph::Lts;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};
use process::compression::Compression;

/// Workers 0 to 5, each with a flag that all others read: 262,144 states, 1.6 million transitions.
const WORKERS: &str = "
N = 6
ID = {0..N - 1}
channel set, unset : ID
channel look : ID.ID.Bool
channel work : ID
WORKER(i) = set.i -> LOOK(i, (i + 1) % N)
LOOK(i, j) = if i == j then work.i -> unset.i -> WORKER(i) else look.i.j?b -> LOOK(i, (j + 1) % N)
FLAG(i, b) = set.i -> FLAG(i, true) [] unset.i -> FLAG(i, false) [] look?j!i!b -> FLAG(i, b)
SHARED = {| set, unset, look |}
SYSTEM = ((||| i : ID @ WORKER(i)) [| SHARED |] (||| i : ID @ FLAG(i, false))) \\ SHARED
assert STOP [T= SYSTEM
";

const COMPRESSIONS: [Compression; 6] = [
    Compression::Sbisim,
    Compression::Dbisim,
    Compression::Wbisim,
    Compression::TauLoopFactor,
    Compression::Diamond,
    Compression::Normal,
];

/// All states of the system.
fn listed() -> Lts {
    let script = script::load("compress.csp", WORKERS);
    let (_, process) = script::refinements(&script)[0];
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let term = evaluator.process_of(process).expect("it is a process");
    let options = CompileOptions::new(LeafLimits::default());
    let machine = compile(&mut evaluator, term, &options).expect("it is finite");
    explicit(&machine, usize::MAX, Cancellation::never()).expect("it fits")
}

fn compressing(criterion: &mut Criterion) {
    let lts = listed();
    let mut group = criterion.benchmark_group("compress");
    group.sample_size(10);
    group.throughput(Throughput::Elements(lts.state_count() as u64));
    group.bench_function("list", |b| b.iter(listed));
    for compression in COMPRESSIONS {
        group.bench_function(compression.name(), |b| {
            b.iter(|| compress(compression, &lts, usize::MAX, Cancellation::never()));
        });
    }
    group.finish();
}

criterion_group!(benches, compressing);
criterion_main!(benches);
