//! Compressions inside systems: random processes with compressions around some of their parts mean
//! what they mean without. `compressed_scripts.rs` has the shipped scripts.

use crate::generate;
use std::sync::LazyLock;
use testkit::depth::cases;

use std::cell::Cell;
use std::collections::BTreeSet;

use base::cancel::Cancellation;
use lts::explore::{LeafLimits, explore};
use lts::graph::Lts;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::expand::{MachineRun, RunEnd, expand, expand_trace};
use machine::explicit::explicit;
use machine::{CompileOptions, IdleCompressions, Machine, ProcessView, compile, compile_slim};
use process::compression::Compression;
use process::event::{EventId, TAU};
use process::operator::Operator;
use process::semantics::steps as steps_of;
use process::table::DefinitionTable;
use process::term::{Definitions, Term, TermId};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use refine::check::{CheckOptions, Outcome, check};
use refine::path::{Path, Violation};
use witness::{Claim, explain};

use crate::meaning::meaning;
use crate::translate::{translate, translate_pair};

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

/// The length up to which traces are compared, ✓ included.
const BOUND: usize = 4;

/// The number of cases, which is small in slow builds.
static CASES: LazyLock<u32> = LazyLock::new(|| cases(1000, 10_000));

/// The limits on systems: larger ones take long and find nothing more.
const SMALL: LeafLimits = LeafLimits::all(400);

const OPTIONS: CompileOptions = CompileOptions::new(SMALL);

/// The options for the case with these choices. In half of the cases, compressions of more than
/// four states are left out if the first of these are not alike, together with idle ones inside; in
/// a quarter all are.
fn options(choices: &[usize]) -> CompileOptions {
    let mut options = OPTIONS;
    if choices.len().is_multiple_of(2) {
        options.idle = IdleCompressions {
            levels: 0,
            fewest_states: 0,
            most_states: 4,
            are_all: choices.len().is_multiple_of(4),
        };
    }
    options
}

/// Puts compressions before parts of terms, some at each operator, none below calls.
struct Compressing<'a> {
    table: &'a mut DefinitionTable,
    /// The next compressions, or none, used in a circle.
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
            Term::InternalChoice(ps) => Term::InternalChoice(self.several(&ps).into()),
            Term::Over(Operator::Prioritise(_) | Operator::Compress(_), _) => return term,
            Term::Over(operator, ps) => Term::over(operator, &self.several(&ps)),
            _ => return term,
        };
        self.table.terms_mut().intern(changed)
    }

    fn several(&mut self, terms: &[TermId]) -> Vec<TermId> {
        terms.iter().map(|&term| self.of(term)).collect()
    }
}

/// `term` as it is searched; `None` if a part of it is too large.
fn slim(table: &mut DefinitionTable, term: TermId, options: &CompileOptions) -> Option<TermId> {
    let (slim, _) = compile_slim(table, term, ProcessView::Failures, options).ok()?;
    assert_eq!(slim.term == term, slim.left_out.is_empty());
    Some(slim.term)
}

/// The system of a term, from its machine; `None` if it is too large.
fn system(table: &mut DefinitionTable, term: TermId, options: &CompileOptions) -> Option<Lts> {
    let machine = compile(table, term, options).ok()?;
    explicit(&machine, 4 * SMALL.states, Cancellation::never()).ok()
}

/// Runs `test` on random cases, which are fixed.
fn run<S: Strategy>(cases: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        cases: *CASES,
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(error) = TestRunner::new_with_rng(config, rng).run(cases, test) {
        panic!("{error}");
    }
}

/// The next compressions, or none, in a circle.
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
            let plain = system(&mut case.table, case.term, &OPTIONS);
            let options = options(&choices);
            let searched = slim(&mut case.table, compressed, &options);
            let found = searched.and_then(|term| system(&mut case.table, term, &options));
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
    println!(
        "{placed} compressions; {too_large} of {} cases are too large",
        *CASES
    );
    assert!(too_large < *CASES / 10 && placed > *CASES as usize);
}

