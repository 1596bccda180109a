//! A search with its states on disk beside a search in memory: Towers of Hanoi, 117,649 states. In
//! one case the candidates of each level are sorted in memory; in another there is so little memory
//! that they are written in more than a hundred pieces, which are merged.
//!
//! The folder is made and removed between measurements.

#[path = "support/compiled.rs"]
mod compiled;
#[path = "support/script.rs"]
mod script;

use std::fs;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lts::normal_form::NormalForm;
use machine::Machine;
use refine::check::{CheckOptions, Outcome, check};
use refine::spill::{Identity, Spill};

const FILE: &str = "cspm/hanoi/hanoi.csp";
const DEFINITIONS: [(&str, &str); 2] = [("POLES = 3", "POLES = 7"), ("DISCS = 3", "DISCS = 6")];
const STATES: u64 = 117_649;

/// An empty folder that exists as long as this value.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        let name = format!("spill-bench-{}", std::process::id());
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&directory).expect("it can be made");
        Self(directory)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // A folder that stays only takes room.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The number of states, found with `spill` or in memory.
fn states((specification, machine): &(NormalForm, Machine), spill: Option<Spill>) -> u64 {
    let is_spilled = spill.is_some();
    let options = CheckOptions {
        spill,
        ..CheckOptions::default()
    };
    let result = check(specification, machine, &options);
    let result = result.expect("there is room");
    assert_eq!(result.outcome, Outcome::Holds);
    assert_eq!(result.statistics.spilled.is_some(), is_spilled);
    result.statistics.states
}

fn searches(c: &mut Criterion) {
    let system = compiled::compiled(FILE, &compiled::text(FILE, &DEFINITIONS));
    let mut group = c.benchmark_group("spill");
    group.sample_size(10);
    group.throughput(Throughput::Elements(STATES));
    group.bench_function("in memory", |b| {
        b.iter(|| assert_eq!(states(&system, None), STATES));
    });
    for (name, budget) in [("on disk", 1 << 28), ("on disk in 128 KB", 1 << 17)] {
        let on_disk = |directory: Directory| {
            let spill = Spill {
                directory: directory.0.clone(),
                resumes: false,
                identity: Identity::default(),
                budget,
            };
            assert_eq!(states(&system, Some(spill)), STATES);
            // The folder is returned, so that its removal is not measured.
            directory
        };
        group.bench_function(name, |b| {
            b.iter_batched(Directory::new, on_disk, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
