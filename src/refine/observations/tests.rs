//! Examples by value; `tests/oracle_observations.rs` has random ones.

use super::*;
use crate::cancel::Cancellation;
use crate::cancel::tests::within;
use crate::lts::graph::tests::lts;
use crate::process::event::TICK;
use crate::refine::outcome::ProgressSink;

const A: EventId = EventId(2);
const B: EventId = EventId(3);
const C: EventId = EventId(4);
const D: EventId = EventId(5);

type Rows<'a> = &'a [&'a [(EventId, u32)]];

fn found(model: FinerModel, specification: Rows<'_>, implementation: Rows<'_>) -> Observed {
    let (specification, implementation) = (lts(specification), lts(implementation));
    let found = check_observations(
        &specification,
        &mut &implementation,
        model,
        1000,
        &CheckOptions::default(),
    );
    match found.expect("it is small").0 {
        Observed::Violated(shown) => {
            let histories = shown.into_iter().map(|(history, _)| (history, Vec::new()));
            Observed::Violated(histories.collect())
        }
        other => other,
    }
}

fn violated(steps: Vec<ObservedStep>, missing: Missing) -> Observed {
    Observed::Violated(vec![(History { steps, missing }, Vec::new())])
}

fn unseen(event: EventId) -> ObservedStep {
    ObservedStep { rest: None, event }
}

/// `a -> b -> STOP |~| (a -> c -> STOP [] d -> STOP)`, and the same with b and c the other way
/// round.
const STRAIGHT: Rows<'static> = &[
    &[(TAU, 1), (TAU, 2)],
    &[(A, 3)],
    &[(A, 4), (D, 5)],
    &[(B, 5)],
    &[(C, 5)],
    &[],
];
const CROSSED: Rows<'static> = &[
    &[(TAU, 1), (TAU, 2)],
    &[(A, 3)],
    &[(A, 4), (D, 5)],
    &[(C, 5)],
    &[(B, 5)],
    &[],
];

#[test]
fn an_event_comes_before_a_refusal_and_that_before_a_revival() {
    let either: Rows<'_> = &[
        &[(TAU, 1), (TAU, 2)],
        &[(A, 3), (B, 3)],
        &[(C, 3), (D, 3)],
        &[],
    ];
    let model = FinerModel::Revivals;
    let refusal = Missing::Refusal(vec![A, D]);
    let other: Rows<'_> = &[&[(A, 1), (D, 1)], &[]];
    assert_eq!(found(model, either, other), violated(vec![], refusal));
    let more: Rows<'_> = &[&[(A, 1), (C, 1), (D, 1)], &[]];
    let revival = Missing::Revival {
        offers: vec![A, C, D],
        event: A,
    };
    assert_eq!(found(model, either, more), violated(vec![], revival));
    let longer: Rows<'_> = &[&[(A, 1), (B, 1)], &[(A, 1)]];
    let event = violated(vec![unseen(A)], Missing::Event(A));
    assert_eq!(found(model, either, longer), event);
}

#[test]
fn refusal_testing_alone_remembers_what_was_offered() {
    for model in [FinerModel::Revivals, FinerModel::RevivalsDivergences] {
        assert_eq!(found(model, STRAIGHT, CROSSED), Observed::Holds);
    }
    let seen = ObservedStep {
        rest: Some(vec![A]),
        event: A,
    };
    let expected = violated(vec![seen], Missing::Event(C));
    for model in [
        FinerModel::RefusalTesting,
        FinerModel::RefusalTestingDivergences,
    ] {
        assert_eq!(found(model, STRAIGHT, CROSSED), expected);
    }
}

#[test]
fn the_run_comes_with_the_history() {
    let (straight, crossed) = (lts(STRAIGHT), lts(CROSSED));
    let model = FinerModel::RefusalTesting;
    let found = check_observations(
        &straight,
        &mut &crossed,
        model,
        10,
        &CheckOptions::default(),
    );
    let Observed::Violated(shown) = found.expect("it is small").0 else {
        panic!("it does not hold");
    };
    let (_, run) = &shown[0];
    assert_eq!(*run, [(TAU, StateId(1)), (A, StateId(3))]);
}

#[test]
fn termination_is_an_event() {
    let offers: Rows<'_> = &[&[(TICK, 1), (A, 1)], &[]];
    let slides: Rows<'_> = &[&[(TAU, 1), (A, 2)], &[(TICK, 2)], &[]];
    let model = FinerModel::RefusalTesting;
    let missing = Missing::Refusal(vec![TICK]);
    assert_eq!(found(model, offers, slides), violated(vec![], missing));
    // What is done from rest may be ✓.
    let missing = Missing::Revival {
        offers: vec![TICK, A],
        event: A,
    };
    assert_eq!(found(model, slides, offers), violated(vec![], missing));
    let missing = Missing::Revival {
        offers: vec![TICK, A],
        event: TICK,
    };
    let unsure: Rows<'_> = &[&[(TAU, 1), (TICK, 2)], &[(A, 2)], &[]];
    assert_eq!(found(model, unsure, offers), violated(vec![], missing));
}

#[test]
fn after_a_divergence_everything_is_allowed_where_that_counts() {
    let diverges: Rows<'_> = &[&[(A, 1)], &[(TAU, 1)]];
    let rests: Rows<'_> = &[&[(A, 1)], &[(B, 1)]];
    let event = violated(vec![unseen(A)], Missing::Event(B));
    assert_eq!(found(FinerModel::Revivals, diverges, rests), event);
    let model = FinerModel::RevivalsDivergences;
    assert_eq!(found(model, diverges, rests), Observed::Holds);
    let divergence = violated(vec![unseen(A)], Missing::Divergence);
    assert_eq!(found(model, rests, diverges), divergence);
}

#[test]
fn limits_end_the_search() {
    let (straight, crossed) = (lts(STRAIGHT), lts(CROSSED));
    let check = |sets, max_states, token: &Cancellation, progress| {
        let model = FinerModel::RefusalTesting;
        let options = CheckOptions {
            max_states,
            cancellation: token.clone(),
            progress,
            ..CheckOptions::default()
        };
        let found = check_observations(&straight, &mut &crossed, model, sets, &options);
        found.map(|(found, _)| found)
    };
    let nobody = ProgressSink::default;
    let found = check(1000, Some(2), &Cancellation::new(), nobody());
    let limited = Observed::Stopped(StopReason::StateLimit);
    assert_eq!(found.expect("it is small"), limited);
    // Whoever hears how far it is ends it.
    let token = Cancellation::new();
    let ended = token.clone();
    let found = check(
        1000,
        None,
        &token,
        ProgressSink::new(move |_| ended.cancel()),
    );
    let cancelled = Observed::Stopped(StopReason::Cancelled);
    assert_eq!(found.expect("it is small"), cancelled);
    let problem = check(1, None, &Cancellation::new(), nobody()).expect_err("there are more sets");
    assert_eq!(problem.code, "large-specification");
    let (problem, begun) = within(2, |token| check(1000, None, token, nobody()));
    let problem = problem.expect_err("the second set has more states");
    assert_eq!((problem.code, begun), ("interrupted", 3));
}
