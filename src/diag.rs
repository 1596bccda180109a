//! What went wrong, where, and what to do about it: one type, one renderer.

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term;

use crate::source::{SourceMap, Span};

/// How bad a [`Diagnostic`] is; decides the exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The script or the call is wrong: exit status 2.
    Error,
    /// The script may be right, but this program cannot decide it, because of a limit
    /// or a feature it does not have: exit status 3.
    Undecided,
    /// Worth knowing; changes nothing.
    Warning,
}

/// A message with its places in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// A stable name such as `unknown-name`, documented in the README.
    pub code: &'static str,
    /// One sentence in plain words, without a full stop.
    pub message: String,
    /// Places, the primary one first; the text may be empty.
    pub labels: Vec<(Span, String)>,
    /// Further facts, each a sentence.
    pub notes: Vec<String>,
    /// What to try, if there is something to try.
    pub hint: Option<String>,
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
        }
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
        self.hint = Some(hint.into());
        self
    }

    /// Plain text with source excerpts, ending in a newline.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut files = SimpleFiles::new();
        let ids: Vec<usize> = sources
            .iter()
            .map(|(_, file)| files.add(file.name.as_str(), file.text.as_str()))
            .collect();
        let severity = match self.severity {
            Severity::Error | Severity::Undecided => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
        };
        let labels = self.labels.iter().enumerate().map(|(i, (span, text))| {
            let file = ids[span.file.0 as usize];
            let style = if i == 0 {
                codespan::LabelStyle::Primary
            } else {
                codespan::LabelStyle::Secondary
            };
            codespan::Label::new(style, file, span.range()).with_message(text)
        });
        let notes = self.notes.iter().map(|n| format!("note: {n}"));
        let notes = notes.chain(self.hint.iter().map(|h| format!("help: {h}")));
        let diagnostic = codespan::Diagnostic::new(severity)
            .with_code(self.code)
            .with_message(&self.message)
            .with_labels(labels.collect())
            .with_notes(notes.collect());
        let config = term::Config::default();
        // Rendering fails only for a span outside its file; the bare message is then the best there is.
        term::emit_into_string(&config, &files, &diagnostic)
            .unwrap_or_else(|_| format!("error[{}]: {}\n", self.code, self.message))
    }
}

/// A result whose error is one diagnostic, boxed because it is large and rare.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl<T> From<Diagnostic> for std::result::Result<T, Box<Diagnostic>> {
    fn from(diagnostic: Diagnostic) -> Self {
        Err(Box::new(diagnostic))
    }
}
