//! States that are listed by need, against the graph of the whole process, whatever the order in
//! which they are asked for, and whatever cuts the work short between.

use std::collections::{BTreeMap, BTreeSet};

use crate::graphs::{SHIPPED, shipped};
use cspsym::{
    Cancellation, GraphOptions, Options, OwnChecks, ProcessNodes, Script, Task, WalkSubject,
};
use pretty_assertions::assert_eq;
use report::assertion::{CounterexampleKind, TraceStep, Verdict};
use report::graph::StateGraph;

/// A step: its label, the events that it may have been, and where it leads.
type Step = (String, Vec<String>, usize);

/// The states of a system: the term of each, and its steps.
type Rows = BTreeMap<usize, (String, BTreeSet<Step>)>;

/// The order in which nodes are asked for: the position of the next one among those that are open.
type Order = fn(usize) -> usize;

fn nodes(script: &Script, process: &str) -> ProcessNodes {
    let (options, task) = (Options::default(), Task::default());
    let subject = WalkSubject::Process(process);
    let nodes = script.nodes(subject, None, &options, &task);
    nodes.unwrap_or_else(|error| panic!("{process}: {error}"))
}

/// All states that are reached, asked for one by one. In every third question a limit cuts the work
/// short at once, and it is put again.
fn asked_for(script: &Script, process: &str, order: Order) -> Rows {
    let mut nodes = nodes(script, process);
    let (mut rows, mut open) = (Rows::new(), vec![0]);
    let mut questions = 0;
    while !open.is_empty() {
        let node = open.remove(order(open.len()));
        questions += 1;
        if questions % 3 == 0 {
            let cancellation = Cancellation::new();
            cancellation.cancel();
            let cut = Task {
                cancellation,
                ..Task::default()
            };
            // Short work may be done before anything looks at the limit.
            let _ = nodes.node(node, &cut);
        }
        let report = nodes.node(node, &Task::default()).unwrap().unwrap();
        assert_eq!(report.node, node);
        let steps = report.transitions.into_iter();
        let steps: BTreeSet<_> = steps.map(|s| (s.label, s.hidden, s.to)).collect();
        rows.insert(node, (report.term, steps.clone()));
        for (_, _, to) in steps {
            if !rows.contains_key(&to) && !open.contains(&to) {
                open.push(to);
            }
        }
    }
    rows
}

fn listed(graph: &StateGraph) -> Rows {
    let states = graph.states.iter().enumerate();
    let mut rows: Rows = states
        .map(|(state, known)| (state, (known.term.clone().unwrap(), BTreeSet::new())))
        .collect();
    for step in &graph.transitions {
        let row = rows.get_mut(&step.from).unwrap();
        row.1
            .insert((step.label.clone(), step.hidden.clone(), step.to));
    }
    rows
}

/// `rows` with the numbers that a search from the initial state gives, which follows steps in the
/// order of their labels and of the terms that they lead to.
fn renumbered(rows: &Rows) -> Vec<(String, Vec<Step>)> {
    let mut number = BTreeMap::from([(0, 0)]);
    let mut order = vec![0];
    let mut next = 0;
    while next < order.len() {
        let mut steps: Vec<_> = rows[&order[next]].1.iter().collect();
        steps.sort_by_key(|(label, hidden, to)| (label, hidden, &rows[to].0));
        for (_, _, to) in steps {
            number.entry(*to).or_insert_with(|| {
                order.push(*to);
                order.len() - 1
            });
        }
        next += 1;
    }
    let row = |state: &usize| {
        let (term, steps) = &rows[state];
        let steps = steps.iter();
        let mut steps: Vec<_> = steps
            .map(|(label, hidden, to)| (label.clone(), hidden.clone(), number[to]))
            .collect();
        steps.sort();
        (term.clone(), steps)
    };
    order.iter().map(row).collect()
}

#[test]
fn listed_one_by_one_they_are_the_graph_in_any_order() {
    let orders: [Order; 3] = [|_| 0, |open| open - 1, |open| open / 2];
    for (file, processes) in SHIPPED {
        let script = shipped(file, "", "");
        for process in *processes {
            let (options, task) = (Options::default(), Task::default());
            let wanted = GraphOptions::default();
            let graph = script.graph(process, &wanted, &options, &task).unwrap();
            if graph.states.len() > 400 {
                continue;
            }
            let whole = renumbered(&listed(&graph));
            for order in orders {
                let found = renumbered(&asked_for(&script, process, order));
                assert_eq!(found, whole, "{process} of {file}");
            }
        }
    }
}

