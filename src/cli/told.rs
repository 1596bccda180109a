//! An answer to an assertion as far as it is told: plain data that can be written down and read.

use serde::{Deserialize, Serialize};

use checker::{Answer, Error};
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
        let known = |code: &String| codes().find(|known| *known == code.as_str());
        Said {
            err: self.text.clone(),
            first_error: self.first_error.as_ref().and_then(known),
            ..Said::default()
        }
    }
}
