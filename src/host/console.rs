//! Standard output and standard error.

use std::io::{self, BufWriter, Write};
use std::sync::{Arc, MutexGuard};
use std::thread;

use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::Error;

use super::monitor::Monitor;
use super::output::{Output, Said, Unsaid};
use super::status::Status;

/// The size, in bytes, of the pieces that a long result is written in.
const PIECE: usize = 1 << 16;

/// The output of the subcommands. Text that belongs together is written at once, whole lines at a
/// time, so that the run may be ended from outside between any two.
pub struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    monitor: Arc<Monitor>,
    interactive: bool,
}

impl<'a> Console<'a> {
    /// Writes results to `out` and messages to `err`. A person is looking at them if `interactive`.
    pub fn new(
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
        monitor: Arc<Monitor>,
        interactive: bool,
    ) -> Self {
        Self {
            out,
            err,
            monitor,
            interactive,
        }
    }

    /// The monitor, which knows the limits of the call.
    pub fn monitor(&self) -> &Arc<Monitor> {
        &self.monitor
    }

    /// Notes that the work has begun and `unsaid` is left to print if it is ended.
    pub fn pending(&self, unsaid: Unsaid) {
        self.announce(unsaid);
        open(&self.monitor).has_begun = true;
    }

    /// Notes that `unsaid` is left to print if the work cannot begin.
    pub fn announce(&self, unsaid: Unsaid) {
        open(&self.monitor).unsaid = Some(unsaid);
    }

    /// The status of the worst result or message so far.
    pub fn worst(&self) -> Status {
        open(&self.monitor).worst
    }

    /// Makes the status of the call `status`, unless it is worse already.
    pub fn count(&self, status: Status) {
        let mut output = open(&self.monitor);
        output.worst = output.worst.max(status);
    }

    /// Writes a result, which ends in a newline or is empty; more is to come.
    pub fn result(&mut self, text: &str) -> io::Result<()> {
        let _output = open(&self.monitor);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Writes the last result, or one after which `unsaid` is left, with the messages that go with
    /// it. The result stands for `status`.
    pub fn answer(
        &mut self,
        said: &Said,
        status: Status,
        unsaid: Option<Unsaid>,
    ) -> io::Result<()> {
        let mut output = open(&self.monitor);
        output.worst = output.worst.max(status);
        print(said, unsaid, &mut output, (self.out, self.err))
    }

    /// Writes the last result piece by piece, by `write`. Nobody else prints meanwhile.
    pub(crate) fn written<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut output = open(&self.monitor);
        output.unsaid = None;
        let mut out = BufWriter::with_capacity(PIECE, &mut *self.out);
        let written = write(&mut out)?;
        out.flush()?;
        Ok(written)
    }

    /// Writes the output that `make` gives while nobody else prints: whoever ends the run from
    /// outside sees what it has changed either before or after.
    pub fn answer_by(
        &mut self,
        unsaid: Option<Unsaid>,
        make: impl FnOnce() -> Said,
    ) -> io::Result<()> {
        let mut output = open(&self.monitor);
        print(&make(), unsaid, &mut output, (self.out, self.err))
    }

    /// Writes a line that is no result.
    pub fn remark(&mut self, text: &str) {
        let _output = open(&self.monitor);
        let _ = writeln!(self.err, "{text}");
    }

    /// Writes messages with their excerpts.
    pub fn problems(&mut self, problems: &[Diagnostic], sources: &SourceMap) {
        let said = Said::messages(problems, sources);
        let mut output = open(&self.monitor);
        output.worst = output.worst.max(Status::of_problems(problems));
        output.first_error = output.first_error.or(said.first_error);
        let _ = self.err.write_all(said.err.as_bytes());
    }

    /// Writes the reason why there is no result, which is never a success. In JSON the worst
    /// message stands in place of the result.
    pub fn failure(&mut self, error: &Error) -> io::Result<()> {
        let (problems, sources) = (error.messages(), error.sources());
        let status = Status::of_problems(&problems).max(Status::Undecided);
        let mut said = Said::messages(&problems, sources);
        let each = problems.iter();
        if let Some(worst) = each.max_by_key(|problem| Status::of_problem(problem)) {
            let output = open(&self.monitor);
            let unsaid = output.unsaid.as_ref();
            said.out = unsaid.map_or(String::new(), |unsaid| unsaid.instead(worst, sources));
        }
        self.answer(&said, status, None)
    }

    /// Writes once, after all messages, how to read more about the first error, if a person is
    /// looking.
    pub fn point_to_explanation(&mut self) {
        let output = open(&self.monitor);
        if let Some(line) = output.explanation().filter(|_| self.interactive) {
            let _ = self.err.write_all(line.as_bytes());
        }
    }
}

/// Writes `said` to standard output and standard error, after which `unsaid` is left.
fn print(
    said: &Said,
    unsaid: Option<Unsaid>,
    output: &mut Output,
    (out, err): (&mut dyn Write, &mut dyn Write),
) -> io::Result<()> {
    output.unsaid = unsaid;
    output.first_error = output.first_error.or(said.first_error);
    if !said.out.is_empty() {
        out.write_all(said.out.as_bytes())?;
        out.flush()?;
    }
    // If nobody reads messages, the results and the exit status still count.
    let _ = err.write_all(said.err.as_bytes());
    Ok(())
}

/// Waits until nobody else prints. Waits for ever once the output is closed.
fn open(monitor: &Monitor) -> MutexGuard<'_, Output> {
    loop {
        let mut output = monitor.output();
        if !output.is_closed {
            output.line.clear();
            return output;
        }
        drop(output);
        thread::park();
    }
}
