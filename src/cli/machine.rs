//! `cspsym machine EXPR FILE`: the structured machine of a process.

use std::io;

use crate::report::dot;
use crate::report::machine::MachineFailure;

use super::answer::{ScriptQuestion, failing};
use super::arguments::{MachineCall, MachineFormat};
use super::console::Console;
use super::files::Files;
use super::output::OneLine;
use super::status::Status;

/// Compiles the process and prints its machine.
pub(super) fn run(
    call: &MachineCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let is_json = call.format == MachineFormat::Json;
    let question = ScriptQuestion {
        file: &call.file,
        title: call.expression.clone(),
        common: &call.common,
        failure: is_json.then(|| failure(call)),
    };
    question.put(files, console, |script, options, task| {
        let machine = script.machine(&call.expression, options, task)?;
        Ok(match call.format {
            MachineFormat::Text => machine.text(),
            MachineFormat::Json => format!("{}\n", machine.json()),
            MachineFormat::Dot => dot::render(&machine),
        })
    })
}

fn failure(call: &MachineCall) -> OneLine {
    let (file, expression) = (call.file.clone(), call.expression.clone());
    failing(move |message| {
        let report = MachineFailure {
            file: file.clone(),
            expression: expression.clone(),
            message,
        };
        report.json()
    })
}
