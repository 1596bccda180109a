//! `cspsym typecheck FILE...`: the mistakes of scripts, before anything is run.

use std::io;
use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::of_all;
use report::message::MessageReport;

use host::arguments::{Format, TypecheckCall};
use host::console::Console;
use host::files::Files;
use host::load::SharedDefinitions;
use host::named::{are_looked_for, named_scripts};
use host::outcome::CallEnd;
use host::output::{Said, Unsaid};
use host::status::Status;

/// Reads the scripts and checks their names and types.
pub(super) fn run(call: &TypecheckCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let options = call.common.options(console.monitor().memory());
    let is_json = call.format == Format::Json;
    let instead = || Unsaid::Answer(is_json.then(|| Arc::new(line) as _));
    if are_looked_for(&call.files) {
        // It may take long.
        console.pending(instead());
    }
    let scripts = named_scripts(&call.files)?;
    let mut definitions = SharedDefinitions::new(&call.common.definitions, scripts.len());
    let mut are_all_read = true;
    for file in &scripts {
        console.monitor().begin(file.clone());
        console.pending(instead());
        // Reading a script looks at no limits.
        if let Some(limit) = console.monitor().reached() {
            show(
                call.format,
                &[limit.diagnostic()],
                &SourceMap::new(),
                console,
            )?;
            return Ok(());
        }
        match definitions.read(file, files) {
            Ok(loaded) => {
                let problems = of_all(&loaded.problems(&options));
                show(call.format, &problems, loaded.script.sources(), console)?;
            }
            Err(error) => {
                are_all_read = false;
                show(
                    call.format,
                    &of_all(error.problems()),
                    error.sources(),
                    console,
                )?;
                // Nothing was typed, so it is never a success.
                console.count(Status::Undecided);
            }
        }
    }
    // A script that was not read may have the constant.
    if are_all_read {
        let unused = definitions.unused();
        show(call.format, &unused, &SourceMap::new(), console)?;
    }
    Ok(())
}

/// Writes messages: for people to standard error, as JSON to standard output, as the results.
fn show(
    format: Format,
    problems: &[Diagnostic],
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let line = |problem| line(problem, sources) + "\n";
    let said = match format {
        Format::Text => Said::messages(problems, sources),
        Format::Json => Said {
            out: problems.iter().map(line).collect(),
            ..Said::default()
        },
    };
    console.answer(&said, Status::of_problems(problems), None)
}

/// A message as a line of JSON without the newline.
fn line(problem: &Diagnostic, sources: &SourceMap) -> String {
    MessageReport::of(problem, sources).json()
}
