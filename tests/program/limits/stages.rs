//! Stages that take long ask whether they may go on, at every point of their work.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use base::cancel::{Cancellation, Listener, Phase, count_anew};
use base::diag::Result;
use base::threads::Threads;
use eval::{self, Evaluator, ResolvedScript};
use lts::explore::LeafLimits;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::expand::{RunEnd, expand_trace};
use machine::explicit::explicit;
use machine::{CompileOptions, Machine, compile};
use process::term::{Definitions, TermId};
use refine::check::{CheckOptions, check};
use symmetry::Start;
use symmetry::find::{CheckedSystem, Reasons, SoughtSymmetries, find};

use super::script;

/// Ends a phase after a number of steps. This takes no time, and happens at one place on every
/// machine.
#[derive(Clone)]
struct Patience {
    phase: Phase,
    times: usize,
    token: Cancellation,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    now: Phase,
    begun: usize,
    names: BTreeSet<String>,
}

impl Listener for Patience {
    fn steps(&self, count: usize) {
        let mut seen = self.seen.lock().expect("no thread panics");
        if seen.now == self.phase {
            seen.begun += count;
        }
        if seen.begun > self.times {
            self.token.cancel();
        }
    }

    fn enter(&self, phase: Phase, name: &str) {
        let mut seen = self.seen.lock().expect("no thread panics");
        seen.now = phase;
        if phase == self.phase {
            seen.names.insert(name.to_string());
        }
    }
}

impl Patience {
    /// An evaluator that has this patience.
    fn evaluator<'s>(&self, script: &'s ResolvedScript) -> Evaluator<'s> {
        Evaluator::new(script, self.token.heard_at_each_step(self.clone()))
    }
}

fn patience(phase: Phase, times: usize) -> Patience {
    Patience {
        phase,
        times,
        token: Cancellation::new(),
        seen: Arc::default(),
    }
}

/// The process of the assertion of `script`.
fn implementation(evaluator: &mut Evaluator<'_>, script: &ResolvedScript) -> TermId {
    let expression = script::refinements(script)[0].1;
    match evaluator.value_of(expression).expect("it has a value") {
        eval::Value::Process(term) => term,
        _ => panic!("it is a process"),
    }
}

fn options(threads: usize) -> CompileOptions {
    CompileOptions {
        threads: Threads::new(NonZeroUsize::new(threads).expect("there is one")),
        ..CompileOptions::new(LeafLimits::all(100_000))
    }
}

/// Compiles the process of `text`. Returns true if it did not end early, and the reported names.
fn compiled(text: &str, threads: usize, phase: Phase, times: usize) -> (bool, BTreeSet<String>) {
    let script = script::load("limits.csp", text);
    let patience = patience(phase, times);
    let mut evaluator = patience.evaluator(&script);
    let term = implementation(&mut evaluator, &script);
    let outcome = compile(&mut evaluator, term, &options(threads));
    if let Err(problem) = &outcome {
        assert_eq!(problem.code, "interrupted", "{}", problem.message);
    }
    let names = &patience.seen.lock().expect("no thread panics").names;
    (outcome.is_ok(), names.clone())
}

/// The number of limits for which compiling ends early, tried from small to large.
fn endings(text: &str, threads: usize, phase: Phase) -> usize {
    let times = (0..20).map(|power| (1 << power) - 1);
    let ends = |&times: &usize| !compiled(text, threads, phase, times).0;
    times.take_while(ends).count()
}

