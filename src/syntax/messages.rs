//! Syntax errors in plain words, with hints for the traps of the language.

use super::ast::Ast;
use super::layout::Placed;
use super::tokens::Token;
use crate::diag::Diagnostic;
use crate::source::{FileId, Span};

/// What went wrong when the grammar could not go on at `tokens[index]` (the end, if there
/// is no such token).
pub(crate) fn syntax_error(
    ast: &Ast,
    file: FileId,
    text: &str,
    tokens: &[Placed],
    index: usize,
    start: Token,
    expected: &[String],
) -> Diagnostic {
    let _ = (ast, start);
    let span = match (tokens.get(index), tokens.last()) {
        (Some(token), _) => Span::new(file, token.0 as usize, token.2 as usize),
        (None, Some(last)) => Span::new(file, last.2 as usize, last.2 as usize),
        (None, None) => Span::new(file, 0, text.len()),
    };
    Diagnostic::error("syntax", format!("unexpected; expected {expected:?}")).at(span, "")
}
