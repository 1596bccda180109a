//! The output so far, and the text still to be printed if the work is ended from outside.

use std::sync::Arc;

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::Work;

use super::limits::Limit;
use super::progress::{Display, ProgressLine};
use super::remaining::RemainingVerdicts;
use super::status::Status;

/// The output so far. The thread that holds it prints; all others wait.
pub struct Output {
    /// True if it is known what was asked for.
    pub has_begun: bool,
    /// True if nothing more may be printed.
    pub(super) is_closed: bool,
    /// The results that were asked for and not given yet.
    pub(super) unsaid: Option<Unsaid>,
    /// The status of the worst result or message so far.
    pub worst: Status,
    /// The code of the first error.
    pub(super) first_error: Option<&'static str>,
    /// The line that shows how far the work is.
    pub(super) line: ProgressLine,
}

/// Results that were asked for.
pub enum Unsaid {
    /// The verdicts of assertions.
    Verdicts(RemainingVerdicts),
    /// An answer of another kind. In JSON a line with the message stands in its place.
    Answer(Option<OneLine>),
}

impl Unsaid {
    /// The line of JSON with the reason why there is no answer; empty where people read.
    pub(super) fn instead(&self, problem: &Diagnostic, sources: &SourceMap) -> String {
        let line = match self {
            Unsaid::Verdicts(remaining) => remaining.instead(problem, sources),
            Unsaid::Answer(line) => line.as_ref().map(|line| line(problem, sources)),
        };
        line.map_or(String::new(), |line| line + "\n")
    }
}

/// Makes a line of JSON, without the newline, of a message. Its places are in the sources.
pub type OneLine = Arc<dyn Fn(&Diagnostic, &SourceMap) -> String + Send + Sync>;

/// Text for standard output and for standard error.
#[derive(Default)]
pub struct Said {
    /// For standard output.
    pub out: String,
    /// For standard error.
    pub err: String,
    /// The code of the first error in it.
    pub first_error: Option<&'static str>,
}

impl Said {
    /// The messages with their excerpts.
    pub fn messages(problems: &[Diagnostic], sources: &SourceMap) -> Self {
        let mut said = Self::default();
        for problem in problems {
            said.add(problem, sources);
        }
        said
    }

    /// Adds a message with its excerpt.
    pub fn add(&mut self, problem: &Diagnostic, sources: &SourceMap) {
        self.err += &problem.render(sources);
        if problem.severity != Severity::Warning {
            self.first_error.get_or_insert(problem.code);
        }
    }
}

impl Output {
    /// An output in which nothing was printed.
    pub(super) fn new(display: Display) -> Self {
        Self {
            has_begun: false,
            is_closed: false,
            unsaid: None,
            worst: Status::Holds,
            first_error: None,
            line: ProgressLine::new(display),
        }
    }

    /// A line that says how to read more about the first error.
    pub fn explanation(&self) -> Option<String> {
        let code = self.first_error?;
        Some(format!(
            "For more information about this error, try `cspsym explain {code}`.\n"
        ))
    }

    /// Closes the output, and returns the text still to be printed where `limit` ends the `work`.
    pub fn close(&mut self, limit: Limit, work: &Work) -> Said {
        self.line.clear();
        self.is_closed = true;
        let said = self.unanswered(limit, work);
        self.first_error = self.first_error.or(said.first_error);
        said
    }

    fn unanswered(&mut self, limit: Limit, work: &Work) -> Said {
        let problem = work.cut_short(limit.diagnostic());
        let unsaid = self.unsaid.take();
        if let Some(Unsaid::Verdicts(remaining)) = &unsaid {
            return remaining.cut(limit, work);
        }
        let none = SourceMap::new();
        let mut said = Said::messages(std::slice::from_ref(&problem), &none);
        said.out = unsaid.map_or(String::new(), |unsaid| unsaid.instead(&problem, &none));
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_explained_also_where_the_work_is_ended_from_outside() {
        let work = Work::new("1 + 1".to_string());
        let explained = |output: &mut Output| {
            let said = output.close(Limit::Time, &work);
            assert!(said.err.starts_with("error[timeout]"), "{}", said.err);
            output.explanation().expect("there was an error")
        };
        let mut output = Output::new(Display::Hidden);
        assert_eq!(output.explanation(), None);
        assert!(explained(&mut output).contains("`cspsym explain timeout`"));
        let mut output = Output::new(Display::Hidden);
        output.first_error = Some("unknown-name");
        assert!(explained(&mut output).contains("`cspsym explain unknown-name`"));
    }
}
