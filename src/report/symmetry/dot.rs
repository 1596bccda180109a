//! The leaves of a machine with their symmetries as a graph for Graphviz, like Figure 2 of the
//! paper.
//!
//! Each leaf is a cluster of numbered states, the initial one shaded. Dashed arrows lead from each
//! state to the one that a generator takes it to, in the colour of the generator; a state without
//! one stays where it is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::dot::escape;
use super::{LeafGraph, PbisimDescription, RelationDescription, SymmetryDescription};
use base::excerpt::first_of;
use base::number::{all_counted_as, counted, counted_as, thousands};

/// The most states that are drawn in all; Graphviz takes minutes for thousands.
const STATES: u64 = 400;

/// The most events that are written on one arrow.
const EVENTS: usize = 6;

/// Colours that colour-blind people can distinguish too (Okabe and Ito).
const COLOURS: [&str; 6] = [
    "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
];

/// The graph in the DOT language. Without relations it has the leaves as boxes alone.
pub fn render(description: &SymmetryDescription) -> String {
    let pbisims = description.pbisims.as_ref();
    let drawing = Drawing {
        description,
        largest: pbisims.map_or(0, |_| largest_drawn(description)),
    };
    let mut text = String::from("digraph symmetry {\n");
    text.push_str("  fontname=\"Helvetica\";\n  node [shape=circle, fontname=\"Helvetica\"];\n");
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  label=\"{}\";", escape(&drawing.title()));
    for leaf in 0..description.leaves.len() {
        match pbisims.and_then(|pbisims| Some((pbisims, pbisims.graphs.get(leaf)?))) {
            Some((pbisims, graph)) if drawing.has_states(leaf) => {
                drawing.cluster(leaf, graph, &pbisims.events, &mut text);
            }
            _ => drawing.undrawn(leaf, &mut text),
        }
    }
    if let Some(PbisimDescription { relations, .. }) = pbisims {
        drawing.legend(&mut text);
        for (number, relation) in relations.iter().enumerate() {
            drawing.arrows(number, relation, &mut text);
        }
    }
    text.push_str("}\n");
    text
}

/// The size up to which leaves are drawn with their states: all of equal size or none, so that
/// arrows have two ends.
fn largest_drawn(description: &SymmetryDescription) -> u64 {
    let mut by_size: BTreeMap<u64, u64> = BTreeMap::new();
    for leaf in &description.leaves {
        *by_size.entry(leaf.states).or_default() += leaf.states;
    }
    // From the smallest size up, which draws the most leaves.
    let mut drawn = 0;
    let fits = by_size.into_iter().take_while(|(_, states)| {
        drawn += states;
        drawn <= STATES
    });
    fits.last().map_or(0, |(size, _)| size)
}

struct Drawing<'a> {
    description: &'a SymmetryDescription,
    /// The most states of a leaf that is drawn with its states; larger leaves are boxes.
    largest: u64,
}

