//! What has been said, and what is still to be said if the work is ended from outside.

use crate::checker::Work;
use crate::diag::{Diagnostic, Severity};
use crate::source::SourceMap;

use super::limits::Limit;
use super::progress::{Display, ProgressLine};
use super::remaining::Remaining;
use super::status::Status;

/// Who holds it prints; all else waits.
pub(crate) struct Output {
    /// Whether it is known what was asked for.
    pub(super) has_begun: bool,
    /// Whether nothing is to be printed any more.
    pub(super) is_closed: bool,
    /// What has been asked for and not answered.
    pub(super) unsaid: Option<Unsaid>,
    /// The worst that was said so far.
    pub(super) worst: Status,
    /// The code of the first error.
    pub(super) first_error: Option<&'static str>,
    /// How far the work is.
    pub(super) line: ProgressLine,
}

/// What was asked for.
pub(crate) enum Unsaid {
    /// Whether assertions hold.
    Verdicts(Remaining),
    /// Something else; in JSON a line that has the message in it.
    Answer(Option<OneLine>),
}

/// Makes of a message a line of JSON without the newline.
pub(crate) type OneLine = Box<dyn Fn(&Diagnostic) -> String + Send>;

/// Text for standard output and for standard error.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    /// The code of the first error in it.
    pub(crate) first_error: Option<&'static str>,
}

impl Said {
    /// Adds a message with its excerpt.
    pub(super) fn add(&mut self, problem: &Diagnostic, sources: &SourceMap) {
        self.err += &problem.render(sources);
        if problem.severity != Severity::Warning {
            self.first_error.get_or_insert(problem.code);
        }
    }
}

impl Output {
    /// Nothing was said.
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
    pub(super) fn explanation(&self) -> Option<String> {
        let code = self.first_error?;
        Some(format!(
            "For more information about this error, try `cspsym explain {code}`.\n"
        ))
    }

    /// Nothing more is printed; what was still to be said, where `limit` ends the `work`.
    pub(super) fn close(&mut self, limit: Limit, work: &Work) -> Said {
        self.line.clear();
        self.is_closed = true;
        let said = self.unanswered(limit, work);
        self.first_error = self.first_error.or(said.first_error);
        said
    }

    fn unanswered(&mut self, limit: Limit, work: &Work) -> Said {
        let problem = work.cut_short(limit.diagnostic());
        let answer = match self.unsaid.take() {
            Some(Unsaid::Verdicts(remaining)) => return remaining.cut(limit, work),
            Some(Unsaid::Answer(answer)) => answer,
            None => None,
        };
        let mut said = Said::default();
        said.add(&problem, &SourceMap::new());
        said.out = answer.map_or(String::new(), |answer| answer(&problem) + "\n");
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