#[test]
fn verdicts_are_the_same_and_counterexamples_replay() {
    let (failed, runs, others) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let left_out = Cell::new(0);
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
        let options = options(&choices);
        let Some(searched) = slim(&mut case.table, compressed, &options) else {
            return Ok(());
        };
        let terms = [plain, searched];
        let outcomes = outcomes(&mut case.table, case.term, terms, &options);
        let Some([of_plain, found]) = outcomes else {
            return Ok(());
        };
        left_out.set(left_out.get() + u32::from(searched != compressed));
        let fails = |outcome: &Outcome| matches!(outcome, Outcome::Violated(_));
        proptest::prop_assert_eq!(fails(&of_plain), fails(&found));
        if let Outcome::Violated(path) = found {
            failed.set(failed.get() + 1);
            let claim = Claim::Refines(case.term, Model::FailuresDivergences);
            let machine = compile(&mut case.table, searched, &options).unwrap();
            let subject = (searched, Some(&machine));
            explain(&mut case.table, &claim, subject, &path, &options).unwrap();
            let subject = (searched, &machine);
            for is_run in suggestions(&mut case.table, subject, &path, &options)? {
                let count = if is_run { &runs } else { &others };
                count.set(count.get() + 1);
            }
        }
        Ok(())
    });
    let (failed, runs, others) = (failed.get(), runs.get(), others.get());
    let left_out = left_out.get();
    println!("{failed} refinements do not hold; {others} of {runs} suggestions are no runs");
    println!("compressions are left out of {left_out} processes");
    // A suggestion need not be a run: some of its components may not run yet.
    assert!(failed > *CASES / 10 && others < runs / 20);
    assert!(left_out > *CASES / 20);
}

/// For each way to look inside the compressions of `term` along `path`, true if the suggestion is a
/// run. Its visible events have to be those of the path.
fn suggestions(
    table: &mut DefinitionTable,
    (term, machine): (TermId, &Machine),
    path: &Path,
    options: &CompileOptions,
) -> Result<[bool; 2], TestCaseError> {
    let steps: Vec<_> = path
        .all_steps()
        .map(|step| (step.label, step.origin))
        .collect();
    let end = match &path.violation {
        Violation::Refusal(offers) => RunEnd::Rest(offers.clone()),
        Violation::Divergence => RunEnd::Diverging,
        Violation::Event(_) | Violation::Revival(..) => RunEnd::Anyhow,
    };
    let trace = visible(&steps);
    let found = path.run.as_ref().unwrap();
    let run = MachineRun {
        rules: found.rules.clone(),
        rests: Vec::new(),
        states: found.states.last().unwrap().clone(),
        cycle: Vec::new(),
    };
    let subject = (machine, ProcessView::Failures);
    let whole = expand(table, subject, run, &end, options).unwrap();
    let of_trace = expand_trace(table, term, &trace, &end, options).unwrap();
    let mut are_runs = [false; 2];
    for (is_a_run, expanded) in are_runs.iter_mut().zip([whole, of_trace]) {
        proptest::prop_assert!(expanded.is_some(), "not expanded");
        let expanded = expanded.unwrap();
        proptest::prop_assert_eq!(&visible(&expanded), &trace);
        *is_a_run = is_run(table, term, &expanded);
    }
    Ok(are_runs)
}

/// The events of these steps that are not τ.
fn visible(steps: &[(EventId, EventId)]) -> Vec<EventId> {
    let events = steps.iter().map(|step| step.0);
    events.filter(|&event| event != TAU).collect()
}

/// The results of checking both terms against `specification`; `None` if one is large.
fn outcomes(
    table: &mut DefinitionTable,
    specification: TermId,
    terms: [TermId; 2],
    options: &CompileOptions,
) -> Option<[Outcome; 2]> {
    let specification = system(table, specification, &OPTIONS)?;
    let model = Model::FailuresDivergences;
    let form = NormalForm::of(&specification, model, 2000, Cancellation::never()).ok()?;
    let mut outcome = |term| {
        let machine = compile(table, term, options).ok()?;
        let found = check(&form, &machine, &CheckOptions::default()).unwrap();
        Some(found.outcome)
    };
    Some([outcome(terms[0])?, outcome(terms[1])?])
}

/// True if `term` can do these steps, step by step.
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
