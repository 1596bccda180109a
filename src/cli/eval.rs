//! `cspsym eval EXPR FILE`: the value of an expression.

use std::io;
use std::time::Instant;

use crate::diag::Diagnostic;
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
        Err(failure) => return failed(call, &failure.problems, &failure.sources, console),
    };
    let warnings = console.problems(session.warnings(), session.sources());
    match session.evaluate(&call.expression) {
        Ok(value) => {
            console.result(&match call.format {
                Format::Text => format!("{value}\n"),
                Format::Json => format!("{}\n", report(call, Some(value), None).json()),
            })?;
            Ok(warnings)
        }
        Err(problem) => failed(call, &[*problem], session.sources(), console),
    }
}

/// Writes why there is no value; never a success.
fn failed(
    call: &Eval,
    problems: &[Diagnostic],
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = |message| report(call, None, Some(message)).json();
    let is_json = call.format == Format::Json;
    console.failure(problems, sources, is_json.then_some(&report))
}

fn report(call: &Eval, value: Option<String>, message: Option<String>) -> ValueReport {
    ValueReport {
        file: call.file.clone(),
        expression: call.expression.clone(),
        value,
        message,
    }
}
