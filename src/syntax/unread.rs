//! Declarations that could not be read. An assertion keeps its place and its number, so that the
//! others can be decided; of all others the names are known that they may define.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::ast::{Assertion, AssertionKind, Ast, Declaration, Node};
use super::builder::{Parsed, TreeBuilder};
use super::layout::Placed;
use super::tokens::{Token, tokens};
use base::source::{FileId, SourceFile, SourceMap, Span};

/// What could not be read of a script, and where what was read stands.
pub struct UnreadParts {
    /// The names in what could not be read: only these can be missing elsewhere.
    pub names: FxHashSet<String>,
    read: DeclarationPlaces,
}

impl UnreadParts {
    /// What could not be read of the files of `ast`. Returns `None` if that may define names that
    /// do not stand there, as a module or an external declaration may.
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

    /// Where the outermost declaration begins that was read and holds `place`, if there is one.
    pub fn declaration(&self, place: Span) -> Option<(FileId, u32)> {
        self.read.beginning((place.file, place.start))
    }
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
            // What stands inside another one is left out, so that those that are kept are disjoint.
            if last.is_none_or(|(of, until)| of != file || until <= start) {
                places.insert((file, start), end);
                last = Some((file, end));
            }
        }
        Self(places)
    }

    /// Where the declaration at a byte of a file begins, if there is one.
    fn beginning(&self, (file, at): (FileId, u32)) -> Option<(FileId, u32)> {
        let (&found, &end) = self.0.range(..=(file, at)).next_back()?;
        (found.0 == file && at < end).then_some(found)
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
