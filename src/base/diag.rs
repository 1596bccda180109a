//! Messages about errors and their places: one type, one renderer.

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;

use std::collections::HashMap;
use std::ops::Range;

use crate::source::{SourceFile, SourceMap, Span};

/// The severity of a [`Diagnostic`]; decides the exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The script or the call is wrong: exit status 2.
    Error,
    /// The script may be right, but this program cannot decide it, because of a limit
    /// or a feature it does not have: exit status 3.
    Undecided,
    /// Worth knowing; changes nothing.
    Warning,
    /// A mistake in a part of the script that no question has used yet: only a warning.
    Latent,
}

/// Text to write in place of the text at a span; at an empty span, text to add there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The place.
    pub span: Span,
    /// The text to write there.
    pub text: String,
}

/// A message with its places in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// A stable name such as `unknown-name`, explained by `cspsym explain`.
    pub code: &'static str,
    /// One sentence in plain words, without a full stop.
    pub message: String,
    /// Places, the primary one first; the text may be empty.
    pub labels: Vec<(Span, String)>,
    /// Further facts, each a sentence.
    pub notes: Vec<String>,
    /// A suggestion what to try, if there is one.
    pub hint: Option<Box<str>>,
    /// The change of the text that the hint suggests. Few messages have one, and results carry this
    /// type, so it is boxed to take little room.
    fix: Option<Box<Fix>>,
}

/// The replacements that make a message go away.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fix {
    replacements: Vec<Replacement>,
}

impl Diagnostic {
    /// An error of the script or the call.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// Something this program cannot decide.
    pub fn undecided(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Undecided, code, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            hint: None,
            fix: None,
        }
    }

    /// True if the message keeps the script or the assertion from being decided.
    pub fn is_error(&self) -> bool {
        matches!(self.severity, Severity::Error | Severity::Undecided)
    }

    /// Makes an error latent: it is in a part of the script that no question has used yet.
    pub fn make_latent(&mut self) {
        if self.severity == Severity::Error {
            self.severity = Severity::Latent;
        }
    }

    /// A latent message as an error, for callers that ask about the part of the script it is in.
    #[must_use]
    pub fn no_longer_latent(mut self) -> Self {
        if self.severity == Severity::Latent {
            self.severity = Severity::Error;
        }
        self
    }

    /// Adds a place; the first one added is the primary one.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.set_hint(hint);
        self
    }

    /// Sets the hint. The replacements of an earlier hint no longer count.
    pub fn set_hint(&mut self, hint: impl Into<String>) {
        self.hint = Some(hint.into().into_boxed_str());
        self.fix = None;
    }

    /// Adds a sentence to the hint.
    #[must_use]
    pub fn further_hint(mut self, sentence: &str) -> Self {
        let hint = self.hint.unwrap_or_default();
        self.hint = Some(format!("{hint} {sentence}").into_boxed_str());
        self
    }

    /// Sets the hint that `meant` was meant, and the replacement of `span` by `text`.
    #[must_use]
    pub fn did_you_mean(self, meant: &str, span: Span, text: impl Into<String>) -> Self {
        self.hint(format!("did you mean {meant}?"))
            .replace(span, text)
    }

    /// Adds a replacement that does what the hint says.
    #[must_use]
    pub fn replace(mut self, span: Span, text: impl Into<String>) -> Self {
        self.add_replacement(span, text);
        self
    }

    /// Adds a replacement that does what the hint says.
    pub fn add_replacement(&mut self, span: Span, text: impl Into<String>) {
        let none = || {
            let replacements = Vec::new();
            Box::new(Fix { replacements })
        };
        let fix = self.fix.get_or_insert_with(none);
        let text = text.into();
        fix.replacements.push(Replacement { span, text });
    }

    /// The hint as a change of the text: replacements to make all at once. The message does not
    /// appear again after them. Empty if the hint is words only.
    pub fn fix(&self) -> &[Replacement] {
        self.fix.as_deref().map_or(&[], |fix| &fix.replacements)
    }

    /// Plain text with source excerpts, ending in a newline.
    pub fn render(&self, sources: &SourceMap) -> String {
        let files = Excerpts::new(sources, &self.labels);
        let severity = match self.severity {
            Severity::Error | Severity::Undecided => codespan::Severity::Error,
            Severity::Warning | Severity::Latent => codespan::Severity::Warning,
        };
        let labels = self.labels.iter().enumerate().map(|(i, (span, text))| {
            let style = if i == 0 {
                codespan::LabelStyle::Primary
            } else {
                codespan::LabelStyle::Secondary
            };
            codespan::Label::new(style, span.file.0 as usize, files.visible(*span))
                .with_message(text)
        });
        let notes = self.notes.iter().map(|n| format!("note: {n}"));
        let notes = notes.chain(self.hint.iter().map(|h| format!("help: {h}")));
        let diagnostic = codespan::Diagnostic::new(severity)
            .with_code(self.code)
            .with_message(&self.message)
            .with_labels(labels.collect())
            .with_notes(notes.collect());
        let config = term::Config::default();
        // Rendering fails only for a span outside its file; the bare message is then the best there
        // is.
        term::emit_into_string(&config, &files, &diagnostic)
            .unwrap_or_else(|_| format!("error[{}]: {}\n", self.code, self.message))
    }
}

/// The length in bytes beyond which only the part of a line around a place is shown.
const LONG_LINE: usize = 400;

/// The bytes of a long line that are shown before a place, and from it on.
const WINDOW: (usize, usize) = (60, 100);

