//! Messages beside the text that causes them, and includes.

use std::collections::HashMap;
use std::fmt::Write;

use super::script;
use crate::parser::{Loader, NotIncluded, parse_script};
use crate::tests::shape::script_shape;
use base::source::SourceMap;

/// Each script with the messages it gets, in one snapshot.
fn snapshot(name: &str, scripts: &[&str]) {
    let mut page = String::new();
    for text in scripts {
        let messages = script(text)
            .map(|_| "(no message)\n".to_string())
            .unwrap_or_else(|m| m);
        let _ = write!(page, "{text}\n\n{messages}{}\n", "=".repeat(60));
    }
    insta::assert_snapshot!(name, page);
}

#[test]
fn traps() {
    snapshot(
        "traps",
        &[
            "ok = a < b < c",
            "P = P [| A |] Q [| B |] R",
            "s = {-1}",
            "s = <x | x <- t, x > 2>",
            "include buffers.csp",
            "P = if b then Q",
            "P = if b then Q\nQ = STOP",
            "P = if a = b then Q else R",
            "m = (|0 => 1 |)",
            "P = c!x",
            "P = c?x:S.T -> STOP",
            "_x = 1",
            "P = a b",
            "x = y\n-z",
            "P = (a -> STOP\nQ = STOP",
            "f(xs^ys) = xs",
            "x = _",
            "assert P",
            "assert P :[deadlok free]",
            "P = ()",
        ],
    );
}

#[test]
fn notations() {
    snapshot(
        "notations",
        &[
            "P == a -> STOP",
            "P(x) = if x in {1, 2} then STOP else SKIP",
            "P = mu X . a -> X",
            "assert P refines Q",
            "assert P deadlock free",
            "assert P :[deadlok free [F]]",
            "assert P [= Q",
            "assert P ⊑ Q",
            "R = P [a] Q",
            "R = P [a, b] Q",
            "R = P[b/a]",
            "x = s[0]",
            "x = s[i]\ny = 1",
            "x = [1, 2]",
            "channel c : [0..3]",
            "channel c : 0..3",
            "channel a;",
            "// a comment",
            "P = STOP // a comment",
            "P = (STOP /* a comment */)",
            "# a comment",
            "P = STOP # a comment",
            "Q = P \\ b, a",
            "assert P \\ b, a :[deadlock free]",
            "R = P [| a, b |] Q",
            "P = a?x,y -> P",
            "P(b) = if !(b) then STOP else SKIP",
            "P = μ X",
            "x = x ∈ s",
        ],
    );
}

#[test]
fn brackets() {
    snapshot(
        "brackets",
        &[
            "P = (a -> STOP",
            "P = (a -> STOP]",
            "P = a -> STOP)",
            "x = <1, 2",
            "x = (<1, 2)",
            "P = Q [| A ] R",
            "x = let y = 1",
            "x = let y = 1 in y",
            "x = (let y = 1)",
            "module M\nx = 1",
            "exports",
            "{- no end",
            "s = \"no end",
            "c = 'ab'",
            "n = 99999999999999999999",
            "x = 1 § 2",
            "{\\rtf1 x}",
        ],
    );
}

#[test]
fn several_at_once() {
    snapshot(
        "several",
        &[
            "P = (a -> STOP\nQ = b ->\nR = STOP\nx = 1 +\ny = let z = 1\nw = 'ab'\n",
            "module M\nx = )\ny = 1 2\nexports\nprint 3\nendmodule\nz = ]",
        ],
    );
}

/// Files in memory, found by their plain name.
struct Files(HashMap<&'static str, &'static str>);

impl Loader for Files {
    fn load(&mut self, path: &str, _: &str, _: &str) -> Result<(String, String), NotIncluded> {
        let missing = || NotIncluded::Missing("there is no such file".to_string());
        let text = self.0.get(path).ok_or_else(missing)?;
        Ok((path.to_string(), (*text).to_string()))
    }
}

fn include(files: &[(&'static str, &'static str)]) -> String {
    let mut sources = SourceMap::new();
    let root = sources.add(files[0].0, files[0].1);
    let mut loader = Files(files.iter().copied().collect());
    let (ast, diagnostics) = parse_script(&mut sources, root, &mut loader);
    let messages: String = diagnostics.iter().map(|d| d.render(&sources)).collect();
    if messages.is_empty() {
        script_shape(&ast)
    } else {
        messages
    }
}

#[test]
fn includes_expand_in_place() {
    let found = include(&[
        ("a", "x = 1\ninclude \"b\"\nf(0) = 1"),
        ("b", "f(1) = 2\ninclude \"c\""),
        ("c", "y = 3"),
    ]);
    assert_eq!(
        found,
        "(= x 1)\n(include \"b\" (function f (clause (1) 2)) (include \"c\" (= y 3)))\n(function f (clause (0) 1))\n"
    );
    // The same file twice is no cycle.
    let twice = include(&[("a", "include \"b\"\ninclude \"b\""), ("b", "-- nothing")]);
    assert_eq!(twice, "(include \"b\")\n(include \"b\")\n");
    let inside = include(&[
        (
            "a",
            "module M\ninclude \"b\"\nexports\nendmodule\nTimed { include \"b\" }",
        ),
        ("b", "x = 1"),
    ]);
    assert_eq!(
        inside,
        "(module M (private (include \"b\" (= x 1))) (exports))\n(Timed (include \"b\" (= x 1)))\n"
    );
}

#[test]
fn include_errors() {
    let page = [
        include(&[
            ("a", "include \"b\""),
            ("b", "x = 1\ninclude \"c\""),
            ("c", "include \"a\""),
        ]),
        include(&[("a", "include \"a\"")]),
        include(&[("a", "include \"missing\"")]),
        include(&[("a", "P = \ninclude \"b\""), ("b", "STOP")]),
        include(&[("a", "include \"b\"\nx = )"), ("b", "y = 'ab'")]),
    ];
    insta::assert_snapshot!("includes", page.join("\n"));
}
