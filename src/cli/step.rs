//! `cspsym step FILE PROCESS`: walking a process in the terminal, a request a line.

mod request;
mod session;

use std::fs;

use base::diag::Diagnostic;
use checker::WalkSubject;
use report::walk::SavedWalk;

use host::arguments::StepCall;
use host::arguments::values::definition;
use host::console::Console;
use host::files::Files;
use host::load::Loaded;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::selection;
use session::Session;

/// Walks until the requests end.
pub(super) fn run(call: &StepCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    console.monitor().begin(call.words.join(" "));
    console.pending(Unsaid::Answer(None));
    let start = match &call.walk {
        Some(saved) => read_walk(saved)?,
        None => SavedWalk {
            process: call.process().map(str::to_string),
            assertion: call.assertion.clone(),
            instance: None,
            path: Vec::new(),
        },
    };
    let mut definitions = call.deciding.common().definitions.clone();
    let instance = start.instance.as_deref();
    // `read_walk` has checked that it is a definition.
    definitions.extend(instance.and_then(|instance| definition(instance).ok()));
    let loaded = Loaded::read(call.file(), files, &definitions)?;
    let options = call.deciding.options(console.monitor().memory());
    let script = &loaded.script;
    console.problems(&loaded.warnings(&options), script.sources());
    let subject = match (&start.process, &start.assertion) {
        (None, Some(wanted)) => {
            WalkSubject::Assertion(selection::only(wanted, &script.assertions())?)
        }
        (process, _) => WalkSubject::Process(process.as_deref().unwrap_or_default()),
    };
    let task = console.monitor().task();
    // A saved walk is taken as far as it fits. Without one, the walk of an assertion begins where
    // the assertion goes wrong.
    let saved = call.walk.is_some().then_some(&start.path[..]);
    // An output that cannot be written is no matter of the script.
    let mut outcome = Ok(());
    script.walk(subject, saved.is_none(), &options, &task, |walker| {
        if let Some(instance) = instance {
            walker.note_instance(instance);
        }
        outcome = Session::new(walker).run(saved, console);
        Ok(())
    })?;
    Ok(outcome?)
}

/// The walk that the file `name` holds.
fn read_walk(name: &str) -> Result<SavedWalk, Diagnostic> {
    let text = fs::read_to_string(name).map_err(|error| {
        Diagnostic::error(
            "unreadable-file",
            format!("`{name}` cannot be read: {error}"),
        )
    })?;
    let walk: SavedWalk = serde_json::from_str(&text).map_err(|error| {
        Diagnostic::error("not-a-walk", format!("`{name}` holds no walk: {error}"))
            .hint("a walk is written by the request `save` of `cspsym step`")
    })?;
    if walk.process.is_none() == walk.assertion.is_none() {
        let message = format!("`{name}` holds no walk: it names no process, or two");
        return Err(Diagnostic::error("not-a-walk", message)
            .hint("give `process` or `assertion`, one of the two"));
    }
    if let Some(Err(problem)) = walk.instance.as_deref().map(definition) {
        let message = format!("`{name}` holds no walk: its instance is none: {problem}");
        return Err(Diagnostic::error("not-a-walk", message));
    }
    Ok(walk)
}
