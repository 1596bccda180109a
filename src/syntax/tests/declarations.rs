//! Every form of declaration, assertion and type.

use super::check_scripts;

#[test]
fn declarations() {
    check_scripts(&[
        (
            "channel a, b\nchannel c : Int.{0..2}.(A, B)",
            "(channel a b)\n(channel c : (. Int (set 0 .. 2) (tuple A B)))",
        ),
        (
            "datatype T = A | B.S | C.S.{1,2} | D.(T, T)",
            "(datatype T (A) (B S) (C (. S (set 1 2))) (D (tuple T T)))",
        ),
        ("datatype T =\n  A\n  | B", "(datatype T (A) (B))"),
        ("subtype T' = A | B.S'", "(subtype T' (A) (B S'))"),
        ("nametype N = S.S'", "(nametype N (. S S'))"),
        (
            "external f, g\ntransparent\n h",
            "(external f g)\n(transparent h)",
        ),
        (
            "print f(x) + 1\nx = 2",
            "(print (+ (apply f x) 1))\n(= x 2)",
        ),
        (
            "instance I = M(1, 2)\ninstance J = I::M",
            "(instance I M 1 2)\n(instance J I::M)",
        ),
        ("instance I = M()", "!syntax"),
    ]);
}

#[test]
fn modules() {
    check_scripts(&[
        (
            "module M(x, (y, z))\na = 1\nexports\nb = a\nf(0) = 1\nf(1) = 2\nendmodule\nc = M::b",
            "(module M x (tuple y z) (private (= a 1)) (exports (= b a) (function f (clause (0) 1) (clause (1) 2))))\n(= c M::b)",
        ),
        (
            "module M\nexports\nendmodule",
            "(module M (private) (exports))",
        ),
        (
            "module M\nmodule N\nexports\nx = 1\nendmodule\nexports\nendmodule",
            "(module M (private (module N (private) (exports (= x 1)))) (exports))",
        ),
        ("module M()\nexports\nendmodule", "!syntax"),
        ("module M\nx = 1", "!unclosed-module"),
        ("exports", "!stray-module-part"),
        ("module M\nx = 1\nendmodule", "!missing-exports"),
        (
            "module M\nexports\nexports\nendmodule",
            "!stray-module-part",
        ),
        ("endmodule", "!stray-module-part"),
        (
            "module M\nassert P :[deadlock free]\nexports\nendmodule",
            "!misplaced-declaration",
        ),
        (
            "module M\nexports\nprint 1\nendmodule",
            "!misplaced-declaration",
        ),
        (
            "module M\nTimed { assert P :[deadlock free] }\nexports\nendmodule",
            "!misplaced-declaration",
        ),
    ]);
}

#[test]
fn timed() {
    check_scripts(&[
        ("Timed { P = STOP }", "(Timed (= P STOP))"),
        (
            "Timed (f) {\n  P = a -> STOP\n\n  g(0) = 1\n  g(1) = 2\n  assert P :[deadlock free]\n}\nQ = STOP",
            "(Timed by f (= P (-> a STOP)) (function g (clause (0) 1) (clause (1) 2)) (assert DeadlockFree None P))\n(= Q STOP)",
        ),
        (
            "Timed { Timed { P = {1} } }",
            "(Timed (Timed (= P (set 1))))",
        ),
        (
            "x = let Timed { P = STOP\n Q = P } within Q",
            "(= x (let (Timed (= P STOP) (= Q P)) Q))",
        ),
        ("Timed { }", "(Timed)"),
        ("Timed { print 1 }", "!misplaced-declaration"),
        ("Timed {\n P = (a\n}", "!mismatched-bracket"),
        ("x = let channel c within c", "!misplaced-declaration"),
        (
            "x = let Timed { assert P :[deadlock free] } within 1",
            "!misplaced-declaration",
        ),
        (
            "x = let external f\n transparent g\n y :: Int\n y = 1 within y",
            "(= x (let (external f) (transparent g) (:: y : Int) (= y 1) y))",
        ),
    ]);
}

#[test]
fn annotations() {
    check_scripts(&[
        (
            "f, g :: (Int, Bool) -> {Event}",
            "(:: f g : (-> (Int Bool) (set Event)))",
        ),
        (
            "f :: (Eq a, Set b) => (a, {b}) -> Bool",
            "(:: f (Eq a) (Set b) : (-> (a (set b)) Bool))",
        ),
        (
            "f :: Eq a => (a) -> <a>",
            "(:: f (Eq a) : (-> (a) (seq a)))",
        ),
        ("f :: () -> (Int)", "(:: f : (-> () (paren Int)))"),
        (
            "c :: Int => Bool => Event",
            "(:: c : (=> Int (=> Bool Event)))",
        ),
        ("c :: a =>* Event", "(:: c : (=>* a Event))"),
        ("c :: (Int, Int) => T", "(:: c : (=> (tuple Int Int) T))"),
        ("x :: Int.Bool.M::T", "(:: x : (. Int (. Bool M::T)))"),
        (
            "x :: (| <Char> => {a} |)",
            "(:: x : (map (seq Char) (set a)))",
        ),
        (
            "x :: (Int) -> (Int) -> Int",
            "(:: x : (-> (Int) (-> (Int) Int)))",
        ),
        (
            "x :: <<(Int, <a>)>>",
            "(:: x : (seq (seq (tuple Int (seq a)))))",
        ),
        ("x :: ()", "!empty-type"),
    ]);
}

