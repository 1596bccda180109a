//! Mistakes with names: scripts and the messages about them.

use pretty_assertions::assert_eq;

use super::text::Script;

/// (script, messages); no messages for a correct script.
const CASES: &[(&str, &str)] = &[
    (
        "P = Q",
        "unknown-name: `Q` is not defined here\n  at 1:5 `Q` \n",
    ),
    (
        "channel left, right\nP = lefft -> P",
        "unknown-name: `lefft` is not defined here\n  at 2:5 `lefft` \n  did you mean `left`?\n",
    ),
    (
        "P = x + x + x",
        "unknown-name: `x` is not defined here\n  at 1:5 `x` \n  it is used 2 times more\n",
    ),
    (
        "x = unoin({}, {})",
        "unknown-name: `unoin` is not defined here\n  at 1:5 `unoin` \n  did you mean `union`?\n",
    ),
    (
        "P = sbisin(STOP)",
        "unknown-name: `sbisin` is not defined here\n  at 1:5 `sbisin` \n  did you mean `sbisim`? It has to be declared: `transparent sbisim`\n",
    ),
    (
        "P = normal(normal(STOP))",
        "undeclared-external: `normal` is used without being declared\n  at 1:5 `normal` \n  it is used once more\n  add the line `transparent normal` to the script\n",
    ),
    (
        "transparent normal, chase\nexternal chase\nP = normal(chase(STOP))",
        "",
    ),
    (
        "external foo",
        "unknown-external: there is no external function `foo`\n  at 1:10 `foo` \n",
    ),
    (
        "external normal\ntransparent union",
        "unknown-external: there is no external function `normal`\n  at 1:10 `normal` \n  `normal` is brought in by `transparent normal`\nunknown-external: there is no transparent function `union`\n  at 2:13 `union` \n  `union` is always there; leave it out here\n",
    ),
    ("union(a, b) = a\nx = union(1, 2)", ""),
    // Duplicates.
    (
        "x = 1\nx = 2",
        "duplicate-definition: `x` is defined twice in one scope\n  at 2:1 `x` defined again here\n  at 1:1 `x` first defined here\n",
    ),
    (
        "f(0) = 1\ng = 2\nf(n) = 2",
        "duplicate-definition: `f` is defined twice in one scope\n  at 3:1 `f` defined again here\n  at 1:1 `f` first defined here\n  if these are clauses of one function, put them next to each other, in the same file\n",
    ),
    (
        "datatype T = A | B\nchannel A",
        "duplicate-definition: `A` is defined twice in one scope\n  at 2:9 `A` defined again here\n  at 1:14 `A` first defined here\n",
    ),
    (
        "channel c\nc = 1",
        "duplicate-definition: `c` is defined twice in one scope\n  at 2:1 `c` defined again here\n  at 1:9 `c` first defined here\n",
    ),
    (
        "(x, y) = (1, 2)\nP(z) = let y = 1\n  y = 2\n  within z",
        "duplicate-definition: `y` is defined twice in one scope\n  at 3:3 `y` defined again here\n  at 2:12 `y` first defined here\n",
    ),
    ("datatype T = A | B\nsubtype S = A", ""),
    (
        "f = 1\nsubtype S = f",
        "not-a-constructor: `f` is a constant, not a constructor of a datatype\n  at 2:13 `f` \n  a subtype lists constructors of an existing datatype\n",
    ),
    (
        "f(x, x) = 1",
        "repeated-variable: `x` is bound twice by one pattern or parameter list\n  at 1:6 `x` bound again here\n  at 1:3 `x` first bound here\n  use two names and compare them with `==`\n",
    ),
    (
        "f(x) = {x | x <- {x}}\ndatatype T = A\ng(A, A) = 1\nh = \\ x @ \\ x @ x",
        "",
    ),
    ("h = \\ x, y, x @ (x, y)", ""),
    (
        "h = \\ x, (y, y) @ x",
        "repeated-variable: `y` is bound twice by one pattern or parameter list\n  at 1:14 `y` bound again here\n  at 1:11 `y` first bound here\n  use two names and compare them with `==`\n",
    ),
    // A printed or asserted expression may be all that is wrong, so its names are counted apart.
    (
        "print nothing + nothing\nf = nothing",
        "unknown-name: `nothing` is not defined here\n  at 1:7 `nothing` \n  it is used once more\nunknown-name: `nothing` is not defined here\n  at 2:5 `nothing` \n",
    ),
    (
        "f(x)(x) = x",
        "repeated-variable: `x` is bound twice by one pattern or parameter list\n  at 1:6 `x` bound again here\n  at 1:3 `x` first bound here\n  use two names and compare them with `==`\n",
    ),
    (
        "h = {x | x <- {1}, x <- {x}}",
        "repeated-variable: `x` is bound twice by one pattern or parameter list\n  at 1:20 `x` bound again here\n  at 1:10 `x` first bound here\n  use two names and compare them with `==`\n",
    ),
    (
        "channel c : {0}.{0}\nP = c?x?x -> STOP",
        "repeated-variable: `x` is bound twice by one pattern or parameter list\n  at 2:9 `x` bound again here\n  at 2:7 `x` first bound here\n  use two names and compare them with `==`\n",
    ),
    (
        "<x>^x = <1>",
        "repeated-variable: `x` is bound twice by one pattern or parameter list\n  at 1:5 `x` bound again here\n  at 1:2 `x` first bound here\n  use two names and compare them with `==`\n",
    ),
    (
        "channel c\nx = let c = 1 within 2",
        "warning constructor-pattern: `c` is a channel in scope, so this compares with it and defines nothing\n  at 2:9 `c` \n  at 1:9 `c` introduced here\n  use another name\n",
    ),
    // Arity.
    (
        "f(0) = 1\nf(x, y) = 2",
        "clause-arity: the clauses of `f` take different parameters: 1 parameter and 2 parameters\n  at 2:1 `f(x, y) = 2` this clause takes 2 parameters\n  at 1:1 `f(0) = 1` the first clause takes 1 parameter\n",
    ),
    (
        "f(x)(y, z) = 2\na = f(1, 2)\nb = f(1)(2)\nc = f(1)(2, 3)(4)\nd = f(1)",
        "wrong-arity: `f` takes 1 argument, but here it gets 2\n  at 2:5 `f` \n  at 1:1 `f` declared here\nwrong-arity: `f` takes 2 arguments in pair 2 of its parentheses, but here it gets 1\n  at 3:5 `f(1)` \n  at 1:1 `f` declared here\n",
    ),
    (
        "a = union({})\nb = STOP(1)\nchannel c : {0}\nd = c(0)",
        "wrong-arity: `union` takes 2 arguments, but here it gets 1\n  at 1:5 `union` \nnot-a-function: `STOP` is no function, so it cannot be applied\n  at 2:5 `STOP` \n  write `STOP` without brackets\nnot-a-function: `c` is a channel, no function, so it cannot be applied\n  at 4:5 `c` \n  the fields of an event stand behind dots: `c.1.2`\n",
    ),
    // Events.
    (
        "channel c : {0}\np = c!x -> d.1 -> d?y -> STOP\nq = c!(y + 1) -> STOP",
        "unknown-name: `x` is not defined here\n  at 2:7 `x` \n  `!x` sends a value that is known; to receive one and call it `x`, write `?x`\nunknown-name: `d` is not defined here\n  at 2:12 `d` \n  it is used once more\n  events are declared: `channel d`, or `channel d : {0..3}` if it has a field\nunknown-name: `y` is not defined here\n  at 3:8 `y` \n",
    ),
    // Modules.
    (
        "module M\n  h = 1\nexports\n  x = h\nendmodule\na = M::x\nb = M::h\nc = M::y\nd = x\ne = h\nf = M\ng = a::x",
        "private-name: `h` is private to the module behind `M`\n  at 7:8 `h` \n  at 2:3 `h` introduced here, before `exports`\n  move its definition below `exports`\nunknown-name: `M` has no member `y`\n  at 8:8 `y` \nunknown-name: `x` is not defined here\n  at 9:5 `x` \n  module `M` has one: `M::x`\nunknown-name: `h` is not defined here\n  at 10:5 `h` \n  module `M` has a `h`, but does not export it\nnot-a-value: `M` is a module, which is not a value\n  at 11:5 `M` \n  its members are `M::...`\nnot-a-module: `a` is a constant, not a module\n  at 12:5 `a` \n  at 6:1 `a` introduced here\n",
    ),
    (
        "module M\n  transparent normal\nexports\n  transparent sbisim\nendmodule\na = M::normal(STOP)\nb = M::sbisin(STOP)\nc = M::sbisim(STOP, STOP)\nd = sbisim(STOP)",
        "private-name: `normal` is private to the module behind `M`\n  at 6:8 `normal` \n  at 2:15 `normal` introduced here, before `exports`\n  move its definition below `exports`\nunknown-name: `M` has no member `sbisin`\n  at 7:8 `sbisin` \n  did you mean `M::sbisim`?\nwrong-arity: `sbisim` takes 1 argument, but here it gets 2\n  at 8:5 `M::sbisim` \nundeclared-external: `sbisim` is used without being declared\n  at 9:5 `sbisim` \n  add the line `transparent sbisim` to the script\n",
    ),
    (
        "module M(n)\nexports\n  first = n\nendmodule\na = M::first\ninstance I = M(1)\nb = I::frist\nc = first",
        "module-needs-instance: module `M` has parameters, so only its instances have members\n  at 5:5 `M` \n  did you mean its instance `I`?\nunknown-name: `I` has no member `frist`\n  at 7:8 `frist` \n  did you mean `I::first`?\nunknown-name: `first` is not defined here\n  at 8:5 `first` \n  the instances of module `M` have one: `I::first` for an instance `I`\n",
    ),
    (
        "module M(n)\nexports\n  x = n\nendmodule\ninstance I = M\ninstance J = I(1)\ninstance K = N(1)",
        "wrong-arity: module `M` takes 1 argument, but here it gets 0\n  at 5:14 `M` \n  at 1:8 `M` declared here\nnot-a-module: `I` is a module instance, so it has no instances\n  at 6:14 `I` \nunknown-name: `N` is not defined here\n  at 7:14 `N` \n",
    ),
    (
        "module M(n)\n  instance I = M(n)\nexports\n  x = n\nendmodule",
        "cyclic-instance: to instantiate `I` one would first have to instantiate `I`\n  at 2:12 `I` \n",
    ),
    (
        "instance A = B::M\ninstance B = A::M",
        "cyclic-instance: to instantiate `A` one would first have to instantiate `A`\n  at 1:10 `A` \n",
    ),
    (
        "module M\nexports\n  datatype T = A | B\n  f(x) = x\nendmodule\ng(M::A) = 1\ng(M::f) = 2",
        "not-a-constructor: `M::f` is a function, not a constructor or channel, so it cannot be a pattern\n  at 7:3 `M::f` \n",
    ),
    // Timed sections.
    (
        "channel tock\nTimed {\n  P = WAIT(1)\n}\nQ = WAIT(1)",
        "timed-only: `WAIT` is there inside Timed sections only\n  at 5:5 `WAIT` \n  put the definition into `Timed { ... }`\n",
    ),
    (
        "channel tock : {0}\nTimed {\n  P = STOP\n}",
        "timed-tock: `tock` must be a channel that carries nothing\n  at 2:1 `Timed {` this section needs `tock`\n  at 1:9 `tock` introduced here\n  declare it without fields, on a line of its own: `channel tock`\n",
    ),
    (
        "Timed {\n  P = STOP\n}\nQ = P",
        "timed-tock: a Timed section needs a channel `tock` in scope\n  at 1:1 `Timed {` \n  declare it: `channel tock`\n",
    ),
    (
        "channel tock, a\nchannel c : {0}\nTimed {\n  P = c$x -> P [a <-> a] P\n}",
        "not-in-timed: linked parallel cannot stand in a Timed section\n  at 4:7 `c$x -> P [a <-> a] P` \nnot-in-timed: a `$` field cannot stand in a Timed section\n  at 4:9 `x` \n",
    ),
    // Annotations and symmetric types.
    (
        "f :: (Int) -> Int\nf(x) = x\ng :: Int\nf :: Int",
        "unused-annotation: `g` has a type here, but is not defined in this scope\n  at 3:1 `g` \nduplicate-annotation: the type of `f` is given twice\n  at 4:1 `f` given again here\n  at 1:1 `f` first given here\n",
    ),
    (
        "datatype T = A | B\nchannel x\nassert STOP [T= STOP :[symmetry reduce]: T, diff(x, {| A |})",
        "not-a-type: `x` is a channel, not a type\n  at 3:50 `x` \n",
    ),
];

#[test]
fn messages() {
    let listing = |describe: &dyn Fn(&str, &str) -> String| {
        let lines = CASES
            .iter()
            .map(|(text, expected)| describe(text, expected));
        lines.collect::<Vec<String>>().join("\n")
    };
    let found = listing(&|text, _| format!("{text}\n---\n{}", Script::new(text).messages()));
    let expected = listing(&|text, expected| format!("{text}\n---\n{expected}"));
    assert_eq!(found, expected);
}

/// A message as the user sees it, with its excerpt.
#[test]
fn rendered() {
    let script = Script::new("channel left, right\n\nP = lefft -> P\n");
    let expected = "\
error[unknown-name]: `lefft` is not defined here
  ┌─ script.csp:3:5
  │
3 │ P = lefft -> P
  │     ^^^^^
  │
  = help: did you mean `left`?

";
    assert_eq!(script.diagnostics[0].render(&script.sources), expected);
}
