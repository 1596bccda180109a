//! `cspsym machine EXPR FILE`: the structured machine of a process.

use std::io;

use crate::diag::Diagnostic;
use crate::report::dot;
use crate::report::machine::MachineFailure;
use crate::source::SourceMap;

use super::arguments::{Machine, MachineFormat};
use super::console::Console;
use super::files::Files;
use super::output::Said;
use super::request::Load;
use super::status::Status;

/// Compiles the process and prints its machine.
pub(super) fn run(
    call: &Machine,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let is_json = call.format == MachineFormat::Json;
    console.pending_answer(call.expression.clone(), is_json.then(|| failure(call)));
    let mut session = match load(&call.file, files, &call.common.options(console.monitor())) {
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
            let said = Said {
                out: text,
                ..Said::default()
            };
            console.answer(&said, Status::Holds, None)?;
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
    let report = failure(call);
    let is_json = call.format == MachineFormat::Json;
    console.failure(problems, sources, is_json.then_some(&report))
}

/// Makes of a message a line of JSON without the newline.
fn failure(call: &Machine) -> impl Fn(String) -> String + use<> {
    let (file, expression) = (call.file.clone(), call.expression.clone());
    move |message| {
        let report = MachineFailure {
            file: file.clone(),
            expression: expression.clone(),
            message,
        };
        report.json()
    }
}
