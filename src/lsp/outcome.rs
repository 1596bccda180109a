//! The outcome of the check of an assertion, and the texts that show it.

use std::sync::Arc;

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::{Answer, Error};
use report::assertion::{AssertionReport, Verdict};
use report::message::one_line;
use report::text::{Detail, render, verdict};

/// The outcome of a run.
#[derive(Debug)]
pub(crate) struct CheckOutcome {
    pub(crate) report: AssertionReport,
    /// The reason why there is no verdict.
    pub(crate) problem: Option<Diagnostic>,
    /// The warnings, whatever the verdict.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The texts that the problem and the warnings have places in.
    pub(crate) sources: Arc<SourceMap>,
}

/// The most characters of a sentence that is shown above the line of an assertion.
const LONGEST_TITLE: usize = 200;

impl CheckOutcome {
    /// The outcome with the answer of the checker.
    pub(crate) fn of_answer(answer: Answer) -> Self {
        let mut outcome = Self {
            report: answer.report,
            problem: None,
            warnings: answer.warnings,
            sources: answer.sources,
        };
        if let Some(error) = answer.problem
            && let Some(first) = error.messages().into_iter().next()
        {
            let problem = in_words_of_the_editor(first);
            outcome.sources = error.shared_sources();
            outcome.report.message = Some(one_line(&problem, &outcome.sources));
            outcome.problem = Some(problem);
        }
        outcome
    }

    /// The outcome for a script with mistakes, in which nothing can be decided. The editor shows
    /// the mistakes already.
    pub(crate) fn not_loaded(script: &str, error: &Error) -> Self {
        let problems = error.problems().iter();
        let mut mistakes = problems.filter(|problem| problem.severity != Severity::Warning);
        let first = mistakes.next().cloned();
        let mut problem = first.expect("what does not load has a mistake");
        let more = mistakes.count();
        if more > 0 {
            let note = format!("the script has {more} more mistakes");
            problem.notes.push(note);
        }
        Self::stopped(script, problem, error.shared_sources())
    }

    /// The outcome where this problem kept the assertion of `script` from being decided.
    pub(crate) fn stopped(script: &str, problem: Diagnostic, sources: Arc<SourceMap>) -> Self {
        Self {
            report: AssertionReport::new(script).stopped_by(&problem, &sources),
            problem: Some(problem),
            warnings: Vec::new(),
            sources,
        }
    }

    /// The code of the problem. Without a problem it is the verdict.
    pub(crate) fn code(&self) -> String {
        let problem = self.problem.as_ref();
        problem.map_or_else(|| verdict(&self.report), |one| one.code.to_string())
    }

    /// Verdict and counterexample without the assertion itself, in several lines.
    pub(crate) fn text(&self) -> String {
        let mut text = verdict(&self.report);
        // The first line has the assertion, which the editor shows already, and the verdict.
        for line in render(&self.report, Detail::Normal).lines().skip(1) {
            text += &format!("\n{}", line.strip_prefix("  ").unwrap_or(line));
        }
        if let Some(problem) = &self.problem {
            text += &format!("\n{}", one_line(problem, &self.sources));
        }
        text
    }

    /// Verdict and counterexample in one line.
    pub(crate) fn title(&self) -> String {
        let has_more = self.report.verdict != Verdict::Pass || self.report.counterexample.is_some();
        let text = self.text();
        let lines: Vec<&str> = text.lines().take(1 + usize::from(has_more)).collect();
        let mut title = lines.join(": ");
        if let Some((end, _)) = title.char_indices().nth(LONGEST_TITLE) {
            title.truncate(end);
            title.push('…');
        }
        title
    }
}

fn in_words_of_the_editor(mut problem: Diagnostic) -> Diagnostic {
    if problem.code != "state-limit" {
        return problem;
    }
    problem.message = problem.message.replace("--max-states", "`maxStates`");
    problem.hint(raise("maxStates"))
}

/// The hint to raise a limit.
pub(crate) fn raise(setting: &str) -> String {
    format!("raise `{setting}` in the initialization options, or check a smaller instance")
}
