//! The meanings of names, and the variables on which values depend.

use pretty_assertions::assert_eq;

use super::text::Script;
use super::walk::walk;
use crate::resolve::resolve_with;
use base::source::SourceMap;
use syntax::parser::{NoIncludes, parse_expression, parse_script};

/// Compares the text of `describe` for all cases, and shows all differences together.
fn check(cases: &[(&str, &str)], describe: impl Fn(&Script) -> String) {
    let listing = |describe: &dyn Fn(&str, &str) -> String| {
        let lines = cases
            .iter()
            .map(|(text, expected)| describe(text, expected));
        lines.collect::<Vec<String>>().join("\n")
    };
    let found = listing(&|text, _| format!("{text}\n    {}", describe(&script(text))));
    let expected = listing(&|text, expected| format!("{text}\n    {expected}"));
    assert_eq!(found, expected);
}

fn script(text: &str) -> Script {
    let script = Script::new(text);
    assert_eq!(script.messages(), "", "in {text}");
    script
}

/// (script, names in expressions): frames up, slot.
const NAMES: &[(&str, &str)] = &[
    ("x = y\ny = x", "y 0.1, x 0.0"),
    (
        "f(x, y)(z) = x + z + g\ng = f",
        "x 1.0, z 0.0, g 2.1, f 0.0",
    ),
    ("f() = f()", "f 1.0"),
    (
        "channel a, b\ndatatype T = A | B.T\nP = a -> B.A",
        "T 0.2, a 0.0, B 0.4, A 0.3",
    ),
    (
        "f(x) = let y = x\n  z = y\n  within (\\ w @ w + z + x)",
        "x 1.0, y 0.0, w 0.0, z 1.1, x 2.0",
    ),
    (
        "s = {x + y | x <- {1}, (y, _) <- {(x, x)}, y > x}",
        "x 1.0, y 0.0, x 0.0, x 0.0, y 0.0, x 1.0",
    ),
    (
        "s = <x.. | x <- <1>>\nt = {x..y | x <- {1}, y <- s}",
        "x 0.0, x 1.0, y 0.0, s 1.0",
    ),
    (
        "channel c : Int.Int\nP(n) = c?x:{n}!x?y:{x..n} -> P(y)",
        "Int built-in, Int built-in, c 1.0, n 0.0, x 0.0, x 0.0, n 1.0, P 3.1, y 0.0",
    ),
    (
        "A = {}\nP(x) = STOP\nQ = [| A |] x : A @ P(x)\nR = || x : A @ [A] P(x)",
        "STOP built-in, A 0.1, A 0.1, P 1.0, x 0.0, A 0.1, A 1.1, P 1.0, x 0.0",
    ),
    (
        "channel a\nP = STOP [[ x <- a | x <- {a} ]]\nQ = [x <-> y | y <- {x}] x : <a> @ STOP",
        "STOP built-in, x 0.0, a 1.0, a 0.0, x 1.0, y 0.0, x 0.0, a 0.0, STOP built-in",
    ),
    (
        "module M\n  p = 1\nexports\n  q = p\n  module N\n  exports\n    r = q\n  endmodule\nendmodule\nx = M::q + M::N::r",
        "p 0.1, q 2.2, M::q 0.0[2], M::N::r 0.0[0, 0]",
    ),
    (
        "k = 1\nmodule M((a, b), c)\n  p = a + b + c + k\nexports\n  q = p\nendmodule\ninstance I = M((1, 2), k)\nx = I::q",
        "a 1.1, b 1.2, c 1.3, k 2.2, p 0.0, k 0.2, I::q 0.1[1]",
    ),
    (
        "module M(n)\nexports\n  module N(m)\n  exports\n    x = n + m\n  endmodule\nendmodule\ninstance I = M(1)\ninstance J = I::N(2)\ny = J::x",
        "n 3.1, m 1.1, J::x 0.2[0]",
    ),
    // A value does not hide a module of the same name, nor the other way round.
    (
        "module M\nexports\n  x = 1\nendmodule\nf(M) = M + M::x\ng = let M = 2 within M::x",
        "M 0.0, M::x 1.0[0], M::x 1.0[0]",
    ),
    (
        "module M(M)\nexports\n  x = M\nendmodule\ninstance I = M(1)\nf = \\ I @ I::x",
        "M 1.1, I::x 1.1[0]",
    ),
    // A module exports the built-ins that it imports like its own names.
    (
        "module M(n)\nexports\n  transparent normal\n  external deter\nendmodule\ninstance I = M(1)\nmodule N\nexports\n  instance J = M(2)\nendmodule\nP = I::normal(N::J::deter(STOP))",
        "I::normal built-in, N::J::deter built-in, STOP built-in",
    ),
    (
        "channel tock\nTimed (f) {\n  x = f\n}\nf(e) = x",
        "f 0.2, f 0.2, x 1.3",
    ),
];

