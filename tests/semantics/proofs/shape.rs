//! Index permutations, sets as far as they matter, names, and machines.

use super::{
    CHANNELS, OPTIONS, Prover, Start, check, lifted, machine, permutation, proof, symmetric,
    with_processes,
};
use process::event::EventSetId;
use process::operator::Operator;
use symmetry::ProofRule;

#[test]
fn the_index_permutation_need_not_be_sigma() {
    // σ exchanges e.A and e.B, whose users are numbered in another order.
    let script = "
        USER(n, i) = e.i -> USER(n, i)
        ALL = ||| n : {0..3} @ USER(n, if n % 2 == 0 then A else B)
    ";
    symmetric(script, "ALL", "(e.A e.B)", "=");
    proof(script, "ALL", "(e.A e.B)", |proof| {
        assert_eq!(proof.rule, ProofRule::Unfold);
        let parallel = &proof.premises[0];
        assert_eq!(
            (parallel.rule, &parallel.partners[..]),
            (
                ProofRule::of(&Operator::Parallel(EventSetId(0))),
                &[1, 0, 3, 2][..]
            )
        );
        assert!(
            parallel
                .premises
                .iter()
                .all(|premise| premise.rule == ProofRule::Operational)
        );
    });
}

#[test]
fn nested_parallels_are_one() {
    let script = "P(i) = e.i -> f.i -> P(i)";
    let turn = lifted(["B", "C", "A"]);
    symmetric(script, "P(A) ||| P(B) ||| P(C)", &turn, "=");
    symmetric(script, "P(A) ||| (P(B) ||| P(C))", &turn, "=");
    symmetric(
        script,
        "P(A) ||| (P(B) [| {x} |] P(C))",
        &turn,
        "rule 10 ([| |]): no operand of `P(A) ||| (P(B) [| {x} |] P(C))` is the image of the operand `P(A)` of `P(A) ||| (P(B) [| {x} |] P(C))`",
    );
}

#[test]
fn sets_are_compared_as_far_as_they_matter() {
    let script = "
        P(i) = e.i -> x -> P(i)
        Q(i) = e?j:{A, B} -> x -> Q(i)
    ";
    let swap = lifted(["C", "B", "A"]);
    symmetric(script, "P(A) [| {e.B, x} |] P(C)", &swap, "=");
    symmetric(script, "P(A) [| {e.B, f.A, x} |] P(C)", &swap, "=");
    symmetric(script, "(P(A) ||| P(C)) \\ {| f.A, x |}", &swap, "=");
    symmetric(
        script,
        "(P(A) ||| P(C)) |\\ {e.A, e.B, e.C, g.A}",
        &swap,
        "=",
    );
    // The event link.A.A is in one alphabet only, but never done. The event e.B is in both
    // alphabets, but only one process could do it.
    let alphabet = "[if i == A then {| e.A, x, link.A.A |} else {| e.C, x |}] P(i)";
    symmetric(script, &format!("|| i : {{A, C}} @ {alphabet}"), &swap, "=");
    let mixed = "P(A) [ {e.A, e.B, x} || {e.C, e.B, x} ] (P(C) [] e.B -> STOP)";
    symmetric(
        script,
        mixed,
        "(e.B y)",
        "transition system: `P(C) [] (e.B -> STOP)` can do e.B, but not y",
    );
    // An event of an alphabet blocks the others, even if its owner never does it.
    let blocking = "P(A) [ {e.A, e.B, x} || {e.C, x} ] P(C)";
    check(
        script,
        blocking,
        "(e.B e.C)",
        "P(A) [ {e.A, x} || {e.B, x} ] P(B)",
        "=",
    );
    let blocked = "P(A) [ {e.A, e.C, x} || {e.C, x} ] P(C)";
    check(
        script,
        blocked,
        "()",
        "P(A) [ {e.A, x} || {e.C, x} ] P(C)",
        "rule 11 (||): the alphabet of `P(A)` has e.C; another one of that name does not have that",
    );
}

#[test]
fn transparency_in_parameters() {
    let script = "
        POLE(p, q, r) = link.p.q -> link.r.p -> POLE(p, q, r)
        BOTH(p) = POLE(p, B, C) ||| POLE(p, C, B)
        TURN(A) = B
        TURN(B) = C
        TURN(C) = A
    ";
    let swap = lifted(["A", "C", "B"]);
    check(script, "POLE(A, B, C)", &swap, "POLE(A, C, B)", "=");
    check(script, "BOTH(A)", &swap, "BOTH(A)", "=");
    check(
        script,
        "BOTH(A)",
        &lifted(["B", "A", "C"]),
        "BOTH(B)",
        "transition system: `POLE(A, B, C)` can do link.A.B; `POLE(B, B, C)` cannot do link.B.A",
    );
}

