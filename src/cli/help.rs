//! `cspsym help TOPIC`: the chapters of the manual, and the JSON Schema of the results.

use base::diag::Diagnostic;
use base::suggest::nearest;
use report::schema::schema;

use host::arguments::{Arguments, HelpCall};
use host::chapters::CHAPTERS;
use host::console::Console;
use host::outcome::CallEnd;

/// Prints the chapter. Calls without a topic, or with a subcommand, were answered by the arguments.
pub(super) fn run(call: &HelpCall, console: &mut Console<'_>) -> CallEnd {
    let topic = call.topic();
    let chapter = CHAPTERS.iter().find(|chapter| chapter.topic == topic);
    let chapter = chapter.ok_or_else(|| unknown(&topic))?;
    match call.schema {
        true => console.result(&schema())?,
        false => console.result(chapter.text)?,
    }
    Ok(())
}

fn unknown(topic: &str) -> Diagnostic {
    let error = Diagnostic::error(
        "unknown-topic",
        format!("the manual has no topic `{topic}`"),
    );
    let subcommands = Arguments::nested_subcommands();
    let known = CHAPTERS.iter().map(|chapter| chapter.topic);
    let known = known.chain(subcommands.iter().map(String::as_str));
    match nearest(topic, known) {
        Some(near) => error.hint(format!(
            "did you mean `{near}`? `cspsym help` lists all topics"
        )),
        None => error.hint("`cspsym help` lists all topics"),
    }
}
