//! The room that text takes, and its form in SVG.

/// The width of a character. Fonts of one width differ little in it.
const CHARACTER: f64 = 7.3;

/// The distance from one line of text to the next.
pub(super) const LINE: f64 = 15.0;

/// The width of `text`.
pub(super) fn width(text: &str) -> f64 {
    let widths = text.chars().map(|c| match c {
        _ if c.is_ascii() => 1.0,
        // Scripts of two columns begin about here.
        '\u{1100}'.. => 1.9,
        _ => 1.25,
    });
    widths.sum::<f64>() * CHARACTER
}

/// The width of the widest of the lines.
pub(super) fn widest<'t>(lines: impl IntoIterator<Item = &'t str>) -> f64 {
    lines.into_iter().map(width).fold(0.0, f64::max)
}

/// `text` for the inside of an element or an attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            // XML has no other control characters, and no way to write them.
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => {
                escaped.push('\u{fffd}');
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// A length with one decimal, or none.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_string()
}
