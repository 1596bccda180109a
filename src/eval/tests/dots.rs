//! Dots, partial values and patterns over them, in every combination of nesting.

use pretty_assertions::assert_eq;

use super::processes::traces;
use super::value;

const DEFINITIONS: &str = "
datatype D = A | B.{0..1} | C.{0..1}.Bool
datatype E = F.D.{0..1} | G
datatype List = Nil | Cons.{0..1}.List
nametype N = D.{0..1}
nametype Two = {0..1}.Bool
subtype S = A | B.{1}
subtype Short = C.{0}
channel a, b
channel c : D.{0..1}
channel n : N
channel m : Two.{5}
channel e : E
channel f : {0..1}.E.{0..1}
channel t : (Bool, {0..1}).{0..1}
channel s : Set({0..1})
channel q : {<>, <0>, <0,1>}
channel v : Events2.{0..1}
Events2 = {a, b}
x = A.1
y = B.0.1
part(k) = c.(B.k)
half = B
quarter = f.0.F
rest(c.z) = z
second(c.z.w) = w
deep(f.k.F.B.z.w) = (k, z, w)
deep(f.k.F.z.w) = (k, z, w)
deep(f.k.z) = (k, z)
first(F.z.w) = z
first(G) = A
isb(B.z) = true
isb(_) = false
";

/// Expressions with their values.
const VALUES: &[(&str, &str)] = &[
    ("x", "A.1"),
    ("c.x", "c.A.1"),
    ("c.y", "c.B.0.1"),
    ("n.x", "n.A.1"),
    ("member(c.x, {|c|})", "true"),
    ("(c.x) == (c.A.1)", "true"),
    ("(n.y) == (n.B.0.1)", "true"),
    ("card(N)", "14"),
    ("member(x, N)", "true"),
    ("member(y, N)", "true"),
    ("member(A.1, {A.1, A.0})", "true"),
    ("card({|c|})", "14"),
    ("card({|n|})", "14"),
    ("card({|m|})", "4"),
    ("m.0.true.5", "m.0.true.5"),
    ("card({|m.1|})", "2"),
    ("part(1).0", "c.B.1.0"),
    ("card({|c.half|})", "4"),
    ("card({|c.C.0|})", "4"),
    ("card({|c.C|})", "8"),
    ("card(extensions(c.C.0))", "4"),
    ("extensions(c.C.0.true)", "{0, 1}"),
    ("extensions(half)", "{0, 1}"),
    ("productions(half)", "{B.0, B.1}"),
    ("productions(C.0)", "{C.0.false, C.0.true}"),
    ("quarter.A.1.0", "f.0.F.A.1.0"),
    ("card(productions(quarter.B))", "8"),
    ("card({|quarter|})", "28"),
    ("card({|quarter.A|})", "4"),
    ("S", "{A, B.1}"),
    ("Short", "{C.0.false, C.0.true}"),
    ("card(E)", "15"),
    ("rest(c.A.1)", "A.1"),
    ("rest(c.B.0.1)", "B.0.1"),
    ("second(c.B.0.1)", "1"),
    ("deep(f.0.F.B.1.0.1)", "(0, 1, 0.1)"),
    ("deep(f.0.F.A.0.1)", "(0, A, 0.1)"),
    ("deep(f.1.G.0)", "(1, G.0)"),
    ("(\\ (F.z.w) @ (z, w))(F.C.0.true.1)", "(C.0.true, 1)"),
    ("first(F.(C.0.true).1)", "C.0.true"),
    ("first(G)", "A"),
    ("{isb(z) | z <- D}", "{false, true}"),
    ("{z | B.z <- D}", "{0, 1}"),
    ("{z | C.z.true <- D}", "{0, 1}"),
    (
        "{z | c.z <- {|c.B|}} == {B.0.0, B.0.1, B.1.0, B.1.1}",
        "true",
    ),
    ("{z | c.A.z <- Events}", "{0, 1}"),
    (
        "{(z, w) | c.z.w <- {|c.A, c.B.0|}}",
        "{(A, 0), (A, 1), (B.0, 0), (B.0, 1)}",
    ),
    ("(\\ z @@ B.w @ (z, w))(B.1)", "(B.1, 1)"),
    // Both sides of `@@` take as many fields as the longer one.
    (
        "(\\ m.((z.w) @@ r).o @ (z, w, o))(m.0.true.5)",
        "(0, true, 5)",
    ),
    ("(\\ m.(r @@ (z.w)).o @ (r, o))(m.0.true.5)", "(0.true, 5)"),
    ("(\\ m.z.((w.o) @@ r) @ (r, o))(m.0.true.5)", "(true.5, 5)"),
    ("(\\ c.(z @@ B.w).o @ (z, w, o))(c.B.0.1)", "(B.0, 0, 1)"),
    ("(\\ c.(z @@ B.w) @ (z, w))(c.B.0.1)", "(B.0.1, 0.1)"),
    (
        "(\\ f.(z @@ (k.F.B.w)).o @ (z, w, o))(f.0.F.B.1.0.1)",
        "(0.F.B.1.0, 1.0, 1)",
    ),
    ("(\\ m.(z.w).o @ (z, w, o))(m.0.true.5)", "(0, true, 5)"),
    (
        "(\\ m.(z).((w).(o)) @ (z, w, o))(m.0.true.5)",
        "(0, true, 5)",
    ),
    ("(\\ m.(z.w) @ (z, w))(m.0.true.5)", "(0, true.5)"),
    ("t.(true, 0).1", "t.(true, 0).1"),
    ("card({|t|})", "8"),
    ("{z | t.(_, z).1 <- {|t|}}", "{0, 1}"),
    ("card({|s|})", "4"),
    ("s.{0,1}", "s.{0, 1}"),
    ("card({|q|})", "3"),
    (
        "{|c.z | z <- {A, B.0}|}",
        "{c.A.0, c.A.1, c.B.0.0, c.B.0.1}",
    ),
    ("{|c.z.1 | z <- {A, B.0}|}", "{c.A.1, c.B.0.1}"),
    ("v.a.0", "v.a.0"),
    ("card({|v|})", "4"),
    ("Cons.0.Cons.1.Nil", "Cons.0.Cons.1.Nil"),
    (
        "let len(Nil) = 0\nlen(Cons._.r) = 1 + len(r) within len(Cons.0.Cons.1.Cons.1.Nil)",
        "3",
    ),
    (
        "(\\ Cons.z.Cons.w.r @ (z, w, r))(Cons.0.Cons.1.Cons.1.Nil)",
        "(0, 1, Cons.1.Nil)",
    ),
    ("member(Cons.0.Nil, List)", "true"),
    ("member(Cons.0.Nil, {|Cons|})", "true"),
    ("{|Cons|} <= List", "true"),
    ("inter({|Cons|}, List) == {|Cons|}", "true"),
    ("union({|Cons|}, {Nil}) == List", "true"),
    ("(A.1) == (A.1)", "true"),
    ("(\\ z.w @ (z, w))(A.1)", "(A, 1)"),
    ("(\\ A.w @ w)(A.1)", "1"),
    ("(\\ z.w @ (z, w))(0.1.true)", "(0, 1.true)"),
    (
        "{z.w | z <- {A, B.0}, w <- {0,1}} == {A.0, A.1, B.0.0, B.0.1}",
        "true",
    ),
    ("show(c.B)", "\"c.B\""),
];

