//! Where the printer has a space.

use crate::syntax::ast::Ast;
use crate::syntax::lexemes::{Lexeme, LexemeKind, lexemes};
use crate::syntax::print::declaration_text;

/// What stands between a word and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// One space.
    Space,
    /// A space if the text has one: the printer would write one of the words in another way.
    AsWritten,
    /// All that stands there: the printer writes other words.
    Verbatim,
}

/// The gaps before the words of a text.
pub(super) struct Spacing {
    gaps: Vec<Gap>,
}

impl Spacing {
    /// Comments and what begins a declaration of the script have no gap of their own.
    pub(super) fn of(ast: &Ast, text: &str, words: &[Lexeme]) -> Self {
        let mut gaps = vec![Gap::AsWritten; words.len()];
        for &id in &ast.script {
            let span = ast.declarations[id].span.range();
            let first = words.partition_point(|word| word.range.start < span.start);
            let behind = words.partition_point(|word| word.range.start < span.end);
            let inside = (first..behind).filter(|&at| words[at].kind != LexemeKind::Comment);
            let inside: Vec<usize> = inside.collect();
            let printed = declaration_text(ast, id);
            let written = lexemes(&printed);
            let is_like = |(&at, other): (&usize, &Lexeme)| words[at].kind == other.kind;
            if inside.len() != written.len() || !inside.iter().zip(&written).all(is_like) {
                // What begins a declaration begins a line all the same.
                gaps[behind.min(first + 1)..behind].fill(Gap::Verbatim);
                continue;
            }
            for (nth, pair) in inside.windows(2).enumerate() {
                let (before, here) = (&written[nth], &written[nth + 1]);
                let is_same = |at: usize, other: &Lexeme| {
                    text[words[at].range.clone()] == printed[other.range.clone()]
                };
                gaps[pair[1]] = if !is_same(pair[0], before) || !is_same(pair[1], here) {
                    Gap::AsWritten
                } else if before.range.end < here.range.start {
                    Gap::Space
                } else {
                    Gap::None
                };
            }
        }
        Self { gaps }
    }

    /// The gap before the word number `at`.
    pub(super) fn before(&self, at: usize) -> Gap {
        self.gaps[at]
    }
}
