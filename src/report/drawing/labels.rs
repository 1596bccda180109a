//! Labels as they are written: across, or turned by a quarter.

use std::io::{self, Write};

use super::density::Density;
use super::items::{LabelLine, size};
use super::route::DrawnPoint;
use super::text::{LINE, escape, number, width};
use super::tones::tone_class;

/// The place and the size of a rectangle, as attributes.
pub(super) fn rectangle((left, top): (f64, f64), (wide, high): (f64, f64)) -> String {
    let [left, top, wide, high] = [left, top, wide, high].map(number);
    format!("x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"")
}

/// A line of text of this class with its middle at this point.
pub(super) fn centred(text: &str, (x, y): (f64, f64), class: &str) -> String {
    let class = class_attribute(class);
    let (x, y, text) = (number(x), number(y), escape(text));
    format!("<text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>")
}

/// The class of a text as an attribute; no attribute where it has none.
fn class_attribute(class: &str) -> String {
    match class.trim_start() {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    }
}

/// The class of the text of a label.
fn class_of(label: &LabelLine) -> &'static str {
    match (label.tone, label.is_quiet) {
        (Some(tone), _) => tone_class(tone),
        (None, true) => " soft",
        (None, false) => "",
    }
}

/// Writes the lines of a label, before a ground that hides the line behind them.
pub(super) fn write_label(
    labels: &[LabelLine],
    at: DrawnPoint,
    arrows: [&str; 2],
    density: Density,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_turned = density == Density::Turned;
    let (wide, high) = size(labels, density);
    for (place, label) in labels.iter().enumerate() {
        let text = match label.leads_down {
            Some(true) => format!("{} {}", arrows[0], label.text),
            Some(false) => format!("{} {}", arrows[1], label.text),
            None => label.text.clone(),
        };
        let beside = place as f64 * LINE;
        if is_turned {
            let ground = width(&text).min(high) + 4.0;
            let left = at.x - wide / 2.0 + beside;
            let size = rectangle((left, at.y - ground / 2.0), (LINE, ground));
            let text = upright(&text, (left + LINE / 2.0 + 4.0, at.y), class_of(label));
            writeln!(out, "<rect class=\"label\" {size}/>{text}")?;
            continue;
        }
        let ground = width(&text).min(wide) + 4.0;
        let top = at.y - high / 2.0 + beside;
        let size = rectangle((at.x - ground / 2.0, top), (ground, LINE));
        let text = centred(&text, (at.x, top + LINE / 2.0 + 4.0), class_of(label));
        writeln!(out, "<rect class=\"label\" {size}/>{text}")?;
    }
    Ok(())
}

/// A line of text that is read from below to above, with its middle at this point.
fn upright(text: &str, (x, y): (f64, f64), class: &str) -> String {
    let class = class_attribute(class);
    let (x, y, text) = (number(x), number(y), escape(text));
    format!(
        "<text{class} transform=\"translate({x} {y}) rotate(-90)\" \
         text-anchor=\"middle\">{text}</text>"
    )
}

/// The arrow that points where `arrow` does once its text is turned by a quarter.
pub(super) fn turned(arrow: &'static str) -> &'static str {
    match arrow {
        "↓" => "←",
        "↑" => "→",
        "→" => "↓",
        _ => "↑",
    }
}
