//! The leaves of a machine with their symmetries as a graph for Graphviz, like Figure 2 of the paper.
//!
//! Each leaf is a cluster of numbered states, the initial one shaded. Dashed arrows lead from each state to the one
//! that a generator takes it to, in the colour of the generator; a state without one stays where it is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::dot::escape;
use super::{LeafGraph, PbisimDescription, RelationDescription, SymmetryDescription};
use crate::base::number::{all_counted_as, counted, counted_as, thousands};

/// How many states are drawn in all; Graphviz takes minutes for thousands.
const STATES: u64 = 400;

/// Events written on one arrow.
const EVENTS: usize = 6;

/// Colours that also the colour-blind can tell apart (Okabe and Ito).
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

/// The size up to which leaves are drawn with their states: all of equal size or none, so that arrows have two ends.
fn largest_drawn(description: &SymmetryDescription) -> u64 {
    let mut by_size: BTreeMap<u64, u64> = BTreeMap::new();
    for leaf in &description.leaves {
        *by_size.entry(leaf.states).or_default() += leaf.states;
    }
    let mut drawn = 0;
    let fits = by_size.into_iter().take_while(|(_, states)| {
        drawn += states;
        drawn <= STATES
    });
    fits.last().map_or(0, |(size, _)| size)
}

struct Drawing<'a> {
    description: &'a SymmetryDescription,
    /// Leaves of more states are boxes.
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

    /// A leaf with its states and transitions.
    fn cluster(&self, leaf: usize, graph: &LeafGraph, events: &[String], text: &mut String) {
        let _ = writeln!(text, "  subgraph cluster_{leaf} {{");
        let _ = writeln!(
            text,
            "    label=\"{}\";",
            escape(&self.description.leaf(leaf))
        );
        for state in 0..self.description.leaves[leaf].states {
            let label = match graph.off {
                Some(off) if u64::from(off) == state => "off".to_string(),
                _ => state.to_string(),
            };
            let shade = if state == 0 {
                ", style=filled, fillcolor=lightgrey"
            } else {
                ""
            };
            let _ = writeln!(text, "    s{leaf}_{state} [label=\"{label}\"{shade}];");
        }
        let mut edges: BTreeMap<(u32, u32), Vec<&str>> = BTreeMap::new();
        for &(from, event, to) in &graph.transitions {
            let name = events.get(event as usize).map_or("?", String::as_str);
            edges.entry((from, to)).or_default().push(name);
        }
        for ((from, to), names) in edges {
            let label = escape(&joined(&names));
            let _ = writeln!(
                text,
                "    s{leaf}_{from} -> s{leaf}_{to} [label=\"{label}\"];"
            );
        }
        text.push_str("  }\n");
    }

    /// A leaf that is too large.
    fn undrawn(&self, leaf: usize, text: &mut String) {
        let states = counted(self.description.leaves[leaf].states, "state");
        let label = format!("{}\n{states}", self.description.leaf(leaf));
        let _ = writeln!(text, "  l{leaf} [shape=box, label=\"{}\"];", escape(&label));
    }

    /// Which colour is which generator.
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

    /// What a generator moves. An arrow with two heads stands for a swap.
    fn arrows(&self, number: usize, relation: &RelationDescription, text: &mut String) {
        let (colour, style) = pen(number);
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
            if !self.has_states(from) {
                if back.is_none() || from <= to {
                    draw(
                        &format!("l{from}"),
                        &format!("l{to}"),
                        back.is_some() && from != to,
                    );
                }
                continue;
            }
            for (state, &image) in map.states.iter().enumerate() {
                if (from, state) == (to, image as usize) {
                    continue;
                }
                let returns = back.and_then(|back| back.states.get(image as usize));
                let swap = returns == Some(&(state as u32));
                if !swap || (from, state) < (to, image as usize) {
                    draw(&format!("s{from}_{state}"), &format!("s{to}_{image}"), swap);
                }
            }
        }
    }
}

/// Colour and style of the arrows of a generator.
fn pen(generator: usize) -> (&'static str, &'static str) {
    let style = if (generator / COLOURS.len()).is_multiple_of(2) {
        "dashed"
    } else {
        "dotted"
    };
    (COLOURS[generator % COLOURS.len()], style)
}

