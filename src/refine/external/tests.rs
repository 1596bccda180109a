//! Searches on disk against those in memory: on random systems, and with hardly any memory.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::*;
use crate::check::{
    CheckOptions, CheckResult, Outcome, ProgressSink, SearchProgress, Statistics, StopReason,
    in_this_process,
};
use crate::halt::Halt;
use crate::product::Product;
use crate::search::{Search, initial};
use crate::spill::{Fact, Identity, Spill};
use crate::tests::is_counterexample;
use base::cancel::{Cancellation, Ends, MemoryBounds};
use base::diag::Result;
use base::mix::mix;
use base::threads::Threads;
use lts::model::Model as Semantics;
use lts::normal_form::NormalForm;
use machine::packing::PackedState;
use process::termination::Termination;
use symmetry::representative::{GeneralPlan, Itself, LocalPlan, Method, Representative};
use symmetry::testing::CopiesCheck;
use testkit::copies::Shape;
use testkit::depth::{cases, seeds};

mod resumed;

/// A folder that is removed when this value is dropped.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cspsym-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).unwrap();
        Self(directory)
    }

    fn spill(&self, resumes: bool, budget: usize) -> Spill {
        Spill {
            directory: self.0.clone(),
            resumes,
            identity: identity("T"),
            budget,
        }
    }

    /// The path of a file of the only search in the folder.
    fn file(&self, name: &str) -> PathBuf {
        self.0.join("1").join(name)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn identity(model: &str) -> Identity {
    Identity {
        script: "script.csp".to_string(),
        question: "P [T= Q".to_string(),
        facts: vec![Fact {
            name: "the model".to_string(),
            value: model.to_string(),
        }],
    }
}

/// A way to do a search, which must make no difference.
#[derive(Clone, Copy, Debug)]
struct Way {
    threads: usize,
    stretch: u64,
    budget: usize,
    /// True if each level is synced to the disk itself before the next one, false if none is.
    syncs: bool,
}

const WAYS: [Way; 4] = [
    way(1, 2048, 1 << 28),
    way(1, 1, 0),
    way(2, 7, 500),
    way(3, 4, 5000),
];

const fn way(threads: usize, stretch: u64, budget: usize) -> Way {
    Way {
        threads,
        stretch,
        budget,
        syncs: false,
    }
}

fn options(threads: usize, max_states: Option<u64>) -> CheckOptions {
    CheckOptions {
        max_states,
        threads: Threads::new(NonZeroUsize::new(threads).unwrap()),
        ..CheckOptions::default()
    }
}

/// Runs a search in `spill` until `stops` says so.
fn run<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    by: &R,
    way: Way,
    spill: &Spill,
    most: Option<u64>,
    stops: impl Fn(&SearchProgress) -> bool + Send + Sync + 'static,
) -> Result<CheckResult> {
    let cancellation = Cancellation::new();
    let ended = cancellation.clone();
    let options = CheckOptions {
        progress: ProgressSink::new(move |progress| {
            if stops(progress) {
                ended.cancel();
            }
        }),
        cancellation,
        ..options(way.threads, most)
    };
    run_with(product, by, way, spill, &options)
}

/// Runs a search in `spill` with these `options`.
fn run_with<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    by: &R,
    way: Way,
    spill: &Spill,
    options: &CheckOptions,
) -> Result<CheckResult> {
    let mut by = by.clone();
    let plan = DiskPlan::new(product, &options.threads, spill);
    let mut states = plan.open(&initial::<S>(product, &mut by))?;
    states.hurry(way.syncs);
    let search = Search::new::<S, R>(product, by, options, Box::new(states));
    let search = search.in_stretches_of(way.stretch);
    search.run().map_err(Halt::into_problem)
}

/// Runs a search to its end in memory.
fn run_in_memory<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    by: &R,
    most: Option<u64>,
) -> CheckResult {
    let search = in_this_process::<S, R>(product, by.clone(), &options(1, most));
    search.unwrap().run().unwrap()
}

/// Bounds of memory of which hardly any is left each time that a generator of random numbers says
/// so, and less each time than before.
struct Shortage {
    seed: u64,
    /// Memory is short once in this many times; never if it is 0.
    often: u64,
    asked: AtomicU64,
    told: Arc<AtomicU64>,
}

impl MemoryBounds for Shortage {
    fn exceeded_with(&self, _: u64) -> Option<usize> {
        None
    }

