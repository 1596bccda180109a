//! The items of layers: nodes, labels, and places where lines pass; the room that each takes.

use super::density::Density;
use super::drawn::DrawnNode;
use super::text::{LINE, widest, width};

/// An item of a layer: a node, a label, or a place where a line passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) layer: usize,
    /// The distance from its middle to its left end.
    pub(super) left: f64,
    /// The distance from its middle to its right end.
    pub(super) right: f64,
    pub(super) height: f64,
    pub(super) is_node: bool,
    /// True if it is a node that is drawn as a dot.
    pub(super) is_dot: bool,
}

/// A line of a label.
#[derive(Clone, Debug)]
pub(super) struct LabelLine {
    pub(super) text: String,
    pub(super) is_quiet: bool,
    /// True if this edge leads to the lower node; `None` unless there are edges both ways, and of
    /// an edge that leads nowhere or both ways itself.
    pub(super) leads_down: Option<bool>,
    pub(super) tone: Option<usize>,
}

/// The most labels of a line that are shown; others are only counted.
const MOST_LABELS: usize = 4;

/// The height of a node of one line, without that line.
const NODE_PADDING: f64 = 11.0;

/// The side of a dot, and the distance from one line of them to the next.
pub(super) const DOT: f64 = 11.0;
pub(super) const BELOW_DOT: f64 = 16.0;
/// The width of the widest line of dots: a layer with more of them is folded.
pub(super) const WIDEST_LINE: f64 = 1_600.0;

/// The distance from a node to the label of its edges to itself.
pub(super) const LOOP: f64 = 26.0;

/// The first labels, and a line that counts the others; each with its direction if `says_way`.
pub(super) fn few(labels: Vec<LabelLine>, says_way: bool) -> Vec<LabelLine> {
    let mut shown = Vec::new();
    for leads_down in [Some(true), Some(false), None] {
        let same = |label: &&LabelLine| label.leads_down == leads_down;
        let all: Vec<&LabelLine> = labels.iter().filter(same).collect();
        // One more fits where otherwise there would be a line that counts it.
        let most = match all.len() == MOST_LABELS + 1 {
            true => all.len(),
            false => MOST_LABELS,
        };
        let direction = leads_down.filter(|_| says_way);
        shown.extend(all.iter().take(most).map(|&label| LabelLine {
            leads_down: direction,
            ..label.clone()
        }));
        if all.len() > most {
            shown.push(LabelLine {
                text: format!("{} more", all.len() - most),
                is_quiet: true,
                leads_down: direction,
                tone: None,
            });
        }
    }
    shown
}

/// The width and the height of labels; those with a direction have an arrow before them.
pub(super) fn size(labels: &[LabelLine], density: Density) -> (f64, f64) {
    let arrow = match labels.iter().any(|label| label.leads_down.is_some()) {
        true => width("↓ "),
        false => 0.0,
    };
    let long = widest(labels.iter().map(|label| label.text.as_str())) + arrow;
    let beside = labels.len() as f64 * LINE;
    match density {
        Density::Turned => (beside, long),
        _ => (long, beside),
    }
}

pub(super) fn node_item(
    node: &DrawnNode,
    loops: &[LabelLine],
    layer: usize,
    density: Density,
) -> Item {
    let (width, height) = node_size(node, density);
    let (beside, beside_height) = match loops {
        [] => (0.0, 0.0),
        _ if density == Density::Dots => (0.0, 0.0),
        _ if !density.shows_labels() => (LOOP, 0.0),
        loops => {
            let (width, height) = size(loops, density);
            (width + LOOP, height)
        }
    };
    Item {
        layer,
        left: width / 2.0,
        right: width / 2.0 + beside,
        height: height.max(beside_height),
        is_node: true,
        is_dot: is_dot(node, density),
    }
}

/// True if `node` is drawn as a dot: groups always have their text.
pub(super) fn is_dot(node: &DrawnNode, density: Density) -> bool {
    density == Density::Dots && node.group.is_none()
}

/// The width and the height of the box of a node.
pub(super) fn node_size(node: &DrawnNode, density: Density) -> (f64, f64) {
    if is_dot(node, density) {
        return (DOT, DOT);
    }
    let width = widest(node.lines.iter().map(String::as_str)) + 18.0;
    let lines = node.lines.len().max(1) as f64;
    (width.max(34.0), lines * LINE + NODE_PADDING)
}

pub(super) fn label_item(labels: &[LabelLine], layer: usize, density: Density) -> Item {
    let (width, height) = size(labels, density);
    let beside = if density == Density::Turned { 0.5 } else { 3.0 };
    Item {
        layer,
        left: width / 2.0 + beside,
        right: width / 2.0 + beside,
        height: height + 2.0,
        is_node: false,
        is_dot: false,
    }
}

/// The lowest point of a bow between two nodes of a layer that has no label.
pub(super) fn hanging(layer: usize) -> Item {
    Item {
        height: 4.0,
        ..bend(layer)
    }
}

pub(super) fn bend(layer: usize) -> Item {
    Item {
        layer,
        left: 0.0,
        right: 0.0,
        height: 0.0,
        is_node: false,
        is_dot: false,
    }
}
