//! Graphs as they are written.

use pretty_assertions::assert_eq;

use super::*;

fn example() -> StateGraph {
    let state = |term: &str, omitted| GraphState {
        term: Some(term.to_string()),
        omitted,
        orbit: None,
        representative: None,
    };
    let transition = |from, label: &str, hidden: &[&str], to| GraphTransition {
        from,
        label: label.to_string(),
        hidden: hidden.iter().map(|event| event.to_string()).collect(),
        to,
    };
    StateGraph {
        file: "a.csp".to_string(),
        expression: "P".to_string(),
        compression: None,
        complete: false,
        states: vec![state("P", 0), state("c.\"x\" -> P", 2), state("Ω", 0)],
        transitions: vec![
            transition(0, "τ", &["b"], 1),
            transition(1, "c.\"x\"", &[], 0),
            transition(1, "✓", &[], 2),
        ],
        orbits: None,
    }
}

fn written(write: impl Fn(&StateGraph, &mut Vec<u8>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&example(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn aut_has_counts_and_quotes() {
    let of = |tau| written(|graph, out| graph.write_aut(tau, out));
    let expected = r#"des (0, 3, 3)
(0, "tau", 1)
(1, "c.\"x\"", 0)
(1, "tick", 2)
"#;
    assert_eq!(of(TauLabel::Tau), expected);
    assert_eq!(of(TauLabel::I), expected.replace("tau", "i"));
}

#[test]
fn dot_has_terms_and_what_was_hidden() {
    let expected = r#"digraph transitions {
  fontname="Helvetica";
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica"];
  label="P: 3 states, 3 transitions, incomplete at 1 state";
  start [shape=point, style=invis];
  start -> s0;
  s0 [label="0\nP", tooltip="P"];
  s1 [label="1\nc.\"x\" -> P\n2 more", tooltip="c.\"x\" -> P", style="rounded,dashed"];
  s2 [label="2\nΩ", tooltip="Ω"];
  s0 -> s1 [label="τ (b)", style=dashed];
  s1 -> s0 [label="c.\"x\""];
  s1 -> s2 [label="✓"];
}
"#;
    assert_eq!(written(|graph, out| graph.write_dot(out)), expected);
}

#[test]
fn json_is_one_line() {
    let json = written(|graph, out| graph.write_json(out));
    let expected = r#"{"schema":1,"file":"a.csp","expression":"P","compression":null,"complete":false,"states":[{"term":"P","omitted":0},{"term":"c.\"x\" -> P","omitted":2},{"term":"Ω","omitted":0}],"transitions":[{"from":0,"label":"τ","hidden":["b"],"to":1},{"from":1,"label":"c.\"x\"","hidden":[],"to":0},{"from":1,"label":"✓","hidden":[],"to":2}]}
"#;
    assert_eq!(json, expected);
}

#[test]
fn a_drawing_says_what_its_looks_mean() {
    let svg = written(|graph, out| graph.write_svg(out));
    for part in [
        "<title>P: 3 states, 3 transitions, incomplete at 1 state</title>",
        "class=\"box frontier\"",
        "class=\"box done\"",
        "c.&quot;x&quot; -&gt; P",
        "green: terminated",
        "prefers-color-scheme:dark",
    ] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    assert!(!svg.contains("red:"));
}

#[test]
fn names_that_mean_something_else_are_found() {
    let mut graph = example();
    assert_eq!(graph.reserved_label(), None);
    graph.transitions[1].label = "exit".to_string();
    assert_eq!(graph.reserved_label(), Some("exit"));
}
