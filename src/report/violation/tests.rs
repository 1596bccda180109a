//! Sentences and runs of each kind of counterexample.

use pretty_assertions::assert_eq;

use super::super::assertion::Rest;
use super::super::assertion::tests::failing_report;
use super::*;

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

#[test]
fn the_sentence_fits_the_length_of_the_trace_and_the_event() {
    let step = |event: &str, trace: &[&str]| {
        let counterexample = Counterexample {
            trace: trace.iter().map(|event| event.to_string()).collect(),
            event: Some(event.to_string()),
            ..failing_report().counterexample.expect("it has one")
        };
        sentence(
            Some(Kind::Refinement),
            &counterexample,
            &SideNames::of(Some(Kind::Refinement)),
        )
    };
    assert_eq!(
        step("a", &[]),
        "At the start the implementation can do a, which the specification does not allow."
    );
    assert_eq!(
        step("✓", &["a"]),
        "After <a> the implementation can terminate, which the specification does not allow."
    );
    assert!(
        step("a", &["b"; 11])
            .starts_with("After the 11 visible events below the implementation can do a")
    );
}

#[test]
fn a_refusal_says_what_should_be_offered() {
    let refusal = Counterexample {
        kind: CounterexampleKind::Refusal,
        trace: strings(&["a"]),
        trace_with_taus: vec![TraceStep::Visible("a".to_string()), TraceStep::Internal],
        offers: Some(strings(&["b"])),
        acceptances: Some(vec![strings(&["c"]), strings(&["b", "d"])]),
        ..Counterexample::default()
    };
    let expected = "  After <a> the implementation can come to rest offering only {b}, but the \
                    specification always offers at least {c} or {b, d}.\n    1  a\n    2  τ\n";
    assert_eq!(
        violation(
            Some(Kind::Refinement),
            &refusal,
            &SideNames::of(Some(Kind::Refinement))
        ),
        expected
    );
    assert_eq!(rest(&strings(&["✓"])), "can terminate, refusing all else");
    assert_eq!(
        demand("the specification", &[]),
        "but the specification never comes to rest"
    );
    let many = vec![strings(&["a"; 10]); 8];
    assert!(demand("the specification", &many).ends_with("... 2 more} or one of 2 other sets"));
}

#[test]
fn a_revival_says_what_should_be_offered_with_the_event() {
    let revival = Counterexample {
        kind: CounterexampleKind::Revival,
        trace: strings(&["a"]),
        event: Some("b".to_string()),
        trace_with_taus: vec![TraceStep::Internal, TraceStep::Visible("a".to_string())],
        offers: Some(strings(&["b", "c"])),
        acceptances: Some(vec![strings(&["b", "d"])]),
        rests: Some(vec![Rest {
            before: 2,
            offers: strings(&["a", "d"]),
        }]),
        ..Counterexample::default()
    };
    let expected = "  After <a>, seen at rest as shown below, the implementation can come to rest offering only {b, c} and then \
                    do b, but where the specification comes to rest offering b, it offers at least {b, d}.\n    1  τ\n    \
                    2  a   <- from rest, offering only {a, d}\n";
    assert_eq!(
        violation(
            Some(Kind::Refinement),
            &revival,
            &SideNames::of(Some(Kind::Refinement))
        ),
        expected
    );
    let never = "but the specification never comes to rest offering a";
    assert_eq!(demand_with("the specification", "a", &[]), never);
}

#[test]
fn a_deadlock_says_whether_it_is_termination() {
    let deadlock = |terminated| Counterexample {
        kind: CounterexampleKind::Deadlock,
        trace: strings(&["✓"]),
        trace_with_taus: vec![TraceStep::Visible("✓".to_string())],
        offers: Some(Vec::new()),
        terminated: Some(terminated),
        ..Counterexample::default()
    };
    let text = violation(
        Some(Kind::DeadlockFree),
        &deadlock(true),
        &SideNames::of(Some(Kind::DeadlockFree)),
    );
    let expected =
        "  After <✓> the process has terminated, which counts as a deadlock.\n    1  ✓\n";
    assert_eq!(text, format!("{expected}{TO_ALLOW_TERMINATION}"));
    let text = violation(
        Some(Kind::DeadlockFree),
        &deadlock(false),
        &SideNames::of(Some(Kind::DeadlockFree)),
    );
    assert!(text.contains("it is deadlocked") && !text.contains("RUN"));
}

#[test]
fn a_divergence_shows_its_cycle() {
    let divergence = Counterexample {
        kind: CounterexampleKind::Divergence,
        trace_with_taus: vec![TraceStep::Internal],
        cycle: Some(vec![
            TraceStep::Hidden("a".to_string()),
            TraceStep::Internal,
        ]),
        ..Counterexample::default()
    };
    let expected = "  At the start the process can do internal steps for ever.\n    1  τ\n    \
                    and then again and again:\n    2  τ (a)\n    3  τ\n";
    assert_eq!(
        violation(
            Some(Kind::DivergenceFree),
            &divergence,
            &SideNames::of(Some(Kind::DivergenceFree))
        ),
        expected
    );
}

#[test]
fn nondeterminism_shows_both_runs() {
    let both = Counterexample {
        kind: CounterexampleKind::Nondeterminism,
        event: Some("a".to_string()),
        trace_with_taus: vec![TraceStep::Internal],
        offers: Some(Vec::new()),
        other_trace_with_taus: Some(vec![TraceStep::Visible("a".to_string())]),
        ..Counterexample::default()
    };
    let expected = "  At the start the process can do a, and can also refuse it.\n    1  τ\n    \
                    where a is refused, for nothing is offered at rest, but also\n    1  a\n";
    assert_eq!(
        violation(
            Some(Kind::Deterministic),
            &both,
            &SideNames::of(Some(Kind::Deterministic))
        ),
        expected
    );
    let why = |offers: &[&str]| refuses("a", &strings(offers));
    assert_eq!(
        why(&["✓"]),
        "where a is refused: it may terminate, and then refuses all else"
    );
    assert_eq!(
        why(&["b", "c"]),
        "where a is refused, for only {b, c} is offered at rest"
    );
}

#[test]
fn a_trace_that_ends_says_where_and_what_is_possible_then() {
    let ends = |done: &[&str], next: &[&str]| trace_ends(&strings(done), "c", &strings(next));
    assert_eq!(
        ends(&[], &["a", "b"]),
        "at the start the process can do only {a, b}, not c"
    );
    assert_eq!(
        ends(&["a"], &[]),
        "after <a> the process can do no event at all, so not c"
    );
    assert_eq!(
        ends(&["a"], &["✓"]),
        "after <a> the process can only terminate, not do c"
    );
    let many = ends(&["a"; 11], &["a"]);
    assert!(many.starts_with("after the first 11 events of the trace the process can do only {a}"));
}