impl Drawing<'_> {
    fn title(&self) -> String {
        let symmetries = all_counted_as(&self.description.order, "symmetry", "symmetries");
        let mut title = format!("{}: {symmetries}", self.description.title());
        let leaves = &self.description.leaves;
        let boxes = leaves.iter().filter(|leaf| leaf.states > self.largest);
        let boxes = boxes.count();
        if boxes > 0 && self.description.pbisims.is_some() {
            let _ = write!(
                title,
                "\n{} drawn as boxes: no more than {} states are drawn",
                counted_as(boxes as u64, "leaf is", "leaves are"),
                thousands(STATES),
            );
        }
        title
    }

    fn has_states(&self, leaf: usize) -> bool {
        self.description.leaves[leaf].states <= self.largest
    }

    /// Writes a leaf with its states and transitions.
    fn cluster(&self, leaf: usize, graph: &LeafGraph, events: &[String], text: &mut String) {
        let _ = writeln!(text, "  subgraph cluster_{leaf} {{");
        let title = escape(&self.description.leaf(leaf));
        let _ = writeln!(text, "    label=\"{title}\";");
        for state in 0..self.description.leaves[leaf].states {
            let label = match graph.off {
                Some(off) if u64::from(off) == state => "off".to_string(),
                _ => state.to_string(),
            };
            let shade = match state {
                0 => ", style=filled, fillcolor=lightgrey",
                _ => "",
            };
            let _ = writeln!(text, "    s{leaf}_{state} [label=\"{label}\"{shade}];");
        }
        let mut edges: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
        for &(from, event, to) in &graph.transitions {
            let name = events.get(event as usize).map_or("?", String::as_str);
            edges.entry((from, to)).or_default().push(name.to_string());
        }
        for ((from, to), names) in edges {
            let label = escape(&first_of(names.into_iter(), EVENTS).join("\n"));
            let _ = writeln!(
                text,
                "    s{leaf}_{from} -> s{leaf}_{to} [label=\"{label}\"];"
            );
        }
        text.push_str("  }\n");
    }

    /// Writes a leaf that is too large as a box.
    fn undrawn(&self, leaf: usize, text: &mut String) {
        let states = counted(self.description.leaves[leaf].states, "state");
        let label = format!("{}\n{states}", self.description.leaf(leaf));
        let _ = writeln!(text, "  l{leaf} [shape=box, label=\"{}\"];", escape(&label));
    }

    /// Writes which colour is which generator.
    fn legend(&self, text: &mut String) {
        if self.description.is_trivial() {
            return;
        }
        text.push_str("  subgraph cluster_legend {\n    label=\"symmetries\";\n");
        for (number, generator) in self.description.generators.iter().enumerate() {
            let (colour, _) = pen(number);
            let name = escape(&generator.name);
            let _ = writeln!(
                text,
                "    g{number} [shape=plaintext, label=\"{name}\", fontcolor=\"{colour}\"];"
            );
        }
        text.push_str("  }\n");
    }

    /// Writes the arrows of a generator to what it moves. An arrow with two heads stands for a
    /// swap.
    fn arrows(&self, number: usize, relation: &RelationDescription, text: &mut String) {
        let (colour, style) = pen(number);
        // Without `constraint=false` these arrows would pull the states of a leaf out of their
        // ranks.
        let mut draw = |from: &str, to: &str, swap: bool| {
            let heads = if swap { ", dir=both" } else { "" };
            let _ = writeln!(
                text,
                "  {from} -> {to} [style={style}, color=\"{colour}\", constraint=false{heads}];"
            );
        };
        for map in &relation.leaves {
            let (from, to) = (map.from, map.to);
            let back = relation.leaves.iter().find(|back| back.from == to);
            let back = back.filter(|back| back.to == from);
            // Leaves whose states go to each other have equally many, so both are drawn with states
            // or none.
            if !self.has_states(from) {
                if back.is_none() || from <= to {
                    let swap = back.is_some() && from != to;
                    draw(&format!("l{from}"), &format!("l{to}"), swap);
                }
                continue;
            }
            for (state, &image) in map.states.iter().enumerate() {
                if (from, state) == (to, image as usize) {
                    continue;
                }
                let returns = back.and_then(|back| back.states.get(image as usize));
                let swap = returns == Some(&(state as u32));
                // A swap is met from both of its ends, and drawn from one of them.
                if !swap || (from, state) < (to, image as usize) {
                    draw(&format!("s{from}_{state}"), &format!("s{to}_{image}"), swap);
                }
            }
        }
    }
}

/// The colour and the style of the arrows of a generator.
fn pen(generator: usize) -> (&'static str, &'static str) {
    let style = match generator / COLOURS.len() % 2 {
        0 => "dashed",
        _ => "dotted",
    };
    (COLOURS[generator % COLOURS.len()], style)
}

#[cfg(test)]
mod tests;
