//! Symmetries as graphs.

use pretty_assertions::assert_eq;

use super::super::tests::example::{hanoi, nothing, turns};
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
