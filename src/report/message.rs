//! A diagnostic for programs: as a JSON object, or in one line of text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::json::json;
use base::diag::{Diagnostic, Severity};
use base::source::{SourceFile, SourceMap, Span};

/// The message as `code: message (file:line:column); note; help: hint`.
pub fn one_line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut line = format!("{}: {}", diagnostic.code, diagnostic.message);
    if let Some((span, _)) = diagnostic.labels.first() {
        line.push_str(&format!(" ({})", place(*span, sources)));
    }
    for note in &diagnostic.notes {
        line.push_str(&format!("; {note}"));
    }
    if let Some(hint) = &diagnostic.hint {
        line.push_str(&format!("; help: {hint}"));
    }
    line
}

/// The place as `file:line:column`, both counted from 1, columns in characters.
pub fn place(span: Span, sources: &SourceMap) -> String {
    let file = sources.file(span.file);
    let (line, column) = line_and_column(file, span.start);
    format!("{}:{line}:{column}", file.name)
}

/// The line and the column of the byte `at` of `file`, or of its end, counted from 1.
fn line_and_column(file: &SourceFile, at: u32) -> (usize, usize) {
    let at = (at as usize).min(file.text.len());
    let line = file.line_of(at);
    let start = file.line_starts()[line] as usize;
    let before = file.text.get(start..at).unwrap_or("");
    (line + 1, before.chars().count() + 1)
}

/// The JSON object that `typecheck` prints for one message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MessageReport {
    /// `error`, `undecided` or `warning`.
    pub severity: Cow<'static, str>,
    /// The code of the message.
    pub code: Cow<'static, str>,
    /// The message in one sentence.
    pub message: String,
    /// The primary place first; none if the message is not about a place in a script.
    pub places: Vec<PlaceReport>,
    /// Further facts, each a sentence.
    pub notes: Vec<String>,
    /// The advice on what to try, if there is something to try.
    pub hint: Option<String>,
}

/// A part of a script that a message is about. Lines and columns are counted from 1, columns in
/// characters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PlaceReport {
    /// The file, as it was named.
    pub file: String,
    /// The line of its first character.
    pub line: usize,
    /// The column of its first character.
    pub column: usize,
    /// The line of the character behind its end.
    pub end_line: usize,
    /// The column of the character behind its end.
    pub end_column: usize,
    /// The text about this place; may be empty.
    pub text: String,
}

impl PlaceReport {
    /// The place `span`, with `text` about it.
    pub fn of(span: Span, text: &str, sources: &SourceMap) -> Self {
        let file = sources.file(span.file);
        let (line, column) = line_and_column(file, span.start);
        let (end_line, end_column) = line_and_column(file, span.end);
        Self {
            file: file.name.clone(),
            line,
            column,
            end_line,
            end_column,
            text: text.to_string(),
        }
    }
}

impl MessageReport {
    /// The report of `diagnostic`.
    pub fn of(diagnostic: &Diagnostic, sources: &SourceMap) -> Self {
        let labels = diagnostic.labels.iter();
        let places = labels.map(|(span, text)| PlaceReport::of(*span, text, sources));
        Self {
            severity: Cow::Borrowed(match diagnostic.severity {
                Severity::Error => "error",
                Severity::Undecided => "undecided",
                Severity::Warning | Severity::Latent => "warning",
            }),
            code: Cow::Borrowed(diagnostic.code),
            message: diagnostic.message.clone(),
            places: places.collect(),
            notes: diagnostic.notes.clone(),
            hint: diagnostic.hint.as_deref().map(str::to_string),
        }
    }

    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_counts_lines_and_characters_from_one() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.csp", "-- é\n-- é P\n");
        let span = Span::new(file, 12, 13);
        let diagnostic = Diagnostic::error("some-code", "it is wrong")
            .at(span, "")
            .note("a fact")
            .hint("try this");
        assert_eq!(
            one_line(&diagnostic, &sources),
            "some-code: it is wrong (a.csp:2:6); a fact; help: try this"
        );
    }

    #[test]
    fn a_place_outside_the_file_is_its_end() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.csp", "x\n");
        assert_eq!(place(Span::new(file, 50, 51), &sources), "a.csp:2:1");
    }
}
