//! `cspsym explain [CODE]`: what a message means.

use std::io;

use base::diag::Diagnostic;
use base::source::SourceMap;
use report::explanation::{explanation, list, plain_code, similar};

use host::arguments::ExplainCall;
use host::console::Console;
use host::status::Status;

/// Explains the message, or lists all there are.
pub(super) fn run(call: &ExplainCall, console: &mut Console<'_>) -> io::Result<Status> {
    let Some(asked) = &call.code else {
        console.result(&list())?;
        return Ok(Status::Holds);
    };
    let code = plain_code(asked);
    match explanation(&code) {
        Some(explanation) => {
            console.result(&explanation.text())?;
            Ok(Status::Holds)
        }
        None => Ok(console.problem(&unknown(&code), &SourceMap::new())),
    }
}

fn unknown(code: &str) -> Diagnostic {
    let error = Diagnostic::error("unknown-code", format!("no message has the code `{code}`"));
    let near: Vec<String> = similar(code)
        .into_iter()
        .map(|near| format!("`{near}`"))
        .collect();
    let near = match near.split_last() {
        None => return error.hint("`cspsym explain` lists all codes"),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    };
    error.hint(format!(
        "did you mean {near}? `cspsym explain` lists all codes"
    ))
}
