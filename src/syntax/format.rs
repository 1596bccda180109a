//! A text with its comments, laid out as the printer has it.
//!
//! The printer knows no comments, and writes a declaration on one line. So it decides only the
//! white space between two words of a line: a space stands where the printer has one. The words,
//! the line breaks and the comments remain those of the text. Declarations begin at their margin,
//! and the lines that follow move with them. A line that is too long is broken before or behind an
//! operator.
//!
//! The result is read again. If it gives another tree, or other comments, nothing is changed.

mod anchors;
mod lines;
mod spacing;
mod wide;

use std::ops::Range;

use super::ast::Ast;
use super::lexemes::{Lexeme, LexemeKind, lexemes};
use super::parser::{Loader, NotIncluded, parse_script};
use super::print::script_text;
use anchors::Anchors;
use base::diag::Diagnostic;
use base::source::SourceMap;
use lines::Layout;
use spacing::Spacing;

/// The number of columns that a line may have.
const WIDTH: usize = 100;

/// The number of times that a text is laid out until nothing changes: columns that somebody has
/// lined up may move others.
const ROUNDS: usize = 6;

/// A change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatEdit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The text that replaces them.
    pub text: String,
}

/// The reason why a text is left as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatRefusal {
    /// The text cannot be read.
    Unreadable(Box<Diagnostic>),
    /// A part of the text would be lost.
    Lossy,
}

/// The changes that lay out `text`, in order. Only the white space between words changes. There are
/// none if the text is already laid out.
pub fn format(text: &str) -> Result<Vec<FormatEdit>, FormatRefusal> {
    let before = ReadText::read(text)?;
    let mut gaps = before.gaps(true);
    for round in 0..2 * ROUNDS {
        let whole = before.with_gaps(&gaps);
        let after = ReadText::read(&whole).map_err(|_| FormatRefusal::Lossy)?;
        if !after.is_same(&before) {
            return Err(FormatRefusal::Lossy);
        }
        // Once columns need not stay lined up, the text stops changing.
        let next = after.gaps(round < ROUNDS);
        if next == gaps {
            return Ok(before.edits(gaps));
        }
        gaps = next;
    }
    Err(FormatRefusal::Lossy)
}

/// A text that was read, without the files that it includes.
struct ReadText<'a> {
    text: &'a str,
    words: Vec<Lexeme>,
    ast: Ast,
}

impl<'a> ReadText<'a> {
    fn read(text: &'a str) -> Result<Self, FormatRefusal> {
        let mut sources = SourceMap::new();
        let root = sources.add("", text);
        let (ast, problems) = parse_script(&mut sources, root, &mut Nothing(0));
        match problems.into_iter().next() {
            Some(problem) => Err(FormatRefusal::Unreadable(Box::new(problem))),
            None => Ok(Self {
                text,
                words: lexemes(text),
                ast,
            }),
        }
    }

    /// True if `other` has an equal script and equal comments. The trees are compared as printed
    /// text: printing is exact, because printed text is read as the tree it came from.
    fn is_same(&self, other: &Self) -> bool {
        self.words.len() == other.words.len()
            && script_text(&self.ast) == script_text(&other.ast)
            && self.comments().eq(other.comments())
    }

    fn comments(&self) -> impl Iterator<Item = &str> {
        let comments = self.words.iter();
        let comments = comments.filter(|word| word.kind == LexemeKind::Comment);
        comments.map(|comment| &self.text[comment.range.clone()])
    }

    /// The white space to put before each word, and at the end.
    fn gaps(&self, aligns: bool) -> Vec<String> {
        let anchors = Anchors::of(&self.ast);
        let spacing = Spacing::of(&self.ast, self.text, &self.words);
        Layout::new(self.text, &self.words, &anchors, &spacing, aligns).gaps()
    }

    /// The bytes before each word, and at the end.
    fn places(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.words.iter().map(|word| word.range.end);
        let starts = self.words.iter().map(|word| word.range.start);
        let (from, to) = (
            std::iter::once(0).chain(ends),
            starts.chain([self.text.len()]),
        );
        from.zip(to).map(|(from, to)| from..to)
    }

    fn with_gaps(&self, gaps: &[String]) -> String {
        let words = self.words.iter().map(|word| &self.text[word.range.clone()]);
        let words = words.chain([""]);
        gaps.iter()
            .zip(words)
            .flat_map(|(gap, word)| [gap.as_str(), word])
            .collect()
    }

    fn edits(&self, gaps: Vec<String>) -> Vec<FormatEdit> {
        let edits = self.places().zip(gaps);
        let edits = edits.filter(|(range, text)| self.text[range.clone()] != *text);
        edits
            .map(|(range, text)| FormatEdit { range, text })
            .collect()
    }
}

/// A loader that gives each included file as an empty text, with a name of its own.
struct Nothing(usize);

impl Loader for Nothing {
    fn load(&mut self, _: &str, _: &str, _: &str) -> Result<(String, String), NotIncluded> {
        self.0 += 1;
        Ok((self.0.to_string(), String::new()))
    }
}
