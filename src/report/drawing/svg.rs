//! A drawing as it is written: lines first, then nodes and labels above them.

use std::io::{self, Write};

use super::density::Density;
use super::drawn::{DrawnNode, LayeredDrawing, Look};
use super::items::{LOOP, is_dot, node_size, size};
use super::labels::{centred, rectangle, turned, write_label};
use super::layers::{DrawnLine, Layers};
use super::place::{LayerPlaces, MARGIN};
use super::route::{DrawnPoint, Route, middle, own_loop};
use super::text::{LINE, escape, number, widest};
use super::tones::{style_of, tone_class};

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
.group{fill:#fdf4df;stroke:#8a6412}
.root{stroke-width:2.6}
.thin{stroke-width:.8;stroke-opacity:.55}
.back{stroke-opacity:.3}
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
.group{fill:#342a15;stroke:#e0b552}
}
";

/// The largest width at which a drawing is shown unless somebody enlarges it.
const WIDEST: f64 = 3_000.0;

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
    // What is wider than most windows is shown smaller, and can be enlarged.
    let all = page.0.max(1.0);
    let shown = all.min(WIDEST) / all;
    let (shown_wide, shown_high) = (number(page.0 * shown), number(page.1 * shown));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{shown_wide}\" \
         height=\"{shown_high}\" viewBox=\"0 0 {wide} {high}\" role=\"img\">"
    )?;
    let title = drawing.caption.first().map_or("", String::as_str);
    writeln!(out, "<title>{}</title>", escape(title))?;
    writeln!(out, "<style>\n{STYLE}{}</style>", style_of(drawing))?;
    writeln!(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>")?;
    for (line, route) in layers.lines.iter().zip(routes) {
        let title = title_of(line, drawing, layers);
        let ends = format!(" data-between=\"{} {}\"", line.upper, line.lower);
        let named = (title.as_deref(), ends.as_str());
        write_route(
            route,
            line_class(line, layers),
            drawing.has_arrows,
            named,
            out,
        )?;
    }
    for (place, node) in drawing.nodes.iter().enumerate() {
        let at = middle(place, layers, places);
        let is_root = place == 0 && drawing.marks_root;
        write_loop((place, node), at, layers, out)?;
        write_node((place, node), at, is_root, layers.density, out)?;
    }
    if layers.density.shows_labels() {
        write_labels(layers, places, out)?;
    }
    write_caption(drawing, places, out)?;
    writeln!(out, "</svg>")
}

