//! Identity of calls: two calls are one node if all that matters for their behaviour is equal.

use pretty_assertions::assert_eq;

use super::processes::traces;

const DEFINITIONS: &str = "
channel a, b, tock, out
channel c, d : {0..9}
L1(n) = let f(x) = n + x within a -> c.f(1) -> STOP
L2(n) = let g = n
            f(x) = g + x within a -> c.f(1) -> STOP
L3(n) = let (g, h) = (n, n + 1)
            <k> = <h> within a -> c.k -> STOP
L4(n) = let R = a -> c.n -> R within R
L5(n) = let R = a -> S
            S = c.n -> R within b -> R
L6(n) = let f = \\ x @ x + n within a -> c.f(1) -> STOP
Curried(n)(m) = a -> c.n -> c.m -> STOP
Partial(n) = Curried(n)
Higher(f) = a -> c.f(1) -> STOP
plus(n) = \\ x @ x + n
add(n)(x) = n + x
Inner(n) = let local(x) = x + n within Higher(local)
Pass(P) = a -> P
Make(f) = a -> f(1)
gen(n) = \\ x @ c.x -> d.n -> STOP
module M(n)
k = n + 1
exports
Mod = a -> c.k -> Mod
Fun(x) = a -> c.n -> d.x -> STOP
Own = a -> e -> STOP
channel e
hold(x) = \\ y @ c.n -> d.x -> STOP
endmodule
instance M1 = M(1)
instance M2 = M(2)
module Outer(n)
exports
module Nest(m)
exports
Both = a -> c.n -> d.m -> STOP
endmodule
instance N5 = Nest(5)
instance N6 = Nest(6)
Here = N5::Both
Later = a -> N5::Both
endmodule
instance O1 = Outer(1)
instance O2 = Outer(2)
instance X = O1::Nest(7)
Dur(n) = let f(_) = n
             Timed (f) { T = a -> b -> STOP } within T
