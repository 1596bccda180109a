//! The error of a script or a question without an answer, with all that is needed to show it.

use std::fmt;
use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::SourceMap;

use super::mistakes::of_the_rest;

/// The problems of a script or a question, or the limit that was reached. Displayed, it is the
/// messages with excerpts of the script.
#[derive(Clone, Debug)]
pub struct Error {
    /// All problems that were found; at least one is no warning.
    problems: Vec<Diagnostic>,
    /// The texts in which the problems have their places.
    sources: Arc<SourceMap>,
}

impl Error {
    /// An error of these problems, which have their places in `sources`.
    pub fn new(problems: Vec<Diagnostic>, sources: impl Into<Arc<SourceMap>>) -> Self {
        let sources = sources.into();
        Self { problems, sources }
    }

    /// The messages, at most a few dozen, without mistakes in single assertions.
    pub fn messages(&self) -> Vec<Diagnostic> {
        of_the_rest(&self.problems)
    }

    /// All problems that were found; mistakes in single assertions are latent.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The texts in which the messages have their places.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The texts in which the messages have their places, for a caller that keeps them.
    pub fn shared_sources(&self) -> Arc<SourceMap> {
        self.sources.clone()
    }

    /// This error with further facts on the first of its problems that is no warning.
    pub(super) fn noted(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        if let Some(first) = self.problems.iter_mut().find(|problem| problem.is_error()) {
            first.notes.extend(notes);
        }
        self
    }

    /// The code of the first message that is no warning, such as `unknown-name`.
    pub fn code(&self) -> &'static str {
        let messages = self.messages();
        let first = messages.iter().find(|message| message.is_error());
        first.map_or("", |message| message.code)
    }
}

impl From<Diagnostic> for Error {
    /// An error that has no place in a text.
    fn from(problem: Diagnostic) -> Self {
        Self::new(vec![problem], SourceMap::new())
    }
}

impl From<Box<Diagnostic>> for Error {
    /// An error that has no place in a text.
    fn from(problem: Box<Diagnostic>) -> Self {
        (*problem).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages = self.messages();
        let mut rendered = messages.iter().map(|problem| problem.render(&self.sources));
        rendered.try_for_each(|text| f.write_str(&text))
    }
}

impl std::error::Error for Error {}
