//! Declarations that could not be read. An unread assertion keeps its place and its number; for
//! others, the names that they may define are known.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::ast::{Assertion, AssertionKind, Ast, Declaration, Node};
use super::builder::{Parsed, TreeBuilder};
use super::layout::Placed;
use super::tokens::{Token, tokens};
use base::source::{FileId, SourceFile, SourceMap, Span};

/// The parts of a script that could not be read, and the places of the declarations that could.
pub struct UnreadParts {
    /// The names in the unread parts. Only these can be missing elsewhere.
    pub names: FxHashSet<String>,
    read: DeclarationPlaces,
}

impl UnreadParts {
    /// The unread parts of the files of `ast`. Returns `None` if such a part may define names that
    /// do not stand in it, as a module or an external declaration may.
    pub fn of(ast: &Ast, sources: &SourceMap) -> Option<Self> {
        let read = DeclarationPlaces::of(ast, |declaration| !holds_declarations(declaration));
        let around = DeclarationPlaces::of(ast, holds_declarations);
        let mut names = FxHashSet::default();
        for (file, SourceFile { text, .. }) in sources.iter() {
            let (lexed, _) = tokens(&mut Ast::default(), file, text);
            for token in lexed {
                let place = (file, token.start);
                match token.token {
                    _ if read.beginning(place).is_some() => {}
                    Token::Identifier(_) => {
                        let name = &text[token.start as usize..token.end as usize];
                        names.insert(name.to_string());
                    }
                    found if brings_names(found) && around.beginning(place).is_none() => {
                        return None;
                    }
                    _ => {}
                }
            }
        }
        Some(Self { names, read })
    }

    /// The file and first byte of the outermost read declaration around `place`, if there is one.
    pub fn declaration(&self, place: Span) -> Option<(FileId, u32)> {
        self.read.beginning((place.file, place.start))
    }
}

/// True if `declaration` consists of others, some of which may not have been read.
fn holds_declarations(declaration: &Declaration) -> bool {
    matches!(
        declaration,
        Declaration::Module { .. } | Declaration::Timed(..)
    )
}

/// True if a declaration with `token` gives meanings to names that do not stand in it.
fn brings_names(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        External | Transparent | Include | Timed | Module | Instance | Exports | EndModule
    )
}

/// The places of some declarations: by file and first byte, one past the last byte.
struct DeclarationPlaces(BTreeMap<(FileId, u32), u32>);

impl DeclarationPlaces {
    fn of(ast: &Ast, wanted: impl Fn(&Declaration) -> bool) -> Self {
        let mut places = BTreeMap::new();
        let mut last = None;
        let wanted = ast.declarations.iter().filter(|d| wanted(&d.kind));
        let mut spans: Vec<_> = wanted
            .map(|d| (d.span.file, d.span.start, d.span.end))
            .collect();
        spans.sort_unstable_by_key(|&(file, start, end)| (file, start, std::cmp::Reverse(end)));
        for (file, start, end) in spans {
            // Inner declarations are left out, so that those that are kept are disjoint.
            if last.is_none_or(|(of, until)| of != file || until <= start) {
                places.insert((file, start), end);
                last = Some((file, end));
            }
        }
        Self(places)
    }

    /// The file and first byte of the declaration at a byte of a file; `None` if there is none.
    fn beginning(&self, (file, at): (FileId, u32)) -> Option<(FileId, u32)> {
        let (&found, &end) = self.0.range(..=(file, at)).next_back()?;
        (found.0 == file && at < end).then_some(found)
    }
}

/// The assertion that `tokens` were meant to be, after a mistake in them was reported. `None` if
/// they are no assertion, or if they may hold more than one declaration: where a line ends in an
/// operator, the next declaration is read as its operand, and names that it defines would be
/// missing elsewhere.
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

/// True if `token` always belongs to a declaration of another kind than an assertion. In an
/// assertion it may stand inside a `let`.
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
