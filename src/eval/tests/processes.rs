//! Processes: the events that terms can do, found by the operational semantics.

use std::collections::BTreeSet;

use pretty_assertions::assert_eq;

use super::with_script;
use process::event::{EventId, TAU};
use process::semantics::steps;
use process::term::{Definitions, TermId};

/// The traces of `process` up to `length`, as texts, the maximal ones only.
pub(super) fn traces(script: &str, process: &str, length: usize) -> BTreeSet<String> {
    with_script(script, process, |evaluator, id| {
        let term = evaluator
            .process_of(id)
            .unwrap_or_else(|e| panic!("{process}: {e:?}"));
        let mut all = BTreeSet::new();
        let mut open: Vec<(Vec<EventId>, BTreeSet<TermId>)> = vec![(Vec::new(), [term].into())];
        while let Some((trace, terms)) = open.pop() {
            let mut seen = terms.clone();
            let mut closure: Vec<TermId> = terms.into_iter().collect();
            let mut next: std::collections::BTreeMap<EventId, BTreeSet<TermId>> =
                Default::default();
            while let Some(term) = closure.pop() {
                for step in steps(evaluator, term).unwrap_or_else(|e| panic!("{process}: {e:?}")) {
                    if step.label != TAU {
                        next.entry(step.label).or_default().insert(step.target);
                    } else if seen.insert(step.target) {
                        closure.push(step.target);
                    }
                }
            }
            if next.is_empty() || trace.len() == length {
                let names: Vec<&str> = trace
                    .iter()
                    .map(|&e| evaluator.terms().events.name(e))
                    .collect();
                all.insert(names.join(" "));
                continue;
            }
            for (event, terms) in next {
                let mut longer = trace.clone();
                longer.push(event);
                open.push((longer, terms));
            }
        }
        all
    })
}

const DEFINITIONS: &str = "
channel a, b, tock
channel c : {0..2}
channel d : {0..1}.Bool
datatype T = X | Y.{0..1}
channel t : T.{0..1}
P = a -> P
Q(n) = if n == 0 then SKIP else c.n -> Q(n - 1)
R(x) = let y = (x + 1) % 3 within c!x -> R(y)
F(p) = p [] b -> STOP
G = F(G2)
G2 = a -> G
H = b -> H2 ||| P
H2 = STOP
";

macro_rules! processes {
    ($($name:ident: $($process:literal => [$($trace:literal),* $(,)?]),+ $(,)?;)+) => {$(
        #[test]
        fn $name() {
            for (process, expected) in [$(($process, &[$($trace),*] as &[&str])),+] {
                let expected: BTreeSet<String> = expected.iter().map(|t| t.to_string()).collect();
                assert_eq!(traces(DEFINITIONS, process, 3), expected, "{process}");
            }
        }
    )+};
}