/// The events of an arrow, one a line.
fn joined(names: &[&str]) -> String {
    let mut lines: Vec<String> = names
        .iter()
        .take(EVENTS)
        .map(|name| name.to_string())
        .collect();
    if names.len() > EVENTS {
        lines.push(format!("... {} more", names.len() - EVENTS));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::example::{hanoi, nothing, turns};
    use super::*;

    /// The lines that hold all of the words.
    fn lines<'a>(text: &'a str, words: &[&str]) -> Vec<&'a str> {
        let holds = |line: &&str| words.iter().all(|word| line.contains(word));
        text.lines().map(str::trim).filter(holds).collect()
    }

    #[test]
    fn states_lie_in_clusters_and_swaps_have_two_heads() {
        let mut hanoi = hanoi();
        // A few transitions show every sort of line.
        let pbisims = hanoi.pbisims.as_mut().expect("it has them");
        for graph in &mut pbisims.graphs {
            graph.transitions.truncate(3);
        }
        let expected = r##"digraph symmetry {
  fontname="Helvetica";
  node [shape=circle, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  label="RUN(Events) [T= HANOI: 2 symmetries";
  subgraph cluster_0 {
    label="leaf 1 POLE(A)";
    s0_0 [label="0", style=filled, fillcolor=lightgrey];
    s0_1 [label="1"];
    s0_2 [label="2"];
    s0_3 [label="3"];
    s0_0 -> s0_1 [label="move.1.A.B\nmove.1.A.C"];
    s0_1 -> s0_0 [label="move.1.B.A"];
  }
  subgraph cluster_1 {
    label="leaf 2 POLE(B)";
    s1_0 [label="0", style=filled, fillcolor=lightgrey];
    s1_1 [label="1"];
    s1_2 [label="2"];
    s1_3 [label="3"];
    s1_0 -> s1_1 [label="move.1.A.B\nmove.1.C.B"];
    s1_0 -> s1_2 [label="move.2.A.B"];
  }
  subgraph cluster_2 {
    label="leaf 3 POLE(C)";
    s2_0 [label="0", style=filled, fillcolor=lightgrey];
    s2_1 [label="1"];
    s2_2 [label="2"];
    s2_3 [label="3"];
    s2_0 -> s2_1 [label="move.1.A.C\nmove.1.B.C"];
    s2_0 -> s2_2 [label="move.2.A.C"];
  }
  subgraph cluster_legend {
    label="symmetries";
    g0 [shape=plaintext, label="(B C)", fontcolor="#D55E00"];
  }
  s1_0 -> s2_0 [style=dashed, color="#D55E00", constraint=false, dir=both];
  s1_1 -> s2_1 [style=dashed, color="#D55E00", constraint=false, dir=both];
  s1_2 -> s2_2 [style=dashed, color="#D55E00", constraint=false, dir=both];
  s1_3 -> s2_3 [style=dashed, color="#D55E00", constraint=false, dir=both];
}
"##;
        assert_eq!(render(&hanoi), expected);
    }

    #[test]
    fn cycles_have_one_head_and_each_generator_its_colour() {
        let text = render(&turns());
        let arrows: Vec<&str> = lines(
            &text,
            &["->", "style=dashed, color=\"#0072B2\", constraint=false];"],
        )
        .iter()
        .map(|line| line.split(" [").next().expect("it has attributes"))
        .collect();
        assert_eq!(
            arrows,
            [
                "s0_0 -> s1_0",
                "s0_1 -> s1_1",
                "s1_0 -> s2_0",
                "s1_1 -> s2_1",
                "s2_0 -> s0_0",
                "s2_1 -> s0_1",
                "s3_1 -> s3_2",
                "s3_2 -> s3_3",
                "s3_3 -> s3_1",
            ]
        );
        assert_eq!(lines(&text, &["->", "#0072B2"]).len(), arrows.len());
        assert_eq!(
            lines(&text, &["s3_", "->", "#D55E00"]),
            ["s3_1 -> s3_2 [style=dashed, color=\"#D55E00\", constraint=false, dir=both];"]
        );
    }

    #[test]
    fn large_leaves_are_boxes_and_the_title_says_so() {
        let mut turns = turns();
        let pbisims = turns.pbisims.as_mut().expect("it has them");
        let states: Vec<u32> = (0..200).collect();
        for leaf in &mut turns.leaves[..3] {
            leaf.states = 200;
        }
        for relation in &mut pbisims.relations {
            for map in relation.leaves.iter_mut().filter(|map| map.from < 3) {
                map.states = states.clone();
            }
        }
        let text = render(&turns);
        assert_eq!(
            lines(&text, &["label=\"SpecME"]),
            [
                "label=\"SpecME [T= TURNS: 6 symmetries\\n3 leaves are drawn as boxes: no more than 400 states are drawn\";"
            ]
        );
        assert_eq!(
            lines(&text, &["l1 [shape"]),
            ["l1 [shape=box, label=\"leaf 2 PARTICIPANT(P2)\\n200 states\"];"]
        );
        // The leaf that is small enough still has its states, and boxes have arrows of their own.
        assert!(lines(&text, &["s1_"]).is_empty());
        assert_eq!(lines(&text, &["s3_", "label"]).len(), 7);
        assert_eq!(
            lines(&text, &["l", "->", "dashed"])
                .iter()
                .filter(|line| line.starts_with('l'))
                .map(|line| line
                    .replace("style=dashed, ", "")
                    .replace(", constraint=false", ""))
                .collect::<Vec<_>>(),
            [
                "l0 -> l1 [color=\"#D55E00\", dir=both];",
                "l0 -> l1 [color=\"#0072B2\"];",
                "l1 -> l2 [color=\"#0072B2\"];",
                "l2 -> l0 [color=\"#0072B2\"];",
            ]
        );
    }

    #[test]
    fn a_switched_off_state_is_called_so_and_long_labels_are_cut() {
        let mut hanoi = hanoi();
        let pbisims = hanoi.pbisims.as_mut().expect("it has them");
        pbisims.graphs[0] = LeafGraph {
            transitions: (0..8).map(|event| (0, event, 1)).collect(),
            off: Some(3),
        };
        let text = render(&hanoi);
        assert_eq!(lines(&text, &["s0_3 ["]), ["s0_3 [label=\"off\"];"]);
        assert_eq!(lines(&text, &["s0_0 -> s0_1"]).len(), 1);
        assert!(
            lines(&text, &["s0_0 -> s0_1"])[0].ends_with("... 2 more\"];"),
            "{text}"
        );
    }

    #[test]
    fn without_symmetry_there_is_no_legend() {
        let text = render(&nothing());
        assert!(!text.contains("legend"));
        assert!(
            text.contains("l0 [shape=box, label=\"leaf 1 P\\n1 state\"];"),
            "{text}"
        );
    }
}