    fn tightest(&self) -> Option<(u64, u64)> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let is_short = self.often > 0 && mix(asked + self.seed).is_multiple_of(self.often);
        self.told.fetch_add(u64::from(is_short), Ordering::Relaxed);
        Some((16, if is_short { 16 + asked } else { 0 }))
    }

    fn is_wanted(&self) -> bool {
        true
    }
}

/// Options for a search with a [`Shortage`], which counts in `told` how often memory was short.
fn short_of_memory(
    way: Way,
    most: Option<u64>,
    (seed, often): (u64, u64),
    told: &Arc<AtomicU64>,
) -> CheckOptions {
    let shortage = Shortage {
        seed,
        often,
        asked: AtomicU64::new(0),
        told: told.clone(),
    };
    CheckOptions {
        cancellation: Cancellation::ending(Ends {
            memory: Some(Arc::new(shortage)),
            ..Ends::default()
        }),
        ..options(way.threads, most)
    }
}

/// A result without the numbers that depend on how the search was done.
fn essence(result: CheckResult) -> (Outcome, Statistics) {
    let CheckResult {
        outcome,
        mut statistics,
        ..
    } = result;
    (statistics.memory_bytes, statistics.spilled) = (0, None);
    (outcome, statistics)
}

/// Compares searches in all ways with the search in memory: all numbers if nothing is wrong, else
/// the length of the path. Returns the result of all ways.
fn compare<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    by: &R,
    what: &str,
) -> (Outcome, Statistics) {
    let expected = essence(run_in_memory::<S, R>(product, by, None));
    let mut found: Option<(Outcome, Statistics)> = None;
    for way in WAYS {
        let directory = Directory::new();
        let spill = directory.spill(false, way.budget);
        let result = essence(run::<S, R>(product, by, way, &spill, None, |_| false).unwrap());
        match (&expected.0, &result.0) {
            (Outcome::Violated(expected), Outcome::Violated(path)) => {
                assert_eq!(expected.steps.len(), path.steps.len(), "{what} {way:?}");
            }
            _ => assert_eq!(expected, result, "{what} {way:?}"),
        }
        assert_eq!(expected.1.levels, result.1.levels, "{what} {way:?}");
        let found = found.get_or_insert_with(|| result.clone());
        assert_eq!(*found, result, "{what} {way:?}");
    }
    found.unwrap()
}

/// The specifications that a machine is compared with: that of the model, and properties in the
/// other models.
fn specifications(model: &CopiesCheck) -> Vec<NormalForm> {
    let results = model.machine.rules.iter().map(|rule| rule.result);
    let mut events: Vec<_> = results.filter(|event| event.is_visible()).collect();
    events.sort_unstable();
    events.dedup();
    vec![
        model.normal_form.clone(),
        NormalForm::deadlock_free(&events, Semantics::Failures, Termination::Signal),
        NormalForm::divergence_free(&events),
    ]
}

#[test]
fn searches_on_disk_agree_with_those_in_memory() {
    let (mut held, mut violated, mut largest) = ([0; 3], [0; 3], 0);
    for seed in seeds(60, 240) {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        for (number, specification) in specifications(&model).iter().enumerate() {
            let product =
                Product::new(specification, &model.machine, Cancellation::never()).unwrap();
            let itself = Itself::new(&model.machine, specification.state_count());
            let what = format!("seed {seed}, specification {number}");
            let (outcome, statistics) = match product.packing.words() {
                1 => compare::<u64, _>(&product, &itself, &what),
                _ => compare::<Vec<u64>, _>(&product, &itself, &what),
            };
            if seed % 5 == 0 {
                let several_words = compare::<Vec<u64>, _>(&product, &itself, &what);
                assert_eq!(several_words, (outcome.clone(), statistics));
            }
            largest = largest.max(statistics.states);
            match outcome {
                Outcome::Holds => held[number] += 1,
                Outcome::Violated(path) => {
                    violated[number] += 1;
                    assert!(number > 0 || is_counterexample(&model, &path), "{what}");
                }
                Outcome::Stopped(reason) => panic!("{what}: {reason:?}"),
            }
        }
    }
    let few = held.iter().chain(&violated).min();
    assert!(few >= Some(&3), "{held:?} {violated:?}");
    assert!(largest > 1000, "{largest}");
}