processes! {
    prefixes:
        "a -> b -> STOP" => ["a b"], "c?x -> STOP" => ["c.0", "c.1", "c.2"], "c?x:{0,1} -> c!x -> STOP" => ["c.0 c.0", "c.1 c.1"],
        "d?x!true -> STOP" => ["d.0.true", "d.1.true"], "d.1?y -> STOP" => ["d.1.false", "d.1.true"],
        "d?x.y -> c!x -> STOP" => ["d.0.false c.0", "d.0.true c.0", "d.1.false c.1", "d.1.true c.1"],
        "d?x:{0}?y -> STOP" => ["d.0.false", "d.0.true"], "d?z -> (if (z) == (1.true) then a -> STOP else STOP)" => ["d.0.false", "d.0.true", "d.1.false", "d.1.true a"],
        "c?1 -> STOP" => ["c.1"], "c$x:{0,1} -> STOP" => ["c.0", "c.1"], "d$x?y -> STOP" => ["d.0.false", "d.0.true", "d.1.false", "d.1.true"],
        "t?x!0 -> STOP" => ["t.X.0", "t.Y.0.0", "t.Y.1.0"], "t.Y?x!1 -> STOP" => ["t.Y.0.1", "t.Y.1.1"],
        "t?Y.x!0 -> c!x -> STOP" => ["t.Y.0.0 c.0", "t.Y.1.0 c.1"], "d?x?_ -> STOP" => ["d.0.false", "d.0.true", "d.1.false", "d.1.true"],
        "c?x:{} -> STOP" => [""], "c?x -> c?y:{x} -> STOP" => ["c.0 c.0", "c.1 c.1", "c.2 c.2"];
    recursion:
        "P" => ["a a a"], "Q(2)" => ["c.2 c.1 ✓"], "R(1)" => ["c.1 c.2 c.0"], "G" => ["a a a", "a a b", "a b", "b"],
        "let L = a -> L within L" => ["a a a"], "let L(n) = c.n -> L((n + 1) % 3) within L(2)" => ["c.2 c.0 c.1"];
    choices:
        "a -> STOP [] b -> STOP" => ["a", "b"], "a -> STOP |~| b -> STOP" => ["a", "b"], "a -> STOP [> b -> STOP" => ["a", "b"],
        "false & a -> STOP [] b -> STOP" => ["b"], "[] x : {0,1} @ c.x -> STOP" => ["c.0", "c.1"], "|~| x : {0,1} @ c.x -> STOP" => ["c.0", "c.1"],
        "[] x : {} @ c.x -> STOP" => [""], "a -> STOP /\\ b -> STOP" => ["a b", "b"], "a -> STOP [+ {a} +] a -> b -> STOP" => ["a b"],
        "a -> SKIP /+ {a} +\\ a -> b -> STOP" => ["a b", "a ✓"];
    sequences:
        "a -> SKIP ; b -> STOP" => ["a b"], "; x : <0,1> @ c.x -> SKIP" => ["c.0 c.1 ✓"], "; x : <> @ STOP" => ["✓"], "SKIP" => ["✓"];
    parallels:
        "a -> STOP ||| b -> STOP" => ["a b", "b a"], "a -> STOP [| {a} |] a -> b -> STOP" => ["a b"],
        "P [{a} || {a,b}] (b -> a -> STOP)" => ["b a"], "|| x : {0,1} @ [{c.x, a}] c.x -> a -> STOP" => ["c.0 c.1 a", "c.1 c.0 a"],
        "||| x : {} @ P" => ["✓"], "[| {a} |] x : {0,1} @ c.x -> a -> STOP" => ["c.0 c.1 a", "c.1 c.0 a"],
        "c?x -> STOP [c <-> d.0 | x <- {}] STOP" => ["c.0", "c.1", "c.2"], "(a -> b -> STOP) [b <-> a] (a -> b -> STOP)" => ["a b"],
        "[b <-> a] i : <0,1,2> @ (a -> b -> STOP)" => ["a b"];
    hiding_and_renaming:
        "(a -> b -> STOP) \\ {a}" => ["b"], "(a -> b -> STOP) |\\ {a}" => ["a"], "(a -> STOP)[[a <- b]]" => ["b"],
        "(a -> STOP)[[a <- a, a <- b]]" => ["a", "b"], "(d?x -> STOP)[[d.0 <- d.1]]" => ["d.1.false", "d.1.true"],
        "(c?x -> STOP)[[c.x <- c.(2 - x) | x <- {0..2}]]" => ["c.0", "c.1", "c.2"], "P [| {a} |> b -> STOP" => ["a b"];
    built_in:
        "RUN({a}) [| {a} |] a -> STOP" => ["a"], "CHAOS({a})" => ["a a a"], "DIV" => [""], "BUFFER(1, {(a, b)})" => ["a b a"],
        "BUFFER(2, {(c.0, d.0.true)})" => ["c.0 c.0 d.0.true", "c.0 d.0.true c.0"];
}

#[test]
fn timed_sections() {
    let script = "
channel tock, a, b
Timed {
P = a -> b -> STOP
W = WAIT(1) ; a -> STOP
C = a -> STOP [] b -> STOP
}
time(_) = 2
Timed (time) { S = a -> STOP }
";
    for (process, expected) in [
        (
            "P",
            vec![
                "a tock b",
                "a tock tock",
                "tock a tock",
                "tock tock a",
                "tock tock tock",
            ],
        ),
        (
            "S",
            vec![
                "a tock tock",
                "tock a tock",
                "tock tock a",
                "tock tock tock",
            ],
        ),
        (
            "C",
            vec![
                "a tock tock",
                "b tock tock",
                "tock a tock",
                "tock b tock",
                "tock tock a",
                "tock tock b",
                "tock tock tock",
            ],
        ),
    ] {
        let expected: BTreeSet<String> = expected.into_iter().map(str::to_string).collect();
        assert_eq!(traces(script, process, 3), expected, "{process}");
    }
}

#[test]
fn errors_have_their_codes() {
    for (process, code) in [
        ("|~| x : {} @ c.x -> STOP", "empty-internal-choice"),
        ("c$x:{} -> STOP", "empty-internal-choice"),
        ("[a <-> b] i : <> @ STOP", "empty-linked-parallel"),
        ("c -> STOP", "internal-error"),
        ("c.5 -> STOP", "field-value"),
        ("c?x:{5} -> STOP", "field-value"),
        ("c?x?y -> STOP", "internal-error"),
        ("c?x$y -> STOP", "internal-error"),
        ("STOP \\ {c}", "internal-error"),
        ("STOP \\ {1}", "internal-error"),
        ("1 -> STOP", "internal-error"),
        ("a -> STOP [] a", "internal-error"),
        ("STOP [a <-> b, a <-> tock] STOP", "link-not-one-to-one"),
        ("BUFFER(0, {(a, b)})", "out-of-range"),
        ("BUFFER(1, {(a, b), (tock, b)})", "buffer-events"),
    ] {
        let found = with_script(DEFINITIONS, process, |evaluator, id| {
            evaluator
                .process_of(id)
                .map(|_| ())
                .map_err(|problem| problem.code)
        });
        assert_eq!(found, Err(code), "{process}");
    }
}
