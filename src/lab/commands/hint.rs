//! `cspsym lab hint TASK [N]`: hints for a task, from a question to the next step.

use std::io;

use host::arguments::lab::LabHintCall;
use host::console::Console;
use host::files::Files;
use host::status::Status;

use super::folder::{LabFolder, words};

/// Prints the first hints for a task.
pub(super) fn run(
    call: &LabHintCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let folder = match LabFolder::open(&call.place, files) {
        Ok(folder) => folder,
        Err(error) => return console.failure(&error, None),
    };
    let task = match folder.task(call.task) {
        Ok(task) => task,
        Err(error) => return console.failure(&error, None),
    };
    let shown = (call.steps.get() as usize).min(task.hints.len());
    for (index, hint) in task.hints.iter().take(shown).enumerate() {
        console.result(&format!("{}. {hint}\n", index + 1))?;
    }
    let left = task.hints.len() - shown;
    if left > 0 {
        let (number, next, place) = (task.number, shown + 1, words(&call.place));
        console.result(&format!(
            "\n{left} more: `cspsym lab hint {number} {next}{place}`\n"
        ))?;
    }
    Ok(Status::Holds)
}
