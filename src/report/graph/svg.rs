//! A graph as a drawing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::super::drawing::{DrawnEdge, DrawnNode, LayeredDrawing, Look};
use super::overview::{GraphGrouping, GraphOverview, depths, groups};
use super::{GraphTransition, StateGraph, TAU_TEXT, TICK_TEXT};
use base::excerpt::shortened;
use base::number::{counted, thousands};

/// The most characters of a term in a node: if a term is longer, none stands in a node. Where one
/// points, terms are shown anyway.
const LONGEST_TERM: usize = 34;
/// The most nodes of a drawing whose nodes show terms, and how many transitions are not drawn.
const FEW_NODES: usize = 60;
/// The most events between groups that are named one by one. Others are named by their channels.
const FEW_EVENTS: usize = 4;

/// Writes the drawing of `graph`, in which states are put together as `overview` says.
pub(super) fn write(
    graph: &StateGraph,
    overview: &GraphOverview,
    out: &mut dyn Write,
) -> io::Result<()> {
    drawing(graph, overview).write_svg(out)
}

/// The nodes of a drawing: states, and groups of them.
struct GraphNodes {
    /// By node, its states, ascending.
    states: Vec<Vec<usize>>,
    /// By node, the number of the group that it stands for; `None` if it is a state.
    group: Vec<Option<usize>>,
    /// By state, its node.
    of: Vec<usize>,
}

impl GraphNodes {
    /// The nodes by their first states, so that the first one has the initial state.
    fn of(graph: &StateGraph, overview: &GraphOverview) -> Self {
        let count = graph.states.len();
        let orbits = graph.states.iter().map(|state| state.orbit);
        let orbits: Vec<Option<usize>> = orbits.collect();
        let successors = graph.successors();
        let group = overview.grouping.map(|by| groups(&successors, &orbits, by));
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for &group in group.iter().flatten() {
            *sizes.entry(group).or_default() += 1;
        }
        let mut nodes = Self {
            states: Vec::new(),
            group: Vec::new(),
            of: Vec::with_capacity(count),
        };
        let mut node_of_group: BTreeMap<usize, usize> = BTreeMap::new();
        for state in 0..count {
            let own = group.as_ref().map(|groups| groups[state]);
            let own = own.filter(|group| sizes[group] > 1 && !overview.expanded.contains(group));
            let next = nodes.states.len();
            let node = own.map_or(next, |group| *node_of_group.entry(group).or_insert(next));
            if node == next {
                nodes.states.push(Vec::new());
                nodes.group.push(own);
            }
            nodes.states[node].push(state);
            nodes.of.push(node);
        }
        nodes
    }
}

fn drawing(graph: &StateGraph, overview: &GraphOverview) -> LayeredDrawing {
    let nodes = GraphNodes::of(graph, overview);
    let looks = looks(graph);
    let terms = || graph.states.iter().map(|state| state.term.as_deref());
    let is_short = |term: &str| term.chars().count() <= LONGEST_TERM;
    let is_small = nodes.states.len() <= FEW_NODES;
    let shows_terms = is_small && terms().flatten().all(is_short);
    let inside = inside(graph, &nodes);
    let depths = depths(&graph.successors());
    let drawn = nodes.states.iter().zip(&nodes.group).enumerate();
    let drawn = drawn.map(|(node, (states, group))| match (overview.grouping, group) {
        (Some(by), Some(group)) => DrawnNode {
            lines: group_lines(graph, states, by, depths[states[0]], &looks),
            tooltip: Some(group_tooltip(states, inside[node])),
            look: Look::Group,
            group: Some(*group),
            states: states.clone(),
            ..DrawnNode::default()
        },
        _ => state_node(graph, states[0], looks[states[0]], (shows_terms, is_small)),
    });
    let drawn: Vec<DrawnNode> = drawn.collect();
    LayeredDrawing {
        caption: caption(graph, &drawn),
        edges: edges(graph, &nodes),
        nodes: drawn,
        marks_root: true,
        has_arrows: true,
        may_be_dense: true,
    }
}

/// A state, with its term and the number of transitions that are not drawn, if these are shown.
fn state_node(
    graph: &StateGraph,
    number: usize,
    look: Look,
    (shows_term, shows_omitted): (bool, bool),
) -> DrawnNode {
    let state = &graph.states[number];
    let mut lines = vec![number.to_string()];
    let term = state.term.as_deref();
    lines.extend(term.filter(|_| shows_term).map(str::to_string));
    let omitted = match state.omitted {
        0 => None,
        omitted => Some(format!("{} more", thousands(omitted))),
    };
    lines.extend(omitted.clone().filter(|_| shows_omitted));
    let omitted = omitted.filter(|_| !shows_omitted);
    let tooltip = term.map(|term| format!("{number}: {}", shortened(term, 2_000)));
    let tooltip: Vec<String> = tooltip.into_iter().chain(omitted).collect();
    DrawnNode {
        lines,
        tooltip: Some(tooltip.join("\n")).filter(|text| !text.is_empty()),
        look,
        states: vec![number],
        ..DrawnNode::default()
    }
}

