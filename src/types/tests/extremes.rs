//! Deep and wide scripts: no stack overflow, time in proportion to the size.

use super::build::Build;
use crate::resolve::resolve;
use crate::resolved::{Place, Resolved};
use syntax::ast::*;

const DEPTH: usize = 100_000;

fn resolved(build: &Build) -> Resolved {
    let (resolved, diagnostics) = resolve(&build.ast);
    assert_eq!(diagnostics, []);
    resolved
}

/// Wraps `nest` around `innermost` a hundred thousand times and makes it the body of `P`.
fn nested(innermost: &str, nest: impl Fn(&mut Build, ExprId) -> ExprId) -> (Build, ExprId) {
    let mut build = Build::default();
    let channel = build.channel("c");
    build.top(channel);
    let inside = build.name(innermost);
    let mut body = inside;
    for _ in 0..DEPTH {
        body = nest(&mut build, body);
    }
    let definition = build.constant("P", body);
    build.top(definition);
    (build, inside)
}

#[test]
fn nested_inputs() {
    let (build, inside) = nested("x", |b, body| b.input("c", "x", body));
    let resolved = resolved(&build);
    assert_eq!(resolved.free[&inside], [Place { up: 0, slot: 0 }]);
    assert_eq!(resolved.free.len(), DEPTH);
    assert_eq!(resolved.processes.len(), 1);
}

#[test]
fn nested_lambdas() {
    let (build, _) = nested("x", |b, body| {
        let x = b.pattern("x");
        b.expr(Expr::Lambda(vec![x], body))
    });
    assert!(resolved(&build).free.values().all(Vec::is_empty));
}

#[test]
fn nested_lets() {
    let (build, _) = nested("P", |b, body| {
        let definition = b.constant("d", body);
        let used = b.name("d");
        b.expr(Expr::Let(vec![definition], used))
    });
    assert_eq!(resolved(&build).let_frames.len(), DEPTH);
}

#[test]
fn nested_conditionals_and_parentheses() {
    let (build, _) = nested("STOP", |b, body| {
        let condition = b.expr(Expr::Bool(true));
        let other = b.name("P");
        let inner = b.expr(Expr::If(condition, other, body));
        b.expr(Expr::Parenthesised(inner))
    });
    assert_eq!(resolved(&build).processes.len(), 1);
}

#[test]
fn nested_applications() {
    let (build, _) = nested("P", |b, body| b.expr(Expr::Apply(body, vec![])));
    resolved(&build);
}

#[test]
fn nested_generators() {
    let (build, _) = nested("c", |b, body| {
        let x = b.pattern("x");
        let statements = vec![Statement::Generator(x, body)];
        let item = b.name("x");
        b.expr(Expr::Set(Collection {
            items: Items::List(vec![item]),
            statements,
        }))
    });
    resolved(&build);
}

#[test]
fn nested_patterns_and_modules() {
    let mut build = Build::default();
    let mut pattern = build.pattern("x");
    for _ in 0..DEPTH {
        let node = Node {
            kind: Pattern::Singleton(pattern),
            span: build.ast.patterns[pattern].span,
        };
        pattern = build.ast.patterns.push(node);
    }
    let body = build.name("x");
    let mut inner = build.declare(Declaration::Pattern(pattern, body));
    for _ in 0..DEPTH / 10 {
        let name = build.ast.symbols.intern_with("M", str::to_string);
        let name = Identifier {
            symbol: name,
            span: build.ast.patterns[pattern].span,
        };
        inner = build.declare(Declaration::Module {
            name,
            parameters: vec![],
            private: vec![],
            exports: vec![inner],
        });
    }
    build.top(inner);
    assert_eq!(resolved(&build).module_frames.len(), DEPTH / 10);
}

#[test]
fn a_wide_script_of_mutually_recursive_definitions() {
    let mut build = Build::default();
    let channel = build.channel("c");
    build.top(channel);
    for i in 0..DEPTH {
        let argument = build.name("x");
        let next = build.name(&format!("P{}", (i + 1) % DEPTH));
        let body = build.expr(Expr::Apply(next, vec![argument]));
        let body = if i == 0 {
            build.input("c", "y", body)
        } else {
            body
        };
        let definition = build.function(&format!("P{i}"), &["x"], body);
        build.top(definition);
    }
    let resolved = resolved(&build);
    assert_eq!(resolved.processes.len(), DEPTH);
    assert_eq!(resolved.script_frame, DEPTH as u32 + 1);
}

#[test]
fn a_wide_let_of_mutually_recursive_definitions() {
    let mut build = Build::default();
    let definitions = (0..DEPTH)
        .map(|i| {
            let next = build.name(&format!("d{}", (i + 1) % DEPTH));
            let x = build.name("x");
            let body = build.expr(Expr::Tuple(vec![next, x]));
            build.constant(&format!("d{i}"), body)
        })
        .collect();
    let body = build.name("d0");
    let body = build.expr(Expr::Let(definitions, body));
    let function = build.function("f", &["x"], body);
    build.top(function);
    let resolved = resolved(&build);
    let sets: Vec<_> = resolved
        .free_of_definition
        .values()
        .filter(|free| !free.is_empty())
        .collect();
    assert_eq!(sets.len(), DEPTH);
    assert!(sets.iter().all(|free| **free == [Place { up: 1, slot: 0 }]));
}

#[test]
fn many_unknown_names() {
    let mut build = Build::default();
    for i in 0..DEPTH {
        let body = build.name(&format!("unknown{i}"));
        let definition = build.constant(&format!("d{i}"), body);
        build.top(definition);
    }
    let (_, diagnostics) = resolve(&build.ast);
    assert_eq!(diagnostics.len(), DEPTH);
    assert!(
        diagnostics
            .iter()
            .all(|diagnostic| diagnostic.code == "unknown-name")
    );
}
