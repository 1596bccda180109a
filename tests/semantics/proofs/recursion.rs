//! Recursion, by transition systems and by coinduction; processes that are too deep, too large or
//! wrong.

use super::{check, decided, lifted, proof, symmetric};
use process::operator::Operator;
use symmetry::ProofRule;

#[test]
fn recursion_is_decided_on_transition_systems() {
    let script = "
        P = a -> b -> P
        Q = a -> Q1
        Q1 = b -> Q
        LONG = a -> b -> a -> b -> LONG
        TURN(i) = e.i -> TURN(if i == A then B else if i == B then C else A)
        LOOP = e?i -> f.i -> LOOP
    ";
    check(script, "P", "()", "Q", "=");
    check(
        script,
        "P",
        "(a x)",
        "LONG",
        "transition system: `P` can do a; `LONG` cannot do x",
    );
    check(script, "P", "(a b)", "Q1", "=");
    symmetric(
        script,
        "P",
        "(a b)",
        "transition system: the initial state of `P` does not stay",
    );
    check(script, "TURN(A)", &lifted(["B", "C", "A"]), "TURN(B)", "=");
    check(
        script,
        "TURN(A)",
        &lifted(["B", "A", "C"]),
        "TURN(B)",
        "transition system: `TURN(A)` can do e.B after <e.A>; `TURN(B)` cannot do e.A after <e.B>",
    );
    proof(script, "LOOP", &lifted(["B", "C", "A"]), |proof| {
        assert_eq!(proof.rule, ProofRule::Operational);
        assert_eq!(proof.states.as_ref().unwrap().len(), 4);
    });
}

#[test]
fn rules_come_first_and_transition_systems_decide() {
    let script = "
        P = (a -> STOP) [] (b -> STOP)
        TWICE = a -> STOP [] (a -> STOP [] b -> STOP)
    ";
    proof(script, "P", "(a b)", |proof| {
        assert_eq!(
            proof.premises[0].rule,
            ProofRule::of(&Operator::Choice(None))
        )
    });
    check(script, "P", "(a b)", "TWICE", "=");
    check(
        script,
        "(a -> STOP) |~| (a -> (STOP |~| STOP))",
        "()",
        "(a -> STOP) |~| (a -> DIV)",
        "transition system: `(a -> STOP) |~| (a -> DIV)` can do τ after <τ, a, τ>; `(a -> STOP) |~| (a -> (STOP |~| STOP))` cannot do τ after <τ, a, τ>",
    );
}

/// Processes that call themselves below a parallel, and grow.
const GROWING: &str = "
        GROW(i) = e.i -> (GROW(i) ||| f.i -> STOP)
        SPAWN(i) = e.i -> (SPAWN(i) ||| SPAWN(A))
        MANY = [] i : ID @ e.i -> (MANY ||| (f.i -> MANY))
        ODD = a -> (EVEN ||| x -> STOP)
        EVEN = a -> (ODD ||| x -> STOP)
        OTHER = a -> (OTHER ||| x -> STOP)
        WRONG = a -> (WRONG [| {x} |] x -> STOP)
        DOUBLE = (a -> SKIP ||| b -> SKIP); DOUBLE
    ";

#[test]
fn recursion_through_parallels() {
    let script = GROWING;
    let turn = lifted(["B", "C", "A"]);
    check(script, "GROW(A)", &turn, "GROW(B)", "=");
    check(
        script,
        "GROW(A)",
        &turn,
        "GROW(C)",
        "rule 2 (->): `GROW(A)` can do e.A; `GROW(C)` cannot do e.B",
    );
    check(
        script,
        "SPAWN(A)",
        &turn,
        "SPAWN(B)",
        "rule 10 ([| |]): no operand of `SPAWN(B) ||| SPAWN(A)` is the image of the operand `SPAWN(A)` of `SPAWN(A) ||| SPAWN(A)`",
    );
    check(
        script,
        "SPAWN(B)",
        &lifted(["A", "C", "B"]),
        "SPAWN(C)",
        "=",
    );
    symmetric(script, "MANY", &turn, "=");
    symmetric(
        script,
        "MANY",
        "(e.A e.B)",
        "rule 2 (->): `e.A -> (MANY ||| (f.i -> MANY))` can do e.A, but not e.B",
    );
    proof(script, "MANY", &turn, |proof| {
        let choice = &proof.premises[0];
        assert_eq!(choice.rule, ProofRule::of(&Operator::Choice(None)));
        let prefix = &choice.premises[0];
        assert_eq!(
            (prefix.rule, prefix.premises[0].rule),
            (ProofRule::Numbered(2, ["->", ""]), ProofRule::Recursion)
        );
    });
}