/// The looks of all states.
fn looks(graph: &StateGraph) -> Vec<Look> {
    let done = terminated(graph);
    let mut can_go_on = vec![false; graph.states.len()];
    for transition in &graph.transitions {
        can_go_on[transition.from] = true;
    }
    let states = graph.states.iter().zip(can_go_on).enumerate();
    let looks = states.map(
        |(number, (state, can_go_on))| match (state.omitted > 0, can_go_on) {
            (true, _) => Look::Frontier,
            (false, true) => Look::Plain,
            (false, false) if done.contains(&number) => Look::Done,
            (false, false) => Look::Stuck,
        },
    );
    looks.collect()
}

/// The text in the node of a group, whose states are `depth` steps away if `by` says so.
fn group_lines(
    graph: &StateGraph,
    states: &[usize],
    by: GraphGrouping,
    depth: usize,
    looks: &[Look],
) -> Vec<String> {
    let stands = |state: &usize| graph.states[*state].representative == Some(true);
    let name = match by {
        GraphGrouping::Layers => format!("after {}", counted(depth as u64, "step")),
        GraphGrouping::Components => format!("from {}", states[0]),
        GraphGrouping::Orbits => {
            let stands = states.iter().copied().find(|state| stands(state));
            format!("orbit of {}", stands.unwrap_or(states[0]))
        }
    };
    let mut lines = vec![name, counted(states.len() as u64, "state")];
    for (look, what) in [
        (Look::Stuck, "stuck"),
        (Look::Done, "terminated"),
        (Look::Frontier, "with more"),
    ] {
        let count = states.iter().filter(|&&state| looks[state] == look);
        match count.count() {
            0 => {}
            count => lines.push(format!("{} {what}", thousands(count as u64))),
        }
    }
    lines
}

fn group_tooltip(states: &[usize], inside: u64) -> String {
    let numbers: Vec<String> = states.iter().map(usize::to_string).collect();
    let inside = counted(inside, "transition");
    format!(
        "{inside} inside; states {}",
        shortened(&numbers.join(", "), 400)
    )
}

/// By node, the number of transitions between its states.
fn inside(graph: &StateGraph, nodes: &GraphNodes) -> Vec<u64> {
    let mut inside = vec![0; nodes.states.len()];
    for GraphTransition { from, to, .. } in &graph.transitions {
        if nodes.of[*from] == nodes.of[*to] {
            inside[nodes.of[*from]] += 1;
        }
    }
    inside
}

/// The edges between nodes. Where a group is at one end, transitions with the same text are one,
/// and transitions inside it are left out.
fn edges(graph: &StateGraph, nodes: &GraphNodes) -> Vec<DrawnEdge> {
    let mut edges = Vec::new();
    let mut joined: BTreeMap<(usize, usize), BTreeSet<String>> = BTreeMap::new();
    for transition in &graph.transitions {
        let (from, to) = (nodes.of[transition.from], nodes.of[transition.to]);
        let (is_group, to_group) = (nodes.group[from].is_some(), nodes.group[to].is_some());
        if is_group && from == to {
            continue;
        }
        if is_group || to_group {
            joined
                .entry((from, to))
                .or_default()
                .insert(transition.text());
            continue;
        }
        edges.push(DrawnEdge {
            from,
            to,
            label: shortened(&transition.text(), LONGEST_TERM),
            is_quiet: transition.label == TAU_TEXT,
            ..DrawnEdge::default()
        });
    }
    for ((from, to), texts) in joined {
        for label in summary(&texts) {
            edges.push(DrawnEdge {
                from,
                to,
                is_quiet: label.starts_with(TAU_TEXT),
                label: shortened(&label, LONGEST_TERM),
                ..DrawnEdge::default()
            });
        }
    }
    edges
}

/// The texts themselves if they are few, and otherwise their channels.
fn summary(texts: &BTreeSet<String>) -> Vec<String> {
    if texts.len() <= FEW_EVENTS {
        return texts.iter().cloned().collect();
    }
    let mut channels: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for text in texts {
        let channel = match text.split_once('.') {
            None => text.clone(),
            Some((channel, _)) if channel.starts_with(TAU_TEXT) => format!("{channel}.*)"),
            Some((channel, _)) => format!("{channel}.*"),
        };
        channels.entry(channel).or_insert((0, text)).0 += 1;
    }
    let channels = channels.into_iter();
    let names = channels.map(|(channel, (count, first))| match count {
        1 => first.to_string(),
        count => format!("{channel} ×{count}"),
    });
    names.collect()
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
        (Look::Group, "yellow, on another box: several states"),
    ];
    let used = |look: Look| nodes.iter().any(|node| node.look == look);
    let used = meanings.iter().filter(|(look, _)| used(*look));
    let mut caption = vec![graph.title()];
    caption.extend(used.map(|(_, meaning)| meaning.to_string()));
    caption
}
