//! The speed of inferring types: of a script of five thousand lines, and of one whose definitions
//! all use each other.

use std::fmt::Write;
use std::hint::black_box;

use base::source::SourceMap;
use criterion::{Criterion, criterion_group, criterion_main};
use infer::infer;
use syntax::ast::Ast;
use syntax::parse_script;
use syntax::parser::NoIncludes;
use types::resolve::resolve;
use types::resolved::Resolved;

/// One part of a long script: twenty lines with typical declarations.
const PART: &str = "\
datatype Message# = Data#.{0..3}.Bool | Ack#.{0..3} | Reset#
channel send#, receive# : {0..3}.Message#
channel done#, failed#
size#(<>) = 0
size#(<x>^xs) = 1 + size#(xs)
insert#(x, <>) = <x>
insert#(x, <y>^ys) = if x < y then <x, y>^ys else <y>^insert#(x, ys)
last#(xs) = let turn(<>, ys) = ys
                turn(<z>^zs, ys) = turn(zs, <z>^ys)
            within head(turn(xs, <>))
next#(Data#.n.b) = Data#.((n + 1) % 4).(not b)
next#(Ack#.n) = Ack#.((n + 1) % 4)
next#(Reset#) = Reset#
Sender#(n, m) = send#!n!m -> (receive#?k:{0..3}?a -> Sender#(k, next#(a)) [] failed# -> Sender#(n, Reset#))
Medium#(s) = length(s) < 4 & send#?n?m -> Medium#(s^<(n, m)>) [] not null(s) & (let (n, m) = head(s) within receive#.n!m -> Medium#(tail(s)))
Lossy# = send#?n?m -> (|~| d:{true, false} @ if d then receive#!n!m -> Lossy# else failed# -> Lossy#)
System# = (Sender#(0, Data#.1.true) [| {| send#, receive# |} |] Medium#(<>)) \\ {| receive# |}
Renamed# = System# [[send#.n <- send#.((n + 1) % 4) | n <- {0..3}]]
numbers# = {n * m | n <- {0..3}, m <- {n..3}, member(n + m, {1, 3, 5}), size#(<n, m>) == 2}
assert System# [T= Lossy#
";

/// A script of `lines` lines in parts that do not use each other.
fn parts(lines: usize) -> String {
    let parts = (0..lines / PART.lines().count()).map(|part| PART.replace('#', &part.to_string()));
    parts.collect()
}

/// A script of `lines` functions that use each other in one circle.
fn circle(lines: usize) -> String {
    let mut text = "channel c : {0..3}.Bool\n".to_string();
    for line in 1..lines {
        let next = line % (lines - 1) + 1;
        let definition = writeln!(text, "P{line}(n, b) = c!n!b -> P{next}(n + 1, not b)");
        definition.expect("a string takes everything");
    }
    text
}

fn resolved(text: &str) -> (Ast, Resolved) {
    let mut sources = SourceMap::new();
    let root = sources.add("script.csp", text);
    let (ast, problems) = parse_script(&mut sources, root, &mut NoIncludes);
    assert!(problems.is_empty(), "{}", problems[0].render(&sources));
    let (resolved, problems) = resolve(&ast);
    assert!(problems.is_empty(), "{}", problems[0].render(&sources));
    (ast, resolved)
}

/// The number of names with a type.
fn typed((ast, resolved): &(Ast, Resolved)) -> usize {
    let (typed, problems) = infer(ast, resolved, &[]);
    assert!(problems.is_empty(), "{problems:?}");
    typed.declared.len()
}

fn typecheck(c: &mut Criterion) {
    let mut group = c.benchmark_group("typecheck");
    group.sample_size(10);
    for (name, text) in [
        ("5,000 lines", parts(5000)),
        ("a circle of 5,000 lines", circle(5000)),
    ] {
        let script = resolved(&text);
        group.bench_function(name, |b| b.iter(|| black_box(typed(&script))));
    }
    group.finish();
}

criterion_group!(benches, typecheck);
criterion_main!(benches);
