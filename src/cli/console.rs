//! Standard output and standard error.

use std::io::{self, Write};

use crate::diag::{Diagnostic, Severity};
use crate::report::message::one_line;
use crate::source::SourceMap;

use super::progress::Progress;
use super::status::Status;

/// Where the subcommands write. Results are written at once, whole lines at a time.
pub(crate) struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    interactive: bool,
    /// The code of the first error.
    first_error: Option<&'static str>,
}

impl<'a> Console<'a> {
    /// Writes results to `out` and messages to `err`, where a person is looking if `interactive`.
    pub(crate) fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, interactive: bool) -> Self {
        Self {
            out,
            err,
            interactive,
            first_error: None,
        }
    }

    /// Writes a result, which ends in a newline or is empty.
    pub(crate) fn result(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Writes a line that is no result.
    pub(crate) fn remark(&mut self, text: &str) {
        // Where nobody reads messages, the results and the exit status still count.
        let _ = writeln!(self.err, "{text}");
    }

    /// Writes a message with its excerpt, and gives the exit status for it.
    pub(crate) fn problem(&mut self, problem: &Diagnostic, sources: &SourceMap) -> Status {
        let _ = self.err.write_all(problem.render(sources).as_bytes());
        if problem.severity != Severity::Warning {
            self.first_error.get_or_insert(problem.code);
        }
        Status::of_problem(problem)
    }

    /// Writes several messages, and gives the worst exit status.
    pub(crate) fn problems(&mut self, problems: &[Diagnostic], sources: &SourceMap) -> Status {
        let each = problems
            .iter()
            .map(|problem| self.problem(problem, sources));
        each.max().unwrap_or(Status::Holds)
    }

    /// Writes why there is no result; never a success. In JSON the result is what `report` makes of the worst message.
    pub(crate) fn failure(
        &mut self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        report: Option<&dyn Fn(String) -> String>,
    ) -> io::Result<Status> {
        let worst = problems
            .iter()
            .max_by_key(|problem| Status::of_problem(problem));
        if let (Some(report), Some(problem)) = (report, worst) {
            self.result(&format!("{}\n", report(one_line(problem, sources))))?;
        }
        Ok(self.problems(problems, sources).max(Status::Undecided))
    }

    /// Says once, after all messages, how to read more about the first error, if a person is looking.
    pub(crate) fn point_to_explanation(&mut self) {
        if let Some(code) = self.first_error.filter(|_| self.interactive) {
            self.remark(&format!(
                "For more information about this error, try `cspsym explain {code}`."
            ));
        }
    }

    /// A line that shows that work goes on, unless `quiet`.
    pub(crate) fn progress(&self, title: String, quiet: bool) -> Progress {
        Progress::new(title, self.interactive && !quiet)
    }
}
