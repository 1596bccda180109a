//! Messages as FDR lays them out: a line with the place, and below it the message, indented.

use base::diag::Diagnostic;
use base::source::SourceMap;
use report::message::{MessageReport, PlaceReport};

/// The text in front of each line of a message.
const INDENT: &str = "    ";

/// The messages, each of which ends with a newline.
pub(super) fn all_laid_out(
    problems: &[Diagnostic],
    sources: &SourceMap,
) -> impl Iterator<Item = String> {
    problems.iter().map(|problem| laid_out(problem, sources))
}

/// The message, which ends with a newline.
pub(super) fn laid_out(problem: &Diagnostic, sources: &SourceMap) -> String {
    let report = MessageReport::of(problem, sources);
    let place = report.places.first().map(place);
    let place = place.unwrap_or_else(|| "<unknown location>".to_string());
    let (sort, code) = (report.severity, report.code);
    let mut text = format!("{place}:\n{INDENT}{sort}[{code}]: {}\n", report.message);
    let hint = report.hint.map(|hint| format!("help: {hint}"));
    for line in report
        .notes
        .iter()
        .chain(&hint)
        .flat_map(|note| note.lines())
    {
        text += &format!("{INDENT}{line}\n");
    }
    text
}

/// The place, with the first and last of its lines and columns: `file:line:columns`, or
/// `file:lines:columns`.
fn place(place: &PlaceReport) -> String {
    let lines = match place.line == place.end_line {
        true => place.line.to_string(),
        false => format!("{}-{}", place.line, place.end_line),
    };
    let (file, from) = (&place.file, place.column);
    // A place may be empty, as the end of a file is.
    let to = match place.line == place.end_line {
        true => from.max(place.end_column.saturating_sub(1)),
        false => place.end_column.saturating_sub(1),
    };
    format!("{file}:{lines}:{from}-{to}")
}
