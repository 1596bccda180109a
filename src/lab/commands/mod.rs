//! `cspsym lab`: labs are listed, begun, checked and graded.

mod check;
mod folder;
mod grade;
mod hint;
mod list;
mod play;
mod predict;
mod shelf;
mod start;
mod submission;

pub use folder::LabFolder;
pub use predict::predicted;
pub use shelf::{GIVEN, lab_names};

use host::arguments::lab::{LabCall, LabCommand};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;

/// Runs the command.
pub fn run(call: &LabCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let said = match &call.command {
        LabCommand::List(call) => list::listed(call),
        LabCommand::Start(call) => start::begin(call),
        LabCommand::Predict(call) => predict::predict(call, files),
        LabCommand::Hint(call) => hint::hints(call, files),
        LabCommand::Play(call) => return play::run(call, files, console),
        LabCommand::Check(call) => return check::run(call, files, console),
        LabCommand::Grade(call) => return grade::run(call, files, console),
    };
    console.result(&said?)?;
    Ok(())
}