#[test]
fn values_with_dots() {
    for &(expression, expected) in VALUES {
        let found = value(DEFINITIONS, expression).unwrap_or_else(|e| e.code.to_string());
        assert_eq!(found, expected, "{expression}");
    }
}

/// Processes with the traces of three events that no other extends.
const PREFIXES: &[(&str, &[&str])] = &[
    ("c?A.z -> STOP", &["c.A.0", "c.A.1"]),
    (
        "c?B.z.w -> n!A!w -> STOP",
        &[
            "c.B.0.0 n.A.0",
            "c.B.0.1 n.A.1",
            "c.B.1.0 n.A.0",
            "c.B.1.1 n.A.1",
        ],
    ),
    (
        "c?B.z?w -> n!A!z -> STOP",
        &[
            "c.B.0.0 n.A.0",
            "c.B.0.1 n.A.0",
            "c.B.1.0 n.A.1",
            "c.B.1.1 n.A.1",
        ],
    ),
    ("c?B.z!0 -> STOP", &["c.B.0.0", "c.B.1.0"]),
    (
        "c?B.z -> n!(B.z) -> STOP",
        &[
            "c.B.0.0 n.B.0.0",
            "c.B.0.1 n.B.0.1",
            "c.B.1.0 n.B.1.0",
            "c.B.1.1 n.B.1.1",
        ],
    ),
    ("c?A!0 -> STOP", &["c.A.0"]),
    ("c.B?z!0 -> STOP", &["c.B.0.0", "c.B.1.0"]),
    ("c.B.0?w -> STOP", &["c.B.0.0", "c.B.0.1"]),
    ("c!A?z -> STOP", &["c.A.0", "c.A.1"]),
    ("c!A.1 -> STOP", &["c.A.1"]),
    ("c!B.1.0 -> STOP", &["c.B.1.0"]),
    ("c!x -> STOP", &["c.A.1"]),
    ("c.x -> STOP", &["c.A.1"]),
    (
        "c?z:{x, y} -> n.z -> STOP",
        &["c.A.1 n.A.1", "c.B.0.1 n.B.0.1"],
    ),
    ("c?z:{A, B.0}?w:{1} -> STOP", &["c.A.1", "c.B.0.1"]),
    ("c?B.z:{A, B.0}!1 -> STOP", &["c.B.0.1"]),
    ("c?z:S!0 -> STOP", &["c.A.0", "c.B.1.0"]),
    ("e?G -> STOP", &["e.G"]),
    ("e?F.A.z -> STOP", &["e.F.A.0", "e.F.A.1"]),
    (
        "e?F.B.z.w -> n!A!z -> n!A!w -> STOP",
        &[
            "e.F.B.0.0 n.A.0 n.A.0",
            "e.F.B.0.1 n.A.0 n.A.1",
            "e.F.B.1.0 n.A.1 n.A.0",
            "e.F.B.1.1 n.A.1 n.A.1",
        ],
    ),
    (
        "f?k?G?w -> STOP",
        &["f.0.G.0", "f.0.G.1", "f.1.G.0", "f.1.G.1"],
    ),
    (
        "f.0?F.A.z!1 -> n!A!z -> STOP",
        &["f.0.F.A.0.1 n.A.0", "f.0.F.A.1.1 n.A.1"],
    ),
    (
        "f!0?G.w -> n!A!w -> STOP",
        &["f.0.G.0 n.A.0", "f.0.G.1 n.A.1"],
    ),
    (
        "f?k.G.w -> n!A!w -> STOP",
        &[
            "f.0.G.0 n.A.0",
            "f.0.G.1 n.A.1",
            "f.1.G.0 n.A.0",
            "f.1.G.1 n.A.1",
        ],
    ),
    (
        "f?0.F.A.z.w -> n!A!z -> STOP",
        &[
            "f.0.F.A.0.0 n.A.0",
            "f.0.F.A.0.1 n.A.0",
            "f.0.F.A.1.0 n.A.1",
            "f.0.F.A.1.1 n.A.1",
        ],
    ),
    ("part(0)?w -> STOP", &["c.B.0.0", "c.B.0.1"]),
    (
        "t?(z, w)!0 -> if z then n.A.w -> STOP else STOP",
        &[
            "t.(false, 0).0",
            "t.(false, 1).0",
            "t.(true, 0).0 n.A.0",
            "t.(true, 1).0 n.A.1",
        ],
    ),
    (
        "t?(true, z)?w -> STOP",
        &[
            "t.(true, 0).0",
            "t.(true, 0).1",
            "t.(true, 1).0",
            "t.(true, 1).1",
        ],
    ),
    ("s?{} -> STOP", &["s.{}"]),
    ("s?{z} -> n.A.z -> STOP", &["s.{0} n.A.0", "s.{1} n.A.1"]),
    ("q?<z>^_ -> STOP", &["q.<0, 1>", "q.<0>"]),
    (
        "m?z -> m.z -> STOP",
        &[
            "m.0.false.5 m.0.false.5",
            "m.0.true.5 m.0.true.5",
            "m.1.false.5 m.1.false.5",
            "m.1.true.5 m.1.true.5",
        ],
    ),
    (
        "m?z:Two!5 -> STOP",
        &["m.0.false.5", "m.0.true.5", "m.1.false.5", "m.1.true.5"],
    ),
    ("m?0.true?w -> STOP", &["m.0.true.5"]),
    ("m$z:{0}?w!5 -> STOP", &["m.0.false.5", "m.0.true.5"]),
    ("m?z?w:{z == 0}!5 -> STOP", &["m.0.true.5", "m.1.false.5"]),
    ("v?z!1 -> z -> STOP", &["v.a.1 a", "v.b.1 b"]),
    (
        "(c?B.z!0 -> STOP)[[c.B <- c.B, c.B.1 <- n.A]]",
        &["c.B.0.0", "c.B.1.0", "n.A.0"],
    ),
    ("(c?B.z!0 -> STOP)[[c <- n]]", &["n.B.0.0", "n.B.1.0"]),
    (
        "(c?B.z!0 -> STOP)[[c.B.z.0 <- n.A.z | z <- {0,1}]]",
        &["n.A.0", "n.A.1"],
    ),
];

#[test]
fn prefixes_with_dots() {
    for &(process, expected) in PREFIXES {
        let expected: std::collections::BTreeSet<String> =
            expected.iter().map(|trace| trace.to_string()).collect();
        assert_eq!(traces(DEFINITIONS, process, 3), expected, "{process}");
    }
}
