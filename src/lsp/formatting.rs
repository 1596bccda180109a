//! Formatting of a file, or of the lines of one.

use gen_lsp_types::{Range, TextEdit};
use lsp_server::ErrorCode;

use syntax::format::{FormatEdit, FormatRefusal, format};

use super::answer::{Reply, RequestRefusal};
use super::documents::Document;
use super::positions::Encoding;

/// The changes that lay out `document`: those that lie in `range`, or all. What cannot be read is
/// left alone.
pub(super) fn formatting(
    document: &Document,
    encoding: Encoding,
    range: Option<Range>,
) -> Reply<Vec<TextEdit>> {
    let (text, lines) = (&document.text, &document.lines);
    let edits = format(text).map_err(|refused| RequestRefusal {
        code: ErrorCode::RequestFailed,
        message: match refused {
            FormatRefusal::Unreadable(problem) => {
                let place = problem
                    .labels
                    .first()
                    .map_or(0, |(span, _)| span.range().start);
                let line = lines.position(text, place, encoding).line + 1;
                format!(
                    "nothing is formatted, because line {line} cannot be read: {}",
                    problem.message
                )
            }
            FormatRefusal::Lossy => {
                "nothing is formatted, because something would be lost".to_string()
            }
        },
    })?;
    let mut found: Vec<FoundEdit> = Vec::new();
    for edit in edits {
        let place = lines.range(text, edit.range.clone(), encoding);
        let is_wanted = range.is_none_or(|wanted| {
            wanted.start.line <= place.end.line && place.end.line <= wanted.end.line
        });
        if is_wanted
            && !found
                .last_mut()
                .is_some_and(|last| last.join(text, &edit, place))
        {
            found.push(FoundEdit { edit, place });
        }
    }
    let edits = found.into_iter().map(|found| TextEdit {
        range: found.place,
        new_text: found.edit.text,
    });
    Ok(edits.collect())
}

/// A change with its place in the editor.
struct FoundEdit {
    edit: FormatEdit,
    place: Range,
}

impl FoundEdit {
    /// Makes `further` a part of this change, if the text changed by both is in one line. Editors
    /// make changes one by one, and a line of many words may have one before each.
    fn join(&mut self, text: &str, further: &FormatEdit, place: Range) -> bool {
        let is_one_line = self.place.start.line == place.end.line;
        if is_one_line {
            self.edit.text += &text[self.edit.range.end..further.range.start];
            self.edit.text += &further.text;
            self.edit.range.end = further.range.end;
            self.place.end = place.end;
        }
        is_one_line
    }
}