/// Components that count up and down, so that each state differs from all others only far away.
const COUNTERS: &str = "\
channel up, down : {0..3}
L(i, n) = (n < 6000 & up.i -> L(i, n + 1)) [] (n > 0 & down.i -> L(i, n - 1))
assert STOP [T= ||| i : {0..3} @ L(i, 0)
";

#[test]
fn components_are_minimised_as_long_as_there_is_time() {
    for threads in [1, 2] {
        assert!(endings(COUNTERS, threads, Phase::Minimisation) > 2);
        // Each component is reported, whichever thread works on it.
        let (_, names) = compiled(COUNTERS, threads, Phase::Minimisation, usize::MAX);
        let expected = [0, 1, 2, 3].map(|i| format!("L({i}, 0)"));
        assert!(names.into_iter().eq(expected), "{threads}");
    }
}

/// Two components that can do one event together in 300 times 300 ways.
const WAYS: &str = "\
channel a : {0..299}
R = a?x -> R
X = (R ||| STOP)[[a.x <- a.0 | x <- {0..299}]]
assert STOP [T= X [| {a.0} |] X
";

#[test]
fn rules_are_made_as_long_as_there_is_time() {
    let endings = endings(WAYS, 1, Phase::Machine);
    assert!(endings > 2, "{endings}");
}

#[test]
fn tables_of_many_rules_are_made_as_long_as_there_is_time() {
    let script = script::load("limits.csp", WAYS);
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let term = implementation(&mut evaluator, &script);
    let machine = compile(&mut evaluator, term, &options(1)).expect("it is small");
    let packing = machine.packing(1);
    let asked = asked(|token| {
        let successors = machine.successors(&packing, token);
        successors.map(drop)
    });
    // Each rule is looked at ten times: for the steps of its leaves, for its triggers, for the
    // costs of a state, for the places of its bits.
    assert!(asked > 10 * 90_000 / 64, "{asked}");
}

/// The number of steps that `work` begins. It is ended at more and more places, and has to end at
/// once each time.
fn asked(mut work: impl FnMut(&Cancellation) -> Result<()>) -> usize {
    let mut most = 0;
    loop {
        let (token, begun) = (Cancellation::new(), Arc::new(AtomicUsize::new(0)));
        let (ended, all) = (token.clone(), begun.clone());
        let token = token.heard_at_each_step(move |steps: usize| {
            let before = all.fetch_add(steps, Ordering::Relaxed);
            assert!(before <= most, "it goes on after {before} of {most} steps");
            if before + steps > most {
                ended.cancel();
            }
        });
        count_anew();
        match work(&token) {
            Ok(()) => return begun.load(Ordering::Relaxed),
            Err(problem) => assert_eq!(problem.code, "interrupted"),
        }
        most = 2 * most + 1;
    }
}

#[test]
fn compressed_runs_are_expanded_as_long_as_there_is_time() {
    let text = COUNTERS.replace("||| i : {0..3} @ L(i, 0)", "sbisim(L(0, 0))");
    let script = script::load("limits.csp", &format!("transparent sbisim\n{text}"));
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let term = implementation(&mut evaluator, &script);
    let machine = compile(&mut evaluator, term, &options(1)).expect("it is small");
    let up = machine.rules.iter().map(|rule| rule.result).min();
    let up = up.expect("there are rules");
    let steps = vec![up; 6000];
    let mut endings = 0;
    for power in 0.. {
        let patience = patience(Phase::Machine, (1 << power) - 1);
        // Events have the same numbers as before.
        let mut evaluator = patience.evaluator(&script);
        let term = implementation(&mut evaluator, &script);
        match expand_trace(&mut evaluator, term, &steps, &RunEnd::Anyhow, &options(1)) {
            Ok(run) => {
                assert_eq!(run.map(|run| run.len()), Some(6000));
                break;
            }
            Err(problem) => assert_eq!(problem.code, "interrupted"),
        }
        endings += 1;
    }
    // The work can end in the machine of the compressed component, and in that of its operand.
    assert!(endings > 2, "{endings}");
}

#[test]
fn compressions_go_on_as_long_as_there_is_time() {
    for compression in [
        "sbisim",
        "dbisim",
        "wbisim",
        "tau_loop_factor",
        "diamond",
        "normal",
        "lazynorm",
        "model_compress",
    ] {
        let text = format!(
            "transparent {compression}\n\
                 channel up, down, jump : {{0..2}}\n\
                 P(i, n) = (n < 29 & up.i -> P(i, n + 1)) [] (n > 0 & down.i -> P(i, n - 1)) [] jump.i -> P(i, 0)\n\
                 assert STOP [T= {compression}((||| i : {{0..2}} @ P(i, 0)) \\ {{jump.0}})\n"
        );
        assert!(endings(&text, 1, Phase::Compression) > 1, "{compression}");
        assert!(endings(&text, 1, Phase::Listing) > 1, "{compression}");
    }
}

#[test]
fn specifications_are_made_deterministic_as_long_as_there_is_time() {
    let one = COUNTERS.replace("||| i : {0..3} @ L(i, 0)", "L(0, 0)");
    let script = script::load("limits.csp", &one);
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let term = implementation(&mut evaluator, &script);
    let machine = compile(&mut evaluator, term, &options(1)).expect("it is small");
    let lts = explicit(&machine, 100_000, Cancellation::never()).expect("it is small");
    let asked = asked(|token| NormalForm::of(&lts, Model::Failures, 100_000, token).map(drop));
    // Each state is looked at more than once while sets of states are made.
    assert!(asked > 6001, "{asked}");
}

/// Runs `work` on the machine of the counters and a specification that allows it nothing. It may
/// begin `times` steps of a phase.
fn with_counters(
    times: usize,
    work: impl FnOnce(&mut Evaluator<'_>, TermId, &Machine, &NormalForm) -> Result<()>,
) -> Result<()> {
    let script = script::load("limits.csp", COUNTERS);
    let patience = patience(Phase::Symmetry, times);
    let mut evaluator = patience.evaluator(&script);
    let term = implementation(&mut evaluator, &script);
    let machine = compile(&mut evaluator, term, &options(1))?;
    let nothing = NormalForm::divergence_free(&[]);
    evaluator.enter(Phase::Symmetry, "");
    work(&mut evaluator, term, &machine, &nothing)
}

#[test]
fn symmetries_are_looked_for_as_long_as_there_is_time() {
    let mut endings = 0;
    for power in 0..20 {
        let outcome = with_counters((1 << power) - 1, |evaluator, term, machine, nothing| {
            let options = options(1);
            let subject = CheckedSystem {
                term,
                machine,
                specification: nothing,
                options: &options,
            };
            let wish = SoughtSymmetries::Auto;
            find(evaluator, &subject, Start::Any, &wish, Reasons::LeftOut).map(drop)
        });
        match outcome {
            Ok(()) => break,
            Err(problem) => assert_eq!(problem.code, "interrupted"),
        }
        endings += 1;
    }
    assert!(endings > 3, "{endings}");
}

#[test]
fn tables_are_made_as_long_as_there_is_time() {
    let made = with_counters(0, |evaluator, _, machine, _| {
        let token = &evaluator.cancellation().clone();
        let packing = machine.packing(1);
        machine.successors(&packing, token).map(drop)
    });
    assert_eq!(made.expect_err("there is no time").code, "interrupted");
    let listed = with_counters(0, |evaluator, _, machine, _| {
        explicit(machine, 100_000, &evaluator.cancellation().clone()).map(drop)
    });
    assert_eq!(listed.expect_err("there is no time").code, "interrupted");
    let searched = with_counters(0, |evaluator, _, machine, nothing| {
        let options = CheckOptions {
            cancellation: evaluator.cancellation().clone(),
            ..CheckOptions::default()
        };
        check(nothing, machine, &options).map(drop)
    });
    assert_eq!(searched.expect_err("there is no time").code, "interrupted");
}
