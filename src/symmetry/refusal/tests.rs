//! The texts of refusals.

use super::*;
use process::event::EventSetId;
use process::operator::Operator;

fn text(rule: ProofRule, [left, right]: [&str; 2], why: Why) -> String {
    let mut events = EventTable::new();
    for name in ["a", "b", "c"] {
        events.intern(name);
    }
    let refusal = Refusal {
        rule,
        left: left.to_string(),
        right: right.to_string(),
        span: None,
        why,
    };
    refusal.text(&events)
}

const A: EventId = EventId(2);
const B: EventId = EventId(3);
const ONE: [&str; 2] = ["P", "P"];
const TWO: [&str; 2] = ["P(1)", "P(2)"];

/// The image under (a b).
fn swapped(trace: &[EventId]) -> Vec<EventId> {
    let image = |&event: &EventId| match event {
        A => B,
        B => A,
        other => other,
    };
    trace.iter().map(image).collect()
}

/// The trace that says that A is done after `trace`, and `image` not after the image of `trace`, or
/// the other way round.
fn found(trace: &[EventId], image: EventId, on_left: bool) -> DistinguishingTrace {
    DistinguishingTrace {
        trace: trace.to_vec(),
        image_trace: swapped(trace),
        event: A,
        image,
        on_left,
    }
}

#[test]
fn sets_and_behaviours_name_their_events() {
    let set = |on_left| Why::Set {
        role: "alphabet",
        event: A,
        image: B,
        on_left,
    };
    let texts = [(TWO, true), (TWO, false), (ONE, true), (ONE, false)];
    assert_eq!(
        texts.map(|(names, on_left)| text(
            ProofRule::of(&Operator::Alphabetised([].into())),
            names,
            set(on_left)
        )),
        [
            "rule 11 (||): the alphabet of `P(1)` has a; that of `P(2)` does not have b",
            "rule 11 (||): the alphabet of `P(2)` has b; that of `P(1)` does not have a",
            "rule 11 (||): the alphabet of `P` has a, but not b",
            "rule 11 (||): the alphabet of `P` has b, but not a",
        ]
    );
    let behaviour =
        |trace: &[EventId], image, on_left| Why::Behaviour(found(trace, image, on_left));
    let cases = [
        (ONE, behaviour(&[], B, true)),
        (ONE, behaviour(&[B, EventId(0)], B, false)),
        (TWO, behaviour(&[B], B, true)),
        (TWO, behaviour(&[EventId(0)], B, false)),
        (ONE, behaviour(&[], A, true)),
    ];
    assert_eq!(
        cases.map(|(names, why)| text(ProofRule::Operational, names, why)),
        [
            "transition system: `P` can do a, but not b",
            "transition system: `P` can do b after <a, τ>, but not a after <b, τ>",
            "transition system: `P(1)` can do a after <b>; `P(2)` cannot do b after <a>",
            "transition system: `P(2)` can do b after <τ>; `P(1)` cannot do a after that",
            "transition system: `P` can do a; another one of that name cannot do that",
        ]
    );
}

#[test]
fn reasons_of_rules_are_sentences() {
    let cases = [
        (
            ProofRule::of(&Operator::Interrupt(None)),
            TWO,
            Why::Operators,
            "interrupt (/\\): `P(1)` and `P(2)` have different outermost operators",
        ),
        (
            ProofRule::of(&Operator::Sequential),
            ONE,
            Why::Operators,
            "rule 6 (;): `P` has another outermost operator than its image",
        ),
        (
            ProofRule::of(&Operator::Parallel(EventSetId(0))),
            TWO,
            Why::OperandCount(2, 3),
            "rule 10 ([| |]): `P(1)` has 2 operands, but `P(2)` has 3",
        ),
        (
            ProofRule::Operational,
            TWO,
            Why::States(1, 2),
            "transition system: no single event tells the image of `P(1)` from `P(2)`, but 1 of the states of the one and 2 of those of the other have no partners",
        ),
        (
            ProofRule::of(&Operator::Choice(None)),
            ONE,
            Why::NoPartner("Q".to_string()),
            "rule 12 ([]): no operand of `P` is the image of the operand `Q` of `P`",
        ),
        (
            ProofRule::of(&Operator::Rename([].into())),
            ONE,
            Why::Renaming(A, B),
            "rule 8 ([[ ]]): `P` renames a to b, and has no event to which a would go",
        ),
        (
            ProofRule::of(&Operator::Rename([].into())),
            TWO,
            Why::Renaming(A, A),
            "rule 8 ([[ ]]): `P(1)` does not rename a, and `P(2)` has no event to which that would go",
        ),
        (
            ProofRule::Linked,
            TWO,
            Why::Renaming(A, B),
            "linked parallel ([<->]): the tie of a and b in `P(1)` has no counterpart in `P(2)`",
        ),
    ];
    for (rule, names, why, expected) in cases {
        assert_eq!(text(rule, names, why), expected);
    }
}

#[test]
fn every_other_reason_is_a_sentence() {
    let specification = |trace: &[EventId], on_left| Why::Specification(found(trace, B, on_left));
    let cases = [
        (
            ProofRule::Buffer,
            TWO,
            Why::Renaming(A, B),
            "buffer: `P(1)` takes a and gives b, and `P(2)` has no such pair",
        ),
        (
            ProofRule::Lifting,
            ["", ""],
            Why::NoSuchEvent(A, "c.4".to_string()),
            "lifting: a would become c.4, which is no event of the script",
        ),
        (
            ProofRule::of(&Operator::Parallel(EventSetId(0))),
            ONE,
            Why::Machine("it breaks".to_string()),
            "rule 10 ([| |]): it breaks",
        ),
        (
            ProofRule::Specification,
            ["", ""],
            specification(&[], true),
            "specification: the specification allows a at first, but not b",
        ),
        (
            ProofRule::Specification,
            ["", ""],
            specification(&[B], false),
            "specification: the specification allows b after <a>, but not a after <b>",
        ),
        (
            ProofRule::Operational,
            TWO,
            Why::Initial,
            "transition system: `P(1)` and `P(2)` differ only in the states in which they start",
        ),
        (
            ProofRule::Specification,
            ["", ""],
            Why::Initial,
            "specification: the initial state does not stay",
        ),
        (
            ProofRule::Operational,
            ONE,
            Why::Limit("too large".to_string()),
            "transition system: too large",
        ),
    ];
    for (rule, names, why, expected) in cases {
        assert_eq!(text(rule, names, why), expected);
    }
}