#[test]
fn different_recursions_through_parallels() {
    let script = GROWING;
    check(
        script,
        "ODD",
        "(a b)(b a)",
        "OTHER",
        "rule 2 (->): `ODD` can do a; `OTHER` cannot do b",
    );
    check(script, "ODD", "()", "OTHER", "=");
    check(script, "ODD", "()", "EVEN", "=");
    check(
        script,
        "OTHER",
        "()",
        "WRONG",
        "rule 10 ([| |]): the synchronisation set of `(WRONG [| {x} |] x -> STOP)` has x; that of `(OTHER ||| x -> STOP)` does not have x",
    );
    symmetric(script, "DOUBLE", "(a b)", "=");
    symmetric(
        script,
        "DOUBLE",
        "(a x)",
        "transition system: `DOUBLE` can do a, but not x",
    );
}

#[test]
fn a_goal_does_not_prove_itself_before_an_event() {
    let script = "
        P = Q ||| a -> STOP
        Q = (P \\ {a}) [] STOP
    ";
    for process in ["P", "Q", "Q ||| Q"] {
        let error = decided(script, process, "(a b)", process).unwrap_err();
        assert_eq!(error.code, "unguarded-recursion");
    }
}

#[test]
fn limits_are_refusals_and_mistakes_are_errors() {
    let script = "
        UP(i) = a -> UP(i + 1)
        ALL = UP(0) ||| UP(0)
        BAD = a -> error(\"no\")
        LATER = STOP; (a -> error(\"never reached\"))
    ";
    symmetric(
        script,
        "UP(0)",
        "(a b)",
        "rule 2 (->): `UP(0)` can do a, but not b",
    );
    symmetric(
        script,
        "ALL",
        "(a b)",
        "rule 2 (->): `UP(0)` can do a, but not b",
    );
    let endless = "recursion: the proof takes more than 100000 different calls";
    symmetric(script, "UP(0)", "(x y)", endless);
    for process in ["BAD", "BAD ||| BAD"] {
        let error = decided(script, process, "(x y)", process).unwrap_err();
        assert_eq!(error.message, "the script says: no");
    }
    symmetric(script, "LATER", "(x y)", "=");
    symmetric(script, "LATER ||| LATER", "(x y)", "=");
}

#[test]
fn depth_is_no_limit() {
    let script = "
        DEEP(n) = if n == 0 then (e.A -> STOP ||| e.B -> STOP) else DEEP(n - 1) \\ {x, f.A}
        LINE(n) = if n == 0 then STOP else e.A -> e.B -> LINE(n - 1)
        WIDE(n) = if n == 0 then e.A -> STOP ||| e.B -> STOP else a -> WIDE(n - 1)
    ";
    symmetric(script, "DEEP(5000)", "(e.A e.B)", "=");
    symmetric(
        script,
        "LINE(1400)",
        "(e.A e.B)",
        "rule 2 (->): `LINE(1400)` can do e.A, but not e.B",
    );
    symmetric(script, "WIDE(20000)", "(e.A e.B)", "=");
    symmetric(
        script,
        "WIDE(20000)",
        "(a e.B)",
        "rule 2 (->): `WIDE(20000)` can do a, but not e.B",
    );
}
