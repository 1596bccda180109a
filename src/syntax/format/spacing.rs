//! The white space between two words of a line.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ast::{Ast, DeclarationId};
use crate::lexemes::{Lexeme, LexemeKind, lexemes};
use crate::print::{PrintedDeclaration, printed_declaration};

/// The white space between a word and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// One space.
    Space,
    /// A space if the text has one. The printer has no opinion, or would write one of the words
    /// differently.
    AsWritten,
    /// The white space of the text as it is, because the printer writes other words.
    Verbatim,
}

/// The gaps before the words of a text.
pub(super) struct Spacing {
    gaps: Vec<Gap>,
}

impl Spacing {
    /// Comments, and words that begin a declaration of the script, have no gap of their own.
    pub(super) fn of(ast: &Ast, text: &str, words: &[Lexeme]) -> Self {
        let mut written = WrittenText {
            text,
            words,
            lines: lines(text, words),
            gaps: vec![Gap::AsWritten; words.len()],
        };
        for &id in &ast.script {
            written.declaration(ast, id);
        }
        Self { gaps: written.gaps }
    }

    /// The gap before the word number `at`.
    pub(super) fn before(&self, at: usize) -> Gap {
        self.gaps[at]
    }
}

/// A text whose gaps are being found.
struct WrittenText<'a> {
    text: &'a str,
    words: &'a [Lexeme],
    /// The line in which each word begins.
    lines: Vec<usize>,
    gaps: Vec<Gap>,
}

impl WrittenText<'_> {
    fn declaration(&mut self, ast: &Ast, id: DeclarationId) {
        let words = self.words;
        let span = ast.declarations[id].span.range();
        let first = words.partition_point(|word| word.range.start < span.start);
        let behind = words.partition_point(|word| word.range.start < span.end);
        let inside = (first..behind).filter(|&at| words[at].kind != LexemeKind::Comment);
        let inside: Vec<usize> = inside.collect();
        let printed = printed_declaration(ast, id);
        let others = lexemes(&printed.text);
        let is_like = |(&at, other): (&usize, &Lexeme)| words[at].kind == other.kind;
        if inside.len() != others.len() || !inside.iter().zip(&others).all(is_like) {
            // The first word of a declaration still begins a line.
            self.gaps[behind.min(first + 1)..behind].fill(Gap::Verbatim);
            return;
        }
        let brackets = self.brackets(&printed, &others, &inside);
        for (nth, pair) in inside.windows(2).enumerate() {
            let (before, here) = (&others[nth], &others[nth + 1]);
            let is_same = |at: usize, other: &Lexeme| {
                self.text[words[at].range.clone()] == printed.text[other.range.clone()]
            };
            let end = before.range.end;
            self.gaps[pair[1]] = if !is_same(pair[0], before)
                || !is_same(pair[1], here)
                || printed.free.binary_search(&end).is_ok()
            {
                Gap::AsWritten
            } else if end < here.range.start {
                Gap::Space
            } else {
                *brackets.get(&end).unwrap_or(&Gap::None)
            };
        }
    }

    /// The gaps inside of brackets, by the byte of the printed text where they begin. A bracket
    /// that ends in another line than it begins stays as it is, because its contents may be lined
    /// up. In one line, round brackets have no spaces inside; in other brackets, the white space
    /// behind the opening one also stands before the closing one.
    fn brackets(
        &self,
        printed: &PrintedDeclaration,
        others: &[Lexeme],
        inside: &[usize],
    ) -> FxHashMap<usize, Gap> {
        let mut gaps = FxHashMap::default();
        for Range { start, end } in &printed.insides {
            let opening = others.partition_point(|word| word.range.end < *start);
            let closing = others.partition_point(|word| word.range.start < *end);
            let (Some(&opener), Some(&closer)) = (inside.get(opening), inside.get(closing)) else {
                continue;
            };
            let is_round = self.text[self.words[opener].range.clone()] == *"(";
            let both = if self.lines[opener] != self.lines[closer] {
                Gap::AsWritten
            } else if is_round || opening + 1 == closing {
                Gap::None
            } else if printed.free.binary_search(start).is_ok() {
                Gap::AsWritten
            } else if self.words[opener].range.end < self.words[opener + 1].range.start {
                Gap::Space
            } else {
                Gap::None
            };
            gaps.insert(*start, both);
            gaps.insert(*end, both);
        }
        gaps
    }
}

/// The line in which each of `words` begins.
fn lines(text: &str, words: &[Lexeme]) -> Vec<usize> {
    let (mut line, mut behind) = (0, 0);
    let each = words.iter().map(|word| {
        line += text[behind..word.range.start].matches('\n').count();
        behind = word.range.start;
        line
    });
    each.collect()
}
