//! Lanes as a drawing that stands alone: names, columns and colours in one SVG, for programs that
//! show drawings and no pages.

use super::super::assertion::Counterexample;
use super::super::drawing::escape;
use super::columns::{LETTER, cut, length};
use super::lanes::Lanes;

/// The colours, twice: as they are, and where the surroundings are dark. Some programs know no
/// variables, so there are none.
const STYLE: &str = "\
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1f24}
.page{fill:#fff}
.number{font-size:11px;fill:#66707c;text-anchor:middle}
.state{font-size:11px;fill:#66707c;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}
.heads .internal text{fill:#6d4bb0;font-style:italic}
.column{fill:#fff;fill-opacity:0}
.again .column{fill:#fdf4df;fill-opacity:1}
.wrong .column{fill:#fde9e7;fill-opacity:1}
.wrong .number{fill:#c0352b;font-weight:bold}
.wrong .state,.again .state{stroke:none}
.link{stroke:#2f64ad;stroke-width:2;stroke-opacity:.55}
circle{fill:#2f64ad}
.wrong circle{fill:#c0352b}
.own rect{fill:#eaf1fb;stroke:#2f64ad;stroke-width:1.5}
.own text{font-size:11px;text-anchor:middle}
.rows{stroke:#c9cfd6}
.end{stroke:#c0352b;stroke-width:4}
.specification{font-style:italic}
@media (prefers-color-scheme:dark){
text{fill:#e4e8ee}
.page{fill:#14171c}
.number{fill:#9ba6b3}
.state{fill:#9ba6b3;stroke:#14171c}
.heads .internal text{fill:#ab90ea}
.again .column{fill:#342a15}
.wrong .column{fill:#3a1c1b}
.wrong .number{fill:#f2776d}
.link{stroke:#6fa8f5}
circle{fill:#6fa8f5}
.wrong circle{fill:#f2776d}
.own rect{fill:#1b2838;stroke:#6fa8f5}
.rows{stroke:#3a424d}
.end{stroke:#f2776d}
}
";

/// The most letters of a name beside the rows.
const LONGEST_NAME: usize = 40;

/// The space around names.
const MARGIN: usize = 8;

/// The lanes of `found` as an SVG drawing: of the run that leads to what is wrong, or of the
/// `other` one of nondeterminism. `None` if there is no such run, or nothing is known of
/// components.
pub fn lanes_alone(found: &Counterexample, other: bool) -> Option<String> {
    let lanes = Lanes::of(found, other)?;
    let sizes = lanes.sizes();
    let names = lanes.names();
    let letters = names.iter().map(|name| length(name).min(LONGEST_NAME));
    let beside = letters.max().unwrap_or(0) * LETTER + 2 * MARGIN;
    let body = lanes.rows() * sizes.row;
    let (width, height) = (beside + lanes.width(&sizes), sizes.head + body);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        escape(&found.sentence)
    );
    for (row, name) in names.iter().enumerate() {
        let is_component = row < lanes.components.len();
        svg.push_str(&format!(
            "<text class=\"{}\" x=\"{MARGIN}\" y=\"{}\">{}<title>{}</title></text>\n",
            if is_component {
                "name"
            } else {
                "name specification"
            },
            sizes.head + row * sizes.row + 19,
            escape(&cut(name, LONGEST_NAME)),
            escape(name)
        ));
    }
    svg.push_str(&format!(
        "<g transform=\"translate({beside})\">\n<g class=\"heads\">\n{}</g>\n<g transform=\"translate(0 {})\">\n{}\n</g>\n</g>\n\
         <path class=\"rows\" d=\"M0 {1}H{width}\"/>\n</svg>\n",
        lanes.heads(&sizes),
        sizes.head,
        lanes.body(&sizes),
    ));
    Some(svg)
}

impl Lanes<'_> {
    /// The names of the rows.
    fn names(&self) -> Vec<String> {
        let components = self.components.iter();
        let components = components.map(|component| component.name.clone());
        let allows = |process: &str| format!("{process} allows");
        let specification = self.specification.map(|row| allows(&row.process));
        components.chain(specification).collect()
    }
}
