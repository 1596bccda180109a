//! Lays out words and comments in lines.

use super::anchors::{Anchor, Anchors};
use super::spacing::{Gap, Spacing};
use super::wide::{PlacedWord, breaks};
use crate::lexemes::{Lexeme, LexemeKind};

/// The distance of tab stops in columns.
const TAB: usize = 8;

/// A text that is being laid out.
pub(super) struct Layout<'a> {
    text: &'a str,
    words: &'a [Lexeme],
    anchors: &'a [Anchor],
    spacing: &'a Spacing,
    /// True if columns that are lined up stay lined up.
    aligns: bool,
    line_break: &'static str,
    /// The line and column of each word in the text.
    places: Vec<(usize, usize)>,
    /// For each word, the first word from it on that is no comment.
    next: Vec<Option<usize>>,
    gaps: Vec<String>,
    /// The columns of the line being written, and how far it was moved.
    column: usize,
    moved: isize,
    line: Vec<PlacedWord>,
    /// The column in which each block begins.
    margins: Vec<Option<usize>>,
    /// The anchors around the present word, innermost last: where each ends, and how far it has
    /// moved. Inner ones end first.
    around: Vec<(usize, isize)>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(
        text: &'a str,
        words: &'a [Lexeme],
        anchors: &'a Anchors,
        spacing: &'a Spacing,
        aligns: bool,
    ) -> Self {
        let blocks = anchors.all.iter().map(|anchor| anchor.block + 1).max();
        let mut margins = vec![None; blocks.unwrap_or(0).max(1)];
        margins[0] = Some(0);
        Self {
            text,
            words,
            anchors: &anchors.all,
            spacing,
            aligns,
            line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
            places: places(text, words),
            next: next_words(words),
            gaps: Vec::with_capacity(words.len() + 1),
            column: 0,
            moved: 0,
            line: Vec::new(),
            margins,
            around: Vec::new(),
        }
    }

    /// The white space to put before each word, and at the end.
    pub(super) fn gaps(mut self) -> Vec<String> {
        for at in 0..self.words.len() {
            let start = self.words[at].range.start;
            while self.around.pop_if(|&mut (end, _)| end <= start).is_some() {}
            let gap = self.gap(at);
            self.gaps.push(gap);
            self.enter(start, self.places[at].1);
            self.word(at);
        }
        self.end_line();
        let last = match self.words.is_empty() {
            true => String::new(),
            false => self.line_break.to_string(),
        };
        self.gaps.push(last);
        self.gaps
    }

    /// The white space before the word number `at` in the text.
    fn written(&self, at: usize) -> &'a str {
        let from = at
            .checked_sub(1)
            .map_or(0, |before| self.words[before].range.end);
        &self.text[from..self.words[at].range.start]
    }

    fn is_comment(&self, at: usize) -> bool {
        self.words[at].kind == LexemeKind::Comment
    }

    fn gap(&mut self, at: usize) -> String {
        let written = self.written(at);
        if at == 0 {
            self.begin_line(at);
            return " ".repeat(self.column);
        }
        let gap = self.spacing.before(at);
        let breaks = written.matches('\n').count();
        if gap == Gap::Verbatim {
            self.column = match breaks {
                0 => self.column + written.chars().count(),
                _ => {
                    self.end_line();
                    self.places[at].1
                }
            };
            return written.to_string();
        }
        if breaks > 0 {
            self.end_line();
            self.begin_line(at);
            return self.line_break.repeat(breaks) + &" ".repeat(self.column);
        }
        let width = self.width(at, gap, written.chars().count());
        self.column += width;
        " ".repeat(width)
    }

    /// The number of spaces to put before a word that does not begin a line. The text has `written`
    /// spaces there.
    fn width(&self, at: usize, gap: Gap, written: usize) -> usize {
        let least = match gap {
            _ if self.is_comment(at) => 1,
            _ if self.is_comment(at - 1) => written.min(1),
            Gap::None => 0,
            Gap::Space => 1,
            Gap::AsWritten | Gap::Verbatim => written.min(1),
        };
        let is_lined_up = || {
            self.is_comment(at)
                || self.aligns && (self.has_like_beside(at) || self.is_above_beginning(at))
        };
        if written < 2 || !is_lined_up() {
            return least;
        }
        let column = self.places[at].1.saturating_add_signed(self.moved);
        column.saturating_sub(self.column).max(least)
    }

    /// True if an equal word stands in the same column of the line above or below.
    fn has_like_beside(&self, at: usize) -> bool {
        let (line, column) = self.places[at];
        let text = |at: usize| &self.text[self.words[at].range.clone()];
        let stands = |line: usize| {
            let found = self.places.binary_search(&(line, column));
            found.is_ok_and(|other| text(other) == text(at))
        };
        stands(line + 1) || line.checked_sub(1).is_some_and(stands)
    }

    /// True if the next line begins below the word, or with an operator whose operand stands below
    /// the word.
    fn is_above_beginning(&self, at: usize) -> bool {
        let (line, column) = self.places[at];
        let first = self.places.partition_point(|&place| place < (line + 1, 0));
        let is_below = |other: usize| self.places.get(other) == Some(&(line + 1, column));
        let word = self.words.get(first);
        is_below(first)
            || word.is_some_and(|word| word.kind == LexemeKind::Operator) && is_below(first + 1)
    }

    // ---- Margins

    /// The outermost anchor that begins at the byte `start`.
    fn anchor(&self, start: usize) -> Option<&'a Anchor> {
        let first = self.anchors.partition_point(|anchor| anchor.start < start);
        self.anchors
            .get(first)
            .filter(|anchor| anchor.start == start)
    }

    /// Begins a line with the word number `at`.
    fn begin_line(&mut self, at: usize) {
        let innermost = self.around.last().map_or(0, |&(_, moved)| moved);
        // A comment moves with the word below it.
        let anchored = self.next[at].and_then(|next| {
            let anchor = self.anchor(self.words[next].range.start)?;
            let column = self.places[next].1;
            Some(match self.margins[anchor.block] {
                Some(margin) => margin as isize - column as isize,
                None => innermost,
            })
        });
        self.moved = anchored.unwrap_or(innermost);
        self.column = self.places[at].1.saturating_add_signed(self.moved);
    }

    /// Enters the anchors that begin at the byte `start`, in column `column` of the text.
    fn enter(&mut self, start: usize, column: usize) {
        let first = self.anchors.partition_point(|anchor| anchor.start < start);
        let here = self.anchors[first..].iter();
        for anchor in here.take_while(|anchor| anchor.start == start) {
            self.margins[anchor.block].get_or_insert(self.column);
            let moved = self.column as isize - column as isize;
            self.around.push((anchor.end, moved));
        }
    }

    // ---- Lines

    fn word(&mut self, at: usize) {
        let text = &self.text[self.words[at].range.clone()];
        let begin = self.column;
        self.column = match text.rfind('\n') {
            Some(newline) => text[newline + 1..].chars().count(),
            None => begin + text.chars().count(),
        };
        self.line.push(PlacedWord {
            at,
            begin,
            end: self.column,
        });
    }

    /// Ends a line, and breaks it if it is too long.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_verbatim = |word: &PlacedWord| self.spacing.before(word.at) == Gap::Verbatim;
        if line.iter().any(is_verbatim) {
            return;
        }
        for (at, column) in breaks(self.words, &line) {
            self.gaps[at] = format!("{}{}", self.line_break, " ".repeat(column));
        }
    }
}

/// For each of `words`, the first word from it on that is no comment.
fn next_words(words: &[Lexeme]) -> Vec<Option<usize>> {
    let mut next = None;
    let mut found = vec![None; words.len()];
    for (at, word) in words.iter().enumerate().rev() {
        if word.kind != LexemeKind::Comment {
            next = Some(at);
        }
        found[at] = next;
    }
    found
}

/// The line and column of each word, both counted from 0.
fn places(text: &str, words: &[Lexeme]) -> Vec<(usize, usize)> {
    let (mut line, mut column, mut behind) = (0, 0, 0);
    let mut places = Vec::with_capacity(words.len());
    for word in words {
        for sign in text[behind..word.range.start].chars() {
            (line, column) = next(line, column, sign);
        }
        places.push((line, column));
        for sign in text[word.range.clone()].chars() {
            (line, column) = next(line, column, sign);
        }
        behind = word.range.end;
    }
    places
}

/// The line and column behind `sign`.
fn next(line: usize, column: usize, sign: char) -> (usize, usize) {
    match sign {
        '\n' => (line + 1, 0),
        '\t' => (line, (column / TAB + 1) * TAB),
        // These signs have no width.
        '\r' | '\u{feff}' => (line, column),
        _ => (line, column + 1),
    }
}
