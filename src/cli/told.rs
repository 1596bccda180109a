//! An answer to an assertion as far as it is told: plain data that can be written down and read.

use serde::{Deserialize, Serialize};

use base::diag::Diagnostic;
use checker::{Answer, Error};

use super::verdicts::AskedAssertion;
use host::output::Said;
use report::assertion::{AssertionReport, Verdict};
use report::explanation::codes;

/// An answer with all that is printed of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToldAnswer {
    /// The verdict with its counterexample and all numbers.
    pub(super) report: AssertionReport,
    /// The reason why there is no verdict.
    pub(super) problem: Option<ToldProblem>,
    /// The warnings about the assertion, with excerpts of the script.
    pub(super) warnings: Vec<String>,
    /// A drawing of the process, if one was wanted and the process is small.
    pub(super) drawing: Option<String>,
}

/// The messages about why there is no verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToldProblem {
    /// All of them, with excerpts of the script.
    text: String,
    /// The sentence of each.
    pub(super) sentences: Vec<String>,
    /// The code of the first error.
    first_error: Option<String>,
}

/// The message about a limit that has ended a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToldLimit {
    code: String,
    message: String,
    notes: Vec<String>,
    hint: Option<String>,
}

impl ToldLimit {
    /// `problem` as it is told.
    pub(super) fn of(problem: &Diagnostic) -> Self {
        Self {
            code: problem.code.to_string(),
            message: problem.message.clone(),
            notes: problem.notes.clone(),
            hint: problem.hint.as_deref().map(str::to_string),
        }
    }

    /// The message.
    pub(super) fn diagnostic(self) -> Diagnostic {
        let code = known_code(&self.code).unwrap_or("interrupted");
        let problem = Diagnostic::undecided(code, self.message);
        let problem = self.notes.into_iter().fold(problem, Diagnostic::note);
        match self.hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}

/// The code, if it is that of a message.
fn known_code(code: &str) -> Option<&'static str> {
    codes().find(|known| *known == code)
}

impl ToldAnswer {
    /// `answer` as it is told, with the `drawing`.
    pub(super) fn of(answer: Answer, drawing: Option<String>) -> Self {
        let warnings = answer.warnings.iter();
        let warnings = warnings.map(|warning| warning.render(&answer.sources));
        Self {
            warnings: warnings.collect(),
            report: answer.report,
            drawing,
            problem: answer.problem.as_ref().map(ToldProblem::of),
        }
    }

    /// The answer to what is `asked`, where the process that was to find it has ended because of
    /// `why`, which is printed if this `is_first`.
    pub(super) fn ended(
        asked: &AskedAssertion<'_>,
        report: AssertionReport,
        why: Diagnostic,
        is_first: bool,
    ) -> Self {
        let sources = asked.script.sources();
        let why = why.at(asked.script.place(asked.index), "");
        Self {
            report: report.stopped_by(&why, sources),
            problem: is_first.then(|| ToldProblem::of(&Error::new(vec![why], sources.clone()))),
            warnings: Vec::new(),
            drawing: None,
        }
    }

    /// True if it has a verdict.
    pub(super) fn is_decided(&self) -> bool {
        let has_verdict = matches!(self.report.verdict, Verdict::Pass | Verdict::Fail);
        has_verdict && self.problem.is_none()
    }
}

impl ToldProblem {
    /// `error` as it is told.
    pub(super) fn of(error: &Error) -> Self {
        let messages = error.messages();
        let said = Said::messages(&messages, error.sources());
        let sentences = messages.into_iter().map(|problem| problem.message);
        Self {
            text: said.err,
            sentences: sentences.collect(),
            first_error: said.first_error.map(str::to_string),
        }
    }

    /// The messages as they are printed.
    pub(super) fn said(&self) -> Said {
        Said {
            err: self.text.clone(),
            first_error: self.first_error.as_deref().and_then(known_code),
            ..Said::default()
        }
    }
}
