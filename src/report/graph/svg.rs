//! A graph as a drawing.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::super::drawing::{DrawnEdge, DrawnNode, LayeredDrawing, Look};
use super::{StateGraph, TAU_TEXT, TICK_TEXT};
use base::excerpt::shortened;
use base::number::thousands;

/// The most characters of a term in a node: if a term is longer, none stands in a node. Where one
/// points, terms are shown anyway.
const LONGEST_TERM: usize = 34;
/// The most states of a graph whose nodes show terms.
const FEW_STATES: usize = 60;

/// Writes the drawing of `graph`.
pub(super) fn write(graph: &StateGraph, out: &mut dyn Write) -> io::Result<()> {
    drawing(graph).write_svg(out)
}

fn drawing(graph: &StateGraph) -> LayeredDrawing {
    let done: BTreeSet<usize> = terminated(graph);
    let mut can_go_on = vec![false; graph.states.len()];
    for transition in &graph.transitions {
        can_go_on[transition.from] = true;
    }
    let terms = || graph.states.iter().map(|state| state.term.as_deref());
    let is_short = |term: &str| term.chars().count() <= LONGEST_TERM;
    let shows_terms = graph.states.len() <= FEW_STATES && terms().flatten().all(is_short);
    let states = graph.states.iter().enumerate();
    let nodes = states.map(|(number, state)| {
        let mut lines = vec![number.to_string()];
        let term = state.term.as_deref();
        lines.extend(term.filter(|_| shows_terms).map(str::to_string));
        let look = match (state.omitted > 0, can_go_on[number]) {
            (true, _) => Look::Frontier,
            (false, true) => Look::Plain,
            (false, false) if done.contains(&number) => Look::Done,
            (false, false) => Look::Stuck,
        };
        if state.omitted > 0 {
            lines.push(format!("{} more", thousands(state.omitted)));
        }
        DrawnNode {
            lines,
            tooltip: term.map(|term| format!("{number}: {}", shortened(term, 2_000))),
            look,
        }
    });
    let transitions = graph.transitions.iter();
    let edges = transitions.map(|transition| DrawnEdge {
        from: transition.from,
        to: transition.to,
        label: shortened(&transition.text(), LONGEST_TERM),
        is_quiet: transition.label == TAU_TEXT,
    });
    let nodes: Vec<DrawnNode> = nodes.collect();
    LayeredDrawing {
        caption: caption(graph, &nodes),
        nodes,
        edges: edges.collect(),
        marks_root: true,
        has_arrows: true,
    }
}

/// The states that ✓ leads to.
fn terminated(graph: &StateGraph) -> BTreeSet<usize> {
    let ticks = graph.transitions.iter();
    let ticks = ticks.filter(|transition| transition.label == TICK_TEXT);
    ticks.map(|transition| transition.to).collect()
}

/// The caption: the title of the graph, and the meanings of the looks that are in it.
fn caption(graph: &StateGraph, nodes: &[DrawnNode]) -> Vec<String> {
    let meanings = [
        (Look::Stuck, "red: nothing can happen any more"),
        (Look::Done, "green: terminated"),
        (
            Look::Frontier,
            "dashed: more transitions, to states that are not drawn",
        ),
    ];
    let used = |look: Look| nodes.iter().any(|node| node.look == look);
    let used = meanings.iter().filter(|(look, _)| used(*look));
    let mut caption = vec![graph.title()];
    caption.extend(used.map(|(_, meaning)| meaning.to_string()));
    caption
}
