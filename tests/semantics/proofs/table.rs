//! Table 1 of the paper, row by row: where the rule applies, and where it does not.

use super::{check, lifted, symmetric};

#[test]
fn row_1_stop() {
    symmetric("", "STOP", "(a b)", "=");
    symmetric("", "SKIP", "(a b)", "=");
    symmetric("", "DIV", "(a b)", "=");
    check(
        "",
        "SKIP",
        "(a b)",
        "STOP",
        "transition system: `SKIP` can do ✓; `STOP` cannot do ✓",
    );
    check(
        "",
        "DIV",
        "(a b)",
        "SKIP",
        "transition system: `DIV` can do τ; `SKIP` cannot do τ",
    );
}

#[test]
fn row_2_prefix() {
    symmetric("", "[] z : {a, b} @ z -> STOP", "(a b)", "=");
    symmetric("", "e?i -> f.i -> STOP", &lifted(["B", "C", "A"]), "=");
    symmetric(
        "",
        "a -> STOP [] x -> STOP",
        "(a b)",
        "transition system: `(a -> STOP) [] (x -> STOP)` can do a, but not b",
    );
    symmetric(
        "",
        "e?i -> f.i -> STOP",
        "(e.A e.B)",
        "rule 2 (->): `f.A -> STOP` can do f.A; `f.B -> STOP` cannot do f.A",
    );
    symmetric(
        "",
        "e?i:{A, B} -> STOP",
        &lifted(["A", "C", "B"]),
        "rule 2 (->): `e.A -> STOP [] e.B -> STOP` can do e.B, but not e.C",
    );
    symmetric(
        "",
        "link?i?j:{A} -> STOP",
        &lifted(["B", "A", "C"]),
        "rule 2 (->): `link.A.A -> STOP [] link.B.A -> STOP [] link.C.A -> STOP` can do link.A.A, but not link.B.B",
    );
}

#[test]
fn row_3_external_choice() {
    symmetric("", "(a -> b -> STOP) [] (x -> STOP)", "(y e.A)", "=");
    symmetric(
        "",
        "(a -> SKIP; b -> STOP) [] (x -> STOP)",
        "(y x)",
        "transition system: `((a -> SKIP); (b -> STOP)) [] (x -> STOP)` can do x, but not y",
    );
}

#[test]
fn rows_4_and_5_parallel() {
    let script = "
        P = a -> b -> P
        Q = a -> x -> Q
        R = a -> y -> R
    ";
    symmetric(script, "P [| {a} |] P", "(x y)", "=");
    symmetric(script, "Q [| {a} |] R", "(x y)", "=");
    symmetric(
        script,
        "P [| {a} |] Q",
        "(x y)",
        "transition system: `Q` can do x after <a>, but not y after that",
    );
    symmetric(
        script,
        "Q [| {a, x} |] R",
        "(x y)",
        "rule 10 ([| |]): the synchronisation set of `Q [| {a, x} |] R` has x, but not y",
    );
}

#[test]
fn row_6_sequential() {
    let script = "P = a -> SKIP [] b -> SKIP";
    symmetric(script, "P; (x -> P)", "(a b)", "=");
    symmetric(
        script,
        "P; (a -> P)",
        "(a b)",
        "rule 2 (->): `a -> P` can do a, but not b",
    );
}

#[test]
fn row_7_hiding() {
    let script = "
        P = (a -> x -> STOP) [] (b -> y -> STOP)
        Q = P [| {} |] P
    ";
    symmetric(script, "P \\ {a, b}", "(a b)(x y)", "=");
    symmetric(script, "Q \\ {a, b}", "(a b)(x y)", "=");
    symmetric(
        script,
        "P \\ {a}",
        "(a b)(x y)",
        "rule 7 (\\): the hidden set of `P \\ {a}` has a, but not b",
    );
    symmetric(
        script,
        "Q \\ {a}",
        "(a b)(x y)",
        "rule 7 (\\): the hidden set of `Q \\ {a}` has a, but not b",
    );
    symmetric(
        script,
        "Q \\ {a, b}",
        "(a b)",
        "rule 2 (->): `a -> x -> STOP` can do a, but not b",
    );
}

