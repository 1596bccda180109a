//! Formatting of a file, or of the lines of one.

use gen_lsp_types::{Range, TextEdit};

use syntax::format::{FormatEdit, FormatRefusal, format};

use super::documents::Document;
use super::protocol::{Reply, failed};

/// The changes that lay out `document`: those in `range`, or all. A document that cannot be read is
/// left alone.
pub(crate) fn formatting(document: &Document, range: Option<Range>) -> Reply<Vec<TextEdit>> {
    let (text, lines) = (&document.text, &document.lines);
    let edits = match format(text) {
        Ok(edits) => edits,
        Err(FormatRefusal::Lossy) => {
            return failed("nothing is formatted, because something would be lost");
        }
        Err(FormatRefusal::Unreadable(problem)) => {
            let place = problem.labels.first();
            let place = place.map_or(0, |(span, _)| span.range().start);
            let line = lines.position(text, place).line + 1;
            let why = &problem.message;
            return failed(format!(
                "nothing is formatted, because line {line} cannot be read: {why}"
            ));
        }
    };
    let mut found: Vec<(FormatEdit, Range)> = Vec::new();
    for edit in edits {
        let place = lines.range(text, edit.range.clone());
        let is_wanted = range.is_none_or(|wanted| {
            wanted.start.line <= place.end.line && place.end.line <= wanted.end.line
        });
        if !is_wanted {
            continue;
        }
        match found.last_mut() {
            // Editors make changes one by one, and a line of many words may have one before each
            // word: the changes in one line become one.
            Some((last, whole)) if whole.start.line == place.end.line => {
                last.text += &text[last.range.end..edit.range.start];
                last.text += &edit.text;
                last.range.end = edit.range.end;
                whole.end = place.end;
            }
            _ => found.push((edit, place)),
        }
    }
    let edits = found.into_iter();
    Ok(edits
        .map(|(edit, place)| TextEdit::new(place, edit.text))
        .collect())
}