#[test]
fn memory_that_is_short_changes_nothing() {
    let (told, mut violated) = (Arc::new(AtomicU64::new(0)), 0);
    for seed in seeds(20, 60) {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        for (number, specification) in specifications(&model).iter().enumerate() {
            let product =
                Product::new(specification, &model.machine, Cancellation::never()).unwrap();
            let itself = Itself::new(&model.machine, specification.state_count());
            let mut found: Option<(Outcome, Statistics)> = None;
            for (way, often) in [(WAYS[0], 0), (WAYS[0], 2), (WAYS[2], 3), (WAYS[3], 1)] {
                let directory = Directory::new();
                let spill = directory.spill(false, way.budget);
                let options = short_of_memory(way, None, (seed, often), &told);
                let result = run_with::<Vec<u64>, _>(&product, &itself, way, &spill, &options);
                let result = essence(result.unwrap());
                violated += u32::from(matches!(result.0, Outcome::Violated(_)));
                let found = found.get_or_insert_with(|| result.clone());
                let what = format!("seed {seed}, specification {number}, {way:?}");
                assert_eq!(*found, result, "{what}");
            }
        }
    }
    let told = told.load(Ordering::Relaxed);
    assert!(
        told > cases(250, 1000) && violated > cases(7, 30),
        "{told} {violated}"
    );
}

#[test]
fn what_was_forgotten_takes_a_limit_of_states_further_and_to_no_other_verdict() {
    let told = Arc::new(AtomicU64::new(0));
    let (mut limited, mut others) = (0, 0);
    for seed in seeds(50, 200) {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let specification = NormalForm::divergence_free(&[]);
        let product = Product::new(&specification, &model.machine, Cancellation::never()).unwrap();
        let itself = Itself::new(&model.machine, specification.state_count());
        for most in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233] {
            let in_memory = run_in_memory::<Vec<u64>, _>(&product, &itself, Some(most)).outcome;
            let mut decided: Option<(Outcome, Statistics)> = None;
            let mut was_decided = None;
            for (way, often) in [(WAYS[0], 0), (WAYS[1], 1), (WAYS[1], 5), (WAYS[3], 2)] {
                let directory = Directory::new();
                let spill = directory.spill(false, way.budget);
                let options = short_of_memory(way, Some(most), (seed, often), &told);
                let result = run_with::<Vec<u64>, _>(&product, &itself, way, &spill, &options);
                let result = essence(result.unwrap());
                let what = format!("seed {seed}, {most} states, {way:?}");
                // The first way has so much memory that nothing is forgotten.
                let is_decided = !matches!(result.0, Outcome::Stopped(_));
                let was_decided = *was_decided.get_or_insert(is_decided);
                assert!(is_decided || !was_decided, "{what}: it came less far");
                if is_decided {
                    let decided = decided.get_or_insert_with(|| result.clone());
                    assert_eq!(*decided, result, "{what}");
                }
                match (&in_memory, &result.0) {
                    (Outcome::Violated(one), Outcome::Violated(other)) => {
                        assert_eq!(one.steps.len(), other.steps.len(), "{what}");
                    }
                    // On disk a level is finished before it is known whether there are too many
                    // states.
                    (Outcome::Stopped(_), _) => {}
                    (one, other) => assert_eq!(one, other, "{what}"),
                }
            }
            match in_memory {
                Outcome::Stopped(StopReason::StateLimit) => limited += 1,
                _ => others += 1,
            }
        }
    }
    let told = told.load(Ordering::Relaxed);
    assert!(
        told > cases(187, 1000) && limited > cases(18, 100) && others > cases(18, 100),
        "{told} {limited} {others}"
    );
}

#[test]
fn representatives_are_kept_on_disk_as_in_memory() {
    let mut counted = 0;
    for seed in 0..60 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        // Some systems have no symmetry.
        let Ok(local) = LocalPlan::new(&group) else {
            continue;
        };
        let general = Method::General(GeneralPlan::new(&group).unwrap());
        let local = Method::Local(local);
        let product =
            Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
        for method in [&general, &local] {
            let by = method.packed::<Vec<u64>>(&product.packing);
            let what = format!("seed {seed}, {}", method.name());
            let (outcome, _) = compare::<Vec<u64>, _>(&product, &by, &what);
            if let Outcome::Violated(path) = outcome {
                assert!(is_counterexample(&model, &path), "{what}");
            }
        }
        let directory = Directory::new();
        let spill = directory.spill(false, 0);
        let by = local.packed::<Vec<u64>>(&product.packing);
        let extra = |spill: Option<Spill>| {
            let options = CheckOptions {
                spill,
                ..options(1, None)
            };
            let search = in_this_process(&product, by.clone(), &options).unwrap();
            let found = search.counting(Some(&general)).run();
            found.unwrap().statistics.extra_states
        };
        let expected = extra(None);
        assert_eq!(extra(Some(spill)), expected);
        counted += u32::from(expected.is_some());
    }
    assert!(counted > 5, "{counted}");
}