Dur2(n) = let Timed (\\ _ @ n) { T = a -> b -> STOP } within b -> T
T(s) = a -> T2(s)
T2(<x>^s) = c.x -> T(s)
T2(<>) = STOP
Odd(n) = a -> (if n % 2 == 0 then c.n -> STOP else let z = n within d.z -> STOP)
Shadow(n) = c?n -> d.n -> STOP
Guarded(n) = a -> n == 1 & c.n -> STOP
Set(s) = a -> ([] x : s @ c.x -> STOP)
Comp(n) = a -> ([] x : {y + n | y <- {0..1}} @ c.x -> STOP)
Ren(n) = a -> (c.0 -> STOP)[[c.0 <- c.n]]
Ren2(n) = a -> (c?x -> STOP)[[c.x <- d.x | x <- {n}]]
Seqs(n) = a -> (; x : <n, n + 1> @ c.x -> SKIP)
Hid(n) = a -> ((c.1 -> c.2 -> STOP) \\ {c.n})
Par(n) = a -> ((c?x -> STOP) [| {|c|} |] c.n -> STOP)
Alpha(n) = a -> ((c?x -> STOP) [{|c|} || {c.n}] (c.n -> STOP))
Exc(n) = a -> ((c.1 -> c.2 -> STOP) [| {c.n} |> d.n -> STOP)
Link(n) = a -> ((c.n -> STOP) [c.n <-> d.1] (d.1 -> c.n -> STOP))
Buf(n) = a -> BUFFER(1, {(c.n, d.n)})
Mutual(n) = let Even(0) = c.n -> STOP
                Even(m) = Oddly(m - 1)
                Oddly(m) = Even(m - 1) within a -> Even(2)
Map(m) = a -> c.mapLookup(m, 0) -> STOP
Tuple((x, y)) = a -> c.x -> d.y -> STOP
Maybe(n, x) = if n == 0 then a -> Maybe(0, x) else c.x -> STOP
Fix(f) = f(Fix(f))
Two(x)(y) = let in(z) = a -> c.x -> d.y -> STOP within in(0)
";

fn check(table: &[(&str, &[&str])]) {
    for (process, expected) in table {
        let expected: std::collections::BTreeSet<String> =
            expected.iter().map(|t| t.to_string()).collect();
        assert_eq!(traces(DEFINITIONS, process, 3), expected, "{process}");
    }
}

/// Processes with their traces.
const CAPTURED: &[(&str, &[&str])] = &[
    ("L1(1) [] b -> L1(2)", &["a c.2", "b a c.3"]),
    ("L2(1) [] b -> L2(2)", &["a c.2", "b a c.3"]),
    ("L3(1) [] b -> L3(2)", &["a c.2", "b a c.3"]),
    ("L4(1) [] b -> L4(2)", &["a c.1 a", "b a c.2"]),
    ("L5(1) [] a -> L5(2)", &["b a c.1", "a b a"]),
    ("out -> L5(1)", &["out b a"]),
    ("L6(1) [] b -> L6(2)", &["a c.2", "b a c.3"]),
    (
        "Partial(1)(2) [] b -> Partial(2)(2)",
        &["a c.1 c.2", "b a c.2"],
    ),
    (
        "Higher(plus(1)) [] b -> Higher(plus(2))",
        &["a c.2", "b a c.3"],
    ),
    (
        "Higher(add(1)) [] b -> Higher(add(2))",
        &["a c.2", "b a c.3"],
    ),
    ("Inner(1) [] b -> Inner(2)", &["a c.2", "b a c.3"]),
    (
        "Pass(c.1 -> STOP) [] b -> Pass(c.2 -> STOP)",
        &["a c.1", "b a c.2"],
    ),
    (
        "Make(gen(1)) [] b -> Make(gen(2))",
        &["a c.1 d.1", "b a c.1"],
    ),
    (
        "let A = Make(gen(1))\nB = Make(gen(2)) within A [] (b -> STOP [] d.9 -> STOP)",
        &["a c.1 d.1", "b", "d.9"],
    ),
    ("Make(gen(2))", &["a c.1 d.2"]),
    ("[] n : {1,2} @ Make(gen(n))", &["a c.1 d.1", "a c.1 d.2"]),
    (
        "[] n : {1,2} @ Make(\\ x @ c.x -> d.n -> STOP)",
        &["a c.1 d.1", "a c.1 d.2"],
    ),
    ("M1::Mod [] b -> M2::Mod", &["a c.2 a", "b a c.3"]),
    ("M1::Fun(3) [] M2::Fun(3)", &["a c.1 d.3", "a c.2 d.3"]),
    ("M1::Own [] M2::Own", &["a M1::e", "a M2::e"]),
    (
        "Make(M1::hold(3)) [] Make(M2::hold(3)) [] Make(M2::hold(4))",
        &["a c.1 d.3", "a c.2 d.3", "a c.2 d.4"],
    ),
    (
        "O1::N5::Both [] O2::N5::Both [] O1::N6::Both",
        &["a c.1 d.5", "a c.2 d.5", "a c.1 d.6"],
    ),
    (
        "O1::Here [] O2::Here [] X::Both",
        &["a c.1 d.5", "a c.2 d.5", "a c.1 d.7"],
    ),
    ("O1::Later [] O2::Later", &["a a c.1", "a a c.2"]),
    (
        "(Dur(0) [] Dur(2)) \\ {}",
        &[
            "a b tock",
            "a tock b",
            "a tock tock",
            "tock a b",
            "tock a tock",
            "tock tock a",
            "tock tock tock",
        ],
    ),
    ("Dur2(1) [| {tock} |] STOP", &["b a"]),
    ("(Dur2(1) [] Dur2(0)) [| {tock} |] STOP", &["b a b"]),
    ("T(<1,2>) [] T(<2>)", &["a c.1 a", "a c.2 a"]),
    ("Odd(1) [] Odd(2) [] Odd(3)", &["a d.1", "a c.2", "a d.3"]),
    ("Guarded(1) [] Guarded(2)", &["a c.1"]),
    ("Set({1}) [] Set({2,3})", &["a c.1", "a c.2", "a c.3"]),
    ("Comp(1) [] Comp(3)", &["a c.1", "a c.2", "a c.3", "a c.4"]),
    ("Ren(1) [] Ren(3)", &["a c.1", "a c.3"]),
    ("(Ren2(1) [] Ren2(3)) [| {|c|} |] STOP", &["a d.1", "a d.3"]),
    ("Seqs(1) [] Seqs(3)", &["a c.1 c.2", "a c.3 c.4"]),
    ("Hid(1) [] Hid(2)", &["a c.1", "a c.2"]),
    ("Par(1) [] Par(3)", &["a c.1", "a c.3"]),
    (
        "Alpha(1) [| diff({|c|}, {c.1, c.3}) |] STOP",
        &["a c.1", "a c.3"],
    ),
    ("Exc(1) [] Exc(2)", &["a c.1 c.2", "a c.1 d.1"]),
    ("Link(1) [] Link(2)", &["a c.1", "a c.2"]),
    ("Buf(1) [] Buf(2)", &["a c.1 d.1", "a c.2 d.2"]),
    ("Mutual(1) [] Mutual(2)", &["a c.1", "a c.2"]),
    (
        "Map((| 0 => 1 |)) [] Map((| 0 => 2 |))",
        &["a c.1", "a c.2"],
    ),
    ("Tuple((1,2)) [] Tuple((1,3))", &["a c.1 d.2", "a c.1 d.3"]),
    (
        "Two(1)(2) [] Two(1)(3) [] Two(2)(2)",
        &["a c.1 d.2", "a c.1 d.3", "a c.2 d.2"],
    ),
    (
        "[] s : {<1>, <2>} @ a -> c.head(s) -> STOP",
        &["a c.1", "a c.2"],
    ),
    (
        "[] x : {1,2} @ let y = x within a -> (let z = y within c.z -> STOP)",
        &["a c.1", "a c.2"],
    ),
    (
        "[] x : {1,2} @ let F(f) = a -> c.f(0) -> STOP within F(\\ _ @ x)",
        &["a c.1", "a c.2"],
    ),
    (
        "[] x : {1,2} @ let F(f) = a -> c.f(0)(1) -> STOP within F(\\ _ @ \\ z @ x + z)",
        &["a c.2", "a c.3"],
    ),
    (
        "[] n : {1,2} @ a -> (|~| z : {z + n | z <- {0..1}} @ c.z -> STOP)",
        &["a c.1", "a c.2", "a c.3"],
    ),
    ("c?x:{1,2} -> a -> d.x -> STOP", &["c.1 a d.1", "c.2 a d.2"]),
    (
        "c?x:{1,2} -> let P = a -> d.x -> P within P",
        &["c.1 a d.1", "c.2 a d.2"],
    ),
    ("c$x:{1,2}?y:{} -> STOP", &[""]),
];

/// Two calls side by side: if they were taken for one call, a trace would be missing.
#[test]
fn what_is_captured_tells_calls_apart() {
    check(CAPTURED);
}

/// Arguments without a value are named by their code and the values it captures. A mistake in them
/// counts only where they are evaluated.
#[test]
fn what_has_no_value_is_named_by_its_code() {
    check(&[
        ("Maybe(0, head(<>))", &["a a a"]),
        (
            "Maybe(0, head(<>)) [] b -> Maybe(0, 1 / 0)",
            &["a a a", "b a a"],
        ),
        ("Fix(\\ X @ a -> X)", &["a a a"]),
        ("Fix(\\ X @ a -> SKIP ; X)", &["a a a"]),
        (
            "Fix(\\ X @ a -> SKIP ; X) [] Fix(\\ X @ b -> SKIP ; X)",
            &["a a a", "b b b"],
        ),
        (
            "[] n : {1,2} @ Fix(\\ X @ c.n -> SKIP ; X)",
            &["c.1 c.1 c.1", "c.2 c.2 c.2"],
        ),
    ]);
}
