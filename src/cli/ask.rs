//! `cspsym eval EXPR FILE` and `cspsym type EXPR FILE`: the value of an expression, or its type.

use std::io;
use std::time::Instant;

use crate::diag::{Diagnostic, Result};
use crate::report::value::{TypeReport, ValueReport};
use crate::source::SourceMap;

use super::arguments::{Ask, Format};
use super::console::Console;
use super::files::Files;
use super::request::{Load, Session};
use super::status::Status;

/// What is asked of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Value,
    Type,
}

/// Prints the answer.
pub(super) fn run(
    call: &Ask,
    asked: Asked,
    deadline: Option<Instant>,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let mut session = match load(&call.file, files, &call.common.options(deadline)) {
        Ok(session) => session,
        Err(failure) => return failed(call, asked, &failure.problems, &failure.sources, console),
    };
    let warnings = console.problems(session.warnings(), session.sources());
    match asked.answer(&mut *session, &call.expression) {
        Ok(answer) => {
            console.result(&match call.format {
                Format::Text => format!("{answer}\n"),
                Format::Json => format!("{}\n", asked.json(call, Some(answer), None)),
            })?;
            Ok(warnings)
        }
        Err(problem) => failed(call, asked, &[*problem], session.sources(), console),
    }
}

/// Writes why there is no answer; never a success.
fn failed(
    call: &Ask,
    asked: Asked,
    problems: &[Diagnostic],
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = |message| asked.json(call, None, Some(message));
    let is_json = call.format == Format::Json;
    console.failure(problems, sources, is_json.then_some(&report))
}

impl Asked {
    fn answer(self, session: &mut dyn Session, expression: &str) -> Result<String> {
        match self {
            Asked::Value => session.evaluate(expression),
            Asked::Type => session.type_of(expression),
        }
    }

    /// The answer, or why there is none, as a line of JSON without the newline.
    fn json(self, call: &Ask, answer: Option<String>, message: Option<String>) -> String {
        let (file, expression) = (call.file.clone(), call.expression.clone());
        match self {
            Asked::Value => ValueReport {
                file,
                expression,
                value: answer,
                message,
            }
            .json(),
            Asked::Type => TypeReport {
                file,
                expression,
                ty: answer,
                message,
            }
            .json(),
        }
    }
}
