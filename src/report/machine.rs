//! A structured machine as plain data, its JSON, and its drawing as a text tree.

use std::io::{self, Write};

use serde::Serialize;

use super::drawing::{DrawnEdge, DrawnNode, LayeredDrawing, Look};
use super::json::json;
use base::excerpt::shortened;
use base::number::{counted, counted_as};

/// The most levels of the tree that are indented; nodes that lie deeper stay in this column.
const DEEPEST_INDENT: usize = 40;

/// The most characters of an expression or of a set in the box of a drawing.
const WIDEST: usize = 28;

/// A structured machine: an operator tree over leaves.
///
/// The tree is a list rather than nested values, so that its depth costs no call stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MachineDescription {
    /// The script, as it was named.
    pub file: String,
    /// The expression that was compiled.
    pub expression: String,
    /// The nodes of the tree, every parent before its children, and siblings in order.
    pub nodes: Vec<MachineNode>,
    /// The leaves that the nodes refer to.
    pub leaves: Vec<LeafDescription>,
    /// The number of synchronisation rules.
    pub rules: u64,
    /// The bits that the packed vector of leaf states takes.
    pub bits_per_state: u64,
}

/// One node of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MachineNode {
    /// The position of its parent; absent for the root.
    pub parent: Option<usize>,
    /// The name of the operator: `alphabetised parallel`, `hiding`, `leaf`...
    pub operator: String,
    /// The argument of the operator, such as the set it hides, as CSPm.
    pub argument: Option<String>,
    /// The position in the list of leaves, if the node is a leaf.
    pub leaf: Option<usize>,
}

/// One leaf.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeafDescription {
    /// The process it is compiled from.
    pub expression: String,
    /// Its states.
    pub states: u64,
    /// Its transitions.
    pub transitions: u64,
}

/// The JSON object printed where there is no machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MachineFailure {
    /// The script, as it was named.
    pub file: String,
    /// The expression that was to be compiled.
    pub expression: String,
    /// The reason why there is no machine, in one line that begins with the code of the message.
    pub message: String,
}

impl MachineFailure {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }
}

impl MachineDescription {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }

    /// The tree as text, ending in a newline.
    pub fn text(&self) -> String {
        let leaves = counted_as(self.leaves.len() as u64, "leaf", "leaves");
        let mut text = format!(
            "{}: {leaves}, {}, {} a state\n",
            self.expression,
            counted(self.rules, "rule"),
            counted(self.bits_per_state, "bit")
        );
        let children = self.children();
        // The nodes still to be drawn, the next one last. The rails say, level by level, whether
        // more siblings follow.
        let mut open: Vec<(usize, Vec<bool>)> =
            self.roots().rev().map(|root| (root, Vec::new())).collect();
        while let Some((node, rails)) = open.pop() {
            text.push_str(&format!("{}{}\n", indentation(&rails), self.label(node)));
            for (position, &child) in children[node].iter().enumerate().rev() {
                // Rails have at most DEEPEST_INDENT entries, however deep the tree is.
                let mut rails = rails.clone();
                if rails.len() < DEEPEST_INDENT {
                    rails.push(position + 1 < children[node].len());
                }
                open.push((child, rails));
            }
        }
        text
    }

    /// The node as text: `hiding {| a |}`, `leaf 2: P(1), 3 states, 4 transitions`.
    pub(super) fn label(&self, node: usize) -> String {
        let node = &self.nodes[node];
        let mut label = node.operator.clone();
        if let Some(argument) = &node.argument {
            label.push_str(&format!(" {argument}"));
        }
        if let Some((number, leaf)) = node
            .leaf
            .and_then(|leaf| Some((leaf, self.leaves.get(leaf)?)))
        {
            label.push_str(&format!(
                " {}: {}, {}, {}",
                number + 1,
                leaf.expression,
                counted(leaf.states, "state"),
                counted(leaf.transitions, "transition")
            ));
        }
        label
    }

    /// Writes a drawing of at most `most` nodes of the tree, the nearest to the root. A node whose
    /// operands are not all there says how many are missing.
    pub fn write_svg(&self, most: usize, out: &mut dyn Write) -> io::Result<()> {
        let children = self.children();
        let mut shown: Vec<usize> = self.roots().take(most).collect();
        let mut edges = Vec::new();
        let mut missing = Vec::new();
        while let Some(&node) = shown.get(missing.len()) {
            let from = missing.len();
            let room = most - shown.len();
            let there = children[node].iter().take(room);
            edges.extend(there.clone().enumerate().map(|(place, _)| DrawnEdge {
                from,
                to: shown.len() + place,
                label: String::new(),
                is_quiet: false,
                ..DrawnEdge::default()
            }));
            missing.push(children[node].len() - there.len());
            shown.extend(there);
        }
        let nodes = shown.iter().zip(missing);
        let nodes = nodes.map(|(&node, missing)| self.drawn(node, missing));
        let leaves = counted_as(self.leaves.len() as u64, "leaf", "leaves");
        let rules = counted(self.rules, "rule");
        let drawing = LayeredDrawing {
            caption: vec![format!("{}: {leaves}, {rules}", self.expression)],
            nodes: nodes.collect(),
            edges,
            marks_root: false,
            has_arrows: false,
            may_be_dense: false,
        };
        drawing.write_svg(out)
    }

    /// The box of a node; `missing` operands of it are not drawn.
    fn drawn(&self, node: usize, missing: usize) -> DrawnNode {
        let tooltip = Some(self.label(node));
        let node = &self.nodes[node];
        let leaf = node.leaf.and_then(|leaf| self.leaves.get(leaf));
        let mut lines = vec![match leaf.filter(|_| node.operator == "leaf") {
            Some(leaf) => shortened(&leaf.expression, WIDEST),
            None => node.operator.clone(),
        }];
        let argument = node.argument.as_deref();
        lines.extend(argument.map(|argument| shortened(argument, WIDEST)));
        if let Some(leaf) = leaf {
            lines.push(counted(leaf.states, "state"));
        }
        if missing > 0 {
            lines.push(format!("{} below", counted(missing as u64, "more node")));
        }
        DrawnNode {
            lines,
            tooltip,
            look: match (missing > 0, leaf.is_some()) {
                (true, _) => Look::Frontier,
                (false, true) => Look::Leaf,
                (false, false) => Look::Plain,
            },
            ..DrawnNode::default()
        }
    }

    fn roots(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].parent.is_none())
    }

    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (node, MachineNode { parent, .. }) in self.nodes.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(node);
            }
        }
        children
    }
}

