//! `cspsym typecheck FILE...`: what is wrong with scripts, before anything is run.

use std::io;
use std::time::Instant;

use crate::diag::Diagnostic;
use crate::report::message::MessageReport;
use crate::source::SourceMap;

use super::arguments::{Format, Typecheck};
use super::console::Console;
use super::files::Files;
use super::request::Load;
use super::status::Status;

/// Reads the scripts and checks their names and types.
pub(super) fn run(
    call: &Typecheck,
    deadline: Option<Instant>,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let options = call.common.options(deadline);
    let mut status = Status::Holds;
    for file in &call.files {
        let outcome = match load(file, files, &options) {
            Ok(session) => show(call.format, session.warnings(), session.sources(), console)?,
            // Nothing was typed, so it is never a success.
            Err(failure) => show(call.format, &failure.problems, &failure.sources, console)?
                .max(Status::Undecided),
        };
        status = status.max(outcome);
    }
    Ok(status)
}

/// Writes messages: for people to standard error, as JSON they are the results.
fn show(
    format: Format,
    problems: &[Diagnostic],
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    if format == Format::Text {
        return Ok(console.problems(problems, sources));
    }
    for problem in problems {
        let line = MessageReport::of(problem, sources).json();
        console.result(&format!("{line}\n"))?;
    }
    let each = problems.iter().map(Status::of_problem);
    Ok(each.max().unwrap_or(Status::Holds))
}