/// The number of lines before and after all places that the renderer may ask for.
const MARGIN: usize = 2;

/// The files in which a message has places. A long line is cut into several lines, so that a line
/// of ten megabytes is not printed in full.
struct Excerpts<'a>(HashMap<usize, Excerpt<'a>>);

/// The lines around all places in one file.
struct Excerpt<'a> {
    name: &'a str,
    text: &'a str,
    /// The start of each shown line, the number of its true line, and the start of that true line.
    lines: Vec<(usize, usize, usize)>,
    /// The end of the last shown line.
    end: usize,
}

impl<'a> Excerpts<'a> {
    fn new(sources: &'a SourceMap, labels: &[(Span, String)]) -> Self {
        let mut excerpts = HashMap::new();
        for (span, _) in labels {
            let file = sources.file(span.file);
            let places = labels
                .iter()
                .filter(|(other, _)| other.file == span.file)
                .flat_map(|(other, _)| [other.range().start, other.range().end]);
            excerpts
                .entry(span.file.0 as usize)
                .or_insert_with(|| Excerpt::new(file, places.collect()));
        }
        Self(excerpts)
    }

    /// The part of the range of `span` that is shown.
    fn visible(&self, span: Span) -> Range<usize> {
        let range = span.range();
        let Some(excerpt) = self.0.get(&(span.file.0 as usize)) else {
            return range;
        };
        let first = excerpt.line_of(range.start);
        let (_, number, _) = excerpt.lines[first];
        // The renderer shows a range of several lines from its first line to its last, but the
        // pieces of a long line are one line: so a range ends with the piece that it begins in.
        let cut = excerpt.lines.get(first + 1);
        match cut {
            Some(&(next, same, _)) if same == number && next < range.end => range.start..next,
            _ => range,
        }
    }

    fn file(&self, id: usize) -> std::result::Result<&Excerpt<'a>, Error> {
        self.0.get(&id).ok_or(Error::FileMissing)
    }
}

impl<'a> Excerpt<'a> {
    /// The excerpt of `file` around `places`, which must not be empty.
    fn new(file: &'a SourceFile, places: Vec<usize>) -> Self {
        let text = &file.text;
        let boundary = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let starts = file.line_starts();
        let start_of = |line: usize| starts.get(line).map_or(text.len(), |&start| start as usize);
        let around = |place: Option<&usize>| file.line_of(place.copied().unwrap_or_default());
        let first = around(places.iter().min()).saturating_sub(MARGIN);
        // Every text has a line, so there is a last one.
        let last = (around(places.iter().max()) + MARGIN).min(starts.len() - 1);
        let mut lines = Vec::new();
        for line in first..=last {
            let (start, end) = (start_of(line), start_of(line + 1));
            lines.push((start, line + 1, start));
            if end - start > LONG_LINE {
                let inside = places.iter().filter(|place| (start..=end).contains(place));
                let mut cuts: Vec<usize> = inside
                    .flat_map(|place| [place.saturating_sub(WINDOW.0), place + WINDOW.1])
                    .map(boundary)
                    // A cut at either end would make a piece without text.
                    .filter(|cut| (start + 1..end).contains(cut))
                    .collect();
                cuts.sort_unstable();
                cuts.dedup();
                lines.extend(cuts.iter().map(|&cut| (cut, line + 1, start)));
            }
        }
        Self {
            name: &file.name,
            text,
            lines,
            end: start_of(last + 1),
        }
    }

    fn line_of(&self, byte: usize) -> usize {
        self.lines
            .partition_point(|&(start, ..)| start <= byte)
            .saturating_sub(1)
    }

    fn line(&self, index: usize) -> std::result::Result<(usize, usize, usize), Error> {
        let missing = Error::LineTooLarge {
            given: index,
            max: self.lines.len(),
        };
        self.lines.get(index).copied().ok_or(missing)
    }
}

impl<'a> Files<'a> for Excerpts<'a> {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> std::result::Result<&'a str, Error> {
        Ok(self.file(id)?.name)
    }

    fn source(&'a self, id: usize) -> std::result::Result<&'a str, Error> {
        Ok(self.file(id)?.text)
    }

    fn line_index(&'a self, id: usize, byte: usize) -> std::result::Result<usize, Error> {
        Ok(self.file(id)?.line_of(byte))
    }

    fn line_range(&'a self, id: usize, index: usize) -> std::result::Result<Range<usize>, Error> {
        let file = self.file(id)?;
        let (start, ..) = file.line(index)?;
        Ok(start
            ..file
                .lines
                .get(index + 1)
                .map_or(file.end, |&(next, ..)| next))
    }

    fn line_number(&'a self, id: usize, index: usize) -> std::result::Result<usize, Error> {
        Ok(self.file(id)?.line(index)?.1)
    }

    fn column_number(
        &'a self,
        id: usize,
        index: usize,
        byte: usize,
    ) -> std::result::Result<usize, Error> {
        let file = self.file(id)?;
        // Columns are counted from where the true line starts, whatever piece of it is shown.
        let (_, _, true_start) = file.line(index)?;
        let before = file.text.get(true_start..byte).unwrap_or("");
        Ok(before.chars().count() + 1)
    }
}

/// A result whose error is one diagnostic, boxed because it is large and rare.
pub type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

impl<T> From<Diagnostic> for std::result::Result<T, Box<Diagnostic>> {
    fn from(diagnostic: Diagnostic) -> Self {
        Err(Box::new(diagnostic))
    }
}