/// The rails of the ancestors and the branch to the node itself.
fn indentation(rails: &[bool]) -> String {
    let Some((own, ancestors)) = rails.split_last() else {
        return String::new();
    };
    let mut text: String = ancestors
        .iter()
        .map(|&more| if more { "│  " } else { "   " })
        .collect();
    text.push_str(if *own { "├─ " } else { "└─ " });
    text
}

#[cfg(test)]
pub(super) mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    pub(crate) fn example() -> MachineDescription {
        let node = |parent, operator: &str, argument: Option<&str>, leaf| MachineNode {
            parent,
            operator: operator.to_string(),
            argument: argument.map(str::to_string),
            leaf,
        };
        let leaf = |expression: &str, states, transitions| LeafDescription {
            expression: expression.to_string(),
            states,
            transitions,
        };
        MachineDescription {
            file: "a.csp".to_string(),
            expression: "SYSTEM".to_string(),
            nodes: vec![
                node(None, "hiding", Some("{| \"c\" |}"), None),
                node(Some(0), "parallel", None, None),
                node(Some(1), "leaf", None, Some(0)),
                node(Some(1), "leaf", None, Some(1)),
            ],
            leaves: vec![leaf("P(1)", 3, 4), leaf("P(2)", 1, 1)],
            rules: 7,
            bits_per_state: 2,
        }
    }

    #[test]
    fn the_tree_is_drawn_with_rails() {
        let expected = "\
SYSTEM: 2 leaves, 7 rules, 2 bits a state
hiding {| \"c\" |}
└─ parallel
   ├─ leaf 1: P(1), 3 states, 4 transitions
   └─ leaf 2: P(2), 1 state, 1 transition
";
        assert_eq!(example().text(), expected);
    }

    #[test]
    fn a_deep_tree_needs_neither_stack_nor_a_wide_page() {
        let mut machine = example();
        let node = |parent| MachineNode {
            parent,
            operator: "hiding".to_string(),
            argument: None,
            leaf: None,
        };
        machine.nodes = (0..100_000_usize)
            .map(|position| node(position.checked_sub(1)))
            .collect();
        let text = machine.text();
        assert_eq!(text.lines().count(), 100_001);
        assert!(text.lines().all(|line| line.chars().count() < 200));
    }

    #[test]
    fn json_lists_nodes_and_leaves() {
        let json = example().json();
        assert!(json.starts_with(
            r#"{"schema":1,"file":"a.csp","expression":"SYSTEM","nodes":[{"parent":null,"operator":"hiding","#
        ));
        assert!(json.ends_with(
            r#""leaves":[{"expression":"P(1)","states":3,"transitions":4},{"expression":"P(2)","states":1,"transitions":1}],"rules":7,"bits_per_state":2}"#
        ));
    }
}
