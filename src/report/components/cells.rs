//! Cells of tables as text.

/// The most columns of a table.
pub(super) const WIDTH: usize = 100;
/// The text in front of each line.
pub(super) const INDENT: &str = "    ";
/// The text between columns.
pub(super) const GAP: &str = "  ";

/// The cells side by side, without space at the end.
pub(super) fn padded(cells: &[String], widths: &[usize]) -> String {
    let mut line = INDENT.to_string();
    for (cell, width) in cells.iter().zip(widths) {
        let space = width.saturating_sub(length(cell)) + GAP.len();
        line.push_str(cell);
        line.push_str(&" ".repeat(space));
    }
    format!("{}\n", line.trim_end())
}

/// `text` in lines of at most `width` characters, broken behind commas where possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in text.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if length(line) + length(piece.trim_end()) <= width => line.push_str(piece),
            _ => lines.push(piece.to_string()),
        }
    }
    lines
}

pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// The text, with three dots at its end if it has more than `longest` characters.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if length(text) <= longest {
        return text.to_string();
    }
    let kept: String = text.chars().take(longest.saturating_sub(3)).collect();
    format!("{kept}...")
}
