//! Local analysis against searches, on random processes, and refutations that are none.

use super::formula::Literal;
use super::*;
use crate::check::{CheckOptions, Outcome, check};
use lts::explore::LeafLimits;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::term::Definitions;
use testkit::depth::seeds;
use testkit::terms::Generator;

#[test]
fn what_is_proved_never_deadlocks() {
    let (mut proved, mut open, mut deadlocked) = (0, 0, 0);
    for seed in seeds(3000, 60_000) {
        let mut generator = Generator::new(seed);
        let process = generator.term(3, true);
        let table = &mut generator.table;
        let options = CompileOptions::unminimised(LeafLimits::all(150));
        let Ok(machine) = compile(table, process, &options) else {
            continue;
        };
        let answer = analyse(&machine, u64::MAX, Cancellation::never()).unwrap();
        let events: Vec<EventId> = ["a", "b", "c"]
            .map(|name| table.terms_mut().events.intern(name))
            .to_vec();
        let termination = table.terms().termination();
        let form = NormalForm::deadlock_free(&events, Model::Failures, termination);
        let found = check(&form, &machine, &CheckOptions::default()).unwrap();
        match (answer, found.outcome) {
            (LocalAnswer::DeadlockFree(_), Outcome::Holds) => proved += 1,
            (LocalAnswer::DeadlockFree(_), outcome) => panic!("seed {seed}: {outcome:?}"),
            (LocalAnswer::Candidate, Outcome::Holds) => open += 1,
            (LocalAnswer::Candidate, _) => deadlocked += 1,
            (LocalAnswer::Inapplicable, _) => {}
            (LocalAnswer::TooLarge, _) => panic!("seed {seed}: there is no budget"),
        }
    }
    assert!(
        proved > 50 && deadlocked > 50 && open > 0,
        "{proved} {open} {deadlocked}"
    );
}

/// True if these clauses of one formula are refuted by those that are `derived`.
fn is_refuted(clauses: &[&[Literal]], derived: &[&[Literal]]) -> bool {
    let formula =
        CandidateFormula::from_clauses(clauses.iter().map(|clause| clause.to_vec()).collect());
    let derived: Vec<Vec<Literal>> = derived.iter().map(|clause| clause.to_vec()).collect();
    refutes(&formula, &derived, Cancellation::never()).unwrap()
}

#[test]
fn a_refutation_is_checked() {
    let all: [&[Literal]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];
    assert!(is_refuted(&all, &[&[1]]));
    assert!(!is_refuted(&all, &[]));
    assert!(!is_refuted(&all[..3], &[&[1]]));
    // What does not follow by unit propagation is not accepted.
    assert!(!is_refuted(&[&[1, 2, 3]], &[&[1], &[-1]]));
    assert!(is_refuted(&[&[]], &[]));
    assert!(is_refuted(&[&[1], &[-1]], &[]));
}

#[test]
fn the_solver_is_refuted_where_it_claims_too_much() {
    // Pigeons 1 to 4 in three holes; variable 3p + h says that pigeon p is in hole h.
    let mut clauses: Vec<Vec<Literal>> = Vec::new();
    for pigeon in 0..4 {
        clauses.push((1..=3).map(|hole| 3 * pigeon + hole).collect());
        for other in 0..pigeon {
            clauses.extend((1..=3).map(|hole| vec![-(3 * pigeon + hole), -(3 * other + hole)]));
        }
    }
    let token = Cancellation::never();
    let formula = CandidateFormula::from_clauses(clauses.clone());
    let Solved::Refuted(derived) = solve(&formula, u64::MAX, token) else {
        panic!("there is a solution");
    };
    assert!(derived.len() > 2 && refutes(&formula, &derived, token).unwrap());
    // With any clause of the formula left out there is a solution, so nothing refutes it.
    for left_out in 0..clauses.len() {
        let mut fewer = clauses.clone();
        fewer.remove(left_out);
        let fewer = CandidateFormula::from_clauses(fewer);
        assert!(matches!(solve(&fewer, u64::MAX, token), Solved::Solution));
        assert!(!refutes(&fewer, &derived, token).unwrap());
    }
}
