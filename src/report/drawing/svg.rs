//! A drawing as it is written: lines first, then nodes and labels above them.

use std::io::{self, Write};

use super::drawn::{DrawnNode, LayeredDrawing, Look};
use super::layers::{LOOP, LabelLine, Layers, node_size, size};
use super::place::{LayerPlaces, MARGIN};
use super::route::{DrawnPoint, Route, middle, own_loop};
use super::text::{LINE, escape, number, widest, width};

/// The colours, twice: as they are, and where the surroundings are dark. Some programs know no
/// variables, so there are none.
const STYLE: &str = "\
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1f24}
.page{fill:#fff}
.line{fill:none;stroke:#5b6673;stroke-width:1.3}
.tip{fill:#5b6673;stroke:none}
.quiet{stroke:#9aa4b0;stroke-dasharray:5 3}
.tip.quiet{fill:#9aa4b0;stroke:none}
.label{fill:#fff}
text.soft{fill:#66707c}
.box{fill:#eaf1fb;stroke:#2f64ad;stroke-width:1.3}
.leaf{fill:#f1ecfa;stroke:#6d4bb0}
.stuck{fill:#fde9e7;stroke:#c0352b;stroke-width:2}
.done{fill:#e5f5e9;stroke:#25803c;stroke-width:2}
.frontier{fill:#fff;stroke:#2f64ad;stroke-dasharray:4 3}
.root{stroke-width:2.6}
@media (prefers-color-scheme:dark){
text{fill:#e4e8ee}
.page{fill:#14171c}
.line{stroke:#93a0b0}
.tip{fill:#93a0b0}
.quiet{stroke:#66727f}
.tip.quiet{fill:#66727f}
.label{fill:#14171c}
text.soft{fill:#9ba6b3}
.box{fill:#1b2838;stroke:#6fa8f5}
.leaf{fill:#271f3a;stroke:#ab90ea}
.stuck{fill:#3a1c1b;stroke:#f2776d}
.done{fill:#16301e;stroke:#63c57d}
.frontier{fill:#14171c;stroke:#6fa8f5}
}
";

/// The length of an arrow head, and its width on each side.
const TIP: (f64, f64) = (8.0, 3.6);

/// Writes the whole drawing.
pub(super) fn write(
    drawing: &LayeredDrawing,
    layers: &Layers,
    places: &LayerPlaces,
    routes: &[Route],
    out: &mut dyn Write,
) -> io::Result<()> {
    let caption = drawing.caption.iter().map(String::as_str);
    let page = (
        places.width.max(widest(caption) + 2.0 * MARGIN),
        places.height + drawing.caption.len() as f64 * LINE,
    );
    let (wide, high) = (number(page.0), number(page.1));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {wide} {high}\" role=\"img\">"
    )?;
    let title = drawing.caption.first().map_or("", String::as_str);
    writeln!(out, "<title>{}</title>", escape(title))?;
    writeln!(out, "<style>\n{STYLE}</style>")?;
    writeln!(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>")?;
    for (line, route) in layers.lines.iter().zip(routes) {
        write_route(route, line.is_quiet, drawing.has_arrows, out)?;
    }
    for (place, node) in drawing.nodes.iter().enumerate() {
        let at = middle(place, layers, places);
        let is_root = place == 0 && drawing.marks_root;
        write_loop(node, at, &layers.loops[place], out)?;
        write_node(node, at, is_root, out)?;
    }
    for line in &layers.lines {
        let Some(item) = line.label else {
            continue;
        };
        let at = middle(item, layers, places);
        // Of two nodes of one layer the upper one, by name, may be left or right.
        let is_level = layers.items[line.upper].layer == layers.items[line.lower].layer;
        let arrows = match (is_level, places.x[line.upper] < places.x[line.lower]) {
            (false, _) => ["↓", "↑"],
            (true, true) => ["→", "←"],
            (true, false) => ["←", "→"],
        };
        write_label(&line.labels, at, arrows, out)?;
    }
    write_caption(drawing, places, out)?;
    writeln!(out, "</svg>")
}

fn write_caption(
    drawing: &LayeredDrawing,
    places: &LayerPlaces,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (place, text) in drawing.caption.iter().enumerate() {
        let y = number(places.height + place as f64 * LINE - 2.0);
        let (x, text) = (number(MARGIN), escape(text));
        writeln!(
            out,
            "<text class=\"soft\" x=\"{x}\" y=\"{y}\">{text}</text>"
        )?;
    }
    Ok(())
}

fn write_route(
    route: &Route,
    is_quiet: bool,
    has_arrows: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let quiet = if is_quiet { " quiet" } else { "" };
    writeln!(out, "<path class=\"line{quiet}\" d=\"{}\"/>", route.path)?;
    for &(tip, to) in route.tips.iter().filter(|_| has_arrows) {
        write_tip(tip, to, quiet, out)?;
    }
    Ok(())
}

fn write_tip(tip: DrawnPoint, to: DrawnPoint, quiet: &str, out: &mut dyn Write) -> io::Result<()> {
    let (long, wide) = TIP;
    let back = (tip.x - to.x * long, tip.y - to.y * long);
    let corner = |side: f64| DrawnPoint {
        x: back.0 - to.y * wide * side,
        y: back.1 + to.x * wide * side,
    };
    let (left, right) = (corner(1.0), corner(-1.0));
    writeln!(
        out,
        "<path class=\"tip{quiet}\" d=\"M{tip}L{left}L{right}z\"/>"
    )
}

fn write_loop(
    node: &DrawnNode,
    at: DrawnPoint,
    labels: &[LabelLine],
    out: &mut dyn Write,
) -> io::Result<()> {
    if labels.is_empty() {
        return Ok(());
    }
    let (wide, _) = node_size(node);
    let is_quiet = labels.iter().all(|label| label.is_quiet);
    write_route(&own_loop(at, wide), is_quiet, true, out)?;
    let (label_width, _) = size(labels);
    let beside = DrawnPoint {
        x: at.x + wide / 2.0 + LOOP - 3.0 + label_width / 2.0,
        y: at.y,
    };
    write_label(labels, beside, ["", ""], out)
}

fn write_node(
    node: &DrawnNode,
    at: DrawnPoint,
    is_root: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (wide, high) = node_size(node);
    let look = match node.look {
        Look::Plain => "",
        Look::Leaf => " leaf",
        Look::Stuck => " stuck",
        Look::Done => " done",
        Look::Frontier => " frontier",
    };
    let (left, top) = (at.x - wide / 2.0, at.y - high / 2.0);
    let root = if is_root { " root" } else { "" };
    if is_root {
        let [start, end] = [top - 22.0, top].map(|y| DrawnPoint { x: at.x, y });
        writeln!(out, "<path class=\"line\" d=\"M{start}V{}\"/>", number(top))?;
        write_tip(end, DrawnPoint { x: 0.0, y: 1.0 }, "", out)?;
    }
    let tooltip = node.tooltip.as_deref().unwrap_or_default();
    write!(out, "<g>")?;
    if !tooltip.is_empty() {
        write!(out, "<title>{}</title>", escape(tooltip))?;
    }
    let size = rectangle((left, top), (wide, high));
    write!(out, "<rect class=\"box{look}{root}\" {size} rx=\"7\"/>")?;
    let first = at.y - (node.lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
    for (place, line) in node.lines.iter().enumerate() {
        let y = first + place as f64 * LINE;
        write!(out, "{}", centred(line, (at.x, y), place > 0))?;
    }
    writeln!(out, "</g>")
}

/// The place and the size of a rectangle, as attributes.
fn rectangle((left, top): (f64, f64), (wide, high): (f64, f64)) -> String {
    let [left, top, wide, high] = [left, top, wide, high].map(number);
    format!("x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"")
}

/// A line of text with its middle at this point.
fn centred(text: &str, (x, y): (f64, f64), is_soft: bool) -> String {
    let class = if is_soft { " class=\"soft\"" } else { "" };
    let (x, y, text) = (number(x), number(y), escape(text));
    format!("<text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>")
}

/// Writes the lines of a label, before a ground that hides the line behind them.
fn write_label(
    labels: &[LabelLine],
    at: DrawnPoint,
    arrows: [&str; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (wide, high) = size(labels);
    for (place, label) in labels.iter().enumerate() {
        let text = match label.leads_down {
            Some(true) => format!("{} {}", arrows[0], label.text),
            Some(false) => format!("{} {}", arrows[1], label.text),
            None => label.text.clone(),
        };
        let ground = width(&text).min(wide) + 4.0;
        let top = at.y - high / 2.0 + place as f64 * LINE;
        let size = rectangle((at.x - ground / 2.0, top), (ground, LINE));
        let text = centred(&text, (at.x, top + LINE / 2.0 + 4.0), label.is_quiet);
        writeln!(out, "<rect class=\"label\" {size}/>{text}")?;
    }
    Ok(())
}
