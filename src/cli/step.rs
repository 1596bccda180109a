//! `cspsym step FILE PROCESS`: walking a process in the terminal, a request a line.

mod request;
mod session;

use std::fs;
use std::io;

use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::{Error, Script, WalkSubject};
use report::walk::SavedWalk;

use host::arguments::StepCall;
use host::arguments::values::definition;
use host::console::Console;
use host::files::Files;
use host::load::Loaded;
use host::output::Unsaid;
use host::selection;
use host::status::Status;
use session::Session;

/// Walks until the requests end.
pub(super) fn run(
    call: &StepCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    console.monitor().begin(call.words.join(" "));
    console.pending(Unsaid::Answer(None));
    let saved = match saved(call) {
        Ok(saved) => saved,
        Err(problem) => {
            return console.failure(&Error::new(vec![problem], SourceMap::new()), None);
        }
    };
    let mut definitions = call.deciding.common().definitions.clone();
    let instance = saved.as_ref().and_then(|saved| saved.instance.as_deref());
    // `saved` has seen that it is one.
    definitions.extend(instance.and_then(|instance| definition(instance).ok()));
    let loaded = match Loaded::read(call.file(), files, &definitions) {
        Ok(loaded) => loaded,
        Err(error) => return console.failure(&error, None),
    };
    let options = call.deciding.options(console.monitor().memory());
    let script = &loaded.script;
    let warnings = console.problems(&loaded.warnings(&options), script.sources());
    let start = match start(call, saved, script) {
        Ok(start) => start,
        Err(error) => return console.failure(&error, None),
    };
    let task = console.monitor().task();
    // Without a path an assertion begins where it goes wrong.
    let to_counterexample = start.path.is_none();
    // Output that cannot be written is no matter of the script.
    let mut outcome = Ok(());
    let walked = script.walk(
        start.subject(),
        to_counterexample,
        &options,
        &task,
        |walker| {
            if let Some(instance) = &start.instance {
                walker.note_instance(instance);
            }
            // A saved walk is taken as far as it fits.
            let misfit = start
                .path
                .as_ref()
                .and_then(|path| walker.follow(path).err());
            outcome = Session::new(walker, console).run(misfit.as_ref());
            Ok(())
        },
    );
    outcome?;
    match walked {
        Ok(()) => Ok(warnings),
        Err(error) => console.failure(&error, None),
    }
}

/// Where a walk starts.
struct StepStart {
    process: String,
    /// The position of the assertion, if it is one that is walked.
    assertion: Option<usize>,
    /// The steps to take first, if the walk was saved before.
    path: Option<Vec<String>>,
    /// The instance in which it was, if that was another than the script.
    instance: Option<String>,
}

impl StepStart {
    fn subject(&self) -> WalkSubject<'_> {
        match self.assertion {
            Some(index) => WalkSubject::Assertion(index),
            None => WalkSubject::Process(&self.process),
        }
    }
}

/// What the call asks to walk.
fn start(call: &StepCall, saved: Option<SavedWalk>, script: &Script) -> Result<StepStart, Error> {
    let wanted = call.assertion.clone();
    let wanted = wanted.or_else(|| saved.as_ref().and_then(|saved| saved.assertion.clone()));
    let process = call.process().map(str::to_string);
    let process = process.or_else(|| saved.as_ref().and_then(|saved| saved.process.clone()));
    let assertion = match (&wanted, &process) {
        (Some(wanted), None) => Some(selection::only(wanted, &script.assertions())?),
        (Some(_), Some(_)) if call.process().is_none() => None,
        _ => None,
    };
    Ok(StepStart {
        process: process.unwrap_or_default(),
        assertion,
        instance: saved.as_ref().and_then(|saved| saved.instance.clone()),
        path: saved.map(|saved| saved.path),
    })
}

/// The walk that the call names, if it names one.
fn saved(call: &StepCall) -> Result<Option<SavedWalk>, Diagnostic> {
    call.walk.as_deref().map(read_walk).transpose()
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
