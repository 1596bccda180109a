//! The operators that Table 1 leaves out.

use super::{check, lifted, symmetric};

#[test]
fn fields_guards_and_let() {
    let all = lifted(["B", "C", "A"]);
    let script = "
        IN = e?i -> f!i -> STOP
        SOME = link?i?j:diff(ID, {i}) -> link.j.i -> SKIP
        INSIDE = link$i!i -> e.i -> STOP
        GUARDED = e?i -> (i != A & f.i -> STOP)
        BOUND = e?i -> let next = if i == A then B else if i == B then C else A within f.next -> STOP
        FIXED = e?i -> let next = if i == A then B else i within f.next -> STOP
    ";
    symmetric(script, "IN", &all, "=");
    symmetric(script, "SOME", &all, "=");
    symmetric(script, "INSIDE", &all, "=");
    symmetric(script, "BOUND", &all, "=");
    symmetric(
        script,
        "BOUND",
        &lifted(["B", "A", "C"]),
        "rule 2 (->): `f.B -> STOP` can do f.B; `f.C -> STOP` cannot do f.A",
    );
    symmetric(
        script,
        "FIXED",
        &all,
        "rule 2 (->): `f.B -> STOP` can do f.B, but not f.C",
    );
    symmetric(script, "GUARDED", &lifted(["A", "C", "B"]), "=");
    symmetric(
        script,
        "GUARDED",
        &all,
        "transition system: `GUARDED` can do f.C after <e.C>, but not f.A after <e.A>",
    );
}

#[test]
fn run_and_chaos() {
    symmetric("", "RUN({a, b})", "(a b)", "=");
    symmetric("", "CHAOS({a, b, x})", "(a b)", "=");
    symmetric(
        "",
        "RUN({a, x})",
        "(a b)",
        "RUN and CHAOS: the set of `RUN({a, x})` has a, but not b",
    );
    check(
        "",
        "RUN({a})",
        "(a b)",
        "CHAOS({b})",
        "transition system: `RUN({a})` can do a; `CHAOS({b})` cannot do b",
    );
    check("", "RUN({a})", "(a b)", "RUN({b})", "=");
}

#[test]
fn buffers() {
    symmetric(
        "",
        "BUFFER(2, {(e.A, f.A), (e.B, f.B)})",
        "(e.A e.B)(f.A f.B)",
        "=",
    );
    symmetric(
        "",
        "BUFFER(2, {(e.A, f.A), (e.B, f.B)})",
        "(e.A e.B)",
        "transition system: `BUFFER(2, ...)` can do f.B after <e.B>, but not f.B after <e.A>",
    );
    check(
        "",
        "BUFFER(2, {(a, b)})",
        "(a b)",
        "BUFFER(3, {(b, a)})",
        "transition system: `BUFFER(3, ...)` can do b after <b, b>; `BUFFER(2, ...)` cannot do a after <a, a>",
    );
    check(
        "",
        "BUFFER(2, {(a, b)})",
        "(a b)",
        "BUFFER(2, {(b, a), (x, y)})",
        "transition system: `BUFFER(2, ...)` can do x; another one of that name cannot do that",
    );
    check(
        "",
        "WEAK_BUFFER(2, x, {(a, b)})",
        "(a b)(x y)",
        "WEAK_BUFFER(2, y, {(b, a)})",
        "=",
    );
    check(
        "",
        "WEAK_BUFFER(2, x, {(a, b)})",
        "(a b)",
        "WEAK_BUFFER(2, y, {(b, a)})",
        "transition system: `BUFFER(2, ...)` can do x after <a, a, a>, but not x after <b, b, b>",
    );
    // Two of five thousand items would have millions of states; the rule does not look at them.
    let script =
        "channel in, out : {0..4999}\nLARGE = BUFFER(9, { (in.i, out.i) | i <- {0..4999} })";
    symmetric(script, "LARGE", "(in.0 in.1)(out.0 out.1)", "=");
}

#[test]
fn priorities() {
    let script = "
        external prioritise
        external prioritisepo
        P = a -> P [] b -> P [] x -> P
        Q = P [| {x} |] P
    ";
    symmetric(script, "prioritise(P, <{x}, {a, b}>)", "(a b)", "=");
    symmetric(script, "prioritise(Q, <{x}, {a, b}>)", "(a b)", "=");
    symmetric(
        script,
        "prioritise(Q, <{x}, {a, b}, {y}>)",
        "(a b)(y e.A)",
        "=",
    );
    symmetric(
        script,
        "prioritise(Q, <{x}, {a}>)",
        "(a b)",
        "prioritise: `prioritise(Q, ...)` has priority for τ over a, but no priority for τ over b",
    );
    check(
        script,
        "prioritise(Q, <{a}, {b}>)",
        "(a b)",
        "prioritise(Q, <{b}, {a}>)",
        "=",
    );
    // P cannot do y, so it may be anywhere in the order.
    check(
        script,
        "prioritise(Q, <{a}, {b}>)",
        "(a b)",
        "prioritise(Q, <{b}, {y}, {a}>)",
        "=",
    );
    let order = "prioritisepo(Q, {a, b, x}, {(x, a), (x, b)}, {x})";
    symmetric(script, order, "(a b)", "=");
    symmetric(
        script,
        order,
        "(a x)",
        "prioritise: `prioritise(Q, ...)` has priority for τ over a, but no priority for τ over x",
    );
}

