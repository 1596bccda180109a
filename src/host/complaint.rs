//! Messages that have no place in a script.

use std::io::{self, Write};

use base::diag::Diagnostic;
use base::source::SourceMap;

use super::status::Status;

/// Prints a message that has no place in a script, and returns the exit status for it.
pub fn complain(problem: &Diagnostic) -> Status {
    // If standard error is gone as well, the exit status is all that is left.
    let _ = io::stderr().write_all(problem.render(&SourceMap::new()).as_bytes());
    Status::of_problem(problem)
}

/// The message that the operating system gives no thread.
pub fn no_thread(error: &io::Error) -> Diagnostic {
    let message = format!("the working thread did not start: {error}");
    Diagnostic::undecided("no-thread", message)
}
