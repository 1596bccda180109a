//! The way of each line, from the border of a node past labels to the border of another.

use std::fmt;

use super::density::Density;
use super::drawn::LayeredDrawing;
use super::items::{LOOP, node_size};
use super::layers::{DrawnLine, Layers};
use super::place::LayerPlaces;
use super::text::number;

/// A line as it is drawn.
pub(super) struct Route {
    /// Its path in SVG.
    pub(super) path: String,
    /// The tips of its arrows, each with the direction it points to.
    pub(super) tips: Vec<Tip>,
}

/// The tip of an arrow, and where it points to.
type Tip = (DrawnPoint, DrawnPoint);

/// A place, or a direction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct DrawnPoint {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl fmt::Display for DrawnPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", number(self.x), number(self.y))
    }
}

/// The point at these coordinates.
fn point(x: f64, y: f64) -> DrawnPoint {
    DrawnPoint { x, y }
}

/// The distance from one line to the next where they leave a node.
const BESIDE: f64 = 16.0;
/// The distance of the two halves of a bow from the middle of its label.
const HANGING: f64 = 9.0;
/// The width of a node's corners, where no line leaves.
const CORNERS: f64 = 14.0;

/// The routes of all lines, in their order.
pub(super) fn routes(
    drawing: &LayeredDrawing,
    layers: &Layers,
    places: &LayerPlaces,
) -> Vec<Route> {
    let ports = Ports::of(drawing, layers, places);
    let lines = layers.lines.iter().enumerate();
    let routes = lines.map(|(number, line)| {
        let upper = ports.upper[number];
        let lower = ports.lower[number];
        let is_level = layers.items[line.upper].layer == layers.items[line.lower].layer;
        if layers.density == Density::Dots {
            return between_dots(line, layers, places);
        }
        match is_level {
            true => bow(line, layers, places, upper, lower),
            false => downwards(line, layers, places, upper, lower),
        }
    });
    routes.collect()
}

/// The edge of a node to itself: a bow at its right side.
pub(super) fn own_loop(node: DrawnPoint, width: f64) -> Route {
    let x = node.x + width / 2.0;
    let (above, below) = (node.y - 7.0, node.y + 7.0);
    let out = x + LOOP - 2.0;
    let (start, tip) = (point(x, above), point(x, below));
    let bow = (point(out, above - 9.0), point(out, below + 9.0));
    Route {
        path: format!("M{start}C{} {} {tip}", bow.0, bow.1),
        tips: vec![(tip, point(-0.94, -0.34))],
    }
}

/// A line from a layer to one below: through each layer straight down, and in bows between.
fn downwards(
    line: &DrawnLine,
    layers: &Layers,
    places: &LayerPlaces,
    from: DrawnPoint,
    to: DrawnPoint,
) -> Route {
    let mut at = point(from.x, places.bands[layers.items[line.upper].layer].1);
    let mut path = format!("M{from}V{}", number(at.y));
    let passed = line.through.iter().map(|&item| {
        let (top, bottom) = places.bands[layers.items[item].layer];
        (places.x[item], top, bottom)
    });
    let (top, _) = places.bands[layers.items[line.lower].layer];
    for (x, top, bottom) in passed.chain([(to.x, top, to.y)]) {
        let middle = (at.y + top) / 2.0;
        let bow = (point(at.x, middle), point(x, middle), point(x, top));
        path += &format!("C{} {} {}V{}", bow.0, bow.1, bow.2, number(bottom));
        at = point(x, bottom);
    }
    Route {
        path,
        tips: tips(line, (from, point(0.0, -1.0)), (to, point(0.0, 1.0))),
    }
}

/// A line between two dots: straight to the next layer, and otherwise bent, so that it does not run
/// along a row of others. It has no tips, which would be larger than the dots.
fn between_dots(line: &DrawnLine, layers: &Layers, places: &LayerPlaces) -> Route {
    let from = middle(line.upper, layers, places);
    let to = middle(line.lower, layers, places);
    let apart = layers.items[line.lower].layer - layers.items[line.upper].layer;
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let bent = |by: f64| point((from.x + to.x) / 2.0 + by, (from.y + to.y) / 2.0);
    let path = match apart {
        1 => format!("M{from}L{to}"),
        0 => {
            let low = point(
                (from.x + to.x) / 2.0,
                from.y + (dx.abs() / 4.0).clamp(12.0, 60.0),
            );
            format!("M{from}Q{low} {to}")
        }
        _ => format!("M{from}Q{} {to}", bent((dy / 3.0).clamp(14.0, 160.0))),
    };
    Route {
        path,
        tips: Vec::new(),
    }
}

