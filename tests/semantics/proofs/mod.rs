//! Symmetries of processes that scripts define: proofs by the rules, the reasons for refusals,
//! facts read off the proofs, and the names of symmetries.

mod derived;
mod hanoi;
mod names;
mod operators;
mod recursion;
mod shape;
mod table;

use base::cancel::Cancellation;
use base::diag::Result;
use base::source::SourceMap;
use eval::{Evaluator, ResolvedScript};
use lts::explore::LeafLimits;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::term::{Definitions, TermId};
use symmetry::Start;
use symmetry::permutation::EventPermutation;
use symmetry::rules::{Derivation, ProofVerdict, Prover};
use syntax::ast::Declaration;
use syntax::parser::NoIncludes;
use syntax::{parse_expression, parse_script};
use types::resolve::{resolve, resolve_with};

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(3000));

/// Calls `ask` with the evaluator of the script `text` and the process that it defines last.
fn with_last<R>(text: &str, ask: impl FnOnce(&mut Evaluator<'_>, TermId) -> R) -> R {
    let mut sources = SourceMap::new();
    let root = sources.add("test.csp", text);
    let (ast, problems) = parse_script(&mut sources, root, &mut NoIncludes);
    assert!(problems.is_empty(), "{problems:?}");
    let Declaration::Pattern(_, body) = *ast.declaration(*ast.script.last().unwrap()) else {
        panic!("not a constant");
    };
    let (resolved, _) = resolve(&ast);
    let script = ResolvedScript {
        sources: sources.into(),
        ast,
        resolved,
    };
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let term = evaluator.process_of(body).unwrap();
    ask(&mut evaluator, term)
}

/// The beginning of every script below.
const CHANNELS: &str = "
    datatype ID = A | B | C
    channel a, b, x, y
    channel e, f, g, h : ID
    channel link : ID.ID
";

/// Calls `ask` with the evaluator of `script` and the processes `left` and `right`.
fn with_processes<R>(
    script: &str,
    left: &str,
    right: &str,
    ask: impl FnOnce(&mut Evaluator, TermId, TermId) -> R,
) -> R {
    let mut sources = SourceMap::new();
    let root = sources.add("test.csp", format!("{CHANNELS}{script}"));
    let (mut ast, problems) = parse_script(&mut sources, root, &mut NoIncludes);
    assert_eq!(problems, [], "{script}");
    let mut expression = |text: &str| {
        let line = sources.add("expression", text);
        parse_expression(&mut ast, &sources, line).unwrap()
    };
    // All events are known from the beginning.
    let ids = [left, right, "STOP [| Events |] STOP"].map(&mut expression);
    let (resolved, problems) = resolve_with(&ast, &ids);
    assert_eq!(problems, [], "{script} | {left} | {right}");
    let script = ResolvedScript {
        sources: sources.into(),
        ast,
        resolved,
    };
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let [left, right, _] = ids.map(|id| evaluator.process_of(id).unwrap());
    ask(&mut evaluator, left, right)
}

/// The permutation with these cycles: `(a b)(e.A e.B)`.
fn permutation(definitions: &dyn Definitions, cycles: &str) -> EventPermutation {
    let mut pairs = Vec::new();
    for cycle in cycles.split(['(', ')']).filter(|cycle| !cycle.is_empty()) {
        let events = &definitions.terms().events;
        let names = cycle.split(' ');
        let cycle: Vec<EventId> = names.map(|name| events.find(name).unwrap()).collect();
        pairs.extend((0..cycle.len()).map(|i| (cycle[i], cycle[(i + 1) % cycle.len()])));
    }
    EventPermutation::from_pairs(pairs).unwrap()
}

/// The permutation of values lifted to all events: A B C become `to`, in this order.
fn lifted(to: [&str; 3]) -> String {
    let value = |i: usize| ["A", "B", "C"][i];
    let mut cycles = String::new();
    let mut entered = Vec::new();
    let mut add = |name: &dyn Fn(usize, usize) -> String, i: usize, j: usize| {
        let (mut i, mut j) = (i, j);
        let mut cycle = Vec::new();
        while !entered.contains(&name(i, j)) {
            entered.push(name(i, j));
            cycle.push(name(i, j));
            let next = |i: usize| "ABC".find(to[i]).unwrap();
            (i, j) = (next(i), next(j));
        }
        if cycle.len() > 1 {
            cycles += &format!("({})", cycle.join(" "));
        }
    };
    for i in 0..3 {
        for channel in ["e", "f", "g", "h"] {
            add(&|i, _| format!("{channel}.{}", value(i)), i, i);
        }
        for j in 0..3 {
            add(&|i, j| format!("link.{}.{}", value(i), value(j)), i, j);
        }
    }
    cycles
}

/// `=`, or the text of the refusal.
fn text(verdict: &ProofVerdict, definitions: &dyn Definitions) -> String {
    match verdict {
        Ok(_) => "=".to_string(),
        Err(refusal) => refusal.text(&definitions.terms().events),
    }
}

/// Decides `leftσ = right` after `script`: `=`, or the reason why not.
fn decided(script: &str, left: &str, cycles: &str, right: &str) -> Result<String> {
    with_processes(script, left, right, |evaluator, left, right| {
        let sigma = permutation(evaluator, cycles);
        let verdict = Prover::new(evaluator, &OPTIONS).prove(left, &sigma, right)?;
        Ok(text(&verdict, evaluator))
    })
}

/// Checks the decision of `leftσ = right`.
#[track_caller]
fn check(script: &str, left: &str, cycles: &str, right: &str, expected: &str) {
    let found = decided(script, left, cycles, right).unwrap();
    assert_eq!(found, expected, "{left} | {cycles} | {right}");
}

/// Checks the decision of `processσ = process`.
#[track_caller]
fn symmetric(script: &str, process: &str, cycles: &str, expected: &str) {
    check(script, process, cycles, process, expected);
}

/// Checks the decision of `processσ = process` about the machine of `process`.
#[track_caller]
fn machine(script: &str, process: &str, cycles: &str, start: Start, expected: &str) {
    let found = with_processes(script, process, process, |evaluator, term, _| {
        let sigma = permutation(evaluator, cycles);
        let machine = compile(evaluator, term, &OPTIONS).unwrap();
        let mut prover = Prover::for_machine(evaluator, &OPTIONS, &machine, start);
        let verdict = prover.prove(term, &sigma, term).unwrap();
        text(&verdict, evaluator)
    });
    assert_eq!(found, expected, "{process} | {cycles}");
}

/// The proof of `processσ = process`.
fn proof<R>(script: &str, process: &str, cycles: &str, ask: impl FnOnce(&Derivation) -> R) -> R {
    with_processes(script, process, process, |evaluator, term, _| {
        let sigma = permutation(evaluator, cycles);
        let verdict = Prover::new(evaluator, &OPTIONS).prove(term, &sigma, term);
        ask(&verdict.unwrap().unwrap())
    })
}
