//! How the check of an assertion ended, and how that is shown.

use gen_lsp_types::{Code, Diagnostic as Shown, DiagnosticSeverity, Message, Range};

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::{Answer, Error};
use report::assertion::{AssertionReport, Verdict};
use report::message::one_line;
use report::text::{Detail, render, verdict};

use super::protocol::SOURCE;

/// How a run ended.
pub(super) struct CheckOutcome {
    pub(super) report: AssertionReport,
    /// Why there is no verdict.
    pub(super) problem: Option<Diagnostic>,
    /// What is worth knowing, whatever the verdict.
    pub(super) warnings: Vec<Diagnostic>,
    /// What the problem and the warnings have places in.
    pub(super) sources: SourceMap,
}

/// More of a sentence than this is not shown above the line of an assertion.
const LONGEST_TITLE: usize = 200;

impl CheckOutcome {
    /// Verdict and counterexample, without the assertion itself; several lines.
    pub(super) fn text(&self) -> String {
        let rendered = render(&self.report, Detail::Normal);
        let mut text = verdict(&self.report);
        // The first line has the assertion, which the editor shows already, and the verdict.
        for line in rendered.lines().skip(1) {
            text += &format!("\n{}", line.strip_prefix("  ").unwrap_or(line));
        }
        if let Some(problem) = &self.problem {
            text += &format!("\n{}", one_line(problem, &self.sources));
        }
        text
    }

    /// Verdict and counterexample in one line.
    pub(super) fn title(&self) -> String {
        let text = self.text();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let has_more = self.report.verdict != Verdict::Pass || self.report.counterexample.is_some();
        let mut title = match lines.next().filter(|_| has_more) {
            Some(second) => format!("{first}: {second}"),
            None => first.to_string(),
        };
        if let Some((end, _)) = title.char_indices().nth(LONGEST_TITLE) {
            title.truncate(end);
            title.push('…');
        }
        title
    }

    /// What the editor shows at the assertion, which stands at `range`. Returns `None` if it holds
    /// and nothing more is to be said.
    pub(super) fn diagnostic(&self, range: Range) -> Option<Shown> {
        let severity = match self.report.verdict {
            Verdict::Pass if self.report.counterexample.is_none() => return None,
            Verdict::Pass => DiagnosticSeverity::Information,
            Verdict::Fail | Verdict::Unknown => DiagnosticSeverity::Warning,
            Verdict::Error => DiagnosticSeverity::Error,
        };
        let problem = self.problem.as_ref();
        let code = problem.map_or_else(|| verdict(&self.report), |p| p.code.to_string());
        Some(Shown {
            range,
            severity: Some(severity),
            code: Some(Code::String(code)),
            source: Some(SOURCE.to_string()),
            message: Message::String(self.text()),
            ..Shown::default()
        })
    }
}

/// What the checker has answered.
pub(super) fn of_answer(answer: Answer) -> CheckOutcome {
    let Answer {
        report,
        problem,
        warnings,
        sources: script,
    } = answer;
    let first = problem.and_then(|error| {
        let first = error.messages().into_iter().next()?;
        Some((in_words_of_the_editor(first), error.sources().clone()))
    });
    match first {
        Some((problem, sources)) => CheckOutcome {
            report: AssertionReport {
                message: Some(one_line(&problem, &sources)),
                ..report
            },
            problem: Some(problem),
            warnings,
            sources,
        },
        None => CheckOutcome {
            report,
            problem: None,
            sources: if warnings.is_empty() {
                SourceMap::new()
            } else {
                script.as_ref().clone()
            },
            warnings,
        },
    }
}

/// Of a script with mistakes nothing can be decided; which they are, the editor shows already.
pub(super) fn not_loaded(script: &str, error: &Error) -> CheckOutcome {
    let problems = error.problems().iter();
    let mut mistakes = problems.filter(|problem| problem.severity != Severity::Warning);
    let count = mistakes.clone().count();
    let mut problem = mistakes
        .next()
        .cloned()
        .expect("what does not load has a mistake");
    if count > 1 {
        let note = format!("the script has {} more mistakes", count - 1);
        problem.notes.push(note);
    }
    stopped(script, problem, error.sources().clone())
}

/// Nothing was decided of `script`, because of this problem.
pub(super) fn stopped(script: &str, problem: Diagnostic, sources: SourceMap) -> CheckOutcome {
    CheckOutcome {
        report: AssertionReport::new(script).stopped_by(&problem, &sources),
        problem: Some(problem),
        warnings: Vec::new(),
        sources,
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
pub(super) fn raise(setting: &str) -> String {
    format!("raise `{setting}` in the initialization options, or check a smaller instance")
}
