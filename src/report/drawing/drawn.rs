//! What is to be drawn, and what it should look like.

/// What is to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayeredDrawing {
    /// What stands below the drawing, line by line.
    pub caption: Vec<String>,
    /// The nodes; the first one is the root, from which the layers are counted. Any that no edge
    /// leads to stand beside it.
    pub nodes: Vec<DrawnNode>,
    /// The edges. Those between the same two nodes are drawn as one line.
    pub edges: Vec<DrawnEdge>,
    /// Whether an arrow from nowhere leads to the root.
    pub marks_root: bool,
    /// Whether lines have arrow heads.
    pub has_arrows: bool,
}

/// A node of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnNode {
    /// What stands in it, line by line.
    pub lines: Vec<String>,
    /// What is shown where one points at it.
    pub tooltip: Option<String>,
    /// What it looks like.
    pub look: Look,
}

/// What a node looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Like any other.
    Plain,
    /// A part that has no parts.
    Leaf,
    /// Where nothing can happen any more.
    Stuck,
    /// Where the process has terminated.
    Done,
    /// Behind which there is more.
    Frontier,
}

/// An edge of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnEdge {
    /// Where it comes from, by number of the node.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What stands at it; empty for nothing.
    pub label: String,
    /// Whether it stands behind the others.
    pub is_quiet: bool,
}
