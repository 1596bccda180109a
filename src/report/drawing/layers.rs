//! The layer of each node, and the items in the layers between: the labels of lines, and the places
//! where lines pass.

use std::collections::{BTreeMap, VecDeque};

use super::density::Density;
use super::drawn::{EdgeEnds, LayeredDrawing};
use super::items::{
    BELOW_DOT, DOT, Item, LabelLine, WIDEST_LINE, bend, few, hanging, label_item, node_item,
};

/// A drawing in layers.
pub(super) struct Layers {
    /// The items of the layers. The first ones are the nodes, in their order.
    pub(super) items: Vec<Item>,
    /// By layer, from the top, its items from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// By item, the items to which it is joined in the layer above.
    pub(super) up: Vec<Vec<usize>>,
    /// By item, the items to which it is joined in the layer below.
    pub(super) down: Vec<Vec<usize>>,
    /// The lines between nodes.
    pub(super) lines: Vec<DrawnLine>,
    /// By node, the labels of its edges to itself.
    pub(super) loops: Vec<Vec<LabelLine>>,
    /// The room that its items take.
    pub(super) density: Density,
    /// By layer, the number of lines of dots into which it is folded where it would be too wide.
    pub(super) folds: Vec<usize>,
}

/// All edges between two nodes.
pub(super) struct DrawnLine {
    /// The node that is higher; of two in one layer, the one with the lower number.
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// The items that it passes, from the upper node to the lower one.
    pub(super) through: Vec<usize>,
    /// The one of these items that has the label, if there is one.
    pub(super) label: Option<usize>,
    pub(super) labels: Vec<LabelLine>,
    /// True if an edge leads to the upper node.
    pub(super) leads_up: bool,
    /// True if an edge leads to the lower node.
    pub(super) leads_down: bool,
    /// True if nothing but quiet edges is in it.
    pub(super) is_quiet: bool,
}

impl Layers {
    /// Layers by distance from the root. So most edges lead from one layer to the next, and none
    /// farther down than that.
    pub(super) fn of(drawing: &LayeredDrawing, density: Density) -> Self {
        let (lines, loops) = lines(drawing);
        let depth = depths(drawing);
        let has_labels = lines.iter().any(|line| !line.labels.is_empty());
        let is_level = |line: &DrawnLine| depth[line.upper] == depth[line.lower];
        // Labels stand in layers of their own, and so do the bows between nodes of one layer.
        let step = match density {
            Density::Dots => 1,
            _ if has_labels && density.shows_labels() || lines.iter().any(is_level) => 2,
            _ => 1,
        };
        let nodes = drawing.nodes.iter().zip(&loops).zip(&depth);
        let items =
            nodes.map(|((node, loops), depth)| node_item(node, loops, depth * step, density));
        let items: Vec<Item> = items.collect();
        let mut layers = Self {
            up: vec![Vec::new(); items.len()],
            down: vec![Vec::new(); items.len()],
            rows: Vec::new(),
            items,
            lines: Vec::new(),
            loops,
            density,
            folds: Vec::new(),
        };
        for line in lines {
            layers.add_line(line);
        }
        layers.fill_rows(drawing.nodes.len());
        layers.fold();
        layers
    }

    /// Folds layers of dots that are too wide.
    fn fold(&mut self) {
        self.folds = vec![1; self.rows.len()];
        if self.density != Density::Dots {
            return;
        }
        let (beside, _) = self.density.gaps();
        for (layer, row) in self.rows.iter().enumerate() {
            let wide = row.len() as f64 * (DOT + beside);
            let lines = (wide / WIDEST_LINE).ceil().max(1.0);
            self.folds[layer] = lines as usize;
            for &item in row {
                let item = &mut self.items[item];
                item.height = item.height.max(DOT + (lines - 1.0) * BELOW_DOT);
            }
        }
    }

    /// The distance of an item from the middle of its layer, downwards; `place` counts items in it.
    pub(super) fn below_middle(&self, item: usize, place: usize) -> f64 {
        let Item { layer, is_dot, .. } = self.items[item];
        let lines = self.folds[layer];
        match is_dot {
            true => ((place % lines) as f64 - (lines as f64 - 1.0) / 2.0) * BELOW_DOT,
            false => 0.0,
        }
    }

    fn add_line(&mut self, mut line: DrawnLine) {
        let depth = |node: usize| self.items[node].layer;
        if depth(line.upper) > depth(line.lower) {
            std::mem::swap(&mut line.upper, &mut line.lower);
            std::mem::swap(&mut line.leads_up, &mut line.leads_down);
            for label in &mut line.labels {
                label.leads_down = label.leads_down.map(|down| !down);
            }
        }
        let (top, bottom) = (depth(line.upper), depth(line.lower));
        let shows_label = self.density.shows_labels() && !line.labels.is_empty();
        if self.density == Density::Dots {
            // Lines run from dot to dot: thousands that passed each layer would take all the room.
            if bottom == top + 1 {
                self.join(line.upper, line.lower);
            }
        } else if top == bottom {
            let item = self.add_item(match shows_label {
                true => label_item(&line.labels, top + 1, self.density),
                false => hanging(top + 1),
            });
            self.join(line.upper, item);
            self.join(line.lower, item);
            line.through.push(item);
            line.label = Some(item);
        } else {
            let length = bottom - top;
            // Nodes are in even layers, so this is the odd one in the middle.
            let middle = top + (length / 2) / 2 * 2 + 1;
            let mut last = line.upper;
            for layer in top + 1..bottom {
                let has_label = layer == middle && shows_label;
                let item = self.add_item(match has_label {
                    true => label_item(&line.labels, layer, self.density),
                    false => bend(layer),
                });
                if has_label {
                    line.label = Some(item);
                }
                self.join(last, item);
                line.through.push(item);
                last = item;
            }
            self.join(last, line.lower);
        }
        self.lines.push(line);
    }

