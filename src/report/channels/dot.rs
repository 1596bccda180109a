//! The communication graph of a process for Graphviz.
//!
//! Components are ellipses. A channel of two components is an arrow from the one that sends, and
//! channels of more are boxes.

use std::fmt::Write as _;

use super::ChannelGraph;
use super::layout::ChannelLayout;
use crate::dot::escape;
use crate::drawing::EdgeEnds;

/// Colours that colour-blind people can distinguish too (Okabe and Ito), in light tints.
const COLOURS: [&str; 6] = [
    "#BFE1F6", "#FBE0A8", "#B3E2D3", "#F3D3E4", "#F6C9A8", "#F8F3B0",
];

/// The graph in the DOT language.
pub fn render(graph: &ChannelGraph) -> String {
    let layout = ChannelLayout::of(graph, usize::MAX);
    let mut text = String::from("digraph channels {\n");
    text.push_str("  fontname=\"Helvetica\";\n  node [fontname=\"Helvetica\"];\n");
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  label=\"{}\";", escape(&graph.title()));
    let orbits = graph.orbits();
    for (number, component) in graph.components.iter().enumerate() {
        let fill = match orbits[component.orbit].len() {
            1 => String::new(),
            _ => {
                let colour = COLOURS[component.orbit % COLOURS.len()];
                format!(", style=filled, fillcolor=\"{colour}\"")
            }
        };
        let label = escape(&component.name);
        let mark = marked(!component.breaks.is_empty());
        let _ = writeln!(
            text,
            "  n{number} [label=\"{label}\", shape=ellipse{fill}{mark}];"
        );
    }
    for (number, channels) in layout.meetings.iter().enumerate() {
        let number = graph.components.len() + number;
        let dashed = if graph.channels[channels[0]].hidden {
            ", style=dashed"
        } else {
            ""
        };
        let (label, mark) = (labels(graph, channels), marked(breaks(graph, channels)));
        let _ = writeln!(
            text,
            "  n{number} [label=\"{label}\", shape=box{dashed}{mark}];"
        );
    }
    for line in &layout.lines {
        let (from, to) = (line.from, line.to);
        let label = labels(graph, &line.channels);
        let heads = match line.leads {
            EdgeEnds::Last => "",
            EdgeEnds::Both => ", dir=both",
            EdgeEnds::Neither => ", dir=none",
        };
        let dashed = if line.is_hidden { ", style=dashed" } else { "" };
        let mark = marked(breaks(graph, &line.channels));
        let _ = writeln!(
            text,
            "  n{from} -> n{to} [label=\"{label}\"{heads}{dashed}{mark}];"
        );
    }
    text.push_str("}\n");
    text
}

fn labels(graph: &ChannelGraph, channels: &[usize]) -> String {
    let labels = channels
        .iter()
        .map(|&channel| graph.channels[channel].label());
    escape(&labels.collect::<Vec<String>>().join("\n"))
}

fn breaks(graph: &ChannelGraph, channels: &[usize]) -> bool {
    let mut breaks = channels
        .iter()
        .map(|&channel| &graph.channels[channel].breaks);
    breaks.any(|breaks| !breaks.is_empty())
}

fn marked(is_marked: bool) -> &'static str {
    if is_marked {
        ", color=\"#C0352B\", penwidth=3"
    } else {
        ""
    }
}