#[test]
fn interrupts() {
    let script = "
        P = a -> b -> P
        ON(i) = e.i -> ON(i)
    ";
    symmetric(
        script,
        "(||| i : {A, B} @ ON(i)) /\\ (a -> SKIP)",
        "(e.A e.B)",
        "=",
    );
    symmetric(
        script,
        "(||| i : {A, B} @ ON(i)) /\\ (a -> SKIP)",
        "(a b)",
        "rule 2 (->): `a -> SKIP` can do a, but not b",
    );
    let whole = "(||| i : {A, B} @ ON(i)) /+ {e.A, e.B} +\\ (e.A -> SKIP [] e.B -> SKIP)";
    symmetric(script, whole, "(e.A e.B)", "=");
    let half = "(||| i : {A, B} @ ON(i)) /+ {e.A} +\\ (e.A -> SKIP [] e.B -> SKIP)";
    symmetric(
        script,
        half,
        "(e.A e.B)",
        "synchronising interrupt (/+ +\\): the synchronisation set of `(ON(A) ||| ON(B)) /+ {e.A} +\\ ((e.A -> SKIP) [] (e.B -> SKIP))` has e.A, but not e.B",
    );
}

#[test]
fn sliding_choice() {
    let script = "ON(i) = e.i -> ON(i)";
    symmetric(
        script,
        "(||| i : {A, B} @ ON(i)) [> (a -> SKIP)",
        "(e.A e.B)",
        "=",
    );
    symmetric(
        script,
        "(||| i : {A, B} @ ON(i)) [> (a -> SKIP)",
        "(e.A e.C)",
        "rule 10 ([| |]): no operand of `ON(A) ||| ON(B)` is the image of the operand `ON(A)` of `ON(A) ||| ON(B)`",
    );
}

#[test]
fn exception() {
    let script = "ON(i) = e.i -> f.i -> ON(i)";
    let with = |set: &str| format!("(||| i : {{A, B}} @ ON(i)) [| {set} |> (a -> SKIP)");
    let swap = "(e.A e.B)(f.A f.B)";
    symmetric(script, &with("{f.A, f.B}"), swap, "=");
    // No process does f.C.
    symmetric(script, &with("{f.C}"), "(e.A e.B)(f.A f.B)(f.C x)", "=");
    symmetric(
        script,
        &with("{f.A}"),
        swap,
        "exception ([| |>): the exception set of `(ON(A) ||| ON(B)) [| {f.A} |> (a -> SKIP)` has f.A, but not f.B",
    );
}

#[test]
fn synchronising_choice() {
    let script = "P(i) = x -> e.i -> P(i) ||| STOP";
    let swap = "(e.A e.B)";
    symmetric(script, "P(A) [+ {x} +] P(B)", swap, "=");
    symmetric(
        script,
        "P(A) [+ {x} +] P(B)",
        "(x y)",
        "rule 2 (->): `x -> e.i -> P(i)` can do x, but not y",
    );
    symmetric(
        script,
        "P(A) [+ {x, e.A} +] P(B)",
        swap,
        "synchronising choice ([+ +]): the synchronisation set of `P(A) [+ {x, e.A} +] P(B)` has e.A, but not e.B",
    );
    symmetric(
        script,
        "P(A) [+ {x} +] P(C)",
        swap,
        "rule 2 (->): `e.i -> P(i)` can do e.A, but not e.B",
    );
}

#[test]
fn projection() {
    let script = "ON(i) = e.i -> f.i -> ON(i)";
    let swap = "(e.A e.B)(f.A f.B)";
    symmetric(script, "(ON(A) ||| ON(B)) |\\ {e.A, e.B}", swap, "=");
    symmetric(
        script,
        "(ON(A) ||| ON(B)) |\\ {e.A, e.B}",
        "(e.A e.B)(f.A x)",
        "transition system: `ON(A)` can do f.A after <e.A>; `ON(B)` cannot do x after <e.B>",
    );
    symmetric(
        script,
        "(ON(A) ||| ON(B)) |\\ {e.A}",
        swap,
        "rule 7 (\\): the projection set of `(ON(A) ||| ON(B)) |\\ {e.A}` has e.A, but not e.B",
    );
}

#[test]
fn linked_parallel() {
    let script = "
        COPY = e?i -> f!i -> COPY
        LINK = COPY [f <-> e] COPY
        KEEP = (e.A -> f.A -> STOP [] e.B -> f.A -> STOP) [f <-> e] COPY
        SOME = COPY [f.A <-> e.A, f.B <-> e.B] COPY
        ONE = COPY [f.A <-> e.A] COPY
    ";
    let swap = lifted(["B", "A", "C"]);
    symmetric(script, "LINK", &swap, "=");
    // A tied event is hidden, and may stay while other events move.
    symmetric(script, "KEEP", "(e.A e.B)", "=");
    symmetric(
        script,
        "(e.A -> f.A -> STOP [] e.B -> f.A -> STOP) [f <-> e] (e?i -> x -> STOP)",
        "(e.A e.B)",
        "=",
    );
    symmetric(script, "SOME", &swap, "=");
    symmetric(
        script,
        "ONE",
        &swap,
        "linked parallel ([<->]): the set of tied events of `ONE` has f.A, but not f.B",
    );
}

#[test]
fn different_operators() {
    let script = "
        P = a -> P
        ONE = P ||| P
        TWO = P [] (P ||| P)
    ";
    check(
        script,
        "ONE",
        "()",
        "TWO",
        "rule 10 ([| |]): `ONE` and `TWO` have different outermost operators",
    );
    check(
        script,
        "ONE",
        "()",
        "P ||| P ||| P",
        "rule 10 ([| |]): `ONE` has 2 operands, but `(P ||| P) ||| P` has 3",
    );
    check(script, "a -> STOP", "()", "a -> STOP [] STOP", "=");
    check(
        script,
        "a -> STOP",
        "(a b)",
        "(b -> STOP) |~| STOP",
        "transition system: `a -> STOP` can do a; `(b -> STOP) |~| STOP` cannot do b",
    );
}