#[test]
fn names() {
    check(NAMES, Script::names);
}

/// (script, names in patterns): `=slot` for a variable.
const PATTERNS: &[(&str, &str)] = &[
    ("f(x, (y, z))(w) = 1", "x =0, y =1, z =2, w =0"),
    (
        "datatype T = A | B.T\nf(A, B.x) = 1\ng(y)(A) = 2",
        "A 0.1, B 0.2, x =0, y =0, A 1.1",
    ),
    (
        "(x, <y>^_) = (z, <1>)\nz = 1\nf(x) = x",
        "x =1, y =2, z =3, x =0",
    ),
    (
        "channel c : {0..1}\ns = {x | c.x <- {}}\nP = c?y -> STOP",
        "s =1, c 0.0, x =0, P =2, y =0",
    ),
    (
        "module M\nexports\n  datatype T = A\nendmodule\nf(M::A) = 1",
        "M::A 0.0[1]",
    ),
    (
        "datatype T = A\nf(B, C) = let B = A within let A(x) = x within {A | A <- {}}",
        "B =0, C =1, B =0, x =0, A =0",
    ),
];

#[test]
fn patterns() {
    check(PATTERNS, Script::patterns);
}

/// (script, free variables of the definitions and sites that have some).
const FREE: &[(&str, &str)] = &[
    // Sites see variables around them, not their own.
    (
        "channel c : Int\nP(n) = c?x -> c!n -> c!x -> P(x)",
        "[c!n -> c!x -> P(x)] 0.0 1.0, [c!x -> P(x)] 0.0, [P(x)] 0.0",
    ),
    (
        "f(x) = \\ y @ \\ z @ x + y + z",
        "[\\ y @ \\ z @ x + y + z] 0.0, [\\ z @ x + y + z] 0.0 1.0",
    ),
    // Definitions are followed, also around a circle.
    (
        "f(x) = let g(n) = h(n)\n  h(n) = g(n + x)\n  k = 1\nwithin \\ y @ g(y) + k",
        "[g(n) = h(n)] 1.0, [h(n) = g(n + x)] 1.0, [\\ y @ g(y) + k] 1.0",
    ),
    // A definition inside a site counts as far as it is used and reaches outside.
    (
        "channel a\nP(x, y) = a -> let b = x\n  c = y within a -> f(b)\nf(n) = STOP",
        "[let b = x] 0.0, [b = x] 1.0, [c = y] 1.1, [f(b)] 1.0",
    ),
    // Generators.
    (
        "channel a\nP(S) = [] x : S, y : S @ a -> a.x -> STOP",
        "[a.x -> STOP] 1.0",
    ),
    // The instance of a module counts wherever a name of the module is used.
    (
        "module M(n)\n  channel c\n  k = 1\nexports\n  f(x) = c -> c -> STOP\n  g = STOP\n  h = k\n  i = n\nendmodule",
        "[f(x) = c -> c -> STOP] 1.0, [c -> STOP] 2.0, [h = k] 1.0, [i = n] 1.1",
    ),
    (
        "module M\n  channel c\nexports\n  P = c -> P\nendmodule\nchannel a\nQ = a -> M::P",
        "[P = c -> P] 1.0, [P] 1.0",
    ),
    // The instance of a module around it counts too; the innermost module whose names are used
    // decides.
    (
        "module P(n)\n  module N\n  exports\n    x = n\n    z = x\n  endmodule\nexports\n  y = N::x\n  f(a) = y\nendmodule",
        "[x = n] 3.1, [z = x] 1.0 3.1, [y = N::x] 1.0, [f(a) = y] 1.0",
    ),
    // Groups of parameters have frames of their own; a generator shadows a parameter.
    (
        "f(0)(y) = \\ z @ y\nf(x)(y) = \\ z @ {x | x <- {y}}",
        "[\\ z @ y] 0.0, [\\ z @ {x | x <- {y}}] 0.0",
    ),
    // The tock and the durations of a Timed section.
    (
        "channel tock, a\nP(n) = let Timed (\\ _ @ n) {\n    Q = a -> STOP\n    x = 1\n  }\n  within Q",
        "[\\ _ @ n] 1.0, [Q = a -> STOP] 1.0, [STOP] 1.0",
    ),
];

