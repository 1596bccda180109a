//! Watchdogs against the refinements they stand for, on random pairs of processes.

use crate::generate;
use crate::oracle;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::LazyLock;
use testkit::depth::cases;

use base::cancel::Cancellation;
use lts::explore::LeafLimits;
use lts::graph::Lts;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, Term, TermId};
use process::watchdog::Watchdog;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use refine::check::{CheckOptions, Outcome, check};

use crate::translate::{Case, EVENTS, translate_pair};

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

static CASES: LazyLock<u32> = LazyLock::new(|| cases(300, 3000));

fn lts(table: &mut DefinitionTable, term: TermId) -> Option<Lts> {
    let machine = compile(table, term, &OPTIONS).ok()?;
    explicit(&machine, OPTIONS.limits.states, Cancellation::never()).ok()
}

/// True if `implementation` refines `specification`.
fn refines(
    table: &mut DefinitionTable,
    specification: TermId,
    implementation: TermId,
    model: Model,
) -> Option<bool> {
    let specification = lts(table, specification)?;
    let normal_form = NormalForm::of(&specification, model, 1000, Cancellation::never()).ok()?;
    let machine = compile(table, implementation, &OPTIONS).ok()?;
    let options = CheckOptions::default();
    let result = check(&normal_form, &machine, &options);
    Some(result.ok()?.outcome == Outcome::Holds)
}

/// `(implementation [| all events |] watchdog) \ all events`, and the event with which the watchdog
/// barks.
fn watched(
    table: &mut DefinitionTable,
    specification: TermId,
    implementation: TermId,
    tests_refusals: bool,
) -> (TermId, EventId) {
    let terms = table.terms_mut();
    let bark = terms.events.intern("bark");
    let events = EVENTS.map(|(number, _)| EventId(number)).to_vec();
    let alphabet = terms.events.intern_set(events);
    let watchdog = terms.intern(Term::Watchdog(Arc::new(Watchdog {
        members: vec![specification],
        alphabet,
        bark,
        tests_refusals,
        demand: None,
    })));
    let parallel = terms.parallel(alphabet, vec![implementation, watchdog]);
    (terms.hide(parallel, alphabet), bark)
}

/// True if both watchdogs agree with the refinements; `None` if something is too large. Termination
/// is not watched, so there is none.
fn agree(case: &mut Case, second: TermId, held: &Cell<[u32; 4]>) -> Option<bool> {
    let table = &mut case.table;
    let terms = table.terms_mut();
    let stop = terms.stop();
    let [specification, implementation] =
        [case.term, second].map(|p| terms.sequential(vec![p, stop]));
    let (term, bark) = watched(table, specification, implementation, false);
    let traces = lts(table, term)?;
    let silent = |state| traces.row(state).iter().all(|&(event, _)| event != bark);
    let is_silent = traces.states().all(silent);
    let refines_traces = refines(table, specification, implementation, Model::Traces)?;
    let (term, _) = watched(table, specification, implementation, true);
    let failures = lts(table, term)?;
    // `DIV` in the failures model: it never barks, and never rests.
    let goes_on = |state| {
        let row = failures.row(state);
        !row.is_empty() && row.iter().all(|&(event, _)| event != bark)
    };
    let is_live = failures.states().all(goes_on);
    let refines_failures = refines(table, specification, implementation, Model::Failures)?;
    let mut counts = held.get();
    counts[usize::from(refines_traces)] += 1;
    counts[2 + usize::from(refines_failures)] += 1;
    held.set(counts);
    Some((is_silent, is_live) == (refines_traces, refines_failures))
}

#[test]
fn watchdogs_decide_refinement() {
    let config = Config {
        cases: *CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let held = Cell::new([0; 4]);
    let pairs = (generate::system(), generate::process());
    let result = runner.run(&pairs, |((definitions, first), second)| {
        // Half of the implementations are the specification with something more.
        for implementation in [
            &second,
            &oracle::P::Internal(vec![first.clone(), second.clone()]),
        ] {
            let (mut case, second) = translate_pair(&definitions, &first, implementation);
            if agree(&mut case, second, &held) == Some(false) {
                return Err(TestCaseError::fail("the watchdog disagrees"));
            }
            let (mut case, second) = translate_pair(&definitions, implementation, &first);
            if agree(&mut case, second, &held) == Some(false) {
                return Err(TestCaseError::fail("the watchdog disagrees"));
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    let [no_traces, traces, no_failures, failures] = held.get();
    let least = *CASES / 4;
    assert!(
        [no_traces, traces, no_failures, failures]
            .iter()
            .all(|&n| n > least),
        "{:?}",
        held.get()
    );
}
