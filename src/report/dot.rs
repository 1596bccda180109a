//! A structured machine as a graph for Graphviz.

use base::number::counted;
use std::fmt::Write as _;

use super::machine::MachineDescription;

/// The tree in the DOT language: operators are boxes, leaves ellipses.
pub fn render(machine: &MachineDescription) -> String {
    let mut text = String::from("digraph machine {\n");
    text.push_str("  fontname=\"Helvetica\";\n  node [shape=box, fontname=\"Helvetica\"];\n");
    let title = format!("{}, {}", machine.expression, counted(machine.rules, "rule"));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  label=\"{}\";", escape(&title));
    for (number, node) in machine.nodes.iter().enumerate() {
        let shape = match node.leaf {
            Some(_) => ", shape=ellipse",
            None => "",
        };
        let label = escape(&machine.label(number));
        let _ = writeln!(text, "  n{number} [label=\"{label}\"{shape}];");
    }
    for (number, node) in machine.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            let _ = writeln!(text, "  n{parent} -> n{number};");
        }
    }
    text.push_str("}\n");
    text
}

/// The inside of a quoted string of DOT that shows `text`. Graphviz reads what looks like an entity
/// of HTML, such as `&lt;`, as that character in any string.
pub(super) fn escape(text: &str) -> String {
    // Backslashes are doubled before others are written in front of quotes and for line breaks.
    text.replace('&', "&amp;")
        .replace('\\', "\\\\")
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
  fontname="Helvetica";
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

    /// The text that Graphviz shows for the inside of a quoted string, which it must not end.
    fn shown(inside: &str) -> String {
        let mut shown = String::new();
        let mut characters = inside.chars();
        while let Some(character) = characters.next() {
            assert_ne!(character, '"', "{inside} ends early");
            shown.push(match character {
                '\\' => match characters.next() {
                    Some('n') => '\n',
                    Some(escaped @ ('\\' | '"')) => escaped,
                    other => panic!("{inside} has {other:?} behind a backslash"),
                },
                character => character,
            });
        }
        // `&amp;` is the only entity that is written.
        assert_eq!(shown.matches('&').count(), shown.matches("&amp;").count());
        shown.replace("&amp;", "&")
    }

    #[test]
    fn labels_show_the_text_whatever_is_in_it() {
        for text in [
            "",
            "k.'\"'.X",
            "k.'\\\\'",
            "c.\"a\\n\"",
            "b & c.\"&lt;\" -> STOP",
            "&amp;&#60;\\",
            "P(1)\nQ \u{3c4} \\N \\l <{|c|}>",
        ] {
            assert_eq!(shown(&escape(text)), text);
        }
    }
}
