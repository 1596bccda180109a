//! `cspsym eval EXPR FILE` and `cspsym type EXPR FILE`: the value of an expression, or its type.

use checker::EvaluatedText;
use report::json::json;
use report::value::{TypeReport, ValueReport};

use host::answer::{ScriptQuestion, failing};
use host::arguments::{AskCall, Format};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;

/// The question about an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AskedOf {
    Value,
    Type,
}

/// Prints the answer.
pub(super) fn run(
    call: &AskCall,
    asked: AskedOf,
    files: &mut Files,
    console: &mut Console<'_>,
) -> CallEnd {
    let (file, expression) = (call.file.clone(), call.expression.clone());
    let unanswered = move |message| asked.json(&file, &expression, None, Some(message));
    let question = ScriptQuestion {
        file: &call.file,
        title: call.expression.clone(),
        definitions: &call.common.definitions,
        options: call.common.options(console.monitor().memory()),
        failure: (call.format == Format::Json).then(|| failing(unanswered)),
    };
    question.put(files, console, |script, options, task| {
        let answer = match asked {
            AskedOf::Value => script.evaluate(&call.expression, options, task)?,
            AskedOf::Type => EvaluatedText {
                text: script.type_of(&call.expression)?,
                elements: None,
            },
        };
        let line = match call.format {
            Format::Text => answer.text,
            Format::Json => asked.json(&call.file, &call.expression, Some(answer), None),
        };
        Ok(line + "\n")
    })
}

impl AskedOf {
    /// The answer, or the message in its place, as a line of JSON without the newline.
    fn json(
        self,
        file: &str,
        expression: &str,
        answer: Option<EvaluatedText>,
        message: Option<String>,
    ) -> String {
        let (file, expression) = (file.to_string(), expression.to_string());
        let (text, elements) = answer.map(|answer| (answer.text, answer.elements)).unzip();
        match self {
            AskedOf::Value => json(&ValueReport {
                file,
                expression,
                value: text,
                elements: elements.flatten(),
                message,
            }),
            AskedOf::Type => json(&TypeReport {
                file,
                expression,
                ty: text,
                message,
            }),
        }
    }
}
