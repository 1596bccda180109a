//! `cspsym help TOPIC`: the chapters of the manual, and the JSON Schema of the results.

use std::io;

use crate::base::suggest::nearest;
use crate::diag::Diagnostic;
use crate::report::json::schema;
use crate::source::SourceMap;

use super::arguments::{Arguments, Help};
use super::console::Console;
use super::status::Status;

/// The topic whose chapter is about results in JSON.
pub(super) const JSON: &str = "json";

/// A chapter of the manual.
struct Chapter {
    /// What it is called.
    topic: &'static str,
    /// What it is about, in a line.
    summary: &'static str,
    /// All of it, in Markdown.
    text: &'static str,
}

/// The chapters, each of which is a file of `src/manual/`.
macro_rules! chapters {
    ($($topic:literal: $summary:literal,)*) => {
        [$(Chapter {
            topic: $topic,
            summary: $summary,
            text: include_str!(concat!("../manual/", $topic, ".md")),
        }),*]
    };
}

const CHAPTERS: [Chapter; 8] = chapters! {
    "command-line": "subcommands, options, exit statuses",
    "language": "which CSPm is accepted, and what it means here",
    "models": "assertions, models, termination, counterexamples",
    "symmetries": "how symmetry is found and used, and what breaks it",
    "limits": "time, memory, progress, searches on disk",
    "editors": "how to set up an editor, and what it shows then",
    "json": "results for other programs; --schema prints their JSON Schema",
    "messages": "how messages are built, and how to read more about one",
};

/// Prints the chapter. Without a topic, and of a subcommand, the arguments answer for themselves.
pub(super) fn run(call: &Help, console: &mut Console<'_>) -> io::Result<Status> {
    let topic = call.topic.as_deref().unwrap_or_default();
    let Some(chapter) = CHAPTERS.iter().find(|chapter| chapter.topic == topic) else {
        return Ok(console.problem(&unknown(topic), &SourceMap::new()));
    };
    match call.schema {
        true => console.result(&schema())?,
        false => console.result(chapter.text)?,
    }
    Ok(Status::Holds)
}

/// All topics, each with a line on its chapter.
pub(super) fn topics() -> String {
    let topics = CHAPTERS.iter().map(|chapter| chapter.topic);
    let width = topics.map(str::len).max().unwrap_or_default();
    let line = |chapter: &Chapter| format!("\n  {:width$}  {}", chapter.topic, chapter.summary);
    let lines: String = CHAPTERS.iter().map(line).collect();
    format!("Topics of the manual, for `cspsym help TOPIC`:{lines}")
}

fn unknown(topic: &str) -> Diagnostic {
    let error = Diagnostic::error(
        "unknown-topic",
        format!("the manual has no topic `{topic}`"),
    );
    let subcommands = Arguments::subcommands();
    let known = CHAPTERS.iter().map(|chapter| chapter.topic);
    let known = known.chain(subcommands.iter().map(String::as_str));
    match nearest(topic, known) {
        Some(near) => error.hint(format!(
            "did you mean `{near}`? `cspsym help` lists all topics"
        )),
        None => error.hint("`cspsym help` lists all topics"),
    }
}
