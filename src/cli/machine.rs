//! `cspsym machine EXPR FILE`: the structured machine of a process.

use std::io;
use std::time::Instant;

use crate::report::dot;
use crate::report::machine::MachineFailure;

use super::answer::Question;
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
    let is_json = call.format == MachineFormat::Json;
    let failure = |message| {
        let (file, expression) = (call.file.clone(), call.expression.clone());
        let report = MachineFailure {
            file,
            expression,
            message,
        };
        report.json()
    };
    let question = Question {
        file: &call.file,
        common: &call.common,
        failure: is_json.then_some(&failure),
    };
    question.put(deadline, files, load, console, |session| {
        let machine = session.machine(&call.expression)?;
        Ok(match call.format {
            MachineFormat::Text => machine.text(),
            MachineFormat::Json => format!("{}\n", machine.json()),
            MachineFormat::Dot => dot::render(&machine),
        })
    })
}
