//! `cspsym eval EXPR FILE` and `cspsym type EXPR FILE`: the value of an expression, or its type.

use std::io;

use crate::diag::{Diagnostic, Result};
use crate::report::value::{TypeReport, ValueReport};
use crate::source::SourceMap;

use super::arguments::{Ask, Format};
use super::console::Console;
use super::files::Files;
use super::output::Said;
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
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = asked.line(call);
    let is_json = call.format == Format::Json;
    let pending = is_json.then(|| {
        let line = asked.line(call);
        move |message| line(None, Some(message))
    });
    console.pending_answer(call.expression.clone(), pending);
    let failed = |problems: &[Diagnostic], sources: &SourceMap, console: &mut Console<'_>| {
        let line = |message| report(None, Some(message));
        console.failure(problems, sources, is_json.then_some(&line))
    };
    let mut session = match load(&call.file, files, &call.common.options(console.monitor())) {
        Ok(session) => session,
        Err(failure) => return failed(&failure.problems, &failure.sources, console),
    };
    let warnings = console.problems(session.warnings(), session.sources());
    match asked.answer(&mut *session, &call.expression) {
        Ok(answer) => {
            let said = Said {
                out: match call.format {
                    Format::Text => format!("{answer}\n"),
                    Format::Json => report(Some(answer), None) + "\n",
                },
                ..Said::default()
            };
            console.answer(&said, Status::Holds, None)?;
            Ok(warnings)
        }
        Err(problem) => failed(&[*problem], session.sources(), console),
    }
}

impl Asked {
    fn answer(self, session: &mut dyn Session, expression: &str) -> Result<String> {
        match self {
            Asked::Value => session.evaluate(expression),
            Asked::Type => session.type_of(expression),
        }
    }

    /// Makes of the answer, or of why there is none, a line of JSON without the newline.
    fn line(self, call: &Ask) -> impl Fn(Option<String>, Option<String>) -> String + use<> {
        let (file, expression) = (call.file.clone(), call.expression.clone());
        move |answer, message| {
            let (file, expression) = (file.clone(), expression.clone());
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
}