/// Writes the labels of all lines.
fn write_labels(layers: &Layers, places: &LayerPlaces, out: &mut dyn Write) -> io::Result<()> {
    for line in &layers.lines {
        let Some(item) = line.label else {
            continue;
        };
        let at = middle(item, layers, places);
        // Of two nodes of one layer the upper one, by name, may be left or right.
        let is_level = layers.items[line.upper].layer == layers.items[line.lower].layer;
        let is_turned = layers.density == Density::Turned;
        let arrows = match (is_level, places.x[line.upper] < places.x[line.lower]) {
            (false, _) => ["↓", "↑"],
            (true, true) => ["→", "←"],
            (true, false) => ["←", "→"],
        };
        let arrows = if is_turned {
            arrows.map(turned)
        } else {
            arrows
        };
        write_label(&line.labels, at, arrows, layers.density, out)?;
    }
    Ok(())
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

/// The labels of a line as text for those who point at it, where they are not drawn.
fn title_of(line: &DrawnLine, drawing: &LayeredDrawing, layers: &Layers) -> Option<String> {
    if layers.density.shows_labels() || line.labels.is_empty() {
        return None;
    }
    let name = |node: usize| drawing.nodes[node].lines.first().map_or("", String::as_str);
    let (upper, lower) = (name(line.upper), name(line.lower));
    let text = |leads_down: bool| {
        let (from, to) = if leads_down {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let labels = line.labels.iter();
        let labels = labels.filter(|label| label.leads_down.is_none_or(|down| down == leads_down));
        let labels: Vec<&str> = labels.map(|label| label.text.as_str()).collect();
        format!("{from} → {to}: {}", labels.join(", "))
    };
    let down = line.leads_down.then(|| text(true));
    let up = line.leads_up.then(|| text(false));
    let both: Vec<String> = down.into_iter().chain(up).collect();
    Some(both.join("\n"))
}

/// The looks of a line, besides that of all lines.
fn line_class(line: &DrawnLine, layers: &Layers) -> &'static str {
    let is_dense = layers.density == Density::Dots;
    match (is_dense, line.is_quiet, line.leads_down) {
        (false, true, _) => " quiet",
        (false, false, _) => "",
        (true, true, true) => " thin quiet",
        (true, true, false) => " thin back quiet",
        (true, false, true) => " thin",
        (true, false, false) => " thin back",
    }
}

/// Writes a line with these classes. `named` is its text for those who point at it, and further
/// attributes.
fn write_route(
    route: &Route,
    class: &str,
    has_arrows: bool,
    named: (Option<&str>, &str),
    out: &mut dyn Write,
) -> io::Result<()> {
    let (title, attributes) = named;
    write!(
        out,
        "<path class=\"line{class}\"{attributes} d=\"{}\"",
        route.path
    )?;
    match title {
        Some(title) => writeln!(out, "><title>{}</title></path>", escape(title))?,
        None => writeln!(out, "/>")?,
    }
    let quiet = if class.contains("quiet") {
        " quiet"
    } else {
        ""
    };
    for &(tip, to) in route.tips.iter().filter(|_| has_arrows) {
        write_tip(tip, to, quiet, attributes, out)?;
    }
    Ok(())
}

fn write_tip(
    tip: DrawnPoint,
    to: DrawnPoint,
    quiet: &str,
    attributes: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (long, wide) = TIP;
    let back = (tip.x - to.x * long, tip.y - to.y * long);
    let corner = |side: f64| DrawnPoint {
        x: back.0 - to.y * wide * side,
        y: back.1 + to.x * wide * side,
    };
    let (left, right) = (corner(1.0), corner(-1.0));
    writeln!(
        out,
        "<path class=\"tip{quiet}\"{attributes} d=\"M{tip}L{left}L{right}z\"/>"
    )
}

fn write_loop(
    (place, node): (usize, &DrawnNode),
    at: DrawnPoint,
    layers: &Layers,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (labels, density) = (&layers.loops[place], layers.density);
    // A dot that leads to itself looks like any other: the text of the node says so.
    if labels.is_empty() || density == Density::Dots {
        return Ok(());
    }
    let (wide, _) = node_size(node, density);
    let is_quiet = labels.iter().all(|label| label.is_quiet);
    let class = if is_quiet { " quiet" } else { "" };
    let texts: Vec<&str> = labels.iter().map(|label| label.text.as_str()).collect();
    let title = (!density.shows_labels()).then(|| texts.join(", "));
    let ends = format!(" data-between=\"{place} {place}\"");
    let named = (title.as_deref(), ends.as_str());
    write_route(&own_loop(at, wide), class, true, named, out)?;
    if !density.shows_labels() {
        return Ok(());
    }
    let (label_width, _) = size(labels, density);
    let beside = DrawnPoint {
        x: at.x + wide / 2.0 + LOOP - 3.0 + label_width / 2.0,
        y: at.y,
    };
    write_label(labels, beside, ["", ""], density, out)
}

fn write_node(
    (place, node): (usize, &DrawnNode),
    at: DrawnPoint,
    is_root: bool,
    density: Density,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (wide, high) = node_size(node, density);
    let (left, top) = (at.x - wide / 2.0, at.y - high / 2.0);
    let root = if is_root { " root" } else { "" };
    if is_root {
        let [start, end] = [top - 22.0, top].map(|y| DrawnPoint { x: at.x, y });
        writeln!(out, "<path class=\"line\" d=\"M{start}V{}\"/>", number(top))?;
        write_tip(end, DrawnPoint { x: 0.0, y: 1.0 }, "", "", out)?;
    }
    write!(out, "<g{}>", stands_for(place, node))?;
    let tooltip = node.tooltip.as_deref().unwrap_or_default();
    if !tooltip.is_empty() {
        write!(out, "<title>{}</title>", escape(tooltip))?;
    }
    if node.look == Look::Group {
        // The edge of another box behind this one: there is more than one state in it.
        let size = rectangle((left + 4.0, top + 4.0), (wide, high));
        write!(out, "<rect class=\"box group\" {size} rx=\"7\"/>")?;
    }
    let size = rectangle((left, top), (wide, high));
    let is_dot = is_dot(node, density);
    let round = number(match node.look {
        _ if is_dot => high / 2.0,
        Look::Meeting => 0.0,
        _ => 7.0,
    });
    write!(
        out,
        "<rect class=\"box{}{root}\" {size} rx=\"{round}\"/>",
        classes(node)
    )?;
    if is_dot {
        return writeln!(out, "</g>");
    }
    let first = at.y - (node.lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
    for (place, line) in node.lines.iter().enumerate() {
        let y = first + place as f64 * LINE;
        // The space keeps the lines apart for those who hear them.
        let space = if place > 0 { " " } else { "" };
        write!(
            out,
            "{space}{}",
            centred(line, (at.x, y), if place > 0 { " soft" } else { "" })
        )?;
    }
    writeln!(out, "</g>")
}

/// The classes of the box of `node` that its looks give it.
fn classes(node: &DrawnNode) -> String {
    let look = match node.look {
        Look::Plain => "",
        Look::Leaf => " leaf",
        Look::Stuck => " stuck",
        Look::Done => " done",
        Look::Frontier => " frontier",
        Look::Group => " group",
        Look::Lone | Look::Meeting => " neutral",
    };
    let tone = node.tone.map_or("", tone_class);
    let marked = if node.is_marked { " marked" } else { "" };
    format!("{look}{tone}{marked}")
}

/// The attributes that say what `node` stands for; none where it stands for no states.
fn stands_for(place: usize, node: &DrawnNode) -> String {
    if node.states.is_empty() {
        return String::new();
    }
    let states: Vec<String> = node.states.iter().map(usize::to_string).collect();
    let group = node.group.map(|group| format!(" data-group=\"{group}\""));
    let group = group.unwrap_or_default();
    let states = states.join(" ");
    format!(" class=\"node\" data-node=\"{place}\" data-states=\"{states}\"{group}")
}
