//! Formatting of a file, or of the lines of one.

use gen_lsp_types::{Range, TextEdit};
use lsp_server::ErrorCode;

use crate::syntax::format::{FormatRefusal, format};

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
    let edits = edits.into_iter().map(|edit| TextEdit {
        range: lines.range(text, edit.range, encoding),
        new_text: edit.text,
    });
    let is_wanted = |edit: &TextEdit| {
        range.is_none_or(|wanted| {
            wanted.start.line <= edit.range.end.line && edit.range.end.line <= wanted.end.line
        })
    };
    Ok(edits.filter(is_wanted).collect())
}
