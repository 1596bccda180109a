//! A graph that is to be drawn, and the looks of its nodes.

/// A graph that is to be drawn in layers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayeredDrawing {
    /// The text below the drawing, line by line.
    pub caption: Vec<String>,
    /// The nodes; the first one is the root, from which the layers are counted. Nodes that cannot
    /// be reached from it stand beside it.
    pub nodes: Vec<DrawnNode>,
    /// The edges. Those between the same two nodes are drawn as one line.
    pub edges: Vec<DrawnEdge>,
    /// True if an arrow from nowhere leads to the root.
    pub marks_root: bool,
    /// True if lines have arrow heads.
    pub has_arrows: bool,
    /// True if labels, and then texts of nodes, may be left to those who point at them where they
    /// would make the drawing too wide.
    pub may_be_dense: bool,
}

/// A node of a drawing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnNode {
    /// The text in the node, line by line.
    pub lines: Vec<String>,
    /// The text that is shown where one points at the node.
    pub tooltip: Option<String>,
    /// The look of the node.
    pub look: Look,
    /// The states that it stands for, ascending; empty in a drawing of something else.
    pub states: Vec<usize>,
    /// The number of the group of states that it stands for as a whole.
    pub group: Option<usize>,
    /// The layer in which it stands, if the drawing gives one to each node; by default layers are
    /// counted from the root.
    pub layer: Option<usize>,
    /// The number of its colour, for what nodes have in common; by default its look decides.
    pub tone: Option<usize>,
    /// True if it is marked as one where something is wrong.
    pub is_marked: bool,
}

/// The look of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// A node like most others.
    #[default]
    Plain,
    /// A part that has no parts.
    Leaf,
    /// A state where nothing can happen any more.
    Stuck,
    /// A state where the process has terminated.
    Done,
    /// A node behind which there is more that is not drawn.
    Frontier,
    /// A node that stands for several states.
    Group,
    /// A part that has nothing in common with others.
    Lone,
    /// A place where several parts meet.
    Meeting,
}

/// An edge of a drawing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnEdge {
    /// The number of the node that it comes from.
    pub from: usize,
    /// The number of the node that it leads to.
    pub to: usize,
    /// The text at the edge; empty for none.
    pub label: String,
    /// True if it is drawn fainter than others, and dashed.
    pub is_quiet: bool,
    /// The ends to which it leads.
    pub leads: EdgeEnds,
    /// The number of the colour of its label, for what labels have in common.
    pub tone: Option<usize>,
}

/// The ends of an edge that have arrow heads, if the drawing has any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EdgeEnds {
    /// The end to which it leads.
    #[default]
    Last,
    /// Both ends.
    Both,
    /// Neither end.
    Neither,
}