#[test]
fn refinements_and_properties() {
    check_scripts(&[
        ("assert P [T= Q", "(assert T P Q)"),
        (
            "assert P [] Q [FD= R ||| S",
            "(assert FD ([] P Q) (||| R S))",
        ),
        (
            "assert P [F= Q\nassert P [V= Q\nassert P [VD= Q\nassert P [R= Q\nassert P [RD= Q",
            "(assert F P Q)\n(assert V P Q)\n(assert VD P Q)\n(assert R P Q)\n(assert RD P Q)",
        ),
        ("assert not P ||| Q [T= R", "(assert-not T (||| P Q) R)"),
        ("assert P :[deadlock free]", "(assert DeadlockFree None P)"),
        ("assert P :[deadlock-free]", "(assert DeadlockFree None P)"),
        (
            "assert P :[ deadlock free [F] ]",
            "(assert DeadlockFree Some(F) P)",
        ),
        (
            "assert P :[deadlock free[FD]]",
            "(assert DeadlockFree Some(FD) P)",
        ),
        (
            "assert not P :[livelock free]",
            "(assert-not DivergenceFree None P)",
        ),
        (
            "assert P :[divergence-free [FD]]",
            "(assert DivergenceFree Some(FD) P)",
        ),
        (
            "assert P \\ A :[deterministic [F]]",
            "(assert Deterministic Some(F) (\\ P A))",
        ),
    ]);
}

#[test]
fn colons_behind_properties() {
    check_scripts(&[
        // The colon may stand behind every property, with nothing after it.
        (
            "assert P :[deadlock free]:\nx = 1",
            "(assert DeadlockFree None P)\n(= x 1)",
        ),
        (
            "assert P :[deterministic [FD]]: :[partial order reduce]:\nassert P :[livelock-free]: -- why not",
            "(assert Deterministic Some(FD) P (partial-order None))\n(assert DivergenceFree None P)",
        ),
        (
            "assert P [T= Q :[tau priority] S :[partial order reduce [fast]]:",
            "(assert T P Q (tau-priority S) (partial-order Some(\"fast\")))",
        ),
        (
            "assert P :[symmetric]:\nx = 1",
            "(assert symmetric P)\n(= x 1)",
        ),
        ("assert P :[deadlock free]: Q", "!syntax"),
        (
            "assert P :[has trace]: <a, b.1>",
            "(assert has-trace None P (seq a (. b 1)))",
        ),
        (
            "assert P :[has trace [T]] <>",
            "(assert has-trace Some(T) P (seq))",
        ),
    ]);
}

#[test]
fn options_of_assertions() {
    check_scripts(&[
        (
            "assert P [T= Q :[tau priority]: {tock}",
            "(assert T P Q (tau-priority (set tock)))",
        ),
        (
            "assert P [T= Q :[tau priority over]: S :[partial order reduce [hybrid]]\n :[symmetry reduce]: T, diff(M::U, {| c, d |})",
            "(assert T P Q (tau-priority S) (partial-order Some(\"hybrid\")) (symmetry (type T) (type M::U c d)))",
        ),
        (
            "assert P :[deadlock free] :[partial order reduce]",
            "(assert DeadlockFree None P (partial-order None))",
        ),
        (
            "assert P [T= Q :[symmetry reduce]:\nx = 1",
            "(assert T P Q (symmetry))\n(= x 1)",
        ),
        (
            "assert P [T= Q :[symmetry reduce]",
            "(assert T P Q (symmetry))",
        ),
        (
            "assert P [T= Q :[for all]:\n N :[tau priority]: S\nx = 1",
            "(assert T P Q (for-all N) (tau-priority S))\n(= x 1)",
        ),
        (
            "assert not P :[deadlock free [F]] :[for-all] M::N",
            "(assert-not DeadlockFree Some(F) P (for-all M::N))",
        ),
        (
            "assert P [F= Q :[for all]: N >= 2 :[tau priority]: S\nx = 1",
            "(assert F P Q (for-all (>= N 2)) (tau-priority S))\n(= x 1)",
        ),
        (
            "assert P :[symmetric]: T, diff(U, {| c |})",
            "(assert symmetric P (type T) (type U c))",
        ),
        (
            "assert not f(P) :[symmetric]",
            "(assert-not symmetric (apply f P))",
        ),
    ]);
}

#[test]
fn mistakes_in_assertions() {
    check_scripts(&[
        (
            "assert P [T= Q :[tau priority]: S :[tau priority]: S",
            "!repeated-option",
        ),
        (
            "assert P [T= Q :[for all]: N :[for all]: M",
            "!repeated-option",
        ),
        ("assert P [T= Q :[for all]: 3", "!syntax"),
        ("assert P [T= Q :[for all]: f(3)", "!syntax"),
        ("assert P [T= Q :[for all]: N >= M", "!syntax"),
        ("assert P [T= Q :[for all]: N > 2", "!syntax"),
        ("assert P [T= Q :[for all [N]]", "!unknown-property"),
        ("assert P :[happy]", "!unknown-property"),
        ("assert P :[deadlock free [X]]", "!unknown-model"),
        ("assert P [Q= Q", "!unknown-model"),
        ("assert P [vd= Q", "!unknown-model"),
        ("assert P :[deadlock free", "!unclosed-bracket"),
        ("assert P :[symmetric]: f(x)", "!bad-symmetric-type"),
        ("assert P", "!syntax"),
    ]);
}