#[test]
fn below_a_renaming_events_move_in_another_way() {
    let script = "
        CELL = a -> b -> CELL
        AT(i) = CELL[[a <- e.i, b <- f.i]]
        RING = (AT(A) ||| AT(B)) [| {| e |} |] RUN({| e |})
        CROSS = (CELL ||| CELL)[[a <- e.A, a <- e.B, b <- e.C]]
        SPLIT = (a -> STOP ||| b -> STOP ||| x -> STOP)[[a <- e.A, b <- e.A, x <- y]]
    ";
    symmetric(script, "RING", "(e.A e.B)(f.A f.B)", "=");
    proof(script, "AT(A) ||| AT(B)", "(e.A e.B)(f.A f.B)", |proof| {
        assert_eq!(proof.partners, [1, 0]);
        assert_eq!(proof.premises[0].sigma, proof.sigma);
    });
    proof(script, "CROSS", "(e.A e.B)", |proof| {
        let rename = &proof.premises[0];
        assert_eq!(rename.rule, ProofRule::of(&Operator::Rename([].into())));
        assert!(rename.premises[0].sigma.moved().is_empty() || rename.sigma == proof.sigma);
    });
    // Where one event is renamed to one, the renamed events decide how the events below move, and σ
    // decides nothing.
    let script = &format!(
        "{script}
        PAIR = (a -> STOP ||| b -> STOP)[[a <- e.A, b <- e.B]]
        INNER = PAIR ||| (a -> STOP ||| b -> STOP)"
    );
    for (cycles, exchanged) in [
        ("(e.A e.B)", true),
        ("(a b)", false),
        ("(a b)(e.A e.B)", true),
    ] {
        proof(script, "PAIR", cycles, |proof| {
            let below = &proof.premises[0].premises[0];
            assert_eq!(
                (below.rule, exchanged),
                (
                    ProofRule::of(&Operator::Parallel(EventSetId(0))),
                    below.partners == [1, 0]
                )
            );
        });
    }
    symmetric(script, "INNER", "(e.A e.B)", "=");
    symmetric(
        script,
        "PAIR",
        "(e.A x)",
        "rule 8 ([[ ]]): `PAIR` renames a to e.A, and has no event to which a would go",
    );
    // Both a and b become e.A. They could be exchanged, but need not be, whatever σ does with them.
    symmetric(script, "SPLIT", "(a b)", "=");
    symmetric(script, "SPLIT", "(a x)", "=");
    symmetric(
        script,
        "SPLIT",
        "(e.A y)",
        "rule 8 ([[ ]]): `SPLIT` renames b to e.A, and has no event to which b would go",
    );
}

#[test]
fn a_machine_is_compared_along_its_tree() {
    let script = "
        P(i) = e.i -> f.i -> P(i)
        ALL = ||| i : ID @ P(i)
        LATE(i) = if i == A then f.i -> P(i) else P(i)
        SHIFTED = ||| i : ID @ LATE(i)
        AFTER = x -> ALL [] y -> (ALL |~| SHIFTED)
        THEN = (ALL /\\ (a -> SKIP)); (SHIFTED [] (b -> SHIFTED))
    ";
    let turn = lifted(["B", "C", "A"]);
    machine(script, "ALL", &turn, Start::Fixed, "=");
    machine(
        script,
        "ALL",
        "(e.A e.B)",
        Start::Fixed,
        "transition system: `P(A)` can do e.A, but not e.B",
    );
    // One process has already done its first event. This matters only if the start must stay.
    machine(script, "SHIFTED", &turn, Start::Any, "=");
    machine(
        script,
        "SHIFTED",
        &turn,
        Start::Fixed,
        "transition system: `LATE(A)` and `LATE(B)` differ only in the states in which they start",
    );
    machine(script, "AFTER", &turn, Start::Any, "=");
    machine(
        script,
        "AFTER",
        "(x y)",
        Start::Any,
        "rule 10 ([| |]): `ALL` and `(ALL |~| SHIFTED)` have different outermost operators",
    );
    machine(script, "THEN", &turn, Start::Any, "=");
    machine(
        script,
        "THEN",
        "(a b)",
        Start::Any,
        "transition system: `a -> SKIP` can do a, but not b",
    );
}

#[test]
fn a_refusal_points_to_the_innermost_named_process() {
    let script = "
        P(i) = e.i -> f.i -> P(i)
        PAIR = P(A) ||| P(B)
        SYSTEM = (PAIR; a -> STOP) [| {x} |] (x -> STOP)
    ";
    for (cycles, place) in [
        ("(e.A x)", "SYSTEM = "),
        ("(e.A e.C)(f.A f.C)", "PAIR = "),
        ("(e.A e.B)", "P(i) = "),
        ("(a b)", "SYSTEM = "),
    ] {
        with_processes(script, "SYSTEM", "SYSTEM", |evaluator, term, _| {
            let sigma = permutation(evaluator, cycles);
            let refused = Prover::new(evaluator, &OPTIONS).prove(term, &sigma, term);
            let span = refused.unwrap().unwrap_err().span.unwrap();
            let text = format!("{CHANNELS}{script}");
            let shown = &text[span.range()];
            assert!(shown.starts_with(place), "{cycles}: {shown}");
        });
    }
}
