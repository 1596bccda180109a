//! Compressions inside systems: random processes with compressions put before parts of them mean
//! the same as without. `compressed_scripts.rs` has the shipped scripts.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail, and say how it went"
)]

#[path = "common/generate.rs"]
mod generate;
#[path = "common/meaning.rs"]
mod meaning;
#[allow(dead_code, reason = "only its processes are of use here")]
mod oracle;
#[path = "common/translate.rs"]
mod translate;

use std::cell::Cell;
use std::collections::BTreeSet;

use cspsym::cancel::Cancellation;
use cspsym::lts::explore::{LeafLimits, explore};
use cspsym::lts::graph::Lts;
use cspsym::lts::model::Model;
use cspsym::lts::normal_form::NormalForm;
use cspsym::machine::expand::{RunEnd, expand, expand_trace};
use cspsym::machine::explicit::explicit;
use cspsym::machine::{CompileOptions, Taus, compile};
use cspsym::process::compression::Compression;
use cspsym::process::event::{EventId, TAU};
use cspsym::process::semantics::steps as steps_of;
use cspsym::process::table::DefinitionTable;
use cspsym::process::term::{Definitions, Term, TermId};
use cspsym::refine::check::{CheckOptions, Outcome, check};
use cspsym::refine::path::Violation;
use cspsym::witness::{Claim, explain};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use meaning::meaning;
use translate::{translate, translate_pair};

const COMPRESSIONS: [Compression; 9] = [
    Compression::Explicate,
    Compression::Sbisim,
    Compression::Dbisim,
    Compression::Wbisim,
    Compression::TauLoopFactor,
    Compression::Diamond,
    Compression::Normal,
    Compression::LazyNorm,
    Compression::ModelCompress,
];

/// Traces are compared up to this length, ✓ included.
const BOUND: usize = 4;

/// Few where the code is slow.
const CASES: u32 = if cfg!(debug_assertions) { 300 } else { 10_000 };

/// Larger systems are left out: they take long and find nothing more.
const SMALL: LeafLimits = LeafLimits::all(400);

const OPTIONS: CompileOptions = CompileOptions::new(SMALL);

/// Puts compressions before parts of terms, some at each operator, none below calls.
struct Compressing<'a> {
    table: &'a mut DefinitionTable,
    /// Which compression comes next, if one does; used in a circle.
    choices: &'a [usize],
    used: usize,
    placed: usize,
}

impl Compressing<'_> {
    fn of(&mut self, term: TermId) -> TermId {
        let parts = self.parts(term);
        self.used += 1;
        let choice = self.choices[self.used % self.choices.len()];
        match COMPRESSIONS.get(choice) {
            Some(&compression) => {
                self.placed += 1;
                self.table.terms_mut().compress(compression, parts)
            }
            None => parts,
        }
    }

    /// `term` with its operands compressed.
    fn parts(&mut self, term: TermId) -> TermId {
        let changed = match self.table.terms().get(term).clone() {
            Term::Prefix(branches) => {
                let branches = branches.iter().map(|&(e, p)| (e, self.of(p))).collect();
                return self.table.terms_mut().prefix(branches);
            }
            Term::ExternalChoice(ps) => Term::ExternalChoice(self.several(&ps)),
            Term::InternalChoice(ps) => Term::InternalChoice(self.several(&ps)),
            Term::SynchronisingChoice(s, ps) => Term::SynchronisingChoice(s, self.several(&ps)),
            Term::Parallel(s, ps) => Term::Parallel(s, self.several(&ps)),
            Term::Alphabetised(ps) => {
                Term::Alphabetised(ps.iter().map(|&(s, p)| (s, self.of(p))).collect())
            }
            Term::Linked(p, ties, q) => Term::Linked(self.of(p), ties, self.of(q)),
            Term::Hide(p, set) => Term::Hide(self.of(p), set),
            Term::Project(p, set) => Term::Project(self.of(p), set),
            Term::Rename(p, pairs) => Term::Rename(self.of(p), pairs),
            Term::Sequential(p, q) => Term::Sequential(self.of(p), self.of(q)),
            Term::Interrupt(p, q) => Term::Interrupt(self.of(p), self.of(q)),
            Term::SlidingChoice(p, q) => Term::SlidingChoice(self.of(p), self.of(q)),
            Term::Exception(p, set, q) => Term::Exception(self.of(p), set, self.of(q)),
            Term::SynchronisingInterrupt(p, set, q) => {
                Term::SynchronisingInterrupt(self.of(p), set, self.of(q))
            }
            _ => return term,
        };
        self.table.terms_mut().intern(changed)
    }

    fn several(&mut self, terms: &[TermId]) -> std::sync::Arc<[TermId]> {
        terms.iter().map(|&term| self.of(term)).collect()
    }
}

/// The system of a term, by its machine; none if it is too large.
fn system(table: &mut DefinitionTable, term: TermId) -> Option<Lts> {
    let machine = compile(table, term, &OPTIONS).ok()?;
    explicit(&machine, 4 * SMALL.states, Cancellation::never()).ok()
}

/// Runs `test` on random cases, the same each time.
fn run<S: Strategy>(cases: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(error) = TestRunner::new_with_rng(config, rng).run(cases, test) {
        panic!("{error}");
    }
}

/// Which compression comes next, or none, in a circle.
fn choices() -> impl Strategy<Value = Vec<usize>> {
    vec(0..2 * COMPRESSIONS.len(), 1..7)
}

