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
    let svg = written(|graph, out| graph.write_svg(&GraphOverview::default(), out));
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

/// A graph of states without terms, with these transitions, all of one event.
fn graph(states: usize, steps: &[(usize, usize)]) -> StateGraph {
    let transition = |&(from, to): &(usize, usize)| GraphTransition {
        from,
        label: format!("c.{to}"),
        hidden: Vec::new(),
        to,
    };
    StateGraph {
        complete: true,
        states: vec![GraphState::default(); states],
        transitions: steps.iter().map(transition).collect(),
        ..example()
    }
}

/// The nodes of a drawing, each as the numbers of its states.
fn nodes(graph: &StateGraph, overview: &GraphOverview) -> Vec<String> {
    let mut out = Vec::new();
    graph.write_svg(overview, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let nodes = text.split("data-states=\"").skip(1);
    nodes
        .map(|rest| rest.split('"').next().unwrap_or_default().to_string())
        .collect()
}

#[test]
fn states_are_put_together_and_taken_apart() {
    // 0 to a cycle of 1, 2, 3, and from there to 4 and 5, which is the end.
    let steps = [
        (0, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (3, 1),
        (3, 4),
        (2, 5),
        (4, 5),
    ];
    let mut graph = graph(6, &steps);
    let of = |grouping, expanded: &[usize]| GraphOverview {
        grouping: Some(grouping),
        expanded: expanded.to_vec(),
    };
    let layers = of(GraphGrouping::Layers, &[]);
    assert_eq!(nodes(&graph, &layers), ["0", "1", "2 3", "4 5"]);
    let opened = of(GraphGrouping::Layers, &[2]);
    assert_eq!(nodes(&graph, &opened), ["0", "1", "2", "3", "4 5"]);
    let components = of(GraphGrouping::Components, &[]);
    assert_eq!(nodes(&graph, &components), ["0", "1 2 3", "4", "5"]);
    for (state, orbit) in [0, 1, 2, 2, 2, 3].into_iter().enumerate() {
        graph.states[state].orbit = Some(orbit);
    }
    let orbits = of(GraphGrouping::Orbits, &[]);
    assert_eq!(nodes(&graph, &orbits), ["0", "1", "2 3 4", "5"]);
}

#[test]
fn events_between_groups_are_named_by_channels_where_they_are_many() {
    let steps: Vec<(usize, usize)> = (1..=6).map(|to| (0, to)).collect();
    let mut out = Vec::new();
    let layers = GraphOverview {
        grouping: Some(GraphGrouping::Layers),
        expanded: Vec::new(),
    };
    graph(7, &steps).write_svg(&layers, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains(">c.* ×6<") && text.contains(">6 states<") && text.contains(">6 stuck<"));
}

#[test]
fn an_overview_is_chosen_where_states_are_many() {
    let fitting = |graph: &StateGraph| graph.fitting_overview(Vec::new()).grouping;
    let few: Vec<(usize, usize)> = (1..900).map(|to| (to / 30, to)).collect();
    assert_eq!(fitting(&graph(900, &few)), None);
    // Without a cycle each state is a component of its own, so layers are the overview.
    let tree: Vec<(usize, usize)> = (1..2_000).map(|to| (to / 2, to)).collect();
    assert_eq!(fitting(&graph(2_000, &tree)), Some(GraphGrouping::Layers));
    // Ten rings, from each of which the next is reached.
    let rings: Vec<(usize, usize)> = (0..2_000)
        .flat_map(|from| {
            let ring = from / 200 * 200;
            let next = (ring, ring + (from + 1) % 200);
            let over = (from % 200 == 0 && from > 0).then_some((from - 200, from));
            [Some((from, next.1)), over].into_iter().flatten()
        })
        .collect();
    assert_eq!(
        fitting(&graph(2_000, &rings)),
        Some(GraphGrouping::Components)
    );
}
