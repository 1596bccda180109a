//! Inferred types, in FDR's notation.

use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;

use super::check;

fn assert_types(script: &str, expected: &[&str]) {
    let mut checked = check(script, Path::new("."));
    assert!(checked.problems.is_empty(), "{}", checked.messages());
    let names = expected
        .iter()
        .map(|line| line.split_once(" :: ").unwrap().0);
    let names: Vec<&str> = names.collect();
    assert_eq!(checked.types(&names), expected);
}

#[test]
fn definitions_have_their_most_general_types() {
    let script = "\
twice(f, x) = f(f(x))
id(x) = x
pair(x)(y) = (x, y)
count(<>) = 0
count(<x>^xs) = 1 + count(xs)
has(x, xs) = elem(x, xs) and card({x}) == 1
largest(x, y) = if x > y then x else y
even(n) = n == 0 or odd(n - 1)
odd(n) = n != 0 and even(n - 1)
three = id(twice(\\ n @ n + 1, 1))
";
    assert_types(
        script,
        &[
            "twice :: ((a) -> a, a) -> a",
            "id :: (a) -> a",
            "pair :: (a) -> (b) -> (a, b)",
            "count :: (<a>) -> Int",
            "has :: Eq a => (a, <a>) -> Bool",
            "largest :: Ord a => (a, a) -> a",
            "even :: (Int) -> Bool",
            "three :: Int",
        ],
    );
}

#[test]
fn dots_are_evaluated() {
    let script = "\
datatype T = A.Int.Bool | B
channel c : Int.Bool
channel d : T
channel e
P(x) = c!x?b -> d.A.x.b -> d.B -> e -> P(x + 1)
first(A.x.y) = x
rest(A.x) = x
events = {| c, d.A.1 |}
half = c.3
send(f) = f.0 -> STOP
complete(x) = {| x |}
at(f, x) = f.x -> STOP
";
    assert_types(
        script,
        &[
            "A :: Int => Bool => T",
            "B :: T",
            "T :: {T}",
            "c :: Int => Bool => Event",
            "d :: T => Event",
            "e :: Event",
            "P :: (Int) -> Proc",
            "first :: (T) -> Int",
            "rest :: (T) -> Int.Bool",
            "events :: {Event}",
            "half :: Bool => Event",
            "send :: (Int => Event) -> Proc",
            "complete :: Yieldable b => (a =>* b) -> {b}",
            "at :: (a => Event, a) -> Proc",
        ],
    );
}

fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scripts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "csp") {
            found.push(path);
        }
    }
}

#[test]
fn shipped_scripts_are_well_typed() {
    let mut found = Vec::new();
    scripts(
        &Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("cspm"),
        &mut found,
    );
    found.sort();
    assert!(found.len() > 20);
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        let checked = check(&text, path.parent().unwrap());
        assert!(
            checked.problems.is_empty(),
            "{}:\n{}",
            path.display(),
            checked.messages()
        );
    }
}

/// A script of `first`, then `next` once for each number N from 1 to `count` with M one less, then
/// `last` with the last number for N.
fn chain(first: &str, next: &str, count: usize, last: &str) -> String {
    let nexts = (1..=count).map(|number| {
        let before = (number - 1).to_string();
        next.replace('N', &number.to_string()).replace('M', &before) + "\n"
    });
    let last = last.replace('N', &count.to_string());
    format!("{first}\n{}{last}\n", nexts.collect::<String>())
}

#[test]
fn shared_parts_of_types_take_no_time() {
    let scripts = [
        chain("x0 = 1", "xN = (xM, xM)", 60, "channel c : Int"),
        chain(
            "x0 = 1\ny0 = 1",
            "xN = (xM, xM)\nyN = (yM, yM)",
            60,
            "z = xN == yN",
        ),
        chain("x0 = Int", "xN = (xM, xM)", 60, "channel c : xN"),
        chain("f(x) = let y0 = x", "  yN = (yM, yM)", 60, "  within {yN}"),
        chain(
            "f(x) = let y0 = x",
            "  yN = (| yM => yM |)",
            60,
            "  within yN == yN",
        ),
        chain(
            "f(x) = let y0 = <x>",
            "  yN = \\ z @ (yM, yM)",
            60,
            "  within yN",
        ),
        chain(
            "f(x, z) = let y0 = x\n  w0 = z",
            "  yN = (yM, yM)\n  wN = (wM, wM)",
            60,
            "  within <yN, wN>",
        ),
        chain(
            "f0(x) = (x, x)",
            "fN(x) = fM(fM(x))",
            10,
            "z = fN(1) == fN(2)",
        ),
    ];
    for script in scripts {
        assert_eq!(check(&script, Path::new("")).messages(), "", "{script}");
    }
}

#[test]
fn types_that_multiply_are_refused() {
    let scripts = [
        chain("f0(x) = (x, x)", "fN(x) = fM(fM(x))", 40, ""),
        chain("f0(x) = {x}", "fN(x) = fM(fM(x))", 40, ""),
        chain(
            "f0(x) = (x, x)",
            "fN(x) = (fM(x), fM(x))",
            40,
            "z = fN(1) == fN(2)",
        ),
        chain("f0(x) = x.x", "fN(x) = fM(fM(x))", 40, "z = fN(1)"),
        chain("f0 = \\ x @ (x, x)", "fN = \\ x @ fM(fM(x))", 40, ""),
        chain("x0 = 1", "xN = xM.xM", 60, "z = xN"),
        chain(
            "nametype x0 = Int",
            "nametype xN = xM.xM",
            60,
            "channel c : xN",
        ),
        chain("f(x) = let y0 = x", "  yN = yM.yM", 60, "  within {yN}"),
    ];
    for script in scripts {
        let problems = check(&script, Path::new("")).problems;
        let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["type-too-large"], "{script}");
    }
}

#[test]
fn places_of_deep_functions_and_channels_are_found() {
    const DEEP: usize = 100_000;
    let (open, close) = ("(".repeat(DEEP), ")".repeat(DEEP));
    let scripts = [
        (
            format!("f(x) = x + 1\ny = {open}f{close}(true)"),
            "type-mismatch",
        ),
        (
            format!("channel c : {{0..1}}\nP = {open}c{close}!0!1 -> STOP"),
            "communication",
        ),
    ];
    for (script, code) in scripts {
        let problems = check(&script, Path::new("")).problems;
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].code, code);
    }
}
