//! A diagnostic in one line, for JSON.

use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};

/// `code: message (file:line:column); note; help: hint`.
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

/// `file:line:column`, both counted from 1, columns in characters.
pub fn place(span: Span, sources: &SourceMap) -> String {
    let file = sources.file(span.file);
    let before = file.text.get(..span.start as usize).unwrap_or(&file.text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    format!("{}:{line}:{column}", file.name)
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
