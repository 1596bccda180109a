//! `cspsym explain [CODE]`: the explanation of a message.

use base::diag::Diagnostic;
use report::explanation::{explanation, list, plain_code, similar};

use host::arguments::ExplainCall;
use host::console::Console;
use host::outcome::CallEnd;

/// Explains the message, or lists all there are.
pub(super) fn run(call: &ExplainCall, console: &mut Console<'_>) -> CallEnd {
    let text = match call.code.as_deref().map(plain_code) {
        None => list(),
        Some(code) => {
            let explanation = explanation(&code).ok_or_else(|| unknown(&code))?;
            explanation.text()
        }
    };
    console.result(&text)?;
    Ok(())
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
