//! `cspsym eval EXPR FILE` and `cspsym type EXPR FILE`: the value of an expression, or its type.

use std::io;
use std::time::Instant;

use crate::report::value::{TypeReport, ValueReport};

use super::answer::Question;
use super::arguments::{Ask, Format};
use super::console::Console;
use super::files::Files;
use super::request::Load;
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
    let is_json = call.format == Format::Json;
    let failure = |message| asked.json(call, None, Some(message));
    let question = Question {
        file: &call.file,
        common: &call.common,
        failure: is_json.then_some(&failure),
    };
    question.put(deadline, files, load, console, |session| {
        let answer = match asked {
            Asked::Value => session.evaluate(&call.expression)?,
            Asked::Type => session.type_of(&call.expression)?,
        };
        Ok(match call.format {
            Format::Text => format!("{answer}\n"),
            Format::Json => format!("{}\n", asked.json(call, Some(answer), None)),
        })
    })
}

impl Asked {
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
