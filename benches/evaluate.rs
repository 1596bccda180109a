//! The speed of evaluating expressions, and of compiling the shipped scripts to machines.

#[path = "support/script.rs"]
mod script;

use std::fs;
use std::hint::black_box;

use base::cancel::Cancellation;
use criterion::{Criterion, criterion_group, criterion_main};
use eval::{Evaluator, ResolvedScript};
use lts::explore::LeafLimits;
use machine::{CompileOptions, compile};
use syntax::ast::{Declaration, ExprId};

const DEFINITIONS: &str = "
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
sum(n) = if n == 0 then 0 else n + sum(n - 1)
sort(<>) = <>
sort(<x>^xs) = sort(<y | y <- xs, y < x>) ^ <x> ^ sort(<y | y <- xs, y >= x>)
";

const EXPRESSIONS: [(&str, &str); 6] = [
    (
        "set comprehension",
        "card({(x, y) | x <- {1..200}, y <- {1..200}, x < y})",
    ),
    ("unions", "card(Union({{x .. x + 50} | x <- {1..300}}))"),
    ("subsets", "card(Set({1..12}))"),
    (
        "sequences",
        "length(sort(<(x * 7919) % 1009 | x <- <1..1000>>))",
    ),
    ("branching recursion", "fib(18)"),
    ("deep recursion", "sum(50000)"),
];

/// The body of the last declaration of `script`.
fn last_body(script: &ResolvedScript) -> ExprId {
    let last = *script.ast.script.last().expect("there are declarations");
    match script.ast.declaration(last) {
        Declaration::Pattern(_, body) => *body,
        other => panic!("not a constant: {other:?}"),
    }
}

fn expressions(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluate");
    group.sample_size(10);
    group.measurement_time(std::time::Duration::from_secs(2));
    for (name, expression) in EXPRESSIONS {
        let text = format!("{DEFINITIONS}LAST = {expression}\n");
        let script = script::load("expression.csp", &text);
        let body = last_body(&script);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut evaluator = Evaluator::new(&script, Cancellation::new());
                black_box(evaluator.value_of(body).expect("it has a value"))
            });
        });
    }
    group.finish();
}

/// Compiles the implementations of all trace refinements. Returns their number.
fn compile_all(name: &str, text: &str) -> usize {
    let script = script::load(name, text);
    let options = CompileOptions::new(LeafLimits::default());
    let refinements = script::refinements(&script);
    for &(_, implementation) in &refinements {
        let mut evaluator = Evaluator::new(&script, Cancellation::new());
        let term = evaluator
            .process_of(implementation)
            .expect("it is a process");
        black_box(compile(&mut evaluator, term, &options).expect("it is small"));
    }
    refinements.len()
}

fn shipped_scripts(c: &mut Criterion) {
    let folders = fs::read_dir("cspm").expect("it is there").flatten();
    let files = folders
        .filter_map(|folder| fs::read_dir(folder.path()).ok())
        .flat_map(|files| files.flatten());
    let names = files.map(|file| file.path().to_string_lossy().into_owned());
    let scripts: Vec<(String, String)> = names
        .filter(|name| name.ends_with(".csp"))
        .map(|name| (fs::read_to_string(&name).expect("it is readable"), name))
        .map(|(text, name)| (name, text))
        .collect();
    let mut group = c.benchmark_group("load and compile");
    group.sample_size(10);
    group.bench_function("all shipped scripts", |b| {
        b.iter(|| {
            let counts = scripts.iter().map(|(name, text)| compile_all(name, text));
            assert!(counts.sum::<usize>() > 50);
        });
    });
    group.finish();
}

criterion_group!(benches, expressions, shipped_scripts);
criterion_main!(benches);