#[test]
fn nothing_is_listed_that_nobody_asks_for() {
    let text = "channel up\nP(n) = if n < 5 then up -> P(n + 1) else up -> P(1 / 0)";
    let script = Script::parse("up.csp", text).unwrap();
    let mut nodes = nodes(&script, "P(0)");
    for node in 0..5 {
        let report = nodes.node(node, &Task::default()).unwrap().unwrap();
        assert_eq!(report.term, format!("P({node})"));
    }
    let task = Task::default();
    let problem = nodes.node(5, &task).expect_err("it divides by zero");
    assert_eq!(problem.code(), "division-by-zero");
    // The mistake leaves all others as they were.
    assert_eq!(nodes.node(4, &task).unwrap().unwrap().term, "P(4)");
    assert!(nodes.node(6, &task).unwrap().is_none());
}

/// The path has the labels of the counterexample, and each of its steps is one of its node.
#[test]
fn a_path_follows_the_counterexample_of_every_shipped_assertion() {
    let mut failing = 0;
    for file in [
        "vending/vending.csp",
        "language/termination.csp",
        "needham-schroeder/needham-schroeder.csp",
        "philosophers/philosophers.csp",
    ] {
        let script = shipped(file, "", "");
        let (options, task) = (Options::default(), Task::default());
        for index in 0..script.assertions().len() {
            let report = script.check(index, &options, &task).report;
            let Some(found) = &report.counterexample else {
                continue;
            };
            failing += 1;
            let subject = WalkSubject::Assertion(index);
            let nodes = script.nodes(subject, Some(&report), &options, &task);
            let mut nodes = nodes.unwrap_or_else(|error| panic!("{file} {index}: {error}"));
            let path = nodes.path().to_vec();
            let mut told: Vec<&str> = found.trace_with_taus.iter().map(label).collect();
            if found.kind == CounterexampleKind::Trace {
                told.extend(found.event.as_deref());
            }
            told.extend(found.cycle.iter().flatten().map(label));
            let labels: Vec<&str> = path.iter().map(|step| &step.label[..]).collect();
            assert_eq!(labels, told, "{file} {index}");
            let mut at = 0;
            for step in &path {
                let report = nodes.node(at, &task).unwrap().unwrap();
                let mut steps = report.transitions.iter();
                assert!(steps.any(|s| s.label == step.label && s.to == step.to));
                at = step.to;
            }
        }
    }
    assert!(failing > 10, "{failing}");
}

fn label(step: &TraceStep) -> &str {
    match step {
        TraceStep::Visible(event) => event,
        TraceStep::Internal | TraceStep::Hidden(_) => "τ",
    }
}

#[test]
fn an_assertion_that_is_added_is_one_that_stands_in_the_script() {
    let script = shipped("vending/vending.csp", "", "");
    let (options, task) = (Options::default(), Task::default());
    let written = script.assertions();
    for (index, text) in written.iter().enumerate() {
        let added = script.with_assertion(text).unwrap();
        assert_eq!(added.assertions().len(), written.len() + 1);
        let last = added.assertions().pop();
        assert_eq!(last.as_ref(), Some(text));
        let verdict = |script: &Script, index| script.check(index, &options, &task).report.verdict;
        let found = verdict(&added, written.len());
        assert_eq!(found, verdict(&script, index), "{text}");
    }
    let mistake = script.with_assertion("CHOICE [T= NOBODY").unwrap_err();
    assert_eq!(mistake.code(), "unknown-name");
}

#[test]
fn checks_that_are_kept_decide_as_others_do() {
    let script = std::sync::Arc::new(shipped("vending/vending.csp", "", ""));
    let options = Options::default();
    let task = Task::default();
    let mut kept = OwnChecks::new(script.clone(), options.clone());
    let mut verdicts = BTreeSet::new();
    for _ in 0..2 {
        for index in 0..script.assertions().len() {
            let verdict = kept.check(index, &task).report.verdict;
            assert_eq!(verdict, script.check(index, &options, &task).report.verdict);
            verdicts.insert(verdict == Verdict::Pass);
        }
    }
    assert_eq!(verdicts.len(), 2);
}
