//! A structured machine as a graph for Graphviz.

use crate::base::number::counted;
use std::fmt::Write as _;

use super::machine::MachineDescription;

/// The tree in the DOT language: operators are boxes, leaves ellipses.
pub fn render(machine: &MachineDescription) -> String {
    let mut text = String::from("digraph machine {\n");
    text.push_str("  node [shape=box, fontname=\"Helvetica\"];\n");
    let title = format!("{}, {}", machine.expression, counted(machine.rules, "rule"));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  label=\"{}\";", escape(&title));
    for (number, node) in machine.nodes.iter().enumerate() {
        let shape = if node.leaf.is_some() {
            ", shape=ellipse"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  n{number} [label=\"{}\"{shape}];",
            escape(&machine.label(number))
        );
    }
    for (number, node) in machine.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            let _ = writeln!(text, "  n{parent} -> n{number};");
        }
    }
    text.push_str("}\n");
    text
}

/// The inside of a quoted string of DOT.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::machine::tests::example;
    use super::*;

    #[test]
    fn operators_are_boxes_and_leaves_are_ellipses() {
        let expected = r#"digraph machine {
  node [shape=box, fontname="Helvetica"];
  label="SYSTEM, 7 rules";
  n0 [label="hiding {| \"c\" |}"];
  n1 [label="parallel"];
  n2 [label="leaf 1: P(1), 3 states, 4 transitions", shape=ellipse];
  n3 [label="leaf 2: P(2), 1 state, 1 transition", shape=ellipse];
  n0 -> n1;
  n1 -> n2;
  n1 -> n3;
}
"#;
        assert_eq!(render(&example()), expected);
    }
}
