//! Assertions that could not be read: each keeps its place and its number, so that the others can
//! be decided.

use super::ast::{Assertion, AssertionKind, Declaration, Node};
use super::builder::{Parsed, TreeBuilder};
use super::layout::Placed;
use super::tokens::Token;

/// The assertion that `tokens` were meant to be, after something was reported of them. `None` if
/// they are no assertion, and if they may hold more than one declaration: where a line ends in an
/// operator the next belongs to it, and what that defines would be missing elsewhere.
pub(crate) fn unread_assertion(build: &TreeBuilder<'_>, tokens: &[Placed]) -> Option<Parsed> {
    let (&(start, Token::Assert, end), rest) = tokens.split_first()? else {
        return None;
    };
    let may_hold_more = |&(start, token, _): &Placed| {
        // A comment that is never closed has swallowed the rest of the file.
        let is_comment = || build.text[start as usize..].starts_with("{-");
        is_of_other_declaration(token) || token == Token::Broken && is_comment()
    };
    if rest.iter().any(may_hold_more) {
        return None;
    }
    let (negated, asserted) = match rest.split_first() {
        Some(((_, Token::NotAssertion, _), asserted)) => (true, asserted),
        _ => (false, rest),
    };
    let assertion = Assertion {
        negated,
        kind: AssertionKind::Unread(on_one_line(build.text, asserted)),
        options: Vec::new(),
    };
    Some(Parsed::Declaration(Box::new(Node {
        kind: Declaration::Assert(assertion),
        span: build.span(start, rest.last().map_or(end, |last| last.2)),
    })))
}

/// The texts of `tokens`, with a space where something is between them.
fn on_one_line(text: &str, tokens: &[Placed]) -> String {
    let mut line = String::new();
    let mut before = None;
    for &(start, _, end) in tokens {
        if before.is_some_and(|before| before < start) {
            line.push(' ');
        }
        line.push_str(&text[start as usize..end as usize]);
        before = Some(end);
    }
    line
}

/// Whether declarations of some other kind cannot do without `token`. In an assertion it may stand
/// inside a `let`.
fn is_of_other_declaration(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Assign
            | HasType
            | Channel
            | External
            | Transparent
            | Include
            | Print
            | Timed
            | Module
            | Exports
            | EndModule
            | Assert
    )
}
