//! Declarations that could not be read. An assertion keeps its place and its number, so that the
//! others can be decided; of all others the names are known that they may define.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::ast::{Assertion, AssertionKind, Ast, Declaration, Node};
use super::builder::{Parsed, TreeBuilder};
use super::layout::Placed;
use super::tokens::{Token, tokens};
use crate::source::{FileId, SourceFile, SourceMap};

/// The names in what could not be read of the files of `ast`: only these can be missing elsewhere.
/// Returns `None` if what could not be read may define others, as a module or an external
/// declaration may.
pub fn unread_names(ast: &Ast, sources: &SourceMap) -> Option<FxHashSet<String>> {
    let read = Places::of(ast, |declaration| !holds_declarations(declaration));
    let around = Places::of(ast, holds_declarations);
    let mut names = FxHashSet::default();
    for (file, SourceFile { text, .. }) in sources.iter() {
        let (lexed, _) = tokens(&mut Ast::default(), file, text);
        for token in lexed {
            let place = (file, token.start);
            match token.token {
                _ if read.contain(place) => {}
                Token::Identifier(_) => {
                    let name = &text[token.start as usize..token.end as usize];
                    names.insert(name.to_string());
                }
                found if brings_names(found) && !around.contain(place) => return None,
                _ => {}
            }
        }
    }
    Some(names)
}

/// Whether `declaration` consists of others, of which some may not have been read.
fn holds_declarations(declaration: &Declaration) -> bool {
    matches!(
        declaration,
        Declaration::Module { .. } | Declaration::Timed(..)
    )
}

/// Whether a declaration with `token` gives meanings to names that do not stand in it.
fn brings_names(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        External | Transparent | Include | Timed | Module | Instance | Exports | EndModule
    )
}

/// Where some declarations stand: by file and first byte, one past the last byte.
struct Places(BTreeMap<(FileId, u32), u32>);

impl Places {
    fn of(ast: &Ast, wanted: impl Fn(&Declaration) -> bool) -> Self {
        let mut places = BTreeMap::new();
        let mut last = None;
        let wanted = ast.declarations.iter().filter(|d| wanted(&d.kind));
        let mut spans: Vec<_> = wanted
            .map(|d| (d.span.file, d.span.start, d.span.end))
            .collect();
        spans.sort_unstable_by_key(|&(file, start, end)| (file, start, std::cmp::Reverse(end)));
        for (file, start, end) in spans {
            // What stands inside another one is left out, so that those that are kept are disjoint.
            if last.is_none_or(|(of, until)| of != file || until <= start) {
                places.insert((file, start), end);
                last = Some((file, end));
            }
        }
        Self(places)
    }

    fn contain(&self, (file, at): (FileId, u32)) -> bool {
        let before = self.0.range(..=(file, at)).next_back();
        before.is_some_and(|(&(of, _), &end)| of == file && at < end)
    }
}

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
