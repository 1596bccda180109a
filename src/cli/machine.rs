//! `cspsym machine EXPR FILE`: the structured machine of a process.

use std::io;
use std::time::Instant;

use crate::diag::Diagnostic;
use crate::report::dot;
use crate::report::machine::MachineFailure;
use crate::source::SourceMap;

use super::arguments::{Machine, MachineFormat};
use super::console::Console;
use super::files::Files;
use super::request::Load;
use super::status::Status;

/// Compiles the process and prints its machine.
pub(super) fn run(
    call: &Machine,
    deadline: Option<Instant>,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let mut session = match load(&call.file, files, &call.common.options(deadline)) {
        Ok(session) => session,
        Err(failure) => return failed(call, &failure.problems, &failure.sources, console),
    };
    let warnings = console.problems(session.warnings(), session.sources());
    match session.machine(&call.expression) {
        Ok(machine) => {
            let text = match call.format {
                MachineFormat::Text => machine.text(),
                MachineFormat::Json => format!("{}\n", machine.json()),
                MachineFormat::Dot => dot::render(&machine),
            };
            console.result(&text)?;
            Ok(warnings)
        }
        Err(problem) => failed(call, &[*problem], session.sources(), console),
    }
}

/// Writes why there is no machine; never a success.
fn failed(
    call: &Machine,
    problems: &[Diagnostic],
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = |message| {
        let report = MachineFailure {
            file: call.file.clone(),
            expression: call.expression.clone(),
            message,
        };
        report.json()
    };
    let is_json = call.format == MachineFormat::Json;
    console.failure(problems, sources, is_json.then_some(&report))
}
