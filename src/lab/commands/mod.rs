//! `cspsym lab`: labs are listed, begun, checked and graded.

mod check;
mod folder;
mod grade;
mod hint;
mod list;
mod predict;
mod shelf;
mod start;
mod submission;

use std::io;

pub use folder::LabFolder;
pub use predict::predicted;

use host::arguments::lab::{LabCall, LabCommand};
use host::console::Console;
use host::files::Files;
use host::status::Status;

/// Runs the command.
pub fn run(call: &LabCall, files: &mut Files, console: &mut Console<'_>) -> io::Result<Status> {
    match &call.command {
        LabCommand::List(call) => list::run(call, console),
        LabCommand::Start(call) => start::run(call, console),
        LabCommand::Predict(call) => predict::run(call, files, console),
        LabCommand::Check(call) => check::run(call, files, console),
        LabCommand::Hint(call) => hint::run(call, files, console),
        LabCommand::Grade(call) => grade::run(call, files, console),
    }
}
