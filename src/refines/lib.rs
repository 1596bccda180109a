//! `cspsym refines FILE...`: the command line of FDR4, its layouts and its exit statuses.

#![doc = include_str!("README.md")]

mod archive;
mod behaviour;
mod document;
mod layout;
mod mistakes;
mod plain;

use std::path::Path;

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::{Error, Options, Script, of_all};

use behaviour::{FdrCounterexample, Shown};
use host::arguments::RefinesCall;
use host::console::Console;
use host::files::Files;
use host::load::{Loaded, SharedDefinitions};
use host::outcome::CallEnd;
use host::status::Status;
use layout::FdrLayout;

/// Decides all assertions of the scripts, one script after the other, or does what else the call
/// asks for.
pub fn run(call: &RefinesCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    if let Some((option, instead)) = call.unsupported() {
        let message = format!("`{option}` is not supported");
        return Err(Diagnostic::undecided("unsupported", message)
            .hint(instead)
            .into());
    }
    if let Some(problem) = meant_for_refine(&call.files) {
        return Err(problem.into());
    }
    if let Some(to) = &call.archive {
        return archive::save(call, to, files, console);
    }
    let definitions = &call.deciding.common().definitions;
    let mut definitions = SharedDefinitions::new(definitions, call.files.len());
    for (index, file) in call.files.iter().enumerate() {
        let layout = FdrLayout::begin(call, file, &call.files[index + 1..], console);
        console.monitor().begin(file.clone());
        match archive::opened(file) {
            Ok(Some((root, mut files))) => {
                let read = definitions.read(&root, &mut files);
                script(call, read, &layout, console)?;
            }
            Ok(None) => script(call, definitions.read(file, files), &layout, console)?,
            Err(problem) => layout.unread(&[*problem], &SourceMap::new(), console)?,
        }
    }
    if console.worst() < Status::Error {
        console.problems(&definitions.unused(), &SourceMap::new());
    }
    Ok(())
}

/// The problem with the words `SPEC IMPL FILE`, which are those of another subcommand.
fn meant_for_refine(files: &[String]) -> Option<Diagnostic> {
    let [specification, implementation, script] = files else {
        return None;
    };
    // A script that is not there is reported by those who read it.
    let is_script = |name: &str| Path::new(name).exists() || Path::new(name).extension().is_some();
    if is_script(specification) || is_script(implementation) || !is_script(script) {
        return None;
    }
    let message = format!("there are no scripts `{specification}` and `{implementation}`");
    Some(Diagnostic::error("unreadable-file", message).hint(format!(
        "whether one process refines another is decided by \
         `cspsym refine '{specification}' '{implementation}' {script}`"
    )))
}

/// Checks the script that was read.
fn script(
    call: &RefinesCall,
    read: Result<Loaded, Error>,
    layout: &FdrLayout,
    console: &mut Console<'_>,
) -> CallEnd {
    let options = Options {
        explain: call.divide,
        ..call.options(console.monitor().memory())
    };
    let loaded = match read {
        Ok(loaded) => loaded,
        Err(error) => return Ok(layout.unread(&error.messages(), error.sources(), console)?),
    };
    let problems = match call.typecheck {
        true => of_all(&loaded.problems(&options)),
        false => loaded.warnings(&options),
    };
    let sources = loaded.script.sources();
    let (warnings, mistakes): (Vec<_>, Vec<_>) = problems
        .into_iter()
        .partition(|problem| problem.severity == Severity::Warning);
    layout.warn(&warnings, sources, console)?;
    if !mistakes.is_empty() {
        return Ok(layout.unread(&mistakes, sources, console)?);
    }
    if !call.typecheck {
        assertions(call, &loaded.script, &options, layout, console)?;
    }
    Ok(layout.end(console)?)
}

/// Prints the values of a script, and decides its assertions.
fn assertions(
    call: &RefinesCall,
    script: &Script,
    options: &Options,
    layout: &FdrLayout,
    console: &mut Console<'_>,
) -> CallEnd {
    let assertions = script.assertions();
    let open = assertions.iter().enumerate();
    let open = open.map(|(index, text)| (text.clone(), script.undecided(index, options)));
    layout.announce(open, console)?;
    let mut printing = script.printing(options);
    for (index, print) in script.prints().iter().enumerate() {
        let monitor = console.monitor().clone();
        let value = monitor.turn_of(format!("print {print}"), |task| printing.value(index, task));
        layout.printed(print, value, console)?;
    }
    let shown = Shown {
        taus: call.reveal_taus,
        components: call.divide,
    };
    let mut checks = script.checks(options);
    for (index, text) in assertions.iter().enumerate() {
        let report = match console.monitor().ends_run() {
            // Nothing more is begun; each assertion that is left says so.
            Some(limit) => {
                let open = script.undecided(index, options);
                open.stopped_by(&limit.diagnostic(), script.sources())
            }
            None => {
                let monitor = console.monitor().clone();
                let answer =
                    monitor.turn_of(format!("assert {text}"), |task| checks.check(index, task));
                layout.warn(&answer.warnings, &answer.sources, console)?;
                answer.report
            }
        };
        let (specification, implementation) =
            (script.specification_of(index), script.process_of(index));
        let sides = (specification.as_deref(), implementation.as_deref());
        let found = FdrCounterexample::all(&report, sides, shown);
        layout.verdict(&report, &found, console)?;
        // A failing assertion is a result like any other here.
        console.count(match Status::of_verdict(report.verdict) {
            Status::Fails => Status::Holds,
            status => status,
        });
    }
    if layout.is_last() {
        // To free millions of states one by one would take seconds; the system frees all at once.
        std::mem::forget(checks);
    }
    Ok(())
}