#[test]
fn row_8_renaming() {
    let script = "
        P = a -> b -> P
        BOTH(i) = P[[a <- e.i, b <- f.i]]
        TWO = BOTH(A) ||| BOTH(B)
        MANY = (a -> P ||| b -> P)[[a <- e.A, a <- e.B]]
        SAME = (a -> STOP ||| b -> STOP)[[a <- x, b <- x]]
    ";
    symmetric(script, "TWO", "(e.A e.B)(f.A f.B)", "=");
    symmetric(
        script,
        "TWO",
        "(e.A e.B)",
        "transition system: `BOTH(A)` can do e.A, but not e.B",
    );
    symmetric(script, "MANY", "(e.A e.B)", "=");
    symmetric(
        script,
        "MANY",
        "(e.A e.C)",
        "rule 8 ([[ ]]): `MANY` renames a to e.A, and has no event to which a would go",
    );
    symmetric(script, "SAME", "(a b)", "=");
    symmetric(
        script,
        "SAME",
        "(x a)",
        "rule 8 ([[ ]]): `SAME` renames a to x, and has no event to which a would go",
    );
}

#[test]
fn row_9_interleaving() {
    let script = "P(i) = e.i -> f.i -> P(i)";
    symmetric(script, "||| i : ID @ P(i)", &lifted(["B", "C", "A"]), "=");
    symmetric(
        script,
        "||| i : {A, B} @ P(i)",
        &lifted(["B", "C", "A"]),
        "rule 10 ([| |]): no operand of `P(A) ||| P(B)` is the image of the operand `P(B)` of `P(A) ||| P(B)`",
    );
    symmetric(
        script,
        "||| i : {A, B} @ P(i)",
        &lifted(["B", "A", "C"]),
        "=",
    );
    symmetric(
        script,
        "||| i : ID @ P(i)",
        "(e.A e.B)",
        "transition system: `P(A)` can do e.A, but not e.B",
    );
}

#[test]
fn row_10_generalised_parallel() {
    let script = "P(i) = x -> e.i -> P(i)";
    symmetric(
        script,
        "[| {x} |] i : ID @ P(i)",
        &lifted(["B", "C", "A"]),
        "=",
    );
    symmetric(
        script,
        "[| {x} |] i : ID @ P(i)",
        "(x y)",
        "transition system: `P(A)` can do x, but not y",
    );
    let script = "P(i) = e?j -> f.i -> P(i)";
    symmetric(
        script,
        "[| {| e |} |] i : ID @ P(i)",
        &lifted(["B", "C", "A"]),
        "=",
    );
    symmetric(
        script,
        "[| {e.A} |] i : ID @ P(i)",
        &lifted(["B", "C", "A"]),
        "rule 10 ([| |]): the synchronisation set of `P(A) [| {e.A} |] P(B) [| {e.A} |] P(C)` has e.A, but not e.B",
    );
}

#[test]
fn row_11_alphabetised_parallel() {
    let script = "
        P(i) = e.i -> link.i?j -> P(i)
        AL(i) = {| e.i, link.i |}
        NEXT(i) = if i == A then B else if i == B then C else A
        RING(i) = link.i.NEXT(i) -> link?j!i -> RING(i)
        EDGES(i) = union({link.i.NEXT(i)}, { link.j.i | j <- ID, NEXT(j) == i })
    ";
    let turn = lifted(["B", "C", "A"]);
    let swap = lifted(["B", "A", "C"]);
    symmetric(script, "|| i : ID @ [AL(i)] P(i)", &turn, "=");
    symmetric(script, "|| i : ID @ [AL(i)] P(i)", &swap, "=");
    symmetric(
        script,
        "|| i : ID @ [if i == A then {| e.i |} else AL(i)] P(i)",
        &swap,
        "rule 11 (||): the alphabet of `P(B)` has link.B.A; that of `P(A)` does not have link.A.B",
    );
    symmetric(script, "|| i : ID @ [EDGES(i)] RING(i)", &turn, "=");
    symmetric(
        script,
        "|| i : ID @ [EDGES(i)] RING(i)",
        &swap,
        "rule 11 (||): no operand of `RING(A) || RING(B) || RING(C)` is the image of the operand `RING(A)` of `RING(A) || RING(B) || RING(C)`",
    );
}

#[test]
fn row_12_replicated_external_choice() {
    let script = "P(i) = (e.i -> STOP) [> (f.i -> P(i))";
    symmetric(script, "[] i : ID @ P(i)", &lifted(["B", "C", "A"]), "=");
    symmetric(
        script,
        "[] i : {A, C} @ P(i)",
        &lifted(["B", "C", "A"]),
        "transition system: `P(A) [] P(C)` can do e.A, but not e.B",
    );
}

#[test]
fn row_13_replicated_internal_choice() {
    let script = "P(i) = (e.i -> STOP) ||| (f.i -> P(i))";
    symmetric(script, "|~| i : ID @ P(i)", &lifted(["B", "C", "A"]), "=");
    symmetric(
        script,
        "|~| i : {A, C} @ P(i)",
        &lifted(["B", "C", "A"]),
        "rule 13 (|~|): no operand of `P(A) |~| P(C)` is the image of the operand `P(A)` of `P(A) |~| P(C)`",
    );
}
