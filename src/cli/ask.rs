//! `cspsym eval EXPR FILE` and `cspsym type EXPR FILE`: the value of an expression, or its type.

use std::io;

use crate::report::value::{TypeReport, ValueReport};

use super::answer::Question;
use super::arguments::{Ask, Format};
use super::console::Console;
use super::files::Files;
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
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let is_json = call.format == Format::Json;
    let report = asked.line(call);
    let failure = {
        let report = report.clone();
        move |message| report(None, Some(message))
    };
    let question = Question {
        file: &call.file,
        title: call.expression.clone(),
        common: &call.common,
        failure: is_json.then_some(failure),
    };
    question.put(files, console, |script, options, task| {
        let answer = match asked {
            Asked::Value => script.evaluate(&call.expression, options, task)?,
            Asked::Type => script.type_of(&call.expression)?,
        };
        Ok(match call.format {
            Format::Text => format!("{answer}\n"),
            Format::Json => format!("{}\n", report(Some(answer), None)),
        })
    })
}

impl Asked {
    /// Makes of the answer, or of why there is none, a line of JSON without the newline.
    fn line(self, call: &Ask) -> impl Fn(Option<String>, Option<String>) -> String + Clone + use<> {
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