    fn add_item(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        self.items.len() - 1
    }

    /// The distance from the middle of `left` to that of `right`, the next item of its row.
    pub(super) fn distance(&self, left: usize, right: usize) -> f64 {
        let (left, right) = (&self.items[left], &self.items[right]);
        let (beside_node, beside_line) = self.density.gaps();
        let gap = match left.is_node && right.is_node {
            true => beside_node,
            false => beside_line,
        };
        let apart = left.right + gap + right.left;
        match left.is_dot && right.is_dot {
            // The next dot of the same line is as many dots farther on as there are lines.
            true => apart / self.folds[left.layer].max(1) as f64,
            false => apart,
        }
    }

    /// The width of the widest row, without a gap too many anywhere.
    pub(super) fn widest_row(&self) -> f64 {
        let rows = self.rows.iter().map(|row| {
            let ends = row.first().zip(row.last());
            let ends = ends.map(|(&a, &b)| self.items[a].left + self.items[b].right);
            let steps = row.windows(2).map(|pair| self.distance(pair[0], pair[1]));
            ends.unwrap_or_default() + steps.sum::<f64>()
        });
        rows.fold(0.0, f64::max)
    }

    fn join(&mut self, upper: usize, lower: usize) {
        self.down[upper].push(lower);
        self.up[lower].push(upper);
    }

    /// Sets the first order of each layer: nodes by their numbers, and other items of a line by the
    /// number of its upper node.
    fn fill_rows(&mut self, nodes: usize) {
        let count = self.items.iter().map(|item| item.layer + 1).max();
        self.rows = vec![Vec::new(); count.unwrap_or_default()];
        let mut key: Vec<usize> = (0..self.items.len()).collect();
        for line in &self.lines {
            for &item in &line.through {
                key[item] = line.upper;
            }
        }
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_key(|&item| (key[item], item >= nodes, item));
        for item in order {
            self.rows[self.items[item].layer].push(item);
        }
    }
}

/// By node, its layer: the one that the drawing gives, or the number of edges from the root. A node
/// that cannot be reached counts as a further root.
fn depths(drawing: &LayeredDrawing) -> Vec<usize> {
    let given: Option<Vec<usize>> = drawing.nodes.iter().map(|node| node.layer).collect();
    if let Some(given) = given {
        return given;
    }
    let mut after = vec![Vec::new(); drawing.nodes.len()];
    for edge in &drawing.edges {
        after[edge.from].push(edge.to);
    }
    let mut depth = vec![None; drawing.nodes.len()];
    for root in 0..drawing.nodes.len() {
        if depth[root].is_some() {
            continue;
        }
        depth[root] = Some(0);
        let mut open = VecDeque::from([(root, 0)]);
        while let Some((node, at)) = open.pop_front() {
            for &next in &after[node] {
                if depth[next].is_none() {
                    depth[next] = Some(at + 1);
                    open.push_back((next, at + 1));
                }
            }
        }
    }
    depth.into_iter().map(Option::unwrap_or_default).collect()
}

/// The edges between each two nodes as one line, and those from a node to itself.
fn lines(drawing: &LayeredDrawing) -> (Vec<DrawnLine>, Vec<Vec<LabelLine>>) {
    let mut between: BTreeMap<(usize, usize), DrawnLine> = BTreeMap::new();
    let mut loops = vec![Vec::new(); drawing.nodes.len()];
    for edge in &drawing.edges {
        let label = LabelLine {
            text: edge.label.clone(),
            is_quiet: edge.is_quiet,
            leads_down: (edge.leads == EdgeEnds::Last).then_some(edge.from < edge.to),
            tone: edge.tone,
        };
        if edge.from == edge.to {
            loops[edge.from].push(label);
            continue;
        }
        let (upper, lower) = (edge.from.min(edge.to), edge.from.max(edge.to));
        let line = between.entry((upper, lower)).or_insert_with(|| DrawnLine {
            upper,
            lower,
            through: Vec::new(),
            label: None,
            labels: Vec::new(),
            leads_up: false,
            leads_down: false,
            is_quiet: true,
        });
        let leads_to = |end: usize| match edge.leads {
            EdgeEnds::Last => edge.to == end,
            EdgeEnds::Both => true,
            EdgeEnds::Neither => false,
        };
        line.leads_down |= leads_to(lower);
        line.leads_up |= leads_to(upper);
        line.is_quiet &= edge.is_quiet;
        if !label.text.is_empty() {
            line.labels.push(label);
        }
    }
    let mut lines: Vec<DrawnLine> = between.into_values().collect();
    for line in &mut lines {
        let both_ways = line.leads_up && line.leads_down;
        let is_mixed = line.labels.iter().any(|label| label.leads_down.is_none());
        let has_head = line.leads_up || line.leads_down;
        let says_way = both_ways || is_mixed && has_head;
        line.labels = few(std::mem::take(&mut line.labels), says_way);
    }
    let loops = loops.into_iter().map(|labels| few(labels, false));
    (lines, loops.collect())
}