#[test]
fn free_variables() {
    check(FREE, Script::free);
}

/// (script, definitions that yield processes).
const PROCESSES: &[(&str, &str)] = &[
    ("P = STOP\nx = 1\nf(n) = RUN({})\ng = RUN", "P, f(n)"),
    (
        "P = Q\nQ = if true then R else P\nR = let x = 1 within (S(1)(2))\nS(a)(b) = b & T(a)\nT(n) = T(n)",
        "P, Q, R, S(a)(b)",
    ),
    ("f(0) = f(1)\nf(n) = SKIP\ng = f\nh = f(2)", "f(0), h"),
    (
        "module M\nexports\n  P = DIV\nendmodule\nQ = M::P\n(A, B) = (STOP, STOP)\nC = A",
        "P, Q",
    ),
    (
        "transparent normal\nP = normal(Q)\nQ = error(\"x\")\nR = let S = STOP within S",
        "P, R, S",
    ),
];

#[test]
fn processes() {
    check(PROCESSES, Script::processes);
}

/// All these references lead, frame by frame, to a slot of the right name.
#[test]
fn references_lead_to_their_names() {
    let tables = [NAMES, PATTERNS, FREE, PROCESSES];
    let checked: usize = tables
        .into_iter()
        .flatten()
        .map(|(text, _)| walk(&script(text)))
        .sum();
    assert!(checked >= 140, "only {checked} names were checked");
}

#[test]
fn frames_and_slots() {
    let script = script(
        "datatype T = A | B\nchannel c, d\nmodule M(x, y)\n  p = 1\nexports\n  (q, r) = (1, 2)\nendmodule\n(u, v) = (1, 2)\nz = let a = 1 within a",
    );
    let resolved = &script.resolved;
    assert_eq!(resolved.script_frame, 9);
    assert_eq!(
        resolved.module_frames.values().copied().collect::<Vec<_>>(),
        [(3, 3)]
    );
    assert_eq!(
        resolved.let_frames.values().copied().collect::<Vec<_>>(),
        [1]
    );
    assert_eq!(resolved.slots[&script.ast.script[0]], [0, 1, 2]);
    assert_eq!(resolved.slots[&script.ast.script[1]], [3, 4]);
    assert_eq!(resolved.slots[&script.ast.script[2]], [5]);
    let names: Vec<&str> = ["A", "B", "M", "T", "c", "d", "u", "v", "z"].into();
    let mut found: Vec<&str> = resolved
        .top_level
        .keys()
        .map(|symbol| script.ast.name(*symbol))
        .collect();
    found.sort_unstable();
    assert_eq!(found, names);
}

#[test]
fn timed_uses() {
    let script = script("channel tock, a\nTimed (\\ _ @ 1) {\n  P(n) = a -> STOP\n}");
    let mut uses: Vec<String> = script
        .resolved
        .timed
        .iter()
        .map(|(id, used)| {
            let text = script.sources.text(script.ast.expressions[*id].span);
            format!("{text}: {:?} {:?}", used.duration, used.tock)
        })
        .collect();
    uses.sort();
    let meaning = "Some(Place { up: 1, slot: 2 }) Local { place: Place { up: 1, slot: 0 }, definition: Some(DeclarationId(0)) }";
    assert_eq!(
        uses,
        ["STOP", "a -> STOP", "a"].map(|text| format!("{text}: {meaning}"))
    );
}

#[test]
fn further_expressions() {
    let mut sources = SourceMap::new();
    let root = sources.add(
        "script.csp",
        "channel c\nP(n) = c -> STOP\nmodule M\nexports\n  x = 1\nendmodule",
    );
    let (mut ast, _) = parse_script(&mut sources, root, &mut NoIncludes);
    let line = sources.add("command line", "P(M::x)");
    let good = parse_expression(&mut ast, &sources, line).expect("an expression");
    let line = sources.add("command line", "Q(M::x)");
    let bad = parse_expression(&mut ast, &sources, line).expect("an expression");
    assert_eq!(resolve_with(&ast, &[good]).1, []);
    let codes: Vec<&str> = resolve_with(&ast, &[good, bad])
        .1
        .iter()
        .map(|d| d.code)
        .collect();
    assert_eq!(codes, ["unknown-name"]);
}