/// A line between two nodes of a layer: down to its label, which hangs below, and up again. So the
/// line stays between the layers, and passes behind no other label.
fn bow(
    line: &DrawnLine,
    layers: &Layers,
    places: &LayerPlaces,
    from: DrawnPoint,
    to: DrawnPoint,
) -> Route {
    let item = line.through[0];
    let (top, _) = places.bands[layers.items[item].layer];
    let below = places.bands[layers.items[line.upper].layer].1;
    // The left end of the line comes to the left side of the label.
    let side = if from.x <= to.x { HANGING } else { -HANGING };
    let DrawnPoint { x, y } = middle(item, layers, places);
    let between = (below + top) / 2.0;
    let half = |end: DrawnPoint, x: f64| {
        let bow = (point(end.x, between), point(x, between), point(x, top));
        let (below, y) = (number(below), number(y));
        format!("M{end}V{below}C{} {} {}V{y}", bow.0, bow.1, bow.2)
    };
    let up = point(0.0, -1.0);
    Route {
        path: half(from, x - side) + &half(to, x + side),
        tips: tips(line, (from, up), (to, up)),
    }
}

/// The tips that `line` has at its upper and at its lower end.
fn tips(line: &DrawnLine, upper: Tip, lower: Tip) -> Vec<Tip> {
    let down = line.leads_down.then_some(lower);
    let up = line.leads_up.then_some(upper);
    down.into_iter().chain(up).collect()
}

/// The points where lines leave nodes: side by side, in the order of the places that they lead to.
struct Ports {
    upper: Vec<DrawnPoint>,
    lower: Vec<DrawnPoint>,
}

impl Ports {
    fn of(drawing: &LayeredDrawing, layers: &Layers, places: &LayerPlaces) -> Self {
        let nodes = drawing.nodes.len();
        // By node, the ends of lines at its bottom and at its top: the place to which the line
        // goes, its number, and true if this is its upper end.
        let mut bottoms: Vec<Vec<(f64, usize, bool)>> = vec![Vec::new(); nodes];
        let mut tops = bottoms.clone();
        for (number, line) in layers.lines.iter().enumerate() {
            let first = line.through.first().unwrap_or(&line.lower);
            let last = line.through.last().unwrap_or(&line.upper);
            bottoms[line.upper].push((places.x[*first], number, true));
            let is_level = layers.items[line.upper].layer == layers.items[line.lower].layer;
            let ends = if is_level { &mut bottoms } else { &mut tops };
            ends[line.lower].push((places.x[*last], number, false));
        }
        let nowhere = point(0.0, 0.0);
        let mut ports = Self {
            upper: vec![nowhere; layers.lines.len()],
            lower: vec![nowhere; layers.lines.len()],
        };
        for (node, look) in drawing.nodes.iter().enumerate() {
            let (width, height) = node_size(look, layers.density);
            let middle = middle(node, layers, places);
            for (ends, side) in [(&mut bottoms[node], 1.0), (&mut tops[node], -1.0)] {
                ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let room = (width - CORNERS) / ends.len().max(1) as f64;
                let step = room.min(BESIDE);
                let start = middle.x - step * (ends.len().saturating_sub(1)) as f64 / 2.0;
                for (place, &(_, line, is_upper)) in ends.iter().enumerate() {
                    let y = middle.y + side * height / 2.0;
                    let port = point(start + step * place as f64, y);
                    match is_upper {
                        true => ports.upper[line] = port,
                        false => ports.lower[line] = port,
                    }
                }
            }
        }
        ports
    }
}

/// The middle of an item.
pub(super) fn middle(item: usize, layers: &Layers, places: &LayerPlaces) -> DrawnPoint {
    let (top, bottom) = places.bands[layers.items[item].layer];
    point(places.x[item], (top + bottom) / 2.0 + places.below[item])
}
