//! The guesses about calls are checked, and several threads find the rows that one finds.
//! `tests/semantics/listing.rs` compares whole listings with those from terms.

use std::num::NonZeroUsize;

use super::code_table::CodeTable;
use super::head::{HeadToken, Runner};
use super::rows::WaitingRows;
use super::source::Evaluation;
use super::states::ListedStates;
use super::unfolded::{UnfoldedTargets, stands_for};
use crate::tests::with_script;
use base::diag::Result;
use base::threads::Threads;
use process::event::EventId;
use process::listing::{ListingEnd, RowSink};

/// Calls `test` with the tokens of the call `process`, and a runner of the code of `script`.
fn with_call(
    script: &str,
    process: &str,
    test: impl Fn(&[HeadToken], &mut Runner<Evaluation<'_, '_>>),
) {
    with_script(script, process, |evaluator, id| {
        let term = evaluator.process_of(id).unwrap();
        let (code_table, mut call) = (&mut CodeTable::default(), Vec::new());
        let mut source = Evaluation {
            evaluator,
            code_table,
        };
        source.add_tokens(term, &mut call).unwrap();
        test(&call, &mut Runner::new(source));
    });
}

/// The next targets, at most `most`, unfolded.
fn unfolded(
    states: &ListedStates,
    runner: &mut Runner<Evaluation<'_, '_>>,
    most: usize,
) -> UnfoldedTargets {
    let mut found = UnfoldedTargets::default();
    found.add_all(runner, states.targets(), states.next_targets(most));
    found
}

#[test]
fn whether_a_call_stands_for_a_term_is_checked() {
    let script = "channel a, b
P(x) = if x == 0 then a -> P(1) else b -> P(0)";
    with_call(script, "P(0)", |call, runner| {
        let states = ListedStates::new(call, 1).unwrap();
        let found = unfolded(&states, runner, 1);
        let (head, other) = (found.heads.get(0), found.targets.get(0));
        assert!(stands_for(runner, call, head));
        assert!(!stands_for(runner, other, head));
    });
}

#[test]
fn a_second_call_that_seems_to_be_a_state_is_asked_about() {
    let script = "channel a
P(x) = if x == 0 then Q else Q
Q = a -> P(0) [] a -> P(1)";
    with_call(script, "Q", |call, runner| {
        let mut states = ListedStates::new(call, 1).unwrap();
        let mut doubts = Vec::new();
        while !states.next_targets(1).is_empty() {
            let found = unfolded(&states, runner, 1);
            let rows = &mut WaitingRows::default();
            states.enter(&[found], rows, &Threads::one()).unwrap();
            doubts.push(states.doubts().map(|doubts| doubts.len()).sum::<usize>());
        }
        // Q is met first; P(0) and P(1) are Q too, each a call and a term to be compared.
        assert_eq!((states.len(), doubts), (1, vec![0, 2, 2]));
    });
}

/// The rows of `process`, found by `threads` threads; none if it has to be listed from its terms.
/// Listing is ended each time when so many more states were met.
fn rows(
    script: &str,
    process: &str,
    (threads, ended_after): (usize, usize),
) -> Option<Vec<Vec<(EventId, u32)>>> {
    let threads = Threads::new(NonZeroUsize::new(threads).unwrap());
    with_script(script, process, |evaluator, id| {
        let term = evaluator.process_of(id).unwrap();
        let mut rows = SomeRows::default();
        let mut from = None;
        loop {
            rows.most = rows.most.saturating_add(ended_after);
            match super::list_from_code(evaluator, (term, from), &threads, &mut rows).unwrap() {
                ListingEnd::Whole => return Some(rows.rows),
                ListingEnd::Impossible => return None,
                ListingEnd::Ended(listing) => from = Some(listing),
            }
        }
    })
}

/// A taker of rows that wants no more once `most` states were met.
#[derive(Default)]
struct SomeRows {
    rows: Vec<Vec<(EventId, u32)>>,
    most: usize,
}

impl RowSink for SomeRows {
    fn take(&mut self, row: &[(EventId, u32)]) -> Result<()> {
        self.rows.push(row.to_vec());
        Ok(())
    }

    fn wants_more(&mut self, states: usize, _: usize) -> bool {
        states <= self.most
    }
}

/// Pieces have two calls in tests, so that each process has rounds of many.
#[test]
fn threads_and_listings_that_were_ended_find_the_same_rows_as_one() {
    let grid = "channel e : {0..2}
G(x, y) = x < 9 & e.0 -> G(x + 1, y) [] y < 9 & e.1 -> G(x, y + 1) [] x > 0 and y > 0 & e.2 -> G(x - 1, y - 1)";
    // Its words are met while it is listed.
    let queue = "channel put, get : {0, 1}
Q(s) = (#s < 5 & put?x -> Q(s^<x>)) [] (not null(s) & get!head(s) -> Q(tail(s)))";
    // Several calls are one state, and steps of one state lead to the same call.
    let names = "channel a, b
P(x) = if x < 12 then a -> Q(x) [] b -> Q(x) [] b -> P(x + 1) else P(0)
Q(x) = if x > 6 then P(x - 6) else a -> P(x + 2) [] b -> a -> P(x)";
    let choices = "channel c : {0..4}
R(x) = c?y -> (if y == x then STOP else R(y) |~| S(x, y)) [] c.x -> R((x + 1) % 5)
S(x, y) = c.x -> S(y, x) [] c.y -> R(x)";
    // One state has a mistake: it is met by the terms.
    let mistake = "channel d : {0..9}
M(x) = d!x -> M((x * 3 + 1) % 11) [] d!(x % 7) -> M((x + 5) % 9)";
    for (script, process, states) in [
        (grid, "G(0, 0)", Some(100)),
        (queue, "Q(<>)", Some(63)),
        (names, "P(0)", None),
        (choices, "R(0)", None),
    ] {
        let one = rows(script, process, (1, usize::MAX)).unwrap();
        if let Some(states) = states {
            assert_eq!(one.len(), states, "{process}");
        }
        for (threads, ended_after) in [2, 3, 4]
            .map(|threads| (threads, usize::MAX))
            .into_iter()
            .chain([(1, 1), (1, 7), (3, 5)])
        {
            let listed = rows(script, process, (threads, ended_after));
            assert_eq!(
                listed.as_ref(),
                Some(&one),
                "{process}, {threads} {ended_after}"
            );
        }
    }
    for threads in 1..=3 {
        for ended_after in [2, usize::MAX] {
            assert_eq!(rows(mistake, "M(0)", (threads, ended_after)), None);
        }
    }
}