#[test]
fn traces_failures_and_divergences_are_kept_in_every_context() {
    let (too_large, placed) = (Cell::new(0), Cell::new(0));
    run(
        &(generate::system(), choices()),
        |((defs, process), choices)| {
            let mut case = translate(&defs, &process);
            // Explored first: some random processes grow without end.
            if explore(&mut case.table, case.term, &SMALL).is_err() {
                too_large.set(too_large.get() + 1);
                return Ok(());
            }
            let mut compressing = Compressing {
                table: &mut case.table,
                choices: &choices,
                used: 0,
                placed: 0,
            };
            let compressed = compressing.of(case.term);
            placed.set(placed.get() + compressing.placed);
            let plain = system(&mut case.table, case.term);
            let found = system(&mut case.table, compressed);
            let (Some(plain), Some(found)) = (plain, found) else {
                too_large.set(too_large.get() + 1);
                return Ok(());
            };
            let plain = meaning(&plain, BOUND);
            proptest::prop_assert_eq!(&meaning(&found, BOUND), &plain);
            // Term by term the compressions that keep meanings change nothing at all.
            if let Ok(steps) = explore(&mut case.table, compressed, &SMALL) {
                proptest::prop_assert_eq!(meaning(&steps.lts, BOUND), plain);
            }
            Ok(())
        },
    );
    let (too_large, placed) = (too_large.get(), placed.get());
    println!("{placed} compressions; {too_large} of {CASES} cases are too large");
    assert!(too_large < CASES / 10 && placed > CASES as usize);
}

#[test]
fn verdicts_are_the_same_and_counterexamples_replay() {
    let (failed, runs, others) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let cases = (generate::system(), generate::process(), choices());
    run(&cases, |((defs, p), q, choices)| {
        let (mut case, plain) = translate_pair(&defs, &p, &q);
        let finite = [case.term, plain].map(|term| explore(&mut case.table, term, &SMALL).is_ok());
        if finite.contains(&false) {
            return Ok(());
        }
        let mut compressing = Compressing {
            table: &mut case.table,
            choices: &choices,
            used: 0,
            placed: 0,
        };
        let compressed = compressing.of(plain);
        let outcomes = outcomes(&mut case.table, case.term, [plain, compressed]);
        let Some([of_plain, found]) = outcomes else {
            return Ok(());
        };
        let fails = |outcome: &Outcome| matches!(outcome, Outcome::Violated(_));
        proptest::prop_assert_eq!(fails(&of_plain), fails(&found));
        if let Outcome::Violated(path) = found {
            failed.set(failed.get() + 1);
            let claim = Claim::Refines(case.term, Model::FailuresDivergences);
            explain(
                &mut case.table,
                &claim,
                compressed,
                &path,
                Taus::Free,
                &OPTIONS,
            )
            .unwrap();
            let steps: Vec<_> = path.run().map(|step| (step.label, step.origin)).collect();
            let end = match &path.violation {
                Violation::Refusal(offers) => RunEnd::Rest(offers.clone()),
                Violation::Divergence => RunEnd::Diverging,
                Violation::Event(_) | Violation::Revival(..) => RunEnd::Anyhow,
            };
            let trace = visible(&steps);
            let table = &mut case.table;
            let whole = expand(table, compressed, &steps, &end, &OPTIONS).unwrap();
            let of_trace = expand_trace(table, compressed, &trace, &end, &OPTIONS).unwrap();
            for expanded in [whole, of_trace] {
                proptest::prop_assert!(expanded.is_some(), "not expanded");
                let expanded = expanded.unwrap();
                proptest::prop_assert_eq!(visible(&expanded), trace.clone());
                let is_run = is_run(table, compressed, &expanded);
                let count = if is_run { &runs } else { &others };
                count.set(count.get() + 1);
            }
        }
        Ok(())
    });
    let (failed, runs, others) = (failed.get(), runs.get(), others.get());
    println!("{failed} refinements do not hold; {others} of {runs} suggestions are no runs");
    // What is suggested need not be a run: some of its components may not run yet.
    assert!(failed > CASES / 10 && others < runs / 20);
}

/// The events of these steps that are not τ.
fn visible(steps: &[(EventId, EventId)]) -> Vec<EventId> {
    let events = steps.iter().map(|step| step.0);
    events.filter(|&event| event != TAU).collect()
}

/// What comes of checking both terms against `specification`, if all are small.
fn outcomes(
    table: &mut DefinitionTable,
    specification: TermId,
    terms: [TermId; 2],
) -> Option<[Outcome; 2]> {
    let specification = system(table, specification)?;
    let model = Model::FailuresDivergences;
    let form = NormalForm::of(&specification, model, 2000, Cancellation::never()).ok()?;
    let mut outcome = |term| {
        let machine = compile(table, term, &OPTIONS).ok()?;
        let options = CheckOptions::default();
        Some(check(&form, &machine, &options).unwrap().outcome)
    };
    Some([outcome(terms[0])?, outcome(terms[1])?])
}

/// Whether `term` can do these steps, step by step.
fn is_run(table: &mut DefinitionTable, term: TermId, steps: &[(EventId, EventId)]) -> bool {
    let mut terms = BTreeSet::from([term]);
    for &wanted in steps {
        let mut targets = BTreeSet::new();
        for term in terms {
            let found = steps_of(table, term).unwrap().into_iter();
            let found = found.filter(|step| (step.label, step.origin) == wanted);
            targets.extend(found.map(|step| step.target));
        }
        terms = targets;
    }
    !terms.is_empty()
}
