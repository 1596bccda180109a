//! `cspsym eval EXPR FILE`: the value of an expression.

use std::io;
use std::time::Instant;

use crate::diag::Diagnostic;
use crate::report::message::one_line;
use crate::report::value::ValueReport;
use crate::source::SourceMap;

use super::arguments::{Eval, Format};
use super::console::Console;
use super::files::Files;
use super::request::Load;
use super::status::Status;

/// Evaluates the expression.
pub(super) fn run(
    call: &Eval,
    deadline: Option<Instant>,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let mut session = match load(&call.file, files, &call.common.options(deadline)) {
        Ok(session) => session,
        Err(failure) => {
            let worst = failure
                .problems
                .iter()
                .max_by_key(|problem| Status::of_problem(problem));
            print(
                call,
                None,
                worst.map(|problem| (problem, &failure.sources)),
                console,
            )?;
            return Ok(console
                .problems(&failure.problems, &failure.sources)
                .max(Status::Undecided));
        }
    };
    let warnings = console.problems(session.warnings(), session.sources());
    match session.evaluate(&call.expression) {
        Ok(value) => {
            print(call, Some(value), None, console)?;
            Ok(warnings)
        }
        Err(problem) => {
            print(call, None, Some((&problem, session.sources())), console)?;
            Ok(console.problem(&problem, session.sources()).max(warnings))
        }
    }
}

/// Writes the value, or for JSON also that there is none.
fn print(
    call: &Eval,
    value: Option<String>,
    problem: Option<(&Diagnostic, &SourceMap)>,
    console: &mut Console<'_>,
) -> io::Result<()> {
    match (call.format, value) {
        (Format::Text, Some(value)) => console.result(&format!("{value}\n")),
        (Format::Text, None) => Ok(()),
        (Format::Json, value) => {
            let report = ValueReport {
                file: call.file.clone(),
                expression: call.expression.clone(),
                value,
                message: problem.map(|(problem, sources)| one_line(problem, sources)),
            };
            console.result(&format!("{}\n", report.json()))
        }
    }
}
