//! That what is believed of calls is checked. `tests/listing.rs` compares whole listings with those
//! from terms.

#![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

use super::answers::Questions;
use super::code_table::CodeTable;
use super::head::{HeadToken, Runner};
use super::states::ListedStates;
use crate::eval::tests::with_script;

/// Calls `test` with the tokens of `process`, a call, and what runs the code of `script`.
fn with_call(script: &str, process: &str, test: impl Fn(&[HeadToken], &mut Runner<'_, '_>)) {
    with_script(script, process, |evaluator, id| {
        let term = evaluator.process_of(id).unwrap();
        let (mut code_table, mut call) = (CodeTable::default(), Vec::new());
        evaluator
            .tokens_of(&mut code_table, term, &mut call)
            .unwrap();
        test(&call, &mut Runner::new(evaluator, &mut code_table));
    });
}

#[test]
fn a_call_that_stands_for_another_term_than_is_believed_ends_the_listing() {
    let script = "channel a, b
P(x) = if x == 0 then a -> P(1) else b -> P(0)";
    with_call(script, "P(0)", |call, runner| {
        let mut states = ListedStates::default();
        states.begin(call).unwrap();
        let found = states.questions(1).unwrap().answers(runner).unwrap();
        let (head, other) = (found.heads.get(0), found.targets.get(0));
        for (believed, is_right) in [(call, true), (other, false)] {
            let mut questions = Questions::default();
            questions.doubts.push(believed).unwrap();
            questions.doubts.push(head).unwrap();
            assert_eq!(questions.answers(runner).is_some(), is_right);
        }
    });
}

#[test]
fn a_second_call_that_seems_to_be_a_state_is_asked_about() {
    let script = "channel a
P(x) = if x == 0 then Q else Q
Q = a -> P(0) [] a -> P(1)";
    with_call(script, "Q", |call, runner| {
        let mut states = ListedStates::default();
        states.begin(call).unwrap();
        let mut doubts = Vec::new();
        loop {
            let questions = states.questions(1).unwrap();
            doubts.push(questions.doubts.len());
            if questions.are_none() {
                break;
            }
            states.enter(&questions.answers(runner).unwrap()).unwrap();
        }
        // Q is met first; P(0) and P(1) are Q too, each a call and a term to be compared.
        assert_eq!((states.len(), doubts), (1, vec![0, 0, 2, 2, 0]));
    });
}
